"""Similarity to the middle of the examples."""

from math import sqrt

import pytest

from lycosa.system.errors import Refused

# «wolf» and «wolf wolf spider» have the unit vectors (1, 0) and (2, 1) / √5.
EXAMPLES = "wolf", "wolf wolf spider"


def test_every_example_counts_the_same(judge, page):
    wolf, spider = 1 + 2 / sqrt(5), 1 / sqrt(5)
    length = sqrt(wolf**2 + spider**2)
    found = judge("centroid", examples=EXAMPLES)
    assert found(page("spider")).relevance == pytest.approx(spider / length)
    assert found(page("wolf ant")).relevance == pytest.approx(wolf / length / sqrt(2))


def test_the_examples_can_be_one_document(judge, page):
    found = judge("centroid", examples=EXAMPLES, combine="one")
    assert found(page("wolf spider")).relevance == pytest.approx((3 + 1) / (sqrt(10) * sqrt(2)))


def test_keywords_can_have_a_share(judge, page):
    text = page("spider moth")
    alone, mixed = (
        judge("centroid", "moth", examples=EXAMPLES),
        judge("centroid", "moth", examples=EXAMPLES, keywords="0.25"),
    )
    assert mixed(text).relevance == pytest.approx(0.75 * alone(text).relevance + 0.25 / sqrt(2))
    assert judge("centroid", "moth", examples=EXAMPLES, keywords=1)(text).relevance == pytest.approx(1 / sqrt(2))


def test_with_idf_unusual_words_weigh_more(judge, page):
    usual = "ant wolf", "ant", "ant"
    plain = judge("centroid", examples=("ant wolf",))
    found = judge("centroid", examples=("ant wolf",), others=usual, idf=True)
    assert plain(page("ant")).relevance == pytest.approx(plain(page("wolf")).relevance)
    assert found(page("wolf")).relevance > 2 * found(page("ant")).relevance


def test_it_refuses_to_judge_without_examples(judge):
    with pytest.raises(Refused, match="judge centroid learns from example pages, and the topic has none"):
        judge("centroid")


def test_it_refuses_examples_that_cannot_be_read(judge):
    with pytest.raises(Refused, match=r"none of the 2 example pages .* could be read .http://example.test/0"):
        judge("centroid", examples=("gone", "gone"))
    with pytest.raises(Refused, match="could be read"):
        judge("centroid", examples=("?!",))


def test_an_example_that_cannot_be_read_is_left_out(judge, page):
    assert judge("centroid", examples=("gone", "wolf"))(page("wolf")).relevance == pytest.approx(1)


@pytest.mark.parametrize("options", [{"keywords": 1.5}, {"combine": "sum"}])
def test_impossible_options_are_refused(judge, options):
    with pytest.raises(Refused, match="centroid cannot work with"):
        judge("centroid", examples=EXAMPLES, **options)
