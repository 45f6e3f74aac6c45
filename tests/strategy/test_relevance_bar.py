"""Which pages are relevant where a paper knows only yes and no."""

from lycosa.strategy.relevance_bar import RelevanceBar


def test_a_page_passes_if_it_is_at_least_as_relevant_as_those_before():
    bar = RelevanceBar(["http://ex.test/"])
    pages = [("a", 0.2), ("b", 0.1), ("c", 0.3), ("d", 0.0), ("http://ex.test/", 0.0), ("e", 0.15)]
    assert [bar.passes(*page) for page in pages] == [True, False, True, False, True, True]
    again = RelevanceBar(["http://ex.test/"])
    again.load(bar.save())
    assert again.passes("f", 0.11) == bar.passes("f", 0.11)


def test_a_bar_can_be_given_and_nothing_irrelevant_passes():
    bar = RelevanceBar((), 0.5)
    assert [bar.passes("x", relevance) for relevance in (0.5, 0.49, 1.0)] == [True, False, True]
    assert not RelevanceBar((), 0.0).passes("x", 0.0)
