"""A page gives every link context of the papers from spans alone."""

from lycosa.core.nouns import Link, Page

TEXT = "Spiders of the world. The wolf spider hunts at night. Soup."
PAGE = Page("http://a.test/", TEXT)
WOLF = Link("http://a.test/wolf", (26, 37), ((22, 53), (0, len(TEXT))))


def test_the_anchor_is_the_text_inside_the_link():
    assert PAGE.anchor(WOLF) == "wolf spider"


def test_rings_go_outward_and_end_with_the_whole_page():
    assert PAGE.ring(WOLF) == "The wolf spider hunts at night."
    assert PAGE.ring(WOLF, 1) == PAGE.ring(WOLF, 9) == TEXT


def test_a_window_has_that_many_words_on_either_side():
    assert PAGE.window(WOLF, 2) == "world. The wolf spider hunts at"
    assert PAGE.window(WOLF, 0) == "wolf spider"
    assert PAGE.window(WOLF, 99) == TEXT


def test_a_window_widens_over_long_words():
    long = "x" * 500
    page = Page("http://a.test/", f"{long} {long} link {long} {long}")
    link = Link("http://a.test/", (1002, 1006))
    assert page.window(link, 1) == f"{long} link {long}"
