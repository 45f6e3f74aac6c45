"""The papers' one-tailed paired t-test, and the signed-rank test beside it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from lycosa.lab.statistics.compare import advantages, effect, t_test, wilcoxon

NAN = float("nan")
recalls = st.lists(
    st.tuples(st.floats(0, 1, allow_subnormal=False), st.floats(0, 1, allow_subnormal=False)), min_size=3, max_size=40
).map(lambda pairs: np.array(pairs).T)


def test_an_example_worked_by_hand():
    # advantages 1 2 3: mean 2, s 1, t = 2 / (1 / sqrt 3) = 3.464, 2 degrees of freedom.
    # With 2 degrees of freedom the tail above t is 1/2 - t / (2 sqrt(2 + t^2)) = 1/2 - 3.4641 / (2 * 3.7417) = 0.0371
    sample = advantages(np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    assert t_test(sample) == pytest.approx(0.0371, abs=5e-5)
    assert effect(sample) == pytest.approx(2)


@given(recalls)
def test_it_is_the_paired_t_test_of_scipy(pair):
    first, second = pair
    assume(np.ptp(first - second) > 1e-6)
    expected = stats.ttest_rel(first, second, alternative="greater").pvalue
    assert t_test(advantages(first, second)) == pytest.approx(expected, abs=1e-12)


@given(recalls)
def test_the_two_directions_share_the_whole_of_the_probability(pair):
    sample = advantages(*pair)
    assume(np.ptp(sample) > 1e-6)
    assert t_test(sample) + t_test(-sample) == pytest.approx(1)


def test_only_topics_that_both_have_are_paired():
    sample = advantages(np.array([0.5, NAN, 0.7, 0.9]), np.array([0.25, 0.1, NAN, 0.4]))
    assert sample.tolist() == [0.25, 0.5]


def test_where_low_is_good_the_lower_has_the_advantage():
    assert advantages(np.array([10.0]), np.array([30.0]), higher=False).tolist() == [20]


def test_one_topic_proves_nothing():
    for each in (t_test, wilcoxon, effect):
        assert np.isnan(each(np.array([0.5])))
        assert np.isnan(each(np.array([])))


def test_no_difference_anywhere_is_no_evidence():
    nothing = np.array([0.1 + 0.2 - 0.3] * 8)  # zero but for rounding
    assert t_test(nothing) == 1
    assert wilcoxon(nothing) == 1
    assert effect(nothing) == 0


def test_the_same_advantage_on_every_topic_counts_as_often_as_heads_in_a_row():
    assert t_test(np.full(5, 0.1)) == pytest.approx(1 / 32)
    assert t_test(np.full(5, -0.1)) == 1
    assert np.isnan(effect(np.full(5, 0.1)))


def test_signed_ranks_worked_by_hand():
    # ranks of 1 -2 3 4 5: only rank 2 is negative. Of 32 signs, those with negative rank sum <= 2 are {}, {1}, {2}.
    assert wilcoxon(np.array([1.0, -2, 3, 4, 5])) == pytest.approx(3 / 32)


def test_signed_ranks_do_not_mind_an_outlier():
    sample = np.array([0.02] * 4 + [0.03] * 4 + [0.04] * 4 + [5.0])
    assert t_test(sample) > 0.1
    assert wilcoxon(sample) < 0.001
