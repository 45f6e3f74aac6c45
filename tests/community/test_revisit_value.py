"""What checking a page is worth: how often it changes, how much freshness a check brings, and what it costs."""

from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

from lycosa.community.change_rates import RATES, Evidence, beliefs, lessons, prospects
from lycosa.community.page_history import DAY, INTERVALS, History
from lycosa.community.revisit_value import due_pages, page_kind
from lycosa.store.rows import PageRow

BENCH = Path(__file__).resolve().parents[2] / "bench" / "freshness.py"
URL = "http://h.test/"
NOW = 1.7e9


def row(url=URL, relevance=0.5, at=NOW, digest="one", size=1, etag='"1"', mime="text/html"):
    host = url.split("/")[2]
    return PageRow(1, url, host, relevance, "", 200, mime, "", digest, size, at, None, None, None, etag, "", relevance)


def history(url=URL, quiet=0.0, changes=0, every=1.0, dated=0, **fields):
    """A page last seen now, with changes in intervals of that many days."""
    counts = bytearray(len(INTERVALS))
    counts[int(np.argmin(np.abs(np.log(np.array(INTERVALS) / every))))] = changes
    return History(url, NOW, NOW, NOW, NOW, "one", quiet=quiet * DAY, blurred=bytes(counts), dated=dated, **fields)


def value(known=None, days=10.0, hub=0.0, **fields):
    """What is said of a page that is alone in its collection."""
    page = row(**fields)
    hubs = {page.url: hub}
    return due_pages([page], {known.url: known} if known else {}, hubs, 1, NOW + days * DAY)[0]


def prospect(rates, age, told=0.0):
    """What a check brings if the rate is known."""
    belief = (np.array([rates])[:, None] == RATES).astype(float).reshape(-1, len(RATES))
    return prospects(belief, np.array([age]), np.array([told]))


# How often a page changes


@pytest.mark.parametrize("rate", [1 / 64, 1 / 8, 1.0])
def test_the_rate_is_found_from_regular_checks(rate):
    random = np.random.default_rng(3)
    changes = int((random.random(200) < 1 - np.exp(-rate)).sum())
    found = value(history(quiet=200 - changes, changes=changes)).rate
    assert found == pytest.approx(rate, rel=0.35)


def test_the_rate_of_the_unseen_is_the_prior_and_evidence_moves_it():
    unseen = value().rate
    assert 1 / unseen == pytest.approx(35, rel=0.02)
    assert value(history(quiet=1)).rate < unseen
    assert value(history(quiet=300)).rate < value(history(quiet=30)).rate
    assert value(history(changes=1)).rate > unseen
    assert value(history(changes=30)).rate > value(history(changes=3)).rate > value(history(changes=1)).rate
    assert value(history(changes=1, every=256.0)).rate < value(history(changes=1)).rate


def test_a_known_time_of_a_change_says_more_than_an_interval():
    blurred, dated = value(history(quiet=9, changes=1, every=1.0)), value(history(quiet=9.9, dated=1))
    assert 1 / dated.rate == pytest.approx(1 / blurred.rate, rel=0.5)
    # Changed at every check of a year, an hour before each: changes are frequent, which intervals cannot tell.
    assert value(history(dated=12, quiet=0.5)).rate > 2 * value(history(changes=12, every=22.6)).rate


def test_pages_of_a_site_and_kind_teach_what_to_expect_of_the_others():
    sites = {"http://live.test/": 20, "http://still.test/": 0}
    rows = [row(f"{site}{number}") for site in sites for number in range(30)]
    known = {
        each.url: history(
            each.url,
            changes=sites[each.url[:-1].rstrip("0123456789")],
            quiet=20.0 - sites[each.url[:-1].rstrip("0123456789")],
        )
        for each in rows
    }
    new = [row("http://live.test/new"), row("http://still.test/new"), row("http://other.test/new")]
    found = {each.url: each.rate for each in due_pages([*rows, *new], known, {}, 63, NOW + DAY)}
    live, still, other = (found[each.url] for each in new)
    assert live > 10 * still and live > other > still


def test_kinds_of_pages_are_told_by_their_addresses():
    kinds = {
        "http://a.test/": "front page",
        "http://a.test/index.html": "front page",
        "http://a.test/news/": "list",
        "http://a.test/news/default.asp": "list",
        "http://a.test/news/1.html": "page",
        "http://a.test/?page=2": "query",
    }
    assert {url: page_kind(url, "text/html") for url in kinds} == kinds
    assert page_kind("http://a.test/", "application/pdf") == "document"


def test_beliefs_are_probabilities_whatever_was_observed():
    none = np.zeros((3, len(INTERVALS)))
    none[2] = 255
    seen = Evidence(np.array([0.0, 1e6, 0.0]), none, np.array([1e9, 0.0, 1e9]))
    belief = beliefs(seen, np.zeros(3, np.intp), np.zeros(3, np.intp))
    assert np.isfinite(belief).all() and belief.sum(1) == pytest.approx(1.0)


# What a check brings


def test_the_gain_is_that_of_the_best_schedule():
    rate = RATES[20]
    for age in (0.1, 1.0, 10.0):
        due = rate * age
        assert prospect(rate, age).gain[0] == pytest.approx((1 - (1 + due) * np.exp(-due)) / rate)
        assert prospect(rate, age).changed[0] == pytest.approx(1 - np.exp(-due))


def test_pages_that_change_faster_than_they_can_be_seen_are_left_alone():
    fast = [prospect(RATES[-1], age).gain[0] for age in (1.0, 10.0, 1000.0)]
    assert max(fast) <= 1 / RATES[-1]
    assert prospect(1 / 16, 8.0).gain[0] > 50 * max(fast)
    ticker = [value(history("http://fast.test/", changes=30), days=30.0, url="http://fast.test/").value]
    assert value(history(quiet=60, changes=5, every=8.0), days=10.0).value > 3 * ticker[0]


def test_the_gain_grows_with_the_age_and_is_nothing_at_once():
    gains = [value(history(quiet=30, changes=2), days=days).parts["gain"] for days in (0.0, 1.0, 10.0, 100.0)]
    assert gains == sorted(gains) and gains[0] == pytest.approx(0.0, abs=1e-9)
    assert value(history(), days=-5.0).age == 0.0


def test_a_check_teaches_most_where_the_rate_is_in_doubt():
    sure, doubt = np.zeros(len(RATES)), np.zeros(len(RATES))
    sure[12] = 1.0
    doubt[[12, -1]] = 0.5
    age, price = np.array([8.0, 8.0]), np.array([4.0, 4.0])
    nothing, something = lessons(np.array([sure, doubt]), age, price)
    assert nothing == pytest.approx(0.0, abs=1e-9) and something > 1.0


# The value


def test_the_value_is_the_product_of_its_parts():
    due = value(history(quiet=30), hub=0.5)
    assert due.value == pytest.approx(float(np.prod([*due.parts.values()])))
    assert due.parts.keys() == {"relevance", "gain", "hub", "faults", "per_second"}
    assert (due.parts["relevance"], due.parts["hub"], due.parts["faults"], due.age) == (0.5, 1.5, 1.0, 10.0)


def test_hubs_come_first_among_equals():
    assert value(hub=1.0).value > value(hub=0.2).value > value(hub=0.0).value


def test_attempts_in_vain_halve_the_value():
    assert value(history(faults=2)).value == pytest.approx(value(history()).value / 4)


def test_a_page_of_no_relevance_is_worth_a_little():
    assert 0 < value(relevance=0.0).value < value(relevance=0.02).value


def test_what_costs_more_comes_later_among_equals():
    known = history(quiet=60, changes=1)
    small, large = value(known, size=1), value(known, size=5_000_000)
    always = value(known, size=5_000_000, etag="")
    rendered = value(history(quiet=60, changes=1, browser=4.0), size=1)
    assert small.value > large.value > always.value
    assert rendered.value == pytest.approx(small.value / 5, rel=0.01)
    assert always.parts["per_second"] == pytest.approx(1 / 11)


def test_a_copy_that_is_known_to_be_old_has_changed_for_certain():
    page = row(at=NOW - DAY, digest="zero")
    assert due_pages([page], {URL: history()}, {}, 1, NOW)[0].changed == pytest.approx(1.0)
    fresh = row(at=NOW, digest="zero")
    assert due_pages([fresh], {URL: history()}, {}, 1, NOW)[0].changed == pytest.approx(0.0)


def test_a_list_is_believed_as_far_as_those_of_its_site_were_right():
    def changed(right, wrong):
        others = [row(f"{URL}{number}") for number in range(10)]
        known = {each.url: history(each.url, heeded=right + wrong, confirmed=right) for each in others}
        known[URL] = history(told=NOW + 10.0)
        found = due_pages([row(), *others], known, {}, 11, NOW + 60)
        return next(each.changed for each in found if each.url == URL)

    assert changed(5, 0) > 0.95 > changed(0, 0) > 0.4 > 0.1 > changed(0, 5)


def test_an_empty_collection_has_nothing_due():
    assert due_pages([], {}, {}, 5, NOW) == []


# All of it together


def test_a_collection_with_fast_pages_stays_fresher_than_by_other_rules():
    bench = run_path(str(BENCH))
    pages = bench["WORLDS"]["log-normal, by site"].pages(7, 200, 0.2)
    fresh = {rule: bench["Simulation"](pages, rule, 20, 7).run(30, 90) for rule in ("lycosa", *bench["RIVALS"])}
    ours = fresh.pop("lycosa")
    assert ours > max(fresh.values())
    assert ours > bench["optimum"](pages, 20) - 0.03
