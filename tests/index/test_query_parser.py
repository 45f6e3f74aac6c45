"""What somebody typed is understood, whatever it is."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.index.query_parser import LENGTH, MOST, ask
from lycosa.index.search_types import Filters


def day(year: int, month: int = 1, day: int = 1) -> float:
    return datetime(year, month, day, tzinfo=UTC).timestamp()


def test_words_are_lower_case_and_without_stop_words() -> None:
    asked = ask("The History of PAINTING in Éire, painting")
    assert asked.words == ("history", "painting", "éire")
    assert asked.remark == ""


def test_a_phrase_keeps_its_stop_words_and_is_no_part_of_the_words() -> None:
    asked = ask('piano "School of Music" lessons')
    assert asked.words == ("piano", "lessons")
    assert asked.phrases == (("school", "of", "music"),)
    assert asked.spoken == ("piano", "lessons", "school", "music")


@pytest.mark.parametrize("text", ["“school of music”", "„school of music“", "«school of music»", '"school of music'])
def test_quotes_of_any_kind_and_without_an_end_make_a_phrase(text: str) -> None:
    assert ask(text).phrases == (("school", "of", "music"),)


def test_signs_say_what_must_and_must_not_be_there() -> None:
    asked = ask('+piano lessons -guitar -"bass guitar"')
    assert asked.words == ("piano", "lessons")
    assert asked.must == ("piano",)
    assert asked.must_not == ("guitar",)
    assert asked.must_not_phrases == (("bass", "guitar"),)


def test_a_dash_inside_a_word_is_no_sign() -> None:
    assert ask("post-war art").words == ("post", "war", "art")


def test_fields_are_words_that_must_be_in_them() -> None:
    asked = ask('title:piano url:lessons title:"grand concert"')
    assert asked.fields == {"title": ("piano", "grand", "concert"), "url": ("lessons",)}
    assert not asked.words


def test_filters_are_read_from_the_text() -> None:
    asked = ask("x host:Example.org site:https://a.test/b lang:EN category:Arts/Music relevance:0.3")
    assert asked.words == ("x",)
    assert asked.filters == Filters(
        hosts=("example.org", "a.test"), languages=("en",), categories=("Arts/Music",), relevance=0.3
    )


def test_days_are_days_of_utc() -> None:
    filters = ask("after:2026-01-31 before:2026-03").filters
    assert (filters.since, filters.until) == (day(2026, 1, 31), day(2026, 3))


def test_filters_of_the_caller_are_kept_and_the_narrower_bound_counts() -> None:
    given = Filters(hosts=("a.test",), since=day(2026), relevance=0.5)
    filters = ask("host:b.test after:2025 relevance:0.1", given).filters
    assert filters == Filters(hosts=("a.test", "b.test"), since=day(2026), relevance=0.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a:b:c", ("b", "c")),
        ("12:30", ("12", "30")),
        ("nosuchfield:word", ("nosuchfield", "word")),
        ("title:", ("title",)),
        ("https://example.org/piano", ("https", "example", "org", "piano")),
        ("c++ [a-z]* ^x$ (y|z)", ("cplusplus", "z", "x", "y")),
    ],
)
def test_what_is_no_field_is_words(text: str, words: tuple[str, ...]) -> None:
    assert ask(text).words == words


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("to be or not to be", "words as common as these are not searched"),
        ("***", "it contains no word"),
        ("🙂 🙃", "it contains no word"),
        ("-guitar", "add what pages must contain, not only what they must not"),
        ("x after:yesterday", "«after:yesterday» is not a day such as 2026-01-31"),
        ("x before:2026-02-31", "«before:2026-02-31» is not a day such as 2026-01-31"),
        ("x relevance:high", "«relevance:high» is not a number such as 0.3"),
        ("x relevance:nan", "«relevance:nan» is not a number such as 0.3"),
        ("x -host:a.test", "«-host:» is not understood"),
        ("", ""),
    ],
)
def test_the_remark_says_what_was_left_out(text: str, remark: str) -> None:
    assert ask(text).remark == remark


def test_of_ten_thousand_words_the_first_count() -> None:
    asked = ask(" ".join(f"w{number}" for number in range(10_000)))
    assert len(asked.words) == MOST
    assert f"only the first {LENGTH} characters were read" in asked.remark
    assert f"only the first {MOST} words count" in asked.remark


def test_a_word_that_is_said_again_counts_once() -> None:
    asked = ask("piano lessons " * 100 + "teacher")
    assert (asked.words, asked.remark) == (("piano", "lessons", "teacher"), "")


def test_a_long_phrase_is_cut_after_the_last_word_that_counts() -> None:
    asked = ask('"' + " ".join(f"the w{number}" for number in range(100)) + '"')
    assert asked.phrases[0][-1] == f"w{MOST - 1}"
    assert len(asked.phrases[0]) == 2 * MOST


def test_accents_typed_apart_are_the_letters_they_make() -> None:
    assert ask("cafe\u0301").words == ("café",)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec=None), max_size=200) | st.text('"+-:*()[]~^\\ athos/lngr0.2', max_size=80))
def test_nothing_that_can_be_typed_is_an_error(text: str) -> None:
    asked = ask(text)
    assert len(asked.words) <= MOST
    assert all(word == word.lower() for word in asked.words)
    asked.text.encode()
