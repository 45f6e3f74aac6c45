"""Precision by the paper's equations 1-3, worked out by hand over a pool of four pages."""

from math import log, sqrt

import numpy as np
import pytest

from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.precision import similarity

precision = METRICS["precision"].measure

# cat is on 1 page of 4, dog on 3, fox on 2; tf 2 is the largest of a, c and the description.
TEXTS = {"a": "cat cat dog", "b": "dog", "c": "fox fox", "d": "dog fox"}
CAT, DOG, FOX = log(4 / 1), log(4 / 3), log(4 / 2)
# description "cat cat fox": cat (0.5 + 0.5 * 2/2) ln 4, fox (0.5 + 0.5 * 1/2) ln 2
LENGTH = sqrt(CAT**2 + (0.75 * FOX) ** 2)
# a: cat 1 * ln 4, dog 0.75 * ln 4/3;  b: only dog;  c: only fox;  d: dog 1 * ln 4/3, fox 1 * ln 2
SIM_A = CAT**2 / (LENGTH * sqrt(CAT**2 + (0.75 * DOG) ** 2))  # .9252
SIM_C = 0.75 * FOX / LENGTH  # .3511
SIM_D = 0.75 * FOX**2 / (LENGTH * sqrt(DOG**2 + FOX**2))  # .3243


def test_similarity_to_the_description_is_that_of_equations_2_and_3(evidence):
    known = evidence(TEXTS, ["ab", "cd"], description="cat cat fox")
    assert similarity(known) == pytest.approx([SIM_A, 0, SIM_C, SIM_D])
    assert pytest.approx([0.9252, 0.3511, 0.3243], abs=5e-5) == [SIM_A, SIM_C, SIM_D]


def test_precision_is_the_mean_similarity_so_far(evidence, track):
    known = evidence(TEXTS, ["abcd"], description="cat cat fox")
    found = precision(known, track("acb"), np.array([1, 2, 3]))
    assert found == pytest.approx([SIM_A, (SIM_A + SIM_C) / 2, (SIM_A + SIM_C) / 3])


def test_a_crawl_that_ended_early_gains_nothing_by_it(evidence, track):
    known = evidence(TEXTS, ["abcd"], description="cat cat fox")
    total = SIM_A + SIM_C
    assert precision(known, track("ac"), np.array([2, 50])) == pytest.approx([total / 2, total / 50])
    assert precision(known, track(""), np.array([2, 50])).tolist() == [0, 0]


def test_document_frequencies_are_those_of_the_pool_and_not_of_the_world(evidence):
    # Without c and d in the pool, fox is on none of its pages and counts nowhere; cat is on 1 of 2, dog on 2 of 2.
    known = evidence(TEXTS, ["ab"], description="cat cat fox")
    assert similarity(known) == pytest.approx([1, 0])


def test_the_largest_count_of_the_description_may_be_of_a_word_that_no_page_holds(evidence):
    # yak occurs 4 times: cat (0.5 + 0.5 * 2/4) ln 4 = 0.75 ln 4, fox (0.5 + 0.5 * 1/4) ln 2 = 0.625 ln 2
    known = evidence(TEXTS, ["abcd"], description="cat cat fox yak yak yak yak")
    assert similarity(known)[2] == pytest.approx(0.625 * FOX / sqrt((0.75 * CAT) ** 2 + (0.625 * FOX) ** 2))


def test_words_are_stemmed_and_stop_words_left_out(evidence):
    known = evidence(TEXTS, ["abcd"], description="The cats of the cat, and a fox")
    assert similarity(known) == pytest.approx([SIM_A, 0, SIM_C, SIM_D])


def test_without_a_description_there_is_no_precision(evidence, track):
    known = evidence(TEXTS, ["abcd"])
    assert np.isnan(precision(known, track("ab"), np.array([1, 2]))).all()


def test_in_a_pool_of_one_page_nothing_has_weight(evidence, track):
    # ln(1 / 1) = 0 for every word.
    known = evidence(TEXTS, ["a"], description="cat")
    assert precision(known, track("a"), np.array([1])).tolist() == [0]
