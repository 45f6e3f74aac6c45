"""Means and standard errors are taken over the topics that were measured."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats

from lycosa.lab.statistics.summary import figures, summarise

NAN = float("nan")


def test_a_column_worked_by_hand():
    # 2, 4, 9: mean 5, deviations -3 -1 4, squares 26, s^2 13, standard error sqrt(13 / 3)
    summary = summarise(np.array([2.0, 4.0, 9.0]))
    assert summary.mean == pytest.approx(5)
    assert summary.error == pytest.approx((13 / 3) ** 0.5)
    assert summary.n == 3


def test_topics_without_a_figure_are_left_out_and_the_rest_is_counted():
    summary = summarise(np.array([[1.0, NAN, NAN], [3.0, 5.0, NAN], [NAN, NAN, np.inf]]))
    assert summary.mean[:2].tolist() == [2, 5]
    assert np.isnan(summary.mean[2])
    assert summary.error[0] == pytest.approx(1)
    assert np.isnan(summary.error[1:]).all()
    assert summary.n.tolist() == [2, 1, 0]


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=2), elements=st.floats(-1e6, 1e6)))
def test_without_gaps_it_agrees_with_scipy(table):
    summary = summarise(table)
    assert summary.mean == pytest.approx(table.mean(axis=0))
    assert summary.error == pytest.approx(stats.sem(table, axis=0), abs=1e-9)


def test_a_curve_is_read_at_its_last_point_unless_told(compared):
    comparison = compared({"a": {"target_recall": [[0.1, 0.2], [0.3, 0.4]], "search_length": [5, 6]}})
    assert figures(comparison, "a", "target_recall").tolist() == [0.2, 0.4]
    assert figures(comparison, "a", "target_recall", 500).tolist() == [0.1, 0.3]
    assert figures(comparison, "a", "search_length").tolist() == [5, 6]
    assert np.isnan(figures(comparison, "a", "precision")).tolist() == [True, True]


def test_coverage_is_read_by_the_n_of_its_top(compared):
    comparison = compared({"a": {"coverage_lexical": [[0.1, 0.2]]}}, top=[10, 100])
    assert figures(comparison, "a", "coverage_lexical", 10).tolist() == [0.1]
