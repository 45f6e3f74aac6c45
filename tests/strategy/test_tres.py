"""TRES: a tree divides the links that wait, and a Q-network compares one of each leaf."""

import numpy as np
import pytest
from tests.strategy.little_crawl import begun, crawl, harvest, learned, seen

from lycosa.core.nouns import Miss, Ticket
from lycosa.core.strategy import make
from lycosa.system.errors import Refused

SEED = Ticket("http://seed.test/")
NAMES = ("parent", "distance", "ratio", "url", "some", "all", "host", "unknown", "likely")


def features(ticket):
    return dict(zip(NAMES, np.frombuffer(ticket.memo[0], np.uint8).tolist(), strict=True))


def only(found, url):
    return features(found[f"http://{url}"])


def test_a_link_is_described_by_its_path_its_words_and_its_host():
    strategy, _ = begun("tres")
    html = """<a href="http://a.test/wolf">soup</a> <a href="http://b.test/x">the wolf spiders</a>
    <a href="http://seed.test/y">a spider</a>"""
    found = learned(strategy, SEED, html, 0.5)
    assert only(found, "a.test/wolf") == {
        "parent": 10,
        "distance": 10,
        "ratio": 10,
        "url": 10,
        "some": 0,
        "all": 0,
        "host": 5,
        "unknown": 10,
        "likely": 5,
    }
    assert (only(found, "b.test/x")["some"], only(found, "b.test/x")["all"]) == (10, 10)
    known = only(found, "seed.test/y")
    assert (known["some"], known["all"], known["host"], known["unknown"]) == (10, 0, 10, 0)


def test_the_path_counts_relevant_pages_and_the_distance_from_the_last():
    strategy, _ = begun("tres")
    ticket = learned(strategy, SEED, '<a href="http://a.test/1">x</a>', 0.5)["http://a.test/1"]
    for n, expected in ((2, (5, 5)), (3, (3, 3)), (4, (2, 2))):
        ticket = learned(strategy, ticket, f'<a href="http://a.test/{n}">x</a>', 0.0)[f"http://a.test/{n}"]
        assert (features(ticket)["distance"], features(ticket)["ratio"]) == expected
        assert features(ticket)["parent"] == 0
    ticket = learned(strategy, ticket, '<a href="http://a.test/5">x</a>', 0.9)["http://a.test/5"]
    assert (features(ticket)["distance"], features(ticket)["ratio"]) == (10, 4)


def test_words_of_relevant_pages_make_a_link_likely():
    strategy, _ = begun("tres")
    for n in range(6):
        learned(strategy, Ticket(f"http://g.test/{n}"), "<p>den burrow", 0.9)
        learned(strategy, Ticket(f"http://b.test/{n}"), "<p>soup salt", 0.0)
    found = learned(strategy, SEED, '<a href="http://x.test/">burrow</a> <a href="http://y.test/">salt</a>', 0.0)
    assert only(found, "x.test/")["likely"] >= 7 > 2 >= only(found, "y.test/")["likely"]


def test_after_every_page_one_link_is_next_and_the_rest_waits():
    strategy, _ = begun("tres")
    html = "".join(f'<a href="http://a.test/{n}">x</a>' for n in range(9))
    found = list(strategy.learn(seen(strategy, SEED, html, 0.5)))
    chosen = [ticket for ticket in found if ticket.score > 500]
    assert len(found) == 10 and len(chosen) == 1
    parts = strategy.explain(chosen[0])
    assert parts["drawn and best"] == 1000
    assert sum(parts.values()) == pytest.approx(chosen[0].score)
    waiting = next(ticket for ticket in found if ticket.score < 500)
    assert list(strategy.explain(waiting)) == ["expected reward, discounted"]
    assert strategy.explain(SEED) == {}


def test_a_page_that_cannot_be_fetched_makes_another_link_next():
    strategy, _ = begun("tres")
    found = learned(strategy, SEED, "".join(f'<a href="http://a.test/{n}">x</a>' for n in range(3)), 0.5)
    first = max(found.values(), key=lambda ticket: ticket.score)
    (second,) = strategy.miss(Miss(first, "status 404"))
    (third,) = strategy.miss(Miss(second, "status 404"))
    assert {first.url, second.url, third.url} == set(found)
    assert list(strategy.miss(Miss(third, "status 404"))) == []


def test_a_link_is_known_by_its_first_place_unless_a_relevant_page_has_it_too():
    strategy, _ = begun("tres")
    page = "".join(f'<a href="http://a.test/{n}">x</a>' for n in range(6))
    learned(strategy, SEED, page, 0.0)
    left = set(strategy._links)
    assert len(left) == 5, "one of them is next"
    same = {ticket.url for ticket in strategy.learn(seen(strategy, Ticket("http://b.test/"), page, 0.0))}
    assert len(same) == len(same & left) == 1, "the one that is next"
    better = learned(strategy, Ticket("http://c.test/"), page, 0.9)
    waiting = left & set(strategy._links)
    assert len(waiting) == 3
    assert {features(better[url])["parent"] for url in waiting} == {10}


def test_it_learns_to_prefer_what_has_paid_off():
    strategy, _ = begun("tres", {"start": 0, "gamma": 0.5, "period": 1, "rate": 0.005})
    for n in range(120):
        html = f'<a href="http://a.test/wolf/{n}">wolf spider</a> <a href="http://b.test/soup/{n}">soup</a>'
        found = learned(strategy, Ticket(f"http://p.test/{n}"), html, 0.1)
        learned(strategy, found[f"http://a.test/wolf/{n}"], "<p>wolf", 0.9)
        learned(strategy, found[f"http://b.test/soup/{n}"], "<p>soup", 0.0)
    html = '<a href="http://c.test/wolf/1">wolf spider</a> <a href="http://d.test/soup/1">soup</a>'
    found = {each.url: each for each in strategy.learn(seen(strategy, SEED, html, 0.1)) if each.score < 500}
    values = {url: strategy.explain(ticket)["expected reward, discounted"] for url, ticket in found.items()}
    assert values["http://c.test/wolf/1"] > values["http://d.test/soup/1"] + 0.3


def test_a_crawl_finds_far_more_than_chance():
    assert harvest(crawl("tres", {"start": 30}, pages=200)[60:]) > 0.7 > 0.5 > harvest(crawl("random", pages=200))


@pytest.mark.parametrize("cut", [1, 30, 70])
def test_a_crawl_saved_in_the_middle_goes_on_as_if_nothing_had_happened(cut):
    assert crawl("tres", {"start": 20}, pages=90, cut=cut) == crawl("tres", {"start": 20}, pages=90)


def test_it_follows_the_dice():
    assert crawl("tres", pages=40) == crawl("tres", pages=40) != crawl("tres", pages=40, seed=2)


def test_what_it_remembers_is_bounded():
    strategy, _ = begun("tres", {"memory": 10, "buffer": 60})
    ticket = SEED
    for n in range(80):
        html = "".join(f'<a href="http://a.test/{n}/{m}">x</a>' for m in range(5))
        found = learned(strategy, ticket, html, 0.3)
        ticket = next(iter(found.values()), Ticket(f"http://z.test/{n}"))
    assert len(strategy._links) <= 10
    assert len(strategy._steps) <= 60


def test_links_for_which_the_tree_has_no_room_wait_too():
    strategy, _ = begun("tres", {"memory": 10})
    html = "".join(f'<a href="http://a.test/{n}">x</a>' for n in range(30))
    assert set(learned(strategy, SEED, html, 0.3)) >= {f"http://a.test/{n}" for n in range(30)}
    assert len(strategy._links) <= 10


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"gamma": "1"}, "tres cannot work with gamma=1.0: give a number from 0 to less than 1"),
        ({"start": "-1"}, "start=-1: give at least 0"),
        ({"renew": "0"}, "renew=0: give at least 1"),
        ({"period": "0"}, "period=0: give at least 1"),
        ({"rate": "0"}, "rate=0.0: give a number above 0 and below 1"),
        ({"buffer": "5"}, "buffer=5: give at least 60"),
        ({"relevant": "7"}, "relevant=7.0: give a number from 0 to 1, or -1"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("tres", settings)
