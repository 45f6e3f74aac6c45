"""Target recall against virtual time."""

import numpy as np
import pytest

from lycosa.lab.comparison import Track
from lycosa.lab.metrics import hours
from lycosa.lab.metrics.evidence import Evidence


@pytest.fixture
def timed(track):
    def make(letters, *seconds, ended="budget spent: pages"):
        return track(letters, seconds=np.array(seconds, np.float64), ended=ended)

    return make


@pytest.fixture
def topic(evidence, blank):
    """A topic with the targets b and c, after these crawls."""

    def make(*crawls):
        known = evidence(blank, [], targets="bc")
        return Evidence(known.corpus, known.topic, crawls, 10)

    return make


def test_a_target_counts_from_the_moment_it_came(topic, timed):
    found = hours.recall(topic(), timed("abc", 1.0, 2.5, 8.0), np.array([1, 2, 3, 8, 9]))
    assert found.tolist() == [0, 0, 0.5, 1, 1]


def test_the_area_ends_when_the_quickest_crawl_had_spent_its_budget(topic, timed):
    quick, slow = timed("ab", 2.0, 4.0), timed("cb", 6.0, 10.0)
    found = topic(quick, slow)
    assert found.seconds == 4
    assert hours.area(found, quick) == 0  # its only target came at the very end
    assert hours.area(topic(quick, timed("ba", 1.0, 2.0)), timed("bc", 1.0, 3.0)) == pytest.approx((1 + 0) / (2 * 2))


def test_a_crawl_that_ran_out_of_links_does_not_end_the_time_of_the_others(topic, timed):
    dead, slow = timed("a", 1.0, ended="nothing left to fetch"), timed("bc", 5.0, 10.0)
    assert topic(dead, slow).seconds == 10
    assert topic(dead).seconds == 1


def test_hours_are_of_virtual_time(topic, timed, track):
    assert hours.hours(topic(), timed("ab", 1800.0, 5400.0)) == 1.5
    nothing = np.empty(0, np.int32)
    empty = Track(nothing, nothing, np.empty(0), seconds=np.empty(0))
    assert np.isnan(hours.hours(topic(), empty))


def test_a_crawl_without_a_clock_has_no_time(topic, track):
    plain = track("abc")
    found = topic(plain)
    assert found.seconds == 0
    assert np.isnan(hours.recall(found, plain, np.array([1, 2]))).all()
    assert np.isnan([hours.area(found, plain), hours.hours(found, plain)]).all()
