"""Hub scores: equations 4 and 5 worked out by hand."""

from math import sqrt

import pytest

from lycosa.core.hubs import hub_scores


def test_the_scores_of_a_small_set_are_those_worked_out_by_hand():
    # a links to c and d, b to c. Hubs (x, y, 0, 0), authorities (0, 0, x + y, x), hubs again (2x + y, x + y, 0, 0):
    # x / y is the golden ratio, and the mean of the squares of all four is 1.
    golden = (1 + sqrt(5)) / 2
    y = sqrt(4 / (golden**2 + 1))
    found = hub_scores({"a": ["c", "d"], "b": ["c"], "c": [], "d": []})
    assert found == pytest.approx({"a": golden * y, "b": y, "c": 0, "d": 0}, abs=1e-6)


def test_the_mean_of_the_squares_is_one():
    found = hub_scores({"a": ["b", "c"], "b": ["c", "a"], "c": ["a"], "d": ["a", "b", "c"]})
    assert sum(score**2 for score in found.values()) / 4 == pytest.approx(1)
    assert max(found, key=found.get) == "d"


def test_what_leads_out_or_to_the_page_itself_or_twice_to_the_same_counts_no_more():
    plain = {"a": ["b", "c"], "b": ["c"], "c": []}
    assert hub_scores({"a": ["b", "a", "c", "b", "elsewhere"], "b": ["c"], "c": ["c"]}) == hub_scores(plain)


def test_a_set_without_links_has_no_hubs():
    assert hub_scores({"a": [], "b": ["elsewhere"]}) == {"a": 0.0, "b": 0.0}
    assert hub_scores({}) == {}
