"""What a term is, and the geometry of bags of them."""

from math import isclose, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.core import words
from lycosa.core.stopwords import STOPWORDS
from lycosa.core.words import Spotter, cosine, norm, separated, terms


def test_terms_are_lower_case_stems_without_stop_words():
    assert terms("The Connection: connected, CONNECTING with spiders!") == {"connect": 3, "spider": 1}


@pytest.mark.parametrize("text", ["", " \n\t", "the of and", "a b c 1 2 3", "--- ... !!!", "«» … — “”", "\u3000。、"])
def test_a_text_without_terms_has_none(text):
    assert terms(text) == {}


def test_years_are_terms_and_single_digits_are_not():
    assert terms("In 1994, 5 of 42") == {"1994": 1, "42": 1}


def test_overlong_words_are_dropped():
    assert terms("x" * 41 + " " + "x" * 40 + " " + "z" * 100_000) == {"x" * 40: 1}


def test_accents_and_capitals_do_not_distinguish_terms():
    assert terms("Áedán ÉCOLE école ecole Москва москва") == {"aedan": 1, "ecol": 3, "москв": 2}


def test_composed_and_decomposed_letters_agree():
    assert terms("cafe\u0301 caf\u00e9") == {"cafe": 2}


def test_combining_signs_do_not_break_words():
    assert len(terms("हिन्दी")) == 1


@pytest.mark.parametrize(
    "mark",
    ["\u00a0", "’", "‘", "“", "”", "–", "—", "…", "«", "»", "·", "\u2009", "\u3000", "、", "。", "「", "×", "،", "!"],
)
def test_punctuation_beyond_ascii_separates(mark):
    assert terms(f"wolf{mark}spider{mark}{mark}école{mark}") == {"wolf": 1, "spider": 1, "ecol": 1}


def test_scripts_without_blanks_are_read_as_pairs_of_letters_between_their_punctuation():
    assert terms("蜘蛛在网上。" * 200) == {"蜘蛛": 200, "蛛在": 200, "在网": 200, "网上": 200}


def test_apostrophes_straight_and_curly_read_the_same():
    assert terms("the wolf's den won't move; don't") == terms("the wolf’s den won’t move; don’t")
    assert "don" not in terms("I don't")


def test_lone_surrogates_do_no_harm():
    assert terms("wolf \ud800 spider") == {"wolf": 1, "spider": 1}


@given(st.text())
def test_terms_of_a_text_do_not_depend_on_what_was_read_before(text):
    known = terms(text)
    words._english._stems.clear()
    assert terms(text) == known


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_terms_of_a_whole_are_the_sum_of_its_parts(parts):
    total = sum((terms(part) for part in parts), start=terms(""))
    assert terms(" ".join(parts)) == total


@given(st.text())
def test_every_term_is_a_word(text):
    for term, count in terms(text).items():
        assert term
        assert not any(letter.isspace() for letter in term)
        assert count > 0


def test_remembered_stems_are_bounded(monkeypatch):
    monkeypatch.setattr(words, "REMEMBERED", 100)
    for number in range(1000):
        terms(f"word{number}")
    assert len(words._english._stems) <= 100


def test_norm_is_taken_over_all_terms():
    assert norm({"wolf": 3, "spider": 4}) == 5.0
    assert norm({}) == 0.0


def test_cosine_of_a_query_and_a_page():
    page = terms("wolf wolf spider hunts")
    assert isclose(cosine(terms("wolf spiders"), page), 3 / (sqrt(2) * sqrt(6)))
    assert cosine(page, {}) == 0.0
    assert cosine(page, terms("tarantula")) == 0.0


@given(st.dictionaries(st.text(max_size=2), st.integers(1, 9)), st.dictionaries(st.text(max_size=2), st.integers(1, 9)))
def test_cosine_is_symmetric_bounded_and_one_for_equals(a, b):
    assert cosine(a, b) == cosine(b, a)
    assert 0.0 <= cosine(a, b) <= 1.0
    assert not a or isclose(cosine(a, a), 1.0)


def test_stop_words_are_function_words_only():
    assert 300 <= len(STOPWORDS) <= 500
    assert {"the", "of", "is", "can", "it", "don", "ll", "ve"} <= STOPWORDS
    assert not {"wolf", "year", "world", "war", "water", "system"} & STOPWORDS
    assert all(word == word.lower() and len(word) > 1 for word in STOPWORDS)


def test_a_spotter_never_overlooks_a_stem():
    rng = Random(4)
    words = ["happy", "happiness", "artist", "art", "durability", "café", "systems", "controlling", "3d", "x"]
    marks = [" ", ", ", "\u201c", "\u2014", "\n", "\u00a0", ".", "\u3001"]
    for _ in range(300):
        text = "".join(rng.choice(marks) + rng.choice(words) for _ in range(rng.randrange(8)))
        query = list(terms(rng.choice(words) + " " + rng.choice(words)))
        found = any(stem in terms(text) for stem in query)
        assert not found or Spotter(query)(separated(text)), (text, query)


def test_a_spotter_is_not_fooled_by_words_that_only_look_alike():
    assert not Spotter(["art"])(separated("Articles about smart parts, started by artisans."))
    assert Spotter(["art"])(separated("State of the ART."))
