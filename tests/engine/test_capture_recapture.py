"""Capture and recapture on numbers worked out by hand."""

import math

import pytest

from lycosa.engine.capture_recapture import Unseen, between, chao, chapman, interval


def test_chapman_on_the_textbook_s_animals():
    # Ten marked, fifteen caught later, five of them marked: 11 * 16 / 6 - 1 = 28.3 in all, 20 of them seen.
    unseen = chapman(10, 15, 5)
    assert unseen.number == pytest.approx(11 * 16 / 6 - 1 - 20)
    assert unseen.variance == pytest.approx(11 * 16 * 5 * 10 / (36 * 7))


def test_chapman_with_nothing_in_common_and_with_everything():
    assert chapman(3, 4, 0).number == pytest.approx(4 * 5 - 1 - 7)
    assert chapman(5, 5, 5) == Unseen(0.0, 0.0)
    assert chapman(0, 0, 0) == Unseen(0.0, 0.0)
    assert chapman(9, 0, 0).number == 0.0


def test_chao_tells_from_those_caught_once_and_twice():
    # f1 = 10, f2 = 4 in five catches: 4/5 * 10 * 9 / (2 * 5) = 7.2 were never caught.
    assert chao(10, 4, 5).number == pytest.approx(7.2)
    assert chao(0, 4, 5) == Unseen(0.0, 0.0)
    assert chao(1, 0, 3).number == 0.0


def test_two_catches_are_compared_by_chapman_and_more_by_chao():
    first, second, third = {"a", "b", "c", "d"}, {"c", "d", "e"}, {"d", "f"}
    assert between([first, second]) == chapman(4, 3, 2)
    # a, b, e, f were caught once, c twice, d thrice.
    assert between([first, second, third]) == chao(4, 1, 3)


def test_an_interval_never_falls_below_what_was_found():
    low, high = interval(20, Unseen(10.0, 100.0))
    factor = math.exp(1.645 * math.sqrt(math.log(2)))
    assert (low, high) == (pytest.approx(20 + 10 / factor), pytest.approx(20 + 10 * factor))
    assert interval(20, Unseen(0.0, 0.0)) == (20, 20)
