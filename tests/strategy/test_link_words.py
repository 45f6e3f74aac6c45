"""The words of links as numbers: anchor, surroundings, address."""

import numpy as np

from lycosa.core.nouns import Page
from lycosa.strategy.link_words import (
    ADDRESS,
    ANCHOR,
    AROUND,
    COLUMNS,
    address_words,
    link_words,
    page_words,
    read_words,
    words_in,
)
from lycosa.web.parse import parse


def page(html) -> Page:
    return parse("http://a.test/", html.encode(), "text/html; charset=utf-8", context=True)


def columns(words, part):
    return [word for word in words[part].tolist() if word]


def test_a_link_has_the_words_of_its_anchor_around_it_and_of_its_address():
    (row,) = read_words(
        link_words(page('<p>old spiders hunt <a href="/dens/of-wolf/17.html">the wolf dens</a> at night'))
    )
    assert columns(row, ANCHOR) == words_in("wolf den")
    assert columns(row, AROUND) == words_in("old spider hunt night")
    assert columns(row, ADDRESS) == words_in("den wolf 99 html")


def test_inflected_words_and_all_numerals_are_one():
    assert words_in("Spiders hunted") == words_in("spider hunting")
    assert words_in("1984") == words_in("7") != words_in("seven")
    assert words_in("the of and") == []


def test_an_address_is_its_path_without_the_host():
    assert address_words("http://wolf.test/spider?page=2") == words_in("spider page 0")
    assert address_words("http://wolf.test") == address_words("http://wolf.test/") == []
    assert (
        len(address_words("http://a.test/" + "/".join(f"word{n}" for n in range(50)))) == ADDRESS.stop - ADDRESS.start
    )


def test_long_anchors_and_pages_without_links_are_no_trouble():
    rows = read_words(link_words(page(f"<a href=/x>{'wolf ' * 500}</a>")))
    assert rows.shape == (1, COLUMNS)
    assert columns(rows[0], ANCHOR) == words_in("wolf " * 6)
    assert read_words(link_words(page("<p>nothing"))).shape == (0, COLUMNS)


def test_the_frequent_words_of_a_page_come_with_those_of_its_links():
    html = "<p>soup wolf wolf spider spider spider <a href=/x>den</a>"
    frequent, linked = page_words(page(html), 2)
    assert np.frombuffer(frequent, np.uint16).tolist() == words_in("spider wolf")
    assert linked == link_words(page(html))
