"""Cosine of TF-IDF weights."""

from math import log, sqrt

import pytest

from lycosa.core.tfidf_weights import TfIdf
from lycosa.system.errors import Refused


def test_a_word_weighs_more_the_fewer_pages_hold_it(judge, page):
    # «spider» is in one of three pages, «wolf» in all of them, «moth» in none: df = 1, 3, 0.
    found = judge("tfidf", "wolf spider", others=("wolf spider", "wolf", "wolf wolf"))
    wolf, spider, moth = (log(4 / (df + 0.5)) for df in (3, 1, 0))
    query = wolf * log(2), spider * log(2)
    text = wolf * log(2), spider * log(3), moth * log(2)
    cosine = (query[0] * text[0] + query[1] * text[1]) / (
        sqrt(sum(w * w for w in query)) * sqrt(sum(w * w for w in text))
    )
    assert found(page("wolf spider spider moth")).relevance == pytest.approx(cosine)
    assert found(page("spider ant")).relevance > found(page("wolf ant")).relevance


def test_a_page_without_any_keyword_is_not_relevant(judge, page):
    found = judge("tfidf", "wolf spider", others=("wolf",))
    assert found(page("")).relevance == found(page("moth and ant")).relevance == 0


def test_a_page_that_says_only_the_keywords_is_fully_relevant(judge, page):
    assert judge("tfidf", "wolf spider", others=("ant",))(page("spider, wolf")).relevance == pytest.approx(1)


def test_without_a_background_word_every_word_is_as_unusual(judge, page):
    found = judge("tfidf", "wolf spider", others=())
    assert found(page("wolf ant")).relevance == pytest.approx(found(page("spider ant")).relevance)


def test_keywords_without_a_topic_are_refused(judge):
    with pytest.raises(Refused, match="stop words"):
        judge("tfidf", "the of and", others=("wolf",))


def test_the_quick_product_is_the_product_of_the_vectors():
    weights = TfIdf.among([{"a": 1, "b": 2}, {"a": 5}, {"c": 1}])
    against, bag = {"a": 0.5, "z": -2.0, "c": 1.0}, {"a": 3, "z": 1, "y": 4}
    vector = weights.vector(bag)
    assert weights.product(against)(bag) == pytest.approx(sum(against.get(term, 0) * w for term, w in vector.items()))
    assert sum(w * w for w in vector.values()) == pytest.approx(1)
    assert weights.vector({}) == {} and weights.product(against)({}) == 0
