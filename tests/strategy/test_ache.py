"""ACHE: what links have led to teaches a classifier of their words, and all that wait are judged again."""

import pytest
from tests.strategy.little_crawl import begun, crawl, harvest, learned

from lycosa.core.nouns import Miss, Ticket, Topic
from lycosa.core.priors import LinksTo, Priors
from lycosa.core.strategy import make
from lycosa.system.errors import Refused

SEED = Ticket("http://seed.test/")
TWO = '<p><a href="http://a.test/1">wolf den</a> <a href="http://b.test/2">soup bowl</a>'
"""Each page of this form has a link that says «wolf den» and one that says «soup bowl»."""


def two(n):
    return f'<p><a href="http://a.test/{n}">wolf den</a> <a href="http://b.test/{n}">soup bowl</a>'


def taught(**settings):
    """A strategy that has seen ten times where «wolf den» and «soup bowl» lead, just before its first lesson."""
    strategy, _ = begun("ache", {"every": 21, **settings})
    found = learned(strategy, SEED, "".join(two(n) for n in range(10)), 0.5)
    for n in range(10):
        learned(strategy, found[f"http://a.test/{n}"], "<p>wolf", 0.9)
        if n < 9:
            learned(strategy, found[f"http://b.test/{n}"], "<p>soup", 0.0)
    return strategy, found


def test_at_first_a_link_is_worth_its_page():
    strategy, _ = begun("ache")
    found = learned(strategy, SEED, TWO, 0.25)
    assert {ticket.score for ticket in found.values()} == {0.25}
    assert strategy.explain(found["http://a.test/1"]) == {"relevance of the linking page": 0.25}
    again = learned(strategy, found["http://a.test/1"], TWO.replace("a.test/1", "c.test/"), 0.75)
    assert list(again) == ["http://c.test/"], "the first link to a URL counts"


def test_after_a_lesson_links_are_worth_what_their_words_have_led_to():
    strategy, found = taught()
    lesson = learned(strategy, found["http://b.test/9"], two(99), 0.0)
    good, bad = lesson["http://a.test/99"], lesson["http://b.test/99"]
    assert good.score > 0.9 and bad.score < 0.1
    assert strategy.explain(good) == {"leads to a relevant page": pytest.approx(good.score)}


def test_links_that_wait_are_scored_again():
    strategy, _ = taught()
    waiting = learned(strategy, Ticket("http://other.test/"), two(50), 0.4)
    assert {ticket.score for ticket in waiting.values()} != {0.4}, "the lesson came with this page"
    strategy, _ = begun("ache", {"every": 22})
    early = learned(strategy, SEED, two(50) + "".join(two(n) for n in range(10)), 0.4)
    for n in range(10):
        learned(strategy, early[f"http://a.test/{n}"], "<p>wolf", 0.9)
        learned(strategy, early[f"http://b.test/{n}"], "<p>soup", 0.0)
    lesson = learned(strategy, Ticket("http://other.test/"), "<p>soup", 0.0)
    assert lesson["http://a.test/50"].score > 0.9 > 0.1 > lesson["http://b.test/50"].score
    assert lesson["http://a.test/50"].via == "http://seed.test/"


def test_with_levels_a_link_on_the_way_to_relevant_pages_is_worth_something():
    """«map» pages are irrelevant and link to relevant ones, «dead end» pages link to nothing."""
    strategy, _ = begun("ache", {"every": 31, "levels": 2})
    html = "".join(f'<p><a href="http://m.test/{n}">map</a><p><a href="http://d.test/{n}">ruin</a>' for n in range(11))
    found = learned(strategy, SEED, html, 0.5)
    for n in range(10):
        onward = learned(strategy, found[f"http://m.test/{n}"], f'<a href="http://w.test/{n}">wolf</a>', 0.0)
        learned(strategy, onward[f"http://w.test/{n}"], "<p>wolf spider", 0.9)
        lesson = learned(strategy, found[f"http://d.test/{n}"], "<p>nothing", 0.0)
    lesson |= learned(strategy, Ticket("http://x.test/"), "<p>x", 0.0)
    assert lesson["http://m.test/10"].score > lesson["http://d.test/10"].score + 0.3
    parts = strategy.explain(lesson["http://m.test/10"])
    assert parts["leads there in 2 steps"] > parts["leads to a relevant page"]
    assert sum(parts.values()) == pytest.approx(lesson["http://m.test/10"].score)


def test_a_redirect_teaches_as_the_link_that_led_to_it():
    strategy, _ = taught()
    moved = Ticket("http://elsewhere.test/", via="http://b.test/9")
    learned(strategy, moved, "<p>soup", 0.0)
    rows, levels = strategy._table.outcomes(100)
    assert strategy._table.rows["http://b.test/9"] in rows.tolist()
    assert sorted(levels.tolist()).count(0) == 10


def test_a_page_that_cannot_be_fetched_is_not_scored_again():
    strategy, found = taught()
    assert list(strategy.miss(Miss(found["http://b.test/9"], "status 404"))) == []
    assert "http://b.test/9" not in learned(strategy, Ticket("http://other.test/"), "<p>x", 0.0)


HUBS = Priors(inlinks={"http://ex.test/": ("http://hub.test/links", "http://hub.test/misc", "http://seed.test/")})


def test_hubs_are_the_pages_that_link_to_the_examples():
    topic = Topic("wolf spider", examples=("http://ex.test/",))
    assert list(make("ache", {"hubs": 5}).study(topic, Priors())) == [LinksTo("http://ex.test/", 5)]
    assert list(make("ache").study(topic, Priors())) == []
    strategy, first = begun("ache", {"hubs": 2}, topic=topic, priors=HUBS)
    assert list(first) == ["http://seed.test/", "http://hub.test/links", "http://hub.test/misc"]
    assert strategy.explain(first["http://hub.test/links"]) == {"a hub behind the examples": 0.25}
    assert strategy.explain(first["http://seed.test/"]) == {}
    assert list(begun("ache", topic=topic, priors=HUBS)[1]) == ["http://seed.test/"]


def test_it_learns_which_addresses_are_those_of_good_hubs():
    topic = Topic("wolf spider", examples=("http://ex.test/",))
    strategy, _ = begun("ache", {"hubs": 2, "every": 33}, topic=topic, priors=HUBS)
    found = learned(strategy, SEED, "".join(two(n) for n in range(10)), 0.5)
    for n in range(10):
        learned(strategy, found[f"http://a.test/{n}"], "<p>wolf", 0.9)
        learned(strategy, found[f"http://b.test/{n}"], "<p>soup", 0.0)
    for n in range(6):
        many = [f'<a href="http://a.test/{m}">wolf den</a>' for m in range(10)]
        few = [f'<a href="http://b.test/{m}">soup bowl</a>' for m in range(10)]
        rest = [f'<a href="http://c.test/{n}/{m}">soup bowl</a>' for m in range(15)]
        learned(strategy, Ticket(f"http://l{n}.test/links"), "".join([*many, *rest]), 0.0)
        lesson = learned(strategy, Ticket(f"http://o{n}.test/misc"), "".join([*few, *rest]), 0.0)
    good, bad = lesson["http://hub.test/links"], lesson["http://hub.test/misc"]
    assert good.score > 0.3 > 0.2 > bad.score


def test_a_crawl_finds_more_and_more():
    order = crawl("ache", pages=200)
    assert harvest(order[100:]) > 0.85 > harvest(order[:50])


@pytest.mark.parametrize("cut", [1, 30, 75])
def test_a_crawl_saved_in_the_middle_goes_on_as_if_nothing_had_happened(cut):
    assert crawl("ache", pages=110, cut=cut) == crawl("ache", pages=110)


def test_what_it_remembers_is_bounded():
    strategy, _ = begun("ache", {"memory": 1000})
    for n in range(60):
        learned(strategy, Ticket(f"http://p.test/{n}"), "".join(two(f"{n}/{m}") for m in range(20)), 0.2)
    assert len(strategy._table.urls) <= 1040


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"every": "0"}, "ache cannot work with every=0: give at least 1"),
        ({"levels": "0"}, "levels=0: give at least 1"),
        ({"hubs": "-1"}, "hubs=-1: give at least 0"),
        ({"memory": "10"}, "memory=10: give at least 1000"),
        ({"relevant": "1.5"}, "relevant=1.5: give a number from 0 to 1, or -1"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("ache", settings)


def test_hubs_are_looked_up_before_a_hunt(tmp_path):
    from lycosa.app.hunts import hunt
    from lycosa.web.source_names import open_made

    web = "made:pages=300,topics=4,seed=3,page_bytes=1500,traps=no"
    topic = open_made(web).topics[1]
    how = {"strategy": "ache", "settings": {"hubs": 3}, "pages": 60, "index": False}
    with pytest.raises(Refused, match="are not known"):
        hunt(topic.keywords, topic.examples[:2], out=tmp_path / "a", replay=web, **how)
    with hunt(topic.keywords, topic.examples[:2], out=tmp_path / "b", replay=web, inlinks=[web], **how) as running:
        visits = list(running)
    assert any(visit.ticket.memo == "a hub behind the examples" for visit in visits)
