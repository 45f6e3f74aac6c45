"""Lexical quality: SMART's ltc weights by hand, then mean rank and coverage."""

from math import log, sqrt

import numpy as np
import pytest

from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.lexical import lexical_rank
from lycosa.lab.metrics.vectors import logarithmic

# df of 4 pages: cat 2, dog 2, fox 1, owl 1
TEXTS = {"a": "dog", "b": "cat cat dog", "c": "cat fox", "d": "owl"}


def test_similarity_is_the_dot_product_of_ltc_vectors(evidence):
    known = evidence(TEXTS, ["abcd"], description="cat cat cat fox")
    two, four = log(4 / 2), log(4 / 1)
    # description: cat (1 + ln 3) ln 2, fox ln 4;  b: cat (1 + ln 2) ln 2, dog ln 2;  c: cat ln 2, fox ln 4
    cat, fox = (1 + log(3)) * two, four
    length = sqrt(cat**2 + fox**2)
    b = cat * (1 + log(2)) * two / (length * sqrt(((1 + log(2)) * two) ** 2 + two**2))  # .6233
    c = (cat * two + fox * four) / (length * sqrt(two**2 + four**2))  # .9408
    found = known.smart.cosine(logarithmic(known.corpus.row("cat cat cat fox")))
    assert found == pytest.approx([0, b, c, 0])
    assert pytest.approx([0.6233, 0.9408], abs=5e-5) == [b, c]


def test_the_mean_rank_is_over_the_pages_so_far(evidence, track):
    known = evidence(TEXTS, ["abc", "bd"], description="cat cat cat fox")
    # c is first, b second; a and d have nothing in common with the description and share 3.5.
    assert lexical_rank(known).tolist() == [3.5, 2, 1, 3.5]
    found = METRICS["rank_lexical"].measure(known, track("abc"), np.array([1, 2, 3, 9]))
    assert found[:3] == pytest.approx([3.5, 5.5 / 2, 6.5 / 3])
    assert np.isnan(found[3]), "there is no mean rank after the end of a crawl"


def test_coverage_is_the_share_of_the_best_pages_held(evidence, track):
    known = evidence(TEXTS, ["abc", "bd"], description="cat cat cat fox")
    # In order c, b, then a and d, which are equally good. The crawl b, d holds none of 1, one of 2, two of 4, and of
    # the best 3 b and half of what a and d have in the third place.
    found = METRICS["coverage_lexical"].measure(known, track("bd"), np.array([1, 2, 3, 4]))
    assert found == pytest.approx([0, 1 / 2, 1.5 / 3, 2 / 4])
    # There are only four pages to be held.
    assert METRICS["coverage_lexical"].measure(known, track("bd"), np.array([100])) == pytest.approx([2 / 4])


def test_without_a_description_there_is_no_lexical_quality(evidence, track):
    known = evidence(TEXTS, ["abcd"])
    for key in ("rank_lexical", "coverage_lexical"):
        assert np.isnan(METRICS[key].measure(known, track("ab"), np.array([1, 2]))).all()
