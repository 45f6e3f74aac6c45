"""Harvest rates and relevant hosts on six pages, of which b (target), d (example) and e (described) are relevant."""

import numpy as np
import pytest

from lycosa.lab.metrics.harvest_rate import harvest_rate
from lycosa.lab.metrics.harvest_window import harvest_window
from lycosa.lab.metrics.relevant_hosts import relevant_hosts


@pytest.fixture
def known(evidence, blank):
    return evidence(blank, ["abcdef"], targets="bz", examples="d", described="e", neighbors="a")


def test_the_harvest_rate_is_the_share_of_labelled_pages_so_far(known, track):
    # a no, b yes, c no, d yes, e yes, f no; a neighbour is not relevant by being one.
    found = harvest_rate(known, track("abcdef"), np.array([1, 2, 3, 4, 5, 6]))
    assert found == pytest.approx([0, 1 / 2, 1 / 3, 2 / 4, 3 / 5, 3 / 6])


def test_what_was_never_fetched_is_not_relevant(known, track):
    assert harvest_rate(known, track("abd"), np.array([3, 100])) == pytest.approx([2 / 3, 2 / 100])
    assert harvest_rate(known, track(""), np.array([3, 100])).tolist() == [0, 0]


def test_the_window_forgets_what_is_long_ago(known, track):
    # Windows of two: a | ab | bc | cd | de | ef
    found = harvest_window(known, track("abcdef"), np.array([1, 2, 3, 4, 5, 6]), window=2)
    assert found == pytest.approx([0, 1 / 2, 1 / 2, 1 / 2, 1, 1 / 2])
    assert harvest_window(known, track("abd"), np.array([3, 4, 100]), window=2) == pytest.approx([1, 1 / 2, 0])


def test_the_window_is_fifty_pages(evidence, track):
    letters = [chr(ord("a") + number) for number in range(120)]
    # The first sixty pages are relevant: of the pages 31 to 80, thirty.
    known = evidence(dict.fromkeys(letters, ""), [letters], targets=letters[:60])
    assert harvest_window(known, track(letters), np.array([50, 80, 120])) == pytest.approx([1, 30 / 50, 0])


def test_hosts_are_counted_once_and_only_for_relevant_pages(evidence, track, blank):
    # b and d live on the same host, a and e on another, where only e is relevant.
    known = evidence(blank, ["abcdef"], targets="bde", hosts={"b": "x", "d": "x", "a": "y", "e": "y"})
    assert relevant_hosts(known, track("abcdef"), np.arange(1, 8)).tolist() == [0, 1, 1, 1, 2, 2, 2]
    assert relevant_hosts(known, track(""), np.array([5])).tolist() == [0]
