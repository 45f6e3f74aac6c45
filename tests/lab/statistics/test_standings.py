"""An order with groups, or none."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.lab.statistics import pairwise_tests
from lycosa.lab.statistics.standings import letter_display, most_missing, places, rankable

WAYS = "pqrst"


def apart(*pairs):
    return {frozenset(pair) for pair in pairs}


def test_letters_worked_by_hand():
    assert letter_display("pqr", apart()) == {"p": "a", "q": "a", "r": "a"}
    assert letter_display("pqr", apart("pr")) == {"p": "a", "q": "ab", "r": "b"}
    assert letter_display("pqr", apart("pq", "pr", "qr")) == {"p": "a", "q": "b", "r": "c"}
    assert letter_display("", apart()) == {}


@given(st.sets(st.sampled_from(list(combinations(WAYS, 2)))))
def test_two_ways_share_a_letter_exactly_if_not_set_apart(pairs):
    letters = letter_display(WAYS, apart(*pairs))
    for first, second in combinations(WAYS, 2):
        assert bool(set(letters[first]) & set(letters[second])) is ((first, second) not in pairs)


def test_the_best_comes_first_with_those_that_cannot_be_told_from_it(compared):
    low, high = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3], [0.6, 0.7, 0.8, 0.6, 0.71, 0.8]
    near = [0.61, 0.68, 0.8, 0.61, 0.68, 0.8]
    comparison = compared({w: {"target_recall_auc": v} for w, v in {"low": low, "near": near, "high": high}.items()})
    found = places(comparison, pairwise_tests.tests(comparison), "target_recall_auc")
    assert [(place.label, place.letters, place.among_best) for place in found] == [
        ("high", "a", True),
        ("near", "a", True),
        ("low", "b", False),
    ]
    assert found[0].mean == pytest.approx(sum(high) / 6)
    assert found[0].n == 6


def test_where_low_is_good_the_lowest_comes_first_and_the_unmeasured_are_left_out(compared):
    ways = {"a": {"search_length": [9, 9]}, "b": {"search_length": [5, 6]}, "c": {"search_length": [float("nan")] * 2}}
    assert [place.label for place in places(compared(ways), [], "search_length")] == ["b", "a"]


def test_a_recording_that_lacks_too_much_for_any_way_is_not_ranked(compared):
    ways = {way: {"target_recall_auc": [0.5]} for way in "abcdef"}
    # Many ways that resemble the recorded one do not make up for the one that does not.
    sparse = compared(ways, missing={"b": 0.3}, complete=False)
    assert most_missing(sparse) == ("b", pytest.approx(0.3))
    assert not rankable(sparse)
    assert rankable(compared(ways, missing={"b": 0.3}, complete=False, limit=0.3))
    assert rankable(compared(ways, missing={"b": 0.2}, complete=False))


def test_what_a_complete_world_lacks_does_not_exist(compared):
    assert rankable(compared({"a": {"target_recall_auc": [0.5]}}, missing={"a": 0.9}))
    assert most_missing(compared({"a": {}})) == ("a", 0)
    assert most_missing(compared({})) == ("", 0)
