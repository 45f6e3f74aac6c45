"""TIDS: the table worked out by hand, the set of relevant pages that grows, and crawls that follow others."""

from collections import Counter
from math import log, sqrt
from random import Random

import pytest
from msgspec import msgpack

from lycosa.core.brief import Brief
from lycosa.core.hubs import hub_scores
from lycosa.core.nouns import Ticket, Topic, Visit
from lycosa.core.priors import PageReading, Priors, ReadPages
from lycosa.core.strategy import make
from lycosa.core.taxonomy import taxonomy_of
from lycosa.core.words import cosine, terms
from lycosa.strategy.tids import TermTable, weights
from lycosa.system.errors import Refused

# wolf occurs in two of the three pages, spider in one (three times), web in all of them.
PAGES = ["wolf web", "wolf wolf web", "spider spider spider web"]
TOPIC = Topic("wolf spider", examples=("http://x.test/1", "http://x.test/2", "http://x.test/3"))
LORE = Priors(readings={url: PageReading(text) for url, text in zip(TOPIC.examples, PAGES, strict=True)})


def table(texts=PAGES, smooth=0.0):
    found = TermTable(smooth)
    for text in texts:
        found.add(weights(terms(text)))
    return found


def begun(topic=TOPIC, priors=LORE, seeds=None, **settings):
    strategy = make("tids", settings)
    tickets = strategy.begin(Brief(topic, seeds or topic.examples, Random(1), priors))
    return strategy, {ticket.url: ticket for ticket in tickets}


def joined(strategy, look, html, url="http://new.test/"):
    """How many pages joined the relevant ones."""
    before = strategy._table.pages
    look(strategy, html, url)
    return strategy._table.pages - before


def test_the_table_is_that_of_equations_1_to_3():
    wolf = (log(2) + log(3)) * log(3 / 2)
    spider = log(4) * log(3 / 1)
    assert table().scores == pytest.approx({"wolf": wolf, "spider": spider, "web": 0})


def test_one_page_more_keeps_words_that_all_share():
    assert table(smooth=1.0).scores["web"] == pytest.approx(3 * log(2) * log(4 / 3))


def test_similarity_is_the_cosine_of_table_and_text():
    wolf, spider = (log(2) + log(3)) * log(3 / 2), log(4) * log(3)
    length = sqrt(wolf**2 + spider**2)
    found = table()
    assert found.similarity(weights({"spider": 5})) == pytest.approx(spider / length)
    assert found.similarity(weights({"wolf": 1, "soup": 1})) == pytest.approx(wolf / (length * sqrt(2)))
    assert found.similarity({}) == found.similarity_of_few([]) == 0
    for words in (["wolf", "soup"], ["wolf", "wolf", "spider"]):
        assert found.similarity_of_few(words) == pytest.approx(found.similarity(weights(Counter(words))))


@pytest.mark.parametrize("smooth", [0.0, 1.0])
def test_a_table_that_grew_equals_one_built_anew(smooth):
    dice = Random(3)
    texts = [" ".join(dice.choices([f"word{n}" for n in range(40)], k=dice.randint(1, 60))) for _ in range(200)]
    bags = [weights(terms(text)) for text in texts]
    grown = table(texts, smooth)
    df = Counter(term for bag in bags for term in bag)
    anew = {term: sum(bag.get(term, 0) for bag in bags) * log((len(bags) + smooth) / df[term]) for term in df}
    assert grown.scores == pytest.approx(anew, abs=1e-9)
    assert grown.length == pytest.approx(sqrt(sum(score**2 for score in anew.values())))
    assert grown.likeness == pytest.approx(sum(cosine(bag, anew) for bag in bags) / len(bags))


def test_a_table_of_what_all_pages_share_is_worth_nothing():
    empty = table(["wolf web"] * 3)
    assert empty.length == empty.likeness == empty.similarity(weights({"wolf": 1})) == 0


def test_examples_are_read_and_seeds_are_worth_their_text():
    assert list(make("tids").study(TOPIC, Priors())) == [ReadPages(url) for url in TOPIC.examples]
    _, tickets = begun(seeds=(*TOPIC.examples, "http://unread.test/"), smooth=0.0)
    found = table()
    for url, text in zip(TOPIC.examples, PAGES, strict=True):
        assert tickets[url].score == pytest.approx(found.similarity(weights(terms(text))))
    assert tickets["http://unread.test/"].score == 1.0


def test_a_link_is_worth_its_page_and_its_anchor(look):
    strategy, _ = begun(few=0, likeness=9.0)
    found = look(strategy, '<p>soup <a href="http://b.test/">wolf</a> <a href="http://c.test/">salt</a></p>')
    expected = table(smooth=1.0)
    page = expected.similarity(weights({"soup": 1, "wolf": 1, "salt": 1}))
    anchor = expected.similarity(weights({"wolf": 1}))
    assert found["b.test/"].score == pytest.approx(page + anchor)
    assert found["c.test/"].score == pytest.approx(page)
    assert strategy.explain(found["b.test/"]) == pytest.approx({"page": page, "anchor": anchor})


def test_links_below_the_threshold_are_dropped(look):
    strategy, _ = begun(threshold=0.9, few=0, likeness=9.0)
    found = look(strategy, '<p>soup <a href="http://b.test/">wolf spider</a> <a href="http://c.test/">salt</a></p>')
    assert list(found) == ["b.test/"]


def test_a_page_joins_if_it_is_as_similar_as_the_relevant_ones_are(look):
    assert joined(begun(few=0)[0], look, "<p>wolf spider") == 1
    assert joined(begun(few=0)[0], look, "<p>wolf soup salt pepper") == 0
    assert joined(begun(few=0, likeness=0.3)[0], look, "<p>wolf soup salt pepper") == 1
    assert joined(begun(few=0, most=3)[0], look, "<p>wolf spider") == 0


def test_a_page_that_was_read_before_does_not_join_twice(look):
    strategy, tickets = begun(few=0)
    assert joined(strategy, look, "<p>wolf spider", TOPIC.examples[0]) == 0
    before = strategy._table.pages
    look(strategy, "<p>wolf spider", "http://moved.test/", tickets[TOPIC.examples[1]].memo)  # it was redirected
    assert strategy._table.pages == before


def test_without_examples_the_keywords_stand_for_them_until_the_best_of_the_first_pages_join(look):
    strategy, _ = begun(Topic("wolf spider"), Priors(), ("http://a.test/",), few=2, first=4)
    assert strategy._table.scores == pytest.approx({"wolf": log(2) ** 2, "spider": log(2) ** 2})
    pages = ["<p>soup", "<p>wolf spider den", "<p>spider web web silk", "<p>wolf soup"]
    assert [joined(strategy, look, html, f"http://{n}.test/") for n, html in enumerate(pages)] == [0, 0, 0, 2]
    assert strategy._table.scores.keys() == {"wolf", "spider", "den", "soup"}
    assert joined(strategy, look, "<p>salt") == 0
    assert joined(strategy, look, "<p>wolf spider den soup", "http://more.test/") == 1


def test_pages_without_any_word_of_the_topic_never_join(look):
    strategy, _ = begun(Topic("wolf spider"), Priors(), ("http://a.test/",), few=2, first=1)
    assert joined(strategy, look, "<p>soup") == 0


def test_examples_that_cannot_be_had_are_as_good_as_none():
    strategy, tickets = begun(priors=Priors(readings=dict.fromkeys(TOPIC.examples)))
    assert set(strategy._table.scores) == {"wolf", "spider"}
    assert {ticket.score for ticket in tickets.values()} == {1.0}


def past(*pages):
    return tuple(
        Visit(Ticket(f"http://{url}.test/"), relevance, [f"http://{link}.test/" for link in links])
        for url, relevance, links in pages
    )


EARLIER = past(("a", 0.8, "cd"), ("b", 0.6, "c"), ("c", 0.5, ""), ("d", 0.7, "e"), ("e", 0.0, "abcd"))


def test_a_crawl_that_follows_another_starts_with_hub_scores_of_the_relevant_pages():
    # The mean relevance is .52: c and e are not relevant, so that only the link from a to d counts.
    priors = Priors(readings=LORE.readings, past=EARLIER)
    strategy, tickets = begun(priors=priors, seeds=("http://a.test/", "http://b.test/", "http://other.test/"))
    assert [ticket.score for ticket in tickets.values()] == pytest.approx([sqrt(3), 0, 1])
    assert strategy.explain(tickets["http://a.test/"]) == pytest.approx({"hub": sqrt(3)})
    _, told = begun(priors=priors, seeds=("http://a.test/", "http://b.test/"), relevant=0.5)
    expected = hub_scores({visit.url: visit.links for visit in EARLIER[:4]})
    assert {url: ticket.score for url, ticket in told.items()} == {url: expected[url] for url in told}


def test_the_best_of_the_earlier_pages_are_read_and_join_if_they_are_like_the_examples():
    priors = Priors(past=EARLIER)
    wanted = [want.url for want in make("tids", {"past": 2}).study(TOPIC, priors)]
    assert wanted == [*TOPIC.examples, "http://a.test/", "http://d.test/"]
    texts = {"http://a.test/": PageReading("wolf spider web"), "http://d.test/": PageReading("soup salt")}
    strategy, _ = begun(priors=Priors(readings={**LORE.readings, **texts}, past=EARLIER), few=0)
    assert strategy._table.pages == 4


def test_what_a_judge_has_read_is_no_page_of_the_set():
    others = {f"http://judge.test/{n}": PageReading("wolf spider web") for n in range(3)}
    strategy, _ = begun(priors=Priors(readings={**LORE.readings, **others}), few=0)
    assert strategy._table.pages == 3
    strategy, _ = begun(priors=Priors(readings={**LORE.readings, **others}, past=EARLIER), few=0)
    assert strategy._table.pages == 3


def test_a_crawl_that_follows_another_drops_nothing_and_counts_the_anchor_that_led_to_a_page(look):
    priors = Priors(readings=LORE.readings, past=EARLIER)
    html = '<p>wolf <a href="http://b.test/">salt</a> <a href="http://z.test/">soup</a></p>'
    strategy, _ = begun(priors=priors, threshold=1.9)
    plain, found = look(strategy, html), look(strategy, html, memo=[0.7, 0.25])
    assert {*plain} == {"b.test/", "z.test/"}
    assert found["z.test/"].score == pytest.approx(plain["z.test/"].score + 0.25)
    assert strategy._table.pages == 3  # the table stays as it is
    assert [*look(begun(priors=priors, again=False)[0], html)] == ["z.test/"]


@pytest.mark.parametrize("few", [0, 5])
def test_what_was_saved_is_taken_up(look, few):
    strategy, _ = begun(few=few)
    look(strategy, "<p>wolf spider den")
    other, _ = begun(few=few)
    other.load(msgpack.decode(msgpack.encode(strategy.save())))
    assert other.save() == strategy.save()
    html = '<p>wolf den <a href="http://b.test/">den</a>'
    assert look(other, html, "http://c.test/") == look(strategy, html, "http://c.test/")


DIRECTORY = taxonomy_of(
    [("Top/Sports", [f"http://s.test/{n}" for n in range(9)]), ("Top/Arts", ["http://art.test/"])]
).marked("Top/Sports")
FILED = Priors(
    readings={f"http://s.test/{n}": PageReading(f"wolf web number{n}") for n in range(9)}, taxonomy=DIRECTORY
)


def test_the_pages_of_good_categories_are_relevant_and_some_are_drawn_as_start_pages(look):
    assert [want.url for want in make("tids", {"filed": 2}).study(TOPIC, FILED)] == [
        *TOPIC.examples,
        *(f"http://s.test/{n}" for n in range(2)),
    ]
    strategy, tickets = begun(Topic("wolf"), FILED, ("http://seed.test/",), filed=9, start=3)
    assert strategy._table.pages == 9
    seed, *drawn = tickets.values()
    assert (seed.url, len(drawn)) == ("http://seed.test/", 3)
    assert all(ticket.url.startswith("http://s.test/") and strategy.explain(ticket)["page"] > 0.2 for ticket in drawn)
    assert joined(strategy, look, "<p>wolf web", drawn[0].url) == 0


def test_which_pages_are_drawn_depends_on_the_random_seed():
    strategy = make("tids", {"filed": "9", "start": "3"})
    starts = [
        [ticket.url for ticket in strategy.begin(Brief(Topic("wolf"), ("http://a.test/",), Random(seed), FILED))]
        for seed in (1, 1, 2)
    ]
    assert starts[0] == starts[1] != starts[2]


def test_a_taxonomy_is_needed_only_if_its_pages_are_wanted():
    assert (make("tids").taxonomy, make("tids", {"filed": 1}).taxonomy) == (False, True)
    strategy, tickets = begun(priors=Priors(readings=LORE.readings, taxonomy=DIRECTORY))
    assert (strategy._table.pages, set(tickets)) == (3, set(TOPIC.examples))


def test_only_the_most_frequent_terms_of_a_page_count(look):
    strategy, _ = begun(terms=1)
    assert strategy._table.scores.keys() == {"wolf", "spider"}
    (ticket,) = look(strategy, '<p>soup soup wolf <a href="http://b.test/">salt</a>').values()
    assert ticket.score == 0


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"threshold": "-1"}, "tids cannot work with threshold=-1.0: give 0 or more"),
        ({"likeness": "nan"}, "likeness=nan"),
        ({"smooth": "-0.1"}, "smooth=-0.1"),
        ({"first": "-1"}, "first=-1"),
        ({"filed": "-1"}, "filed=-1"),
        ({"start": "-1"}, "start=-1"),
        ({"terms": "0"}, "tids cannot work with terms=0: give at least 1"),
        ({"most": "0"}, "most=0"),
        ({"relevant": "2"}, "relevant=2.0: give a number from 0 to 1, or -1"),
        ({"again": "perhaps"}, "option again of tids takes bool"),
    ],
)
def test_impossible_options_are_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("tids", settings)
