"""Corrected p-values of a family."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.lab.statistics.correction import correct
from lycosa.system.errors import Refused

chances = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_holm_worked_by_hand():
    # sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04; the last may not be below the one before it.
    assert correct([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_worked_by_hand():
    # sorted .005 .01 .03 .04 times 4/1 4/2 4/3 4/4: .02 .02 .04 .04
    assert correct([0.01, 0.04, 0.03, 0.005], "benjamini-hochberg") == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_no_test_stays_no_test_and_costs_the_others_nothing():
    corrected = correct([0.01, float("nan"), 0.02])
    assert corrected[0] == pytest.approx(0.02)
    assert np.isnan(corrected[1])
    assert corrected[2] == pytest.approx(0.02)
    assert correct([]) == []
    assert np.isnan(correct([float("nan")])).all()


def test_an_unknown_correction_is_refused():
    with pytest.raises(Refused, match="holm or benjamini-hochberg"):
        correct([0.1], "bonferroni-ish")


@given(chances)
def test_a_correction_never_lowers_p_and_keeps_the_order(p):
    for method in ("holm", "benjamini-hochberg"):
        corrected = correct(p, method)
        assert all(before <= after + 1e-15 <= 1 + 1e-12 for before, after in zip(p, corrected, strict=True))
        order = np.argsort(p, kind="stable")
        assert np.all(np.diff(np.array(corrected)[order]) >= -1e-15)


@given(chances)
def test_holm_is_between_benjamini_hochberg_and_bonferroni(p):
    bonferroni = np.minimum(1, np.array(p) * len(p))
    holm, bh = np.array(correct(p)), np.array(correct(p, "benjamini-hochberg"))
    assert np.all(bh <= holm + 1e-12)
    assert np.all(holm <= bonferroni + 1e-12)
