"""Target recall against requests: what brought no page costs as much as what did."""

import numpy as np
import pytest

from lycosa.lab.metrics import cost, requests
from lycosa.lab.metrics.oracle_share import oracle_share

POINTS = np.arange(1, 7)


@pytest.fixture
def counted(track):
    """A track with the number of the request that brought each page."""

    def make(letters, *numbers, **facts):
        return track(letters, requests=np.diff(numbers, prepend=0).astype(np.int32), **facts)

    return make


def test_a_target_counts_from_the_request_that_brought_it(evidence, blank, counted):
    found = evidence(blank, ["abc"], targets="bc", budget=6)
    # robots.txt and a, two dead links, then b; c with the seventh request is beyond all points.
    assert requests.recall(found, counted("abc", 2, 5, 7), POINTS).tolist() == [0, 0, 0, 0, 0.5, 0.5]


def test_the_area_is_over_as_many_requests_as_there_may_be_pages(evidence, blank, counted):
    found = evidence(blank, ["abc"], targets="bc", budget=6)
    # b counts at requests 5 and 6 of 6; c came too late.
    assert requests.area(found, counted("abc", 2, 5, 7)) == pytest.approx(2 / (6 * 2))
    assert requests.area(found, counted("bc", 1, 2)) == pytest.approx((6 + 5) / (6 * 2))


def test_without_dead_links_redirects_and_robots_it_is_the_recall_by_pages(evidence, blank, counted, track):
    found = evidence(blank, ["abc"], targets="bc", budget=6, oracle="bc")
    found.oracle.requests = np.array([1, 1], np.int32)
    plain = counted("abc", 1, 2, 3)
    assert requests.share(found, plain) == pytest.approx(oracle_share(found, plain))


def test_the_share_is_of_the_oracle_by_requests(evidence, blank, counted):
    found = evidence(blank, ["abc"], targets="bc", budget=6, oracle="bc")
    found.oracle.requests = np.array([2, 1], np.int32)  # after its robots.txt
    assert requests.share(found, counted("abc", 2, 5, 7)) == pytest.approx(2 / (5 + 4))
    found.oracle = None
    assert np.isnan(requests.share(found, counted("abc", 2, 5, 7)))


def test_requests_that_were_not_counted_are_nan(evidence, blank, track):
    found = evidence(blank, ["abc"], targets="bc", budget=6, oracle="bc")
    assert np.isnan(requests.recall(found, track("abc"), POINTS)).all()
    assert np.isnan([requests.area(found, track("abc")), requests.share(found, track("abc"))]).all()
    assert np.isnan(cost.requests(found, track("abc")))


def test_all_requests_are_counted_also_those_after_the_last_page(evidence, blank, counted):
    assert cost.requests(evidence(blank, ["ab"]), counted("ab", 2, 3, asked=9)) == 9


def test_a_topic_without_targets_has_no_recall(evidence, blank, counted):
    found = evidence(blank, ["ab"], budget=6)
    assert np.isnan(requests.recall(found, counted("ab", 1, 2), POINTS)).all()
    assert np.isnan(requests.area(found, counted("ab", 1, 2)))
