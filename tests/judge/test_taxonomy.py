"""The focused crawler's relevance."""

import pytest

from lycosa.core.taxonomy import Category, Taxonomy
from lycosa.system.errors import Refused

TREE = Taxonomy(
    (
        Category("Top"),
        Category("Top/Animals", ("http://wolf",)),
        Category("Top/Animals/Spiders", ("http://spider web",), good=True),
        Category("Top/Animals/Insects", ("http://ant hill",)),
        Category("Top/Plants", ("http://rose",)),
    )
)


def test_relevance_is_the_probability_of_the_good_categories(judge, page):
    found = judge("taxonomy", taxonomy=TREE)(page("spider"))
    # Animals: wolf, spider, web, ant, hill, one each; with rose six terms. Priors 3/4 and 1/4.
    animals, plants = 3 / 4 * (2 / 11), 1 / 4 * (1 / 7)
    # Spiders: spider, web against ant, hill.
    spiders, insects = 2 / 6, 1 / 6
    share = animals / (animals + plants)
    assert found.relevance == pytest.approx(share * spiders / (spiders + insects))
    assert found.labels == pytest.approx(
        {
            "Top": 1,
            "Top/Animals": share,
            "Top/Animals/Spiders": share * 2 / 3,
            "Top/Animals/Insects": share / 3,
            "Top/Plants": 1 - share,
        }
    )


def test_tempered_posteriors_are_less_extreme(judge, page):
    long = page("spider web " * 100)
    raw, tempered = judge("taxonomy", taxonomy=TREE)(long), judge("taxonomy", taxonomy=TREE, words=2)(long)
    assert raw.relevance > 1 - 1e-9
    assert tempered.relevance == pytest.approx(judge("taxonomy", taxonomy=TREE)(page("spider web")).relevance)


def test_only_the_most_probable_categories_are_labels(judge, page):
    flat = Taxonomy(tuple(Category(f"C{n}", (f"http://word{n}",), good=n == 3) for n in range(9)))
    labels = judge("taxonomy", taxonomy=flat)(page("word3")).labels
    assert next(iter(labels)) == "C3" and len(labels) == 5
    assert list(judge("taxonomy", taxonomy=flat)(page("word3 " * 50)).labels) == ["C3"]


def test_a_page_without_words_is_not_relevant(judge, page):
    assert judge("taxonomy", taxonomy=TREE)(page("")) == (0, {})


@pytest.mark.parametrize(
    ("categories", "problem"),
    [
        ((Category("A", ("http://wolf",)), Category("B", ("http://ant",))), "no category of the taxonomy is marked"),
        (
            (Category("A", ("http://gone",), good=True), Category("B", ("http://ant",))),
            "no example of the good category A",
        ),
        ((Category("A", ("http://wolf",), good=True),), "only good categories"),
        ((Category("A", ("http://wolf",), good=True), Category("B", ("http://gone",))), "only good categories"),
        ((Category("A"), Category("A/B", ("http://wolf",), good=True)), "only good categories"),
    ],
)
def test_a_taxonomy_that_tells_nothing_apart_is_refused(judge, categories, problem):
    with pytest.raises(Refused, match=problem):
        judge("taxonomy", taxonomy=Taxonomy(categories))


def test_impossible_options_are_refused(judge):
    with pytest.raises(Refused, match="taxonomy cannot work with words=-3"):
        judge("taxonomy", taxonomy=TREE, words=-3)
