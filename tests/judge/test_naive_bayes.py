"""The probability that a page is like the examples."""

import pytest

from lycosa.core.taxonomy import Category, Taxonomy
from lycosa.system.errors import Refused

EXAMPLES, OTHERS = ("wolf wolf spider",), ("ant moth", "moth wolf")
"""Four terms: Pr(wolf) is 3/7 and 2/8, spider 2/7 and 1/8, ant 1/7 and 2/8, moth 1/7 and 3/8."""


def test_the_posterior_is_worked_out_by_laplace_s_rule(judge, page):
    found = judge("naive-bayes", examples=EXAMPLES, others=OTHERS)
    relevant, other = (3 / 7) ** 2 * (1 / 7), (2 / 8) ** 2 * (3 / 8)
    assert found(page("wolf wolf moth")).relevance == pytest.approx(relevant / (relevant + other))


def test_prior_and_smoothing_can_be_set(judge, page):
    found = judge("naive-bayes", examples=EXAMPLES, others=OTHERS, prior=0.1, smoothing=0.5)
    relevant, other = 0.1 * (2.5 / 5), 0.9 * (1.5 / 6)
    assert found(page("wolf")).relevance == pytest.approx(relevant / (relevant + other))


def test_long_pages_are_judged_in_extremes_unless_they_are_tempered(judge, page):
    raw = judge("naive-bayes", examples=EXAMPLES, others=OTHERS)
    tempered = judge("naive-bayes", examples=EXAMPLES, others=OTHERS, words=3)
    long = page("wolf wolf moth " * 200)
    assert raw(long).relevance > 1 - 1e-9 or raw(long).relevance < 1e-9
    assert tempered(long).relevance == pytest.approx(raw(page("wolf wolf moth")).relevance)


def test_a_page_without_words_is_not_relevant(judge, page):
    assert judge("naive-bayes", examples=EXAMPLES, others=OTHERS)(page("...")).relevance == 0


def test_other_categories_are_what_is_not_relevant(judge, page):
    tree = Taxonomy(
        (
            Category("Good", ("http://wolf",), good=True),
            Category("Good/Below", ("http://spider",)),
            Category("Bad", ("http://ant", "http://moth")),
        )
    )
    found = judge("naive-bayes", examples=("wolf spider",), taxonomy=tree)
    # wolf 2, spider 2 against ant 1, moth 1; four terms.
    assert found(page("wolf")).relevance == pytest.approx((3 / 8) / (3 / 8 + 1 / 6))
    assert judge("naive-bayes", taxonomy=tree)(page("spider")).relevance > 0.5, "good categories are examples too"


def test_a_taxonomy_with_nothing_else_is_refused(judge):
    with pytest.raises(Refused, match="other categories too, and the taxonomy has none"):
        judge("naive-bayes", taxonomy=Taxonomy((Category("Good", ("http://wolf",), good=True),)))


def test_it_refuses_to_judge_without_examples(judge):
    with pytest.raises(Refused, match="judge naive-bayes learns from example pages, and the topic has none"):
        judge("naive-bayes", others=OTHERS)


def test_it_refuses_to_judge_with_nothing_to_compare_with(judge):
    with pytest.raises(Refused, match="nothing to learn from"):
        judge("naive-bayes", examples=EXAMPLES, others=("", "?"))


@pytest.mark.parametrize("options", [{"words": -1}, {"prior": 0}, {"prior": 1}, {"smoothing": 0}])
def test_impossible_options_are_refused(judge, options):
    with pytest.raises(Refused, match="naive-bayes cannot work with"):
        judge("naive-bayes", examples=EXAMPLES, others=OTHERS, **options)
