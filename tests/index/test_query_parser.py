"""What somebody typed is understood, whatever it is."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.index.query_parser import ask
from lycosa.index.question_reader import LENGTH, MOST
from lycosa.index.question_tree import Either, Every, ExactPhrase, InField, NearWords, OneWord, Passing, Without
from lycosa.index.search_types import Filters

PIANO, GUITAR, FLUTE = map(OneWord, ("piano", "guitar", "flute"))


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
    assert asked.demands == (PIANO, Without(GUITAR), Without(ExactPhrase(("bass", "guitar"))))


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
        ("x relevance:7", "no page has a relevance of 7: it is from 0 to 1"),
        ("x before:2020-01-01 after:2021-01-01", "no page is both after and before these days"),
        ('x "y z', "a quotation mark is not closed, so the phrase ends with the question"),
        ("x -relevance:0.3", "«-relevance:» is not understood"),
        ("x OR relevance:0.3", "«relevance:» always holds for the whole question"),
        ("AND x", "«AND» has nothing to search for on one of its sides, so it was left out"),
        ("x AND AND y", "«AND» has nothing to search for on one of its sides, so it was left out"),
        ("x OR the", "«OR» has nothing to search for on one of its sides, so it was left out"),
        ("x NOT", "«NOT» stands before what pages must not contain; here it was left out"),
        ("x NOT AND y", "«NOT» stands before what pages must not contain; here it was left out"),
        ("x -the", "«the» is too common to be searched"),
        ("x NEAR", "«NEAR» stands between two single words; here it was left out"),
        ('x NEAR "y z"', "«NEAR» stands between two single words; here it was left out"),
        ("(x OR y", "a «(» is not closed, so it ends with the question"),
        ("x OR y)", "a «)» closes nothing"),
        ("x ()", "a group without anything to search for was left out"),
        ("ca*ts", "«*» is only understood at the end of a single word"),
        ("x b*", "«*» is not understood after fewer than 2 letters, so «b*» was left out"),
        ("x url:cat*", "«*» is not understood in addresses, so «cat*» was left out"),
        ("NOT x", "add what pages must contain, not only what they must not"),
        ("NOT x OR -(y z)", "add what pages must contain, not only what they must not"),
        ("", ""),
    ],
)
def test_the_remark_says_what_was_left_out(text: str, remark: str) -> None:
    assert ask(text).remark == remark


@pytest.mark.parametrize(
    ("text", "demands"),
    [
        ("piano guitar", ()),
        ("(piano guitar)", ()),
        ("piano and not guitar", ()),
        ("piano AND guitar", (PIANO, GUITAR)),
        ("piano OR guitar", (Either((PIANO, GUITAR)),)),
        ("piano AND guitar OR flute", (Either((Every((PIANO, GUITAR)), FLUTE)),)),
        ("piano AND (guitar OR flute)", (PIANO, Either((GUITAR, FLUTE)))),
        ("piano guitar AND flute", (Either((PIANO, GUITAR)), FLUTE)),
        ("piano NOT guitar", (Without(GUITAR),)),
        ("piano AND NOT guitar", (PIANO, Without(GUITAR))),
        ("piano NOT (guitar OR flute)", (Without(Either((GUITAR, FLUTE))),)),
        ("piano NOT NOT guitar", ()),
        ("piano -(guitar AND flute)", (Without(Every((GUITAR, FLUTE))),)),
        ("piano (guitar OR flute)", (Either((GUITAR, FLUTE)),)),
        ("piano NEAR/3 guitar", (NearWords("piano", "guitar", 3),)),
        ('"grand piano"~4', (ExactPhrase(("grand", "piano"), 4),)),
        ("piano -title:guitar", (Without(InField("title", GUITAR)),)),
        ("title:(guitar OR flute)", (Either((InField("title", GUITAR), InField("title", FLUTE))),)),
        ("piano -site:a.test", (Without(Passing(Filters(hosts=("a.test",)))),)),
        ("piano AND type:pdf", (PIANO, Passing(Filters(types=("pdf",))))),
        ("piano -post-war", (Without(ExactPhrase(("post", "war"))),)),
    ],
)
def test_operators_and_groups_are_conditions(text: str, demands: tuple[object, ...]) -> None:
    asked = ask(text)
    assert asked.demands == demands
    assert asked.remark == ""


def test_words_beside_a_condition_still_count_for_the_order() -> None:
    asked = ask('piano "grand concert" -(guitar flute) (violin OR cello) opera AND lessons')
    assert asked.words == ("piano", "violin", "cello", "opera", "lessons")
    assert asked.phrases == (("grand", "concert"),)


def test_groups_inside_each_other_have_an_end() -> None:
    asked = ask("(" * 2000 + "piano AND guitar" + ")" * 2000)
    assert asked.demands == (PIANO, GUITAR)
    assert asked.remark == "only 16 parentheses inside each other are read"
    assert ask("(" * 2000 + "piano AND guitar").demands == (PIANO, GUITAR)


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


def test_letters_that_are_only_ornament_are_no_words() -> None:
    assert ask("\u0640\u0640\u0640").remark == "words as common as these are not searched"
    assert ask('"\u0640\u0640 piano"').spoken == ("piano",)


def test_accents_typed_apart_are_the_letters_they_make() -> None:
    assert ask("cafe\u0301").words == ("café",)


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.characters(codec=None), max_size=200)
    | st.text('"+-:*()[]~^\\ athos/lngr0.2', max_size=80)
    | st.lists(
        st.sampled_from([*"()-+*", "AND ", " OR ", "NOT ", "NEAR", " site:", '"a b"', "~2", " cat", "*", " "])
    ).map("".join)
)
def test_nothing_that_can_be_typed_is_an_error(text: str) -> None:
    asked = ask(text)
    assert len(asked.words) <= MOST
    assert all(word == word.lower() for word in asked.words)
    asked.text.encode()
