"""A calibrated linear model."""

from math import exp, log

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from lycosa.judge.linear import calibration, fit
from lycosa.system.errors import Refused

EXAMPLES = "wolf spider", "wolf hunts", "spider hunts wolf", "spider den"
OTHERS = "ant hill", "moth light", "ant moth", "moth hill ant", "light hill", "moth hunts"


def test_two_pages_are_told_apart_as_worked_out_by_hand(judge, page):
    # Two pages of one word each: v = (1, 0) and (0, 1). By symmetry b = 0, w = (a, -a), and at the minimum a is
    # C / (1 + e^a): with C = 1 that is a = .4011.
    found = judge("linear", examples=("wolf",), others=("moth",), calibrate=False)
    a = 0.4011
    assert a == pytest.approx(1 / (1 + exp(a)), abs=1e-4)
    assert found(page("wolf")).relevance == pytest.approx(1 / (1 + exp(-a)), abs=1e-4)
    assert found(page("moth")).relevance == pytest.approx(1 / (1 + exp(a)), abs=1e-4)
    assert found(page("bee")).relevance == pytest.approx(0.5)


@pytest.mark.parametrize("cost", [0.1, 1.0, 100.0])
def test_the_model_is_what_scikit_learn_finds(cost):
    matrix = np.random.default_rng(1).random((30, 50))
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    is_relevant = np.arange(30) < 8
    ours = fit(matrix @ matrix.T, is_relevant, cost)
    # A column of ones instead of an intercept, which scikit-learn would not hold against the model.
    ones = np.hstack((matrix, np.ones((30, 1))))
    theirs = LogisticRegression(C=cost, class_weight="balanced", fit_intercept=False, tol=1e-10, max_iter=10_000)
    assert ours @ ones == pytest.approx(theirs.fit(ones, is_relevant).coef_[0], abs=1e-4)


def test_calibration_fits_platt_s_targets():
    # Pages of two kinds, all of a kind alike: whatever is left out, the model says +f or -f of it.
    kinds = np.array([1.0, 1, 1, 1, 1, -1, -1, -1, -1, -1])
    slope, shift = calibration(np.outer(kinds, kinds), kinds > 0, 1.0)
    kept = kinds[[0, 1, 2, 3, 5, 6, 7, 8]]
    value = (kept * fit(np.outer(kept, kept), kept > 0, 1.0)).sum()
    # The targets are 6/7 and 1/7, which lie at ±ln 6.
    assert slope * value == pytest.approx(log(6), rel=1e-3)
    assert shift == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("cost", [1.0, 100.0, 1e6])
def test_calibration_holds_for_models_that_are_sure_of_themselves(cost):
    matrix = np.random.default_rng(1).random((110, 300)) ** 4
    matrix[:10, :20] += 0.3
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    products, is_relevant = matrix @ matrix.T, np.arange(110) < 10
    slope, shift = calibration(products, is_relevant, cost)
    # What is said of pages that were not trained with may be wrong, so nothing is ever certain.
    values = (products + 1) @ fit(products, is_relevant, cost)
    chances = 1 / (1 + np.exp(-(slope * values + shift)))
    assert 1e-6 < chances.min() < chances.max() < 1 - 1e-6


def test_too_few_pages_are_not_calibrated_with():
    assert calibration(np.eye(4), np.array([True, False, False, False]), 1.0) == (1.0, 0.0)


def test_pages_like_the_examples_are_more_relevant(judge, page):
    found = judge("linear", examples=EXAMPLES, others=OTHERS)
    assert found(page("a wolf in its den")).relevance > 0.5 > found(page("a hill of light")).relevance
    assert found(page("")).relevance == 0


def test_the_same_pages_make_the_same_model(judge, page):
    first, second = (judge("linear", examples=EXAMPLES, others=OTHERS) for _ in range(2))
    assert first(page("wolf ant bee")) == second(page("wolf ant bee"))


@pytest.mark.parametrize("cost", [0, -1, "nan"])
def test_impossible_options_are_refused(judge, cost):
    with pytest.raises(Refused, match="linear cannot work with"):
        judge("linear", examples=EXAMPLES, others=OTHERS, C=cost)


def test_it_refuses_to_judge_without_examples(judge):
    with pytest.raises(Refused, match="judge linear learns from example pages, and the topic has none"):
        judge("linear", others=OTHERS)
