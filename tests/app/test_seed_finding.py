"""Words alone: sources side by side, one order, refined queries that stop where the topic ends."""

import pytest

from lycosa.app.finders.finder import Finder, FoundPage, Unanswered
from lycosa.app.query_refinement import QueryRefinement
from lycosa.app.rank_fusion import fused, spread
from lycosa.app.seed_finding import SeedSource, find_seeds, sources_of
from lycosa.app.seed_search import FoundSeed, seeds_in
from lycosa.index.index import Index
from lycosa.index.search_types import Document
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

LYCOSIDAE = "Wolf spiders are hunters of the family Lycosidae. Lycosidae carry their eggs, as wolf spiders do."
NURSERY = "Wolf spiders and nursery spiders are relatives. Lycosidae are wolf spiders that hunt at night."
SHOES = "Buy shoes in our shop today. Delivery is free, and shoes are cheap, and so are socks."


class Listed(Finder):
    """A source whose answers are written down: by query, or for every query."""

    def __init__(self, answers, trouble=None):
        self.answers, self.trouble, self.queries = answers, trouble, []

    def find(self, query, limit):
        self.queries.append(query)
        if self.trouble and len(self.queries) > self.trouble[0]:
            raise self.trouble[1]
        pages = self.answers.get(query, []) if isinstance(self.answers, dict) else self.answers
        return [FoundPage(url, url.title()) for url in pages[:limit]]


def source(name, answers, trouble=None):
    return SeedSource(name, Listed(answers, trouble))


def trouble(problem, *, lasting):
    error = Unanswered(problem, "wait", code=Code.NETWORK, field="find")
    error.lasting = lasting
    return error


def urls(found):
    return [seed.url for seed in found.seeds]


# One order


def test_a_page_that_two_sources_name_comes_before_those_that_one_of_them_does():
    one, two = source("one", ["http://a.test/", "http://b.test/"]), source("two", ["http://c.test/", "http://b.test"])
    found = find_seeds("wolf spiders", [one, two])
    assert urls(found) == ["http://b.test/", "http://a.test/", "http://c.test/"]
    assert found.seeds[0].sources == ("one", "two") and "also named by two" in found.seeds[0].reason
    assert found.asked == ["one", "two"] and found.queries == ["wolf spiders"]


def test_the_same_page_under_two_addresses_counts_once():
    ranking = [
        "HTTP://A.test:80/x#top",
        "http://a.test/x?utm_source=feed",
        "http://a.test/x",
        "no url",
        "http://b.test/",
    ]
    found = fused([(1.0, ranking), (1.0, ["http://b.test/"])])
    assert [page.url for page in found] == ["http://b.test/", "http://a.test/x"]
    assert found[0].named == ((1, 1), (0, 5))


def test_no_host_has_more_than_a_quarter_unless_there_are_no_others():
    seeds = [FoundSeed(f"http://big.test/{n}", "", "", "") for n in range(20)]
    seeds += [FoundSeed(f"http://h{n}.test/", "", "", "") for n in range(3)]
    chosen = [seed.url for seed in spread(seeds, 8)]
    assert chosen[:5] == [
        "http://big.test/0",
        "http://big.test/1",
        "http://h0.test/",
        "http://h1.test/",
        "http://h2.test/",
    ]
    assert len(chosen) == 8 and len(set(chosen)) == 8


def test_collections_are_merged_by_score_and_not_by_turns(tmp_path):
    """A collection that knows little about the words must not have every second seed, let alone the first."""
    korea = [
        Document(f"http://korea{n}.test/", f"Korea {n}", f"Korea has islands and cities, part {n}.") for n in range(30)
    ]
    islands = [
        Document(
            f"http://volcano{n}.test/", f"Volcanic islands {n}", f"Volcanic islands rise from volcanic vents, {n}."
        )
        for n in range(30)
    ]
    for name, documents in (("korea", korea), ("volcanoes", islands)):
        with Index.write(tmp_path / name) as index:
            for document in documents:
                index.add(document)
            index.commit(1, 1)
            index.settle()
    with Index.open(tmp_path / "korea") as one, Index.open(tmp_path / "volcanoes") as other:
        found = seeds_in({"korea": one, "volcanoes": other}, "volcanic islands", 20)
    assert len(found) == 20
    assert {seed.collection for seed in found} == {"volcanoes"}


# Refined queries


def test_the_next_query_has_the_word_of_the_pages_on_topic_that_the_others_lack():
    refinement = QueryRefinement("wolf spiders")
    assert refinement.learn([LYCOSIDAE, NURSERY])
    assert refinement.next() == "wolf spiders lycosidae"
    again = refinement.next()
    assert again is None or "lycosidae" not in again


def test_a_word_that_the_pages_off_topic_have_too_is_not_taken():
    refinement = QueryRefinement("wolf spiders")
    refinement.learn([LYCOSIDAE, NURSERY, "Lycosidae shoes: buy shoes of the brand Lycosidae here, delivery is free."])
    assert refinement.next() != "wolf spiders lycosidae"


def test_pages_off_topic_or_none_at_all_stop_the_refining():
    assert not QueryRefinement("wolf spiders").learn([SHOES, SHOES, NURSERY])
    assert not QueryRefinement("wolf spiders").learn([])
    assert QueryRefinement("spiders").learn([SHOES, NURSERY])


TEXTS = {"http://a.test/": LYCOSIDAE, "http://b.test/": NURSERY, "http://c.test/": LYCOSIDAE, "http://off.test/": SHOES}


def read(asked):
    return {url: TEXTS[url] for url in asked if url in TEXTS}


def test_a_refined_query_brings_more_and_what_it_brings_comes_after():
    answers = {"wolf spiders": ["http://a.test/", "http://b.test/"], "wolf spiders lycosidae": ["http://c.test/"]}
    found = find_seeds("wolf spiders", [source("one", answers)], queries=2, read=read)
    assert urls(found) == ["http://a.test/", "http://b.test/", "http://c.test/"]
    assert found.queries == ["wolf spiders", "wolf spiders lycosidae"]
    assert found.seeds[2].reason == "result 1 of one for «wolf spiders lycosidae»"


def test_results_of_a_query_that_leads_away_are_dropped_and_no_further_one_is_asked():
    answers = {"wolf spiders": ["http://a.test/", "http://b.test/"], "wolf spiders lycosidae": ["http://off.test/"]}
    one = source("one", answers)
    found = find_seeds("wolf spiders", [one], queries=5, read=read)
    assert urls(found) == ["http://a.test/", "http://b.test/"]
    assert one.finder.queries == ["wolf spiders", "wolf spiders lycosidae"]


def test_queries_and_reading_are_bounded():
    answers = [f"http://h{n}.test/" for n in range(50)]
    seen = []

    def everything(asked):
        seen.extend(asked)
        return {url: f"{NURSERY} Word{len(seen)} and spiders." for url in asked}

    one = source("one", answers)
    found = find_seeds("wolf spiders", [one], limit=10, queries=3, read=everything)
    assert len(one.finder.queries) <= 3 and len(found.seeds) == 10
    assert len(seen) == len(set(seen)) <= 15


def test_nothing_is_read_if_one_query_is_allowed_or_the_source_takes_no_other():
    def never(asked):
        raise AssertionError(asked)

    find_seeds("wolf spiders", [source("one", ["http://a.test/"])], queries=1, read=never)
    fixed = source("one", ["http://a.test/"])
    fixed.finder.refines = False
    find_seeds("wolf spiders", [fixed], queries=9, read=never)


def test_seeds_that_are_not_wanted_are_neither_read_nor_found():
    found = find_seeds(
        "wolf spiders",
        [source("one", ["http://a.test/", "http://b.test/"])],
        queries=2,
        read=lambda asked: read(asked) if "http://a.test/" not in asked else pytest.fail("read"),
        keep=lambda url: url != "http://a.test/",
    )
    assert urls(found) == ["http://b.test/"]


# What goes wrong


def test_a_source_that_is_away_is_left_out_and_said_so():
    away = source("away", [], (0, trouble("away does not answer", lasting=False)))
    found = find_seeds("wolf spiders", [away, source("one", ["http://a.test/"])])
    assert urls(found) == ["http://a.test/"] and found.remarks == ["away does not answer: it was left out"]
    with pytest.raises(Refused, match="away does not answer"):
        find_seeds("wolf spiders", [away])


def test_a_source_that_refuses_its_key_is_an_error_even_beside_others():
    shut = source("shut", [], (0, trouble("shut refuses the key", lasting=True)))
    with pytest.raises(Refused, match="refuses the key"):
        find_seeds("wolf spiders", [source("one", ["http://a.test/"]), shut])


def test_trouble_with_a_refined_query_keeps_what_was_found_before():
    one = source("one", ["http://a.test/", "http://b.test/"], (1, trouble("one allows no more", lasting=False)))
    found = find_seeds("wolf spiders", [one], queries=3, read=read)
    assert urls(found) == ["http://a.test/", "http://b.test/"] and found.remarks == ["one allows no more"]


def test_words_without_a_topic_are_refused():
    with pytest.raises(Refused, match="contain no topic"):
        find_seeds("the of and", [source("one", [])])


# Names


def test_a_name_stands_for_its_source_and_a_remote_caller_can_only_give_names():
    named = {"mine": "searxng:url=http://127.0.0.1:1"}
    http = HttpOptions()
    (one,) = sources_of(["mine"], named, http)
    assert (one.name, one.finder.name) == ("mine", "searxng")
    (one,) = sources_of(["searxng:http://127.0.0.1:1"], {}, http)
    assert one.name == "searxng at 127.0.0.1:1"
    for text in ("searxng:url=http://127.0.0.1:1", "collection:folder=/etc", "nobody", "x" * int(1e4)):
        with pytest.raises(Refused) as refused:
            sources_of([text], named, http, only_named=True)
        assert refused.value.code is Code.UNKNOWN_NAME and "mine" in refused.value.fix
        assert len(str(refused.value)) < 200
