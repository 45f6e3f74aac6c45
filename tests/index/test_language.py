"""Which language a page is in."""

import pytest

from lycosa.index.language import language_of

ENGLISH = "The quick brown fox jumps over the lazy dog and then it runs back into the forest where it has lived"
GERMAN = "Der schnelle braune Fuchs springt über den faulen Hund und läuft dann in den Wald zurück, in dem er wohnt"
RUSSIAN = "Быстрая коричневая лиса прыгает через ленивую собаку и убегает обратно в лес, где живёт со своей семьёй"
JAPANESE = "日本語のテキストです。これは日本語で書かれています。" * 4


@pytest.mark.parametrize(
    ("said", "language"),
    [("en", "en"), ("EN-us", "en"), (" de_AT ", "de"), ("nb", "no"), ("iw", "he"), ("zh-Hans-CN", "zh")],
)
def test_a_page_is_believed(said, language):
    assert language_of("", said) == language


@pytest.mark.parametrize("said", ["", "english", "xx-invalid", "en us; DROP", "e", "-", "en-" + "x" * 9000, "ja"])
def test_nonsense_is_mended(said):
    assert language_of(ENGLISH, said) == "en"


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (GERMAN, "de"), (RUSSIAN, "ru"), (JAPANESE, "ja")])
def test_a_silent_page_is_looked_at(text, language):
    assert language_of(text) == language
    assert language_of(f"{text} " * 40) == language


def test_a_frame_in_another_language_is_seen_through():
    assert language_of(RUSSIAN, "en") == "ru"
    assert language_of(GERMAN, "de") == "de"


@pytest.mark.parametrize("text", ["", "hi", "12.5 % (3,144)" * 50, "\ud800" * 300, "!?" * 1000])
def test_nothing_is_said_where_nothing_can_be_told(text):
    assert language_of(text) == ""
