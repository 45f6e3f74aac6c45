"""Naive Bayes, on counts small enough to work out by hand."""

from math import isclose, log

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from lycosa.core.bayes import CategoryBayes, NaiveBayes
from lycosa.core.taxonomy import Category, Taxonomy

PAGES = {"a": [{"x": 2, "y": 1}], "b": [{"y": 1}, {"z": 1}]}
"""Three terms. In a, x has (1+2)/(3+3), y (1+1)/6, z 1/6; in b, x has 1/(3+2), y 2/5, z 2/5. Priors 1/3 and 2/3."""

bags = some.dictionaries(some.sampled_from("uvwxyz"), some.integers(1, 500), max_size=6)


def test_the_posterior_is_prior_times_the_likelihood_of_every_term():
    found = NaiveBayes.fit(PAGES).posteriors({"x": 2, "y": 1})
    a, b = 1 / 3 * (3 / 6) ** 2 * (2 / 6), 2 / 3 * (1 / 5) ** 2 * (2 / 5)
    assert found == pytest.approx({"a": a / (a + b), "b": b / (a + b)})


def test_all_classes_are_equally_probable_if_asked_to_be():
    found = NaiveBayes.fit(PAGES, uniform=True).posteriors({"x": 1})
    assert found["a"] == pytest.approx((3 / 6) / (3 / 6 + 1 / 5))


def test_terms_that_no_class_has_seen_say_nothing():
    model = NaiveBayes.fit(PAGES)
    assert model.posteriors({"q": 7}) == model.posteriors({}) == pytest.approx({"a": 1 / 3, "b": 2 / 3})
    assert model.posteriors({"x": 1, "q": 7}) == pytest.approx(model.posteriors({"x": 1}))


def test_a_vocabulary_leaves_all_other_terms_out():
    model = NaiveBayes.fit(PAGES, vocabulary={"x", "y"}, uniform=True)
    assert model.posteriors({"z": 3}) == pytest.approx({"a": 0.5, "b": 0.5})
    # Two terms now: x has 3/5 in a and 1/3 in b.
    assert model.posteriors({"x": 1})["a"] == pytest.approx((3 / 5) / (3 / 5 + 1 / 3))


def test_a_page_of_some_hundred_words_is_judged_in_extremes_unless_it_is_tempered():
    model = NaiveBayes.fit(PAGES, uniform=True)
    long = {"x": 300, "y": 150}
    assert model.posteriors(long)["a"] > 1 - 1e-9
    assert isclose(model.log_posteriors(long)["b"], 300 * log((1 / 5) / (3 / 6)) + 150 * log((2 / 5) / (2 / 6)))
    assert model.posteriors(long, words=3) == pytest.approx(model.posteriors({"x": 2, "y": 1}))
    assert model.posteriors({"x": 2}, words=3) == model.posteriors({"x": 2})


def test_less_smoothing_believes_the_counts_more():
    found = NaiveBayes.fit(PAGES, uniform=True, smoothing=0.1).posteriors({"x": 1})
    assert found["a"] == pytest.approx((2.1 / 3.3) / (2.1 / 3.3 + 0.1 / 2.3))


def test_a_class_without_pages_is_left_out():
    model = NaiveBayes.fit(PAGES | {"c": []})
    assert model.labels == ("a", "b")


@given(bags)
def test_posteriors_are_probabilities(bag):
    found = NaiveBayes.fit(PAGES).posteriors(bag)
    assert all(0 <= share <= 1 for share in found.values())
    assert sum(found.values()) == pytest.approx(1)


@given(bags)
def test_a_saved_model_judges_as_before(bag):
    model = NaiveBayes.fit(PAGES, smoothing=0.5)
    again = NaiveBayes.load(msgspec.msgpack.decode(msgspec.msgpack.encode(model.save())))
    assert again.posteriors(bag) == model.posteriors(bag)


EXAMPLES = {"u1": {"x": 2, "y": 1}, "u2": {"y": 1}, "u3": {"z": 1}, "u4": {"x": 1, "w": 1}}
TREE = Taxonomy(
    (
        Category("Top"),
        Category("Top/A", ("u1",)),
        Category("Top/A/Deep", ("u4",), good=True),
        Category("Top/A/Other", ("u2",)),
        Category("Top/B", ("u3", "gone")),
        Category("Top/Empty", ()),
    )
)


def test_probabilities_multiply_along_the_path():
    found = CategoryBayes(TREE, lambda url: EXAMPLES.get(url, {})).posteriors({"x": 1, "w": 1})
    # Top/A has u1, u2 and u4: x 3, y 2, w 1, of 4 terms; Top/B has u3: z 1. Priors 3/4 and 1/4.
    a, b = 3 / 4 * (4 / 10) * (2 / 10), 1 / 4 * (1 / 5) * (1 / 5)
    # Below Top/A there are u4 and u2: x, w and y.
    deep, other = (2 / 5) * (2 / 5), (1 / 4) * (1 / 4)
    assert found == pytest.approx(
        {
            "Top": 1,
            "Top/A": a / (a + b),
            "Top/B": b / (a + b),
            "Top/A/Deep": a / (a + b) * deep / (deep + other),
            "Top/A/Other": a / (a + b) * other / (deep + other),
        }
    )


def test_relevance_sums_the_good_categories_and_none_twice():
    model = CategoryBayes(TREE, lambda url: EXAMPLES.get(url, {}))
    found = model.posteriors({"x": 1})
    assert model.relevance(found) == found["Top/A/Deep"]
    marked = CategoryBayes(TREE.marked("Top/A").marked("Top/B"), lambda url: EXAMPLES.get(url, {}))
    assert marked.good == ("Top/A", "Top/B")
    assert marked.relevance(found) == pytest.approx(1)


def test_the_best_leaf_is_the_most_probable_category_without_others_below_it():
    model = CategoryBayes(TREE, lambda url: EXAMPLES.get(url, {}))
    assert model.leaf(model.posteriors({"w": 3})) == "Top/A/Deep"
    assert model.leaf(model.posteriors({"z": 9})) == "Top/B"
    assert model.is_good("Top/A/Deep") and model.is_good("Top/A/Deep/Deeper")
    assert not model.is_good("Top/A") and not model.is_good("Top/A/Deeper")


def test_categories_that_a_page_hardly_belongs_to_are_not_looked_into():
    found = CategoryBayes(TREE, lambda url: EXAMPLES.get(url, {})).posteriors({"z": 50})
    assert set(found) == {"Top", "Top/B"}


def test_a_model_tells_with_how_many_pages_it_was_trained():
    model = CategoryBayes(TREE, lambda url: EXAMPLES.get(url, {}))
    assert model.trained["Top"] == 4 and model.trained["Top/B"] == 1 and model.trained["Top/Empty"] == 0
