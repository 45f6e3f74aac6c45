"""Anthelion: a bandit chooses the host, an online classifier the link within it."""

from math import exp, log

import numpy as np
import pytest
from tests.strategy.little_crawl import begun, crawl, harvest, learned

from lycosa.core.nouns import Miss, Ticket
from lycosa.core.strategy import make
from lycosa.system.errors import Refused

SEED = Ticket("http://seed.test/", lane="seeds")


def link(n, word="page", host="a"):
    return f'<li><a href="http://{host}.test/{word}{n}">{word}</a>'


def taught(value="success", **settings):
    """«wolf» pages of host a and b are relevant, «soup» pages of host b and c are not."""
    strategy, _ = begun("anthelion", {"value": value, **settings})
    html = "".join(
        [link(n, "wolf", "a") + link(n, "wolf", "b") + link(n, "soup", "b") + link(n, "soup", "c") for n in range(5)]
    )
    found = learned(strategy, SEED, html, 0.5)
    for n in range(4):
        for name, relevance in (("a.test/wolf", 0.9), ("b.test/wolf", 0.9), ("b.test/soup", 0.0), ("c.test/soup", 0.0)):
            learned(strategy, found[f"http://{name}{n}"], "<p>page", relevance)
    return strategy, found


def test_each_host_is_a_queue_of_its_own_and_seeds_come_first():
    strategy, first = begun("anthelion")
    assert {ticket.lane for ticket in first.values()} == {"seeds"}
    found = learned(strategy, SEED, link(1, host="a") + link(2, host="b"), 0.5)
    assert {ticket.lane for ticket in found.values()} == {"a.test", "b.test"}
    lanes = {ticket.lane: ticket for ticket in found.values()}
    assert strategy.choose({**lanes, "seeds": Ticket("http://late.test/")}) == "seeds"


def test_the_host_that_paid_off_most_is_next():
    strategy, found = taught("success", explore=0.0)
    lanes = {host: Ticket(f"http://{host}/", 0.0) for host in ("a.test", "b.test", "c.test", "new.test")}
    assert strategy.choose(lanes) == "a.test"
    del lanes["a.test"]
    assert strategy.choose(lanes) in ("b.test", "new.test"), "half of its pages: as good as a host without any"
    assert strategy._value("b.test", 0.0) == strategy._value("new.test", 0.0) == 0.5
    assert strategy._value("c.test", 0.0) == pytest.approx(1 / 6)
    assert found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("success", 5 / 6),
        ("best", 1 / (1 + exp(-2))),
        ("success-best", 5 / 6 / (1 + exp(-2))),
        ("thompson", 0.75),
        ("thompson-best", 0.75 / (1 + exp(-2))),
        ("holistic", 5 / 6 * 3 / 6),
    ],
)
def test_the_value_of_a_host_is_what_the_option_says(value, expected):
    strategy, _ = begun("anthelion", {"value": value})
    strategy._hosts["a.test"] = [4, 0, 2]
    strategy._samples = {"a.test": 0.75}
    assert strategy._value("a.test", 2.0) == pytest.approx(expected)


def test_thompson_samples_follow_the_beta_distribution():
    strategy, _ = begun("anthelion", {"value": "thompson"})
    strategy._hosts["a.test"] = [7, 1, 0]
    draws = []
    for _ in range(4000):
        strategy._roll()
        draws.append(strategy._samples["a.test"])
    assert np.mean(draws) == pytest.approx(8 / 10, abs=0.01)
    assert np.var(draws) == pytest.approx(8 * 2 / (100 * 11), abs=0.002)


def test_now_and_then_the_host_is_random():
    strategy, _ = taught(explore=0.3)
    lanes = {host: Ticket(f"http://{host}/", 0.0) for host in ("a.test", "b.test", "c.test")}
    chosen = []
    for _ in range(3000):
        strategy._roll()
        chosen.append(strategy.choose(lanes))
    assert chosen.count("c.test") / 3000 == pytest.approx(0.1, abs=0.02)
    assert chosen.count("a.test") / 3000 == pytest.approx(0.8, abs=0.03)


def test_randomness_decays():
    strategy, _ = begun("anthelion", {"explore": 0.6, "decay": 10, "value": "success"})
    strategy._hosts = {"good.test": [9, 0, 0], "bad.test": [0, 9, 0]}
    lanes = {host: Ticket(f"http://{host}/", 0.0) for host in strategy._hosts}

    def share(pages):
        strategy._pages = pages
        chosen = 0
        for _ in range(2000):
            strategy._roll()
            chosen += strategy.choose(lanes) == "bad.test"
        return chosen / 2000

    assert share(0) == pytest.approx(0.3, abs=0.04)
    assert share(10) == pytest.approx(0.15, abs=0.03)
    assert share(59) == pytest.approx(0.05, abs=0.02)


def test_choosing_twice_draws_nothing():
    strategy, _ = taught(explore=1.0)
    lanes = {host: Ticket(f"http://{host}/", 0.0) for host in ("a.test", "b.test", "c.test")}
    state = strategy._rng.getstate()
    assert strategy.choose(lanes) == strategy.choose(lanes)
    assert strategy._rng.getstate() == state
    strategy.miss(Miss(Ticket("http://a.test/x"), "status 404"))
    assert strategy._rng.getstate() != state


def test_the_classifier_learns_from_one_page_after_the_other():
    strategy, _ = taught()
    found = learned(strategy, Ticket("http://x.test/"), link(8, "wolf", "d") + link(8, "soup", "d"), 0.9)
    good, bad = found["http://d.test/wolf8"], found["http://d.test/soup8"]
    assert good.score > 1 > -1 > bad.score
    parts = strategy.explain(good)
    assert set(parts) == {"usual", "anchor", "url", "kin"}
    assert sum(parts.values()) == pytest.approx(good.score)
    assert parts["anchor"] > 0.5
    assert strategy.explain(Ticket("http://seed.test/")) == {}


def test_without_anchors_only_addresses_count():
    strategy, _ = taught(anchors=False)
    found = learned(strategy, Ticket("http://x.test/"), link(8, "wolf", "d"), 0.9)
    parts = strategy.explain(found["http://d.test/wolf8"])
    assert parts["anchor"] == 0


def test_parents_and_siblings_are_kin():
    strategy, _ = begun("anthelion")
    html = link(1) + link(2) + link(3)
    found = learned(strategy, SEED, html, 0.5)
    first = np.frombuffer(found["http://a.test/page1"].memo[0], np.uint16)
    assert first[-4:].tolist() == [1, 0, 0, 0], "a relevant parent, no siblings yet"
    learned(strategy, found["http://a.test/page1"], "<p>x", 0.9)
    learned(strategy, found["http://a.test/page2"], "<p>x", 0.0)
    again = learned(strategy, Ticket("http://other.test/"), html, 0.0)
    assert np.frombuffer(again["http://a.test/page3"].memo[0], np.uint16)[-4:].tolist() == [0, 2, 3, 4]


def test_so_many_hosts_have_an_arm_of_their_own():
    strategy, _ = begun("anthelion", {"arms": 3})
    found = learned(strategy, SEED, "".join(link(1, host=f"h{n}") for n in range(9)), 0.5)
    lanes = {ticket.lane for ticket in found.values()}
    assert lanes == {"h0.test", "h1.test", "other hosts"}, "the seed's host is the third"


def test_a_crawl_finds_far_more_than_chance():
    assert harvest(crawl("anthelion")) > 0.8 > 0.5 > harvest(crawl("random"))


@pytest.mark.parametrize("value", ["success-best", "thompson"])
def test_a_crawl_saved_in_the_middle_goes_on_as_if_nothing_had_happened(value):
    whole = crawl("anthelion", {"value": value}, pages=90)
    for cut in (1, 40):
        assert crawl("anthelion", {"value": value}, pages=90, cut=cut) == whole
    assert crawl("anthelion", {"value": value}, pages=90, seed=2) != whole


def test_what_is_remembered_of_pages_is_bounded():
    strategy, _ = begun("anthelion", {"memory": 5})
    for n in range(9):
        learned(strategy, Ticket(f"http://p.test/{n}"), "<p>x", 0.1)
    assert list(strategy._outcomes) == [f"http://p.test/{n}" for n in range(4, 9)]


def test_odds_far_from_even_are_no_trouble():
    strategy, _ = begun("anthelion", {"value": "best"})
    assert strategy._value("a.test", -1e6) == pytest.approx(0, abs=1e-9)
    assert strategy._value("a.test", 1e6) == pytest.approx(1)
    assert strategy._value("a.test", log(3)) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"value": "luck"}, "anthelion cannot work with value=luck: choose one of: success, best"),
        ({"explore": "1.5"}, "explore=1.5: give a number from 0 to 1"),
        ({"decay": "-1"}, "decay=-1: give at least 0"),
        ({"arms": "0"}, "arms=0: give at least 1"),
        ({"relevant": "-2"}, "relevant=-2.0: give a number from 0 to 1, or -1"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, line):
    with pytest.raises(Refused, match=line):
        make("anthelion", settings)
