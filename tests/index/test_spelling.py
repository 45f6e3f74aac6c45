"""Misspelt words are mended with the words that pages use."""

from pathlib import Path

import pytest

from lycosa.index.content import Content
from lycosa.index.query_parser import ask
from lycosa.index.search_types import Document
from lycosa.index.spelling import _within_two

USUAL = "the piano teacher gives mediterranean music lessons in philosophy"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    folder: Path = tmp_path_factory.mktemp("spelling")
    with Content(folder, write=True) as content:
        for number in range(30):
            text = USUAL + (" pianno" if number == 7 else "")
            content.add(Document(f"https://a.test/{number}", "", text), twin=number, language="en")
        content.commit()
    return Content(folder)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("paino", "piano"),
        ("piano techer", "piano teacher"),
        ("Mediteranian music", "mediterranean music"),
        ('+philosphy -lessons "music lesons"', '+philosophy -lessons "music lessons"'),
        ("pianno", "piano"),
        ("title:paino", "title:piano"),
    ],
)
def test_a_misspelt_word_is_mended_where_it_stands(content: Content, typed: str, meant: str) -> None:
    assert content.suggest(ask(typed)) == meant


@pytest.mark.parametrize("typed", ["piano", "pianos", "xqzt", "pi", "", "title:piano", "12345", "lesson", "🙂"])
def test_what_is_right_or_beyond_help_is_left_alone(content: Content, typed: str) -> None:
    assert content.suggest(ask(typed)) == ""


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("abcdef", "abcdef", True),
        ("abcdef", "abdcfe", True),
        ("abcdef", "abcd", True),
        ("abcd", "abcdef", True),
        ("abcdef", "xbcdey", True),
        ("abcdef", "xbcyez", False),
        ("abcdef", "abc", False),
        ("abcdef", "badcfe", False),
    ],
)
def test_two_edits_are_counted_with_swaps_as_one(one: str, other: str, near: bool) -> None:
    assert _within_two(one, other) is near
