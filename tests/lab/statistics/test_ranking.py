"""An order with groups, or none."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.core.errors import Refused
from lycosa.lab.statistics import family
from lycosa.lab.statistics.ranking import letter_display, missing_share, rankable, ranking

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
    places = ranking(comparison, family.tests(comparison), "target_recall_auc")
    assert [(place.way, place.letters, place.among_best) for place in places] == [
        ("high", "a", True),
        ("near", "a", True),
        ("low", "b", False),
    ]
    assert places[0].mean == pytest.approx(sum(high) / 6)
    assert places[0].n == 6


def test_where_low_is_good_the_lowest_comes_first_and_the_unmeasured_are_left_out(compared):
    ways = {"a": {"search_length": [9, 9]}, "b": {"search_length": [5, 6]}, "c": {"search_length": [float("nan")] * 2}}
    assert [place.way for place in ranking(compared(ways), [], "search_length")] == ["b", "a"]


def test_a_recording_that_lacks_too_much_is_not_ranked(compared):
    ways = {"a": {"target_recall_auc": [0.5]}, "b": {"target_recall_auc": [0.6]}}
    sparse = compared(ways, wanted=100, missing=30, complete=False)
    assert missing_share(sparse) == pytest.approx(0.3)
    assert not rankable(sparse)
    assert rankable(sparse, 0.3)
    with pytest.raises(Refused, match="lacks 30%"):
        ranking(sparse, [], "target_recall_auc")
    assert rankable(compared(ways, wanted=100, missing=20, complete=False))


def test_a_complete_world_is_ranked_whatever_dead_links_it_has(compared):
    world = compared({"a": {"target_recall_auc": [0.5]}}, wanted=100, missing=90)
    assert rankable(world)
    assert missing_share(compared({"a": {}})) == 0
