"""Corrected p-values of a family."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.lab.statistics.compare import holm

chances = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_holm_worked_by_hand():
    # sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04; the last may not be below the one before it.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_no_test_stays_no_test_and_costs_the_others_nothing():
    corrected = holm([0.01, float("nan"), 0.02])
    assert corrected[0] == pytest.approx(0.02)
    assert np.isnan(corrected[1])
    assert corrected[2] == pytest.approx(0.02)
    assert holm([]) == []
    assert np.isnan(holm([float("nan")])).all()


@given(chances)
def test_a_correction_never_lowers_p_and_keeps_the_order(p):
    corrected = holm(p)
    assert all(before <= after + 1e-15 <= 1 + 1e-12 for before, after in zip(p, corrected, strict=True))
    order = np.argsort(p, kind="stable")
    assert np.all(np.diff(np.array(corrected)[order]) >= -1e-15)


@given(chances)
def test_holm_is_at_most_bonferroni(p):
    assert np.all(np.array(holm(p)) <= np.minimum(1, np.array(p) * len(p)) + 1e-12)
