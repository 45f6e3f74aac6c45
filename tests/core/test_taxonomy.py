"""Taxonomies: paths, what is good, and where examples are filed."""

from lycosa.core.taxonomy import Category, Taxonomy, is_within, parent_of, taxonomy_of

SMALL = taxonomy_of([("Top/Science/Biology", ["b1", "b2"]), ("Top/Arts", ["a1"])])


def test_parents_that_are_not_named_are_there_all_the_same():
    assert [category.path for category in SMALL.categories] == ["Top", "Top/Arts", "Top/Science", "Top/Science/Biology"]


def test_a_path_knows_what_is_above_it():
    assert parent_of("Top/Science/Biology") == "Top/Science"
    assert parent_of("Top") == ""
    assert is_within("Top/Science", "Top/Science")
    assert is_within("Top/Science/Biology", "Top")
    assert not is_within("Top/Science fiction", "Top/Science")


def test_what_is_below_a_good_category_is_good():
    marked = SMALL.marked("Top/Science")
    assert marked.good == ("Top/Science",)
    assert [marked.is_good(path) for path in ("Top/Science", "Top/Science/Biology", "Top", "Top/Arts")] == [1, 1, 0, 0]
    assert SMALL.good == ()


def test_a_refiled_example_is_where_it_belongs_and_nowhere_else():
    twice = Taxonomy((Category("A", ("x", "y")), Category("B", ("x", "z")), Category("C")))
    moved = twice.refiled({"x": "C", "z": "B"})
    assert list(moved.filed()) == [("y", "A"), ("z", "B"), ("x", "C")]
