"""Wins, ties and losses, topic by topic."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.lab.statistics.compare import outcomes

NAN = float("nan")


def test_less_than_half_a_point_of_recall_is_a_tie():
    first = np.array([0.500, 0.504, 0.505, 0.600, 0.300])
    second = np.array([0.500, 0.500, 0.500, 0.300, 0.600])
    assert outcomes(first, second) == (2, 2, 1)


def test_for_what_is_no_share_a_tie_is_relative():
    first, second = np.array([1000.0, 1000.0, 0.030, 0.0]), np.array([1004.0, 1006.0, 0.031, 0.0])
    assert outcomes(first, second, higher=False, relative=True) == (2, 2, 0)


def test_topics_that_one_lacks_are_not_counted():
    assert outcomes(np.array([0.5, NAN]), np.array([0.1, 0.1])) == (1, 0, 0)


def test_without_tolerance_only_equals_tie():
    assert outcomes(np.array([0.5, 0.5]), np.array([0.5, 0.5001]), tolerance=0) == (0, 1, 1)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), max_size=20))
def test_one_sides_wins_are_the_other_sides_losses(pairs):
    first, second = np.array(pairs, np.float64).reshape(-1, 2).T
    for relative in (False, True):
        wins, ties, losses = outcomes(first, second, relative=relative)
        assert outcomes(second, first, relative=relative) == (losses, ties, wins)
        assert wins + ties + losses == len(pairs)
