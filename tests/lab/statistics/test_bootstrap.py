"""Intervals from resampled topics: the same every time, and as wide as they should be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lycosa.lab.statistics.bootstrap import interval


@pytest.mark.parametrize("skewed", [False, True])
def test_it_agrees_with_scipy(skewed):
    rng = np.random.default_rng(3)
    sample = rng.exponential(0.1, 24) if skewed else rng.normal(0.1, 0.2, 24)
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(4))
    expected = theirs.confidence_interval
    width = expected.high - expected.low
    assert interval(sample) == pytest.approx((expected.low, expected.high), abs=0.03 * width)


def test_two_topics_worked_by_hand():
    # The resampled means of 0 and 1 are 0, 1/2 and 1 with chances 1/4, 1/2, 1/4: 95 % needs all of them.
    assert interval(np.array([0.0, 1.0])) == (0, 1)


def test_it_covers_the_true_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(300):
        low, high = interval(rng.exponential(1.0, 40))
        held += low <= 1 <= high
    assert 0.90 <= held / 300 <= 0.98


def test_the_same_sample_has_the_same_interval():
    sample = np.random.default_rng(6).normal(size=30)
    assert interval(sample) == interval(sample.copy())


def test_degenerate_samples_have_defined_intervals():
    assert np.isnan(interval(np.array([0.5]))).all()
    assert np.isnan(interval(np.array([]))).all()
    assert interval(np.full(9, 0.25)) == (0.25, 0.25)
    assert interval(np.array([0.25, np.nan, 0.25])) == (0.25, 0.25)


@given(st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=12), st.sampled_from([0.5, 0.9, 0.99]))
def test_it_lies_within_the_sample_and_turns_with_its_sign(values, level):
    sample = np.array(values)
    low, high = interval(sample, level)
    slack = 1e-9
    assert sample.min() - slack <= low <= high <= sample.max() + slack
    turned = interval(-sample, level)
    assert turned == pytest.approx((-high, -low), abs=1e-6 + 0.02 * np.ptp(sample))
