"""Ranks: larger is better, the first key counts most, equals share."""

import numpy as np

from lycosa.lab.metrics.ranks import ranks


def test_the_largest_is_first():
    assert ranks(np.array([2.0, 9.0, 5.0])).tolist() == [3, 1, 2]


def test_a_later_key_only_decides_between_equals():
    assert ranks(np.array([1.0, 2.0, 1.0]), np.array([0.3, 0.1, 0.4])).tolist() == [3, 1, 2]


def test_equals_share_the_mean_of_their_places():
    # 7 is first; the three 4s take places 2, 3 and 4; 1 is last.
    assert ranks(np.array([4.0, 7.0, 4.0, 1.0, 4.0])).tolist() == [3, 1, 3, 5, 3]
    assert ranks(np.array([4.0, 4.0]), np.array([2.0, 2.0])).tolist() == [1.5, 1.5]


def test_nobody_has_no_rank():
    assert ranks(np.zeros(0)).tolist() == []
