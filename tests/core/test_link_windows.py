"""What stands near a link is a slice of the page's terms."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.core.link_windows import marked
from lycosa.core.nouns import Link, Page
from lycosa.core.words import analysis, separated, sequence_of, terms

stems_in = analysis().sequence


def page_of(text, *anchors):
    return Page("http://a.test/", text, [Link(f"http://b.test/{at}", span) for at, span in enumerate(anchors)])


def test_terms_stand_in_their_order():
    assert sequence_of(separated("The spider hunts, and hunts spiders")) == ["spider", "hunt", "hunt", "spider"]
    assert sequence_of(separated("école—Москва wolf")) == ["ecol", "москв", "wolf"]


def test_links_are_marked_where_their_anchors_stand():
    text = "wolves hunt by night while spiders weave webs"
    page = page_of(text, (text.index("night"), text.index(" while")), (text.index("spiders"), text.index(" webs")))
    found = marked(page, stems_in)
    assert found.terms == ["wolv", "hunt", "night", "spider", "weav", "web"]
    assert found.anchors == [(2, 3), (3, 5)]
    assert found.near(0, 1) == ["hunt", "night", "spider"]
    assert found.near(1, 0) == ["spider", "weav"]
    assert found.near(0, 99) == found.terms


def test_links_without_text_have_a_place_too():
    found = marked(page_of("wolf spider", (4, 4), (11, 11)), stems_in)
    assert found.anchors == [(1, 1), (2, 2)]
    assert marked(page_of("", (0, 0)), stems_in).anchors == [(0, 0)]


@given(st.text(), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9))))
def test_no_term_is_lost_or_counted_twice_whatever_the_spans(text, spans):
    found = marked(page_of(text, *[(start, start + length) for start, length in spans]), stems_in)
    assert len(found.anchors) == len(spans)
    assert all(0 <= start <= end <= len(found.terms) for start, end in found.anchors)
    if not spans:
        assert sorted(found.terms) == sorted(terms(text).elements())
