"""The papers' page relevance."""

from math import isclose, sqrt

import pytest

from lycosa.core.judge import Bags, Judge
from lycosa.core.nouns import Page
from lycosa.core.query import Query
from lycosa.core.words import cosine, norm, terms
from lycosa.judge.cosine import Cosine
from lycosa.system.errors import Refused


def page(text: str) -> Page:
    return Page("http://a.test/", text=text)


def test_relevance_is_the_cosine_of_keywords_and_page():
    judge: Judge = Cosine.of("wolf spiders")
    assert isclose(judge(page("The wolf hunts the spider and the wolf")).relevance, 3 / (sqrt(2) * sqrt(6)))


def test_a_page_that_says_only_the_keywords_is_fully_relevant():
    assert isclose(Cosine.of("hunting wolves")(page("wolves, hunting")).relevance, 1.0)


@pytest.mark.parametrize("text", ["", "the of and", "tulips and roses"])
def test_a_page_without_any_keyword_is_not_relevant(text):
    assert Cosine.of("wolf spiders")(page(text)).relevance == 0.0


def test_a_keyword_said_twice_weighs_twice():
    judge = Cosine.of("wolf wolf spider")
    assert judge(page("wolf")).relevance > judge(page("spider")).relevance


def test_relevance_never_exceeds_one():
    for text in ("aa bb cc", "alpha beta gamma delta epsilon zeta", "one1 two2 three3"):
        assert Cosine.of(text)(page(text)).relevance <= 1.0


def test_terms_kept_from_an_earlier_reading_give_the_same_relevance():
    text = "The wolf hunts the spider and the wolf of 1994"
    kept = terms(text)
    query = Query("wolf 1994")
    assert query.of_terms(kept, norm(kept)) == query.of_text(text) == Cosine.of("wolf 1994")(page(text)).relevance
    assert isclose(query.of_text(text), cosine(terms("wolf 1994"), kept))
    assert query.of_terms({}, 0.0) == 0.0


@pytest.mark.parametrize("keywords", ["", "the of and", "?!"])
def test_keywords_without_a_topic_are_refused(keywords):
    with pytest.raises(Refused, match="stop words"):
        Cosine.of(keywords)


def test_judges_that_share_their_bags_judge_alike():
    bags = Bags()
    page = Page("http://a.test/", "The wolf spider hunts; a spider waits.")
    for keywords in ("wolf spider", "hunting wolves", "soup"):
        assert Cosine.of(keywords, bags)(page) == Cosine.of(keywords)(page)
