"""Calibration of probabilities, worked by hand and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.calibration import (
    bin_sums,
    brier_score,
    error_of,
    expected_calibration_error,
    predictions,
    reliability,
)


def truth(text):
    return np.array([letter == "1" for letter in text])


def test_the_error_worked_by_hand():
    chance = np.array([0.05, 0.05, 0.42, 0.48, 0.9, 1.0])
    # Bin 0: said .05, seen .5 (2 pages); bin 4: said .45, seen .5 (2); bin 9: said .95, seen 1 (2).
    expected = (2 * 0.45 + 2 * 0.05 + 2 * 0.05) / 6
    assert expected_calibration_error(chance, truth("010111")) == pytest.approx(expected)


def test_a_probability_of_one_is_in_the_last_bin_and_of_zero_in_the_first():
    sums = bin_sums(np.array([0.0, 1.0]), truth("01"))
    assert sums[0].tolist() == [1, 0, 0]
    assert sums[9].tolist() == [1, 1, 1]
    assert error_of(sums) == 0


def test_a_diagram_has_what_was_said_and_what_was_seen_in_each_bin():
    found = reliability(bin_sums(np.array([0.12, 0.18, 0.77]), truth("100")))
    assert found.said[[1, 7]] == pytest.approx([0.15, 0.77])
    assert found.seen[[1, 7]].tolist() == [0.5, 0]
    assert found.pages.tolist() == [0, 2, 0, 0, 0, 0, 0, 1, 0, 0]
    assert np.isnan(found.said[0]) and np.isnan(found.seen[0])


def test_bins_of_several_crawls_add_up():
    rng = np.random.default_rng(3)
    chance, true = rng.random(200), rng.random(200) < 0.5
    parts = bin_sums(chance[:80], true[:80]) + bin_sums(chance[80:], true[80:])
    assert error_of(parts) == pytest.approx(expected_calibration_error(chance, true))


def test_dice_thrown_with_the_said_probabilities_are_calibrated():
    rng = np.random.default_rng(4)
    chance = rng.random(50_000)
    assert expected_calibration_error(chance, rng.random(50_000) < chance) < 0.01
    assert expected_calibration_error(chance, rng.random(50_000) < chance / 2) == pytest.approx(0.25, abs=0.01)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_both_lie_between_nothing_and_one_and_brier_is_scikit_learns(pairs):
    chance, true = (np.array(each) for each in zip(*pairs, strict=True))
    assert 0 <= expected_calibration_error(chance, true) <= 1
    assert brier_score(chance, true) == pytest.approx(brier_score_loss(true, chance, pos_label=True))


def test_no_probabilities_are_no_figure(evidence, blank, track):
    none = truth("")
    assert np.isnan([expected_calibration_error(None, none), brier_score(None, none)]).all()
    assert np.isnan([expected_calibration_error(np.zeros(0), none), brier_score(np.zeros(0), none)]).all()
    found = evidence(blank, ["ab"], targets="b")
    for key in ("calibration_error", "brier_score"):
        assert np.isnan(METRICS[key].measure(found, track("ab")))


def test_pages_that_were_told_to_be_relevant_do_not_count(evidence, blank, track):
    found = evidence(blank, ["abcd"], targets="b", examples="a")
    crawl = track("abcd", chance=np.array([1.0, 0.8, 0.1, np.nan]))
    crawl.via[1:] = 0
    judged = predictions(found, crawl)
    assert judged
    chance, true = judged
    assert (chance.tolist(), true.tolist()) == ([0.8, 0.1], [True, False])
    assert METRICS["calibration_error"].measure(found, crawl) == pytest.approx((0.2 + 0.1) / 2)
    assert METRICS["brier_score"].measure(found, crawl) == pytest.approx((0.2**2 + 0.1**2) / 2)


def test_an_example_that_had_to_be_found_counts(evidence, blank, track):
    found = evidence(blank, ["ba"], targets="c", examples="a", neighbors="b")
    crawl = track("ba", chance=np.array([0.2, 0.9]))
    crawl.via[1] = 1
    judged = predictions(found, crawl)
    assert judged
    assert judged[1].tolist() == [False, True]
