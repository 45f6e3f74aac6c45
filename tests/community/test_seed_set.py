"""The seed set of a query."""

from __future__ import annotations

import pytest

from lycosa.community.seed_set import overlap, seed_set
from lycosa.index.index import Index
from lycosa.index.search_types import Document


def page(url, text, *links):
    body = text
    spans = []
    for link in links:
        body += " "
        spans.append((f"http://{link}/", (len(body), len(body) + len(link))))
        body += link
    return Document(f"http://{url}/", text, f"{text}\n{body}", links=tuple(spans))


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with Index.write(tmp_path_factory.mktemp("index") / "index") as index:
        index.add(page("honey", "honey bees and their hives"))
        index.add(page("wasps", "wasps sting"))
        index.add(page("beekeeping", "a list of links about bees", "honey", "wasps"))
        index.add(page("garden", "flowers for the garden", "honey"))
        index.add(page("portal", "all about everything", "garden", "unknown-bees"))
        index.commit(1, 1)
        index.settle()
        index.reload()
        yield index


def test_results_and_the_pages_that_link_to_them_are_the_seeds(index):
    seeds = seed_set(index, "honey", n_hits=1)
    assert seeds.urls[0] == "http://honey/"
    assert set(seeds.urls[1:]) == {"http://beekeeping/", "http://garden/"}
    assert (seeds.hits, seeds.referrers, seeds.fallback) == (1, 2, False)


def test_pages_that_link_can_be_few_or_none(index):
    assert seed_set(index, "honey", n_hits=1, referrers=1).referrers == 1
    assert seed_set(index, "honey", n_hits=1, referrers=0).urls == ("http://honey/",)


def test_a_page_that_was_never_fetched_is_a_good_seed(index):
    seeds = seed_set(index, "unknown-bees", n_hits=5, by="reference")
    assert "http://unknown-bees/" in seeds.urls


def test_hubs_of_the_results_are_seeds_when_asked_for(index):
    without = seed_set(index, "honey", n_hits=1, referrers=0)
    seeds = seed_set(index, "honey", n_hits=1, referrers=0, hubs=3)
    assert seeds.hubs > 0 and set(without.urls) < set(seeds.urls)
    assert len(set(seeds.urls)) == len(seeds.urls)


def test_without_any_result_it_begins_at_hubs_and_bookmarks(index):
    seeds = seed_set(index, "zyzzyva", n_hits=5, otherwise=["http://bookmark/"])
    assert seeds.fallback and seeds.hits == 0
    assert "http://bookmark/" in seeds.urls and "http://beekeeping/" in seeds.urls


@pytest.mark.parametrize(
    ("one", "other", "share"), [("ab", "ab", 1.0), ("ab", "bc", 1 / 3), ("a", "b", 0.0), ("", "", 0)]
)
def test_overlap_is_what_two_sets_have_in_common(one, other, share):
    assert overlap(list(one), list(other)) == pytest.approx(share)


def test_seeds_leave_room_for_what_they_lead_to(index: Index) -> None:
    everything = seed_set(index, "honey", n_hits=5, hubs=3)
    few = seed_set(index, "honey", n_hits=5, hubs=3, most=2)
    assert len(everything.urls) > 2 == len(few.urls)
    assert few.urls == everything.urls[:2], "the best ones are kept"
    assert len(seed_set(index, "zyzzyva", n_hits=5, otherwise=["http://bookmark/"], most=1).urls) == 1


def test_pages_that_link_have_a_part_however_few_places_there_are(index: Index) -> None:
    assert seed_set(index, "bees honey wasps", n_hits=5, most=3).referrers == 0
    small = seed_set(index, "honey bees hives garden wasps flowers", n_hits=4, most=4)
    assert (len(small.urls), small.hits, small.referrers) == (4, 3, 1)
    without = seed_set(index, "honey bees hives garden wasps flowers", n_hits=4, most=4, referrers=0)
    assert (without.hits, without.referrers) == (4, 0), "what nobody needs goes to the results"
