"""The six measures of page importance, each on pages whose importance can be worked out by hand."""

from math import log, sqrt

import numpy as np
import pytest

from lycosa.core.nouns import Page
from lycosa.judge.cosine import Cosine
from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.importance.classifier import classifier
from lycosa.lab.metrics.importance.keywords import keywords
from lycosa.lab.metrics.importance.link_popularity import popularity
from lycosa.lab.metrics.importance.query_similarity import query
from lycosa.lab.metrics.importance.rank import rank
from lycosa.lab.metrics.importance.seed_similarity import seeds


def test_keywords_is_the_share_of_distinct_keywords_on_the_page(evidence):
    texts = {"a": "cats and dogs", "b": "dog dog dog", "c": "owl", "d": ""}
    # yak is a keyword too, though on no page.
    known = evidence(texts, ["abcd"], keywords="cat dog yak")
    assert keywords(known) == pytest.approx([2 / 3, 1 / 3, 0, 0])


def test_query_is_the_cosine_of_term_frequencies(evidence):
    texts = {"a": "cat dog", "b": "dog dog dog cat", "c": "owl", "d": "", "e": "cat dog yak"}
    known = evidence(texts, ["abcd"], keywords="cat dog unicorn")
    # keywords (1, 1, 1): a (1, 1) gives 2 / sqrt(3 * 2), b (1, 3) gives 4 / sqrt(3 * 10)
    assert query(known) == pytest.approx([2 / sqrt(6), 4 / sqrt(30), 0, 0])
    judge = Cosine.of("cat dog unicorn")
    assert query(known) == pytest.approx([judge(Page("", texts[letter])).relevance for letter in "abcd"])


def test_seeds_is_the_cosine_to_the_seed_pages_put_together(evidence):
    # Pool of 4: cat on 2 pages, dog on 2, owl on 1, fox on 1. Examples a and b together: cat 3, dog 1.
    texts = {"a": "cat cat", "b": "cat dog", "c": "dog owl", "d": "fox"}
    known = evidence(texts, ["abcd"], examples="abz", neighbors="d")
    cat, length = 1 + log(3), sqrt((1 + log(3)) ** 2 + 1)
    two, four = log(2), log(4)
    # a: only cat;  b: cat and dog with weight ln 2 each;  c: dog ln 2, owl ln 4
    expected = [cat / length, (cat + 1) / (length * sqrt(2)), two / (length * sqrt(two**2 + four**2)), 0]
    assert seeds(known) == pytest.approx(expected)


def test_a_topic_without_examples_is_measured_by_its_neighbors(evidence):
    texts = {"a": "cat", "b": "dog"}
    assert seeds(evidence(texts, ["ab"], neighbors="b")) == pytest.approx([0, 1])
    assert np.isnan(seeds(evidence(texts, ["ab"], examples="z"))).all()


def test_classifier_is_the_logistic_regression_of_examples_against_others(evidence):
    # Learned from a (cat) against b (dog); c is known to be relevant and so is no negative. By symmetry the weights are
    # t for cat, -t for dog and no bias, and t minimises t² + 2 ln(1 + e^-t): t = 1 / (1 + e^t) = .40106.
    texts = {"a": "cat", "b": "dog", "c": "cat dog"}
    known = evidence(texts, ["abc"], examples="a", described="c")
    assert classifier(known) == pytest.approx([1 - 0.40106, 0.40106, 0.5], abs=1e-4)


def test_classifier_needs_both_kinds_of_pages(evidence):
    texts = {"a": "cat", "b": "dog"}
    assert np.isnan(classifier(evidence(texts, ["ab"], examples="ab"))).all()
    assert np.isnan(classifier(evidence(texts, ["ab"], examples="z"))).all()


def test_rank_is_one_for_the_best_page_and_does_not_depend_on_the_size_of_the_pool(evidence):
    texts = {"a": "owl", "b": "cat dog", "c": "cat", "d": "yak"}
    # Searched for «cat» c is first, b second; a and d share 3.5: 1 - 0/4, 1 - 1/4, 1 - 2.5/4.
    known = evidence(texts, ["abcd"], description="cat", keywords="dog")
    assert rank(known) == pytest.approx([0.375, 0.75, 1, 0.375])
    # Without a description the keywords are searched for: only b holds the dog, the others share 3.
    assert rank(evidence(texts, ["abcd"], keywords="dog")) == pytest.approx([0.5, 1, 0.5, 0.5])


def test_popularity_is_one_for_a_page_with_average_pagerank(evidence, blank):
    # a -> b, b without links: PageRank .5 / 1.425 and the rest (see the test of PageRank), times two pages.
    known = evidence(blank, ["ab"], links={"a": "b"})
    assert popularity(known) == pytest.approx([1 / 1.425, 2 - 1 / 1.425])


def test_the_curve_is_the_mean_importance_so_far(evidence, track):
    known = evidence({"a": "cat", "b": "dog", "c": "cat dog"}, ["abc"], keywords="cat dog")
    found = METRICS["relevance_keywords"].measure(known, track("bca"), np.array([1, 2, 3, 4]))
    # After its end a crawl gains nothing more.
    assert found == pytest.approx([1 / 2, 3 / 4, 2 / 3, 2 / 4])
