"""P@10 and S(C, q), worked out by hand."""

from math import log, sqrt

import numpy as np
import pytest

from lycosa.core.nouns import Page
from lycosa.lab.corpus import of_pages
from lycosa.lab.symbiosis.measures import Repeated, Similarity, precision_at_ten, repeated
from lycosa.lab.symbiosis.query_pool import PoolQuery


def ids(*numbers):
    return np.array(numbers, np.int32)


@pytest.mark.parametrize(
    ("answer", "precision"),
    [((1, 2, 3), 0.2), ((), 0.0), ((7, -1, 8), 0.0), ((*range(20, 30), 1), 0.0), ((1, *range(20, 30)), 0.1)],
    ids=["two of three", "no answer", "none relevant", "the eleventh", "the first of eleven"],
)
def test_precision_counts_the_relevant_ones_of_ten(answer, precision):
    assert precision_at_ten(ids(*answer), frozenset({1, 3})) == precision


def test_similarity_is_the_mean_cosine_of_pages_and_questions():
    # df: wolf 2, spider 2, web 1, boat 1, of 4 pages; «den» is on none.
    texts = ["wolf wolf spider", "spider web", "boat", "wolf"]
    corpus = of_pages([Page(f"http://{number}.test/", text) for number, text in enumerate(texts)])
    similarity = Similarity(corpus)
    found = similarity.of_pages(["wolf spider", "wolf den"])
    two = log(2)
    wolf, spider, web = 2 * two, two, log(4)
    query = sqrt(wolf**2 + spider**2)
    expected = [
        1.0,
        spider * spider / (query * sqrt(spider**2 + web**2)),
        0.0,
        wolf * two / (query * two),
    ]
    assert found == pytest.approx(expected)
    mean, error = similarity.mean(found, ids(1, 3))
    assert mean == pytest.approx((expected[1] + expected[3]) / 2)
    assert error == pytest.approx(abs(expected[1] - expected[3]) / 2)


def test_a_page_that_the_world_does_not_list_is_similar_to_nothing():
    found = np.array([0.5, 0.7])
    assert Similarity.mean(found, ids(0, -1))[0] == pytest.approx(0.25)
    assert Similarity.mean(found, ids())[0] == 0.0


def test_repeated_questions_are_followed_through_their_days():
    one, other, once = PoolQuery("wolf den", "wolves"), PoolQuery("boat race", "boats"), PoolQuery("web site", "sites")
    days = [[one, other], [once, one], [other, one]]
    precision = [[0.0, 0.2], [0.9, 0.3], [0.1, 0.5]]
    assert repeated(days, precision, 4) == [
        Repeated("wolf den", "wolves", 4, (1, 2, 3), (0.0, 0.3, 0.5)),
        Repeated("boat race", "boats", 4, (1, 3), (0.2, 0.1)),
    ]
