"""Which texts are taken for the same, on texts of made-up words; test_schools.py asks the same of a recorded web."""

import random

import pytest

from lycosa.index import near_duplicates
from lycosa.index.near_duplicates import NEAR, NOBODY, SHORT, fingerprint

RANDOM = random.Random(4)
WORDS = ["".join(RANDOM.choices("abcdefghijklmnoprstuvwz", k=RANDOM.randint(2, 10))) for _ in range(3000)]
FRAME = " ".join(RANDOM.choices(WORDS, k=150))


def article(seed, words=2000):
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def folded(prints, count, sizes=None):
    return near_duplicates.folded(prints, sizes or [9000] * len(prints), count)


def bits(one, other):
    return (fingerprint(one) ^ fingerprint(other)).bit_count()


def test_a_changed_header_and_date_make_a_twin():
    text = article(1)
    assert bits(text, f"Today is Friday. {text} Last changed on 2 March 2026") <= NEAR


@pytest.mark.parametrize("at", [0, 3000, 9000])
def test_a_paragraph_more_makes_a_twin_wherever_it_stands(at):
    texts = [article(seed) for seed in range(20)]
    near = [bits(text, text[:at] + article(99, 60) + text[at:]) <= NEAR for text in texts]
    assert sum(near) >= 18


def test_different_articles_in_the_same_frame_are_no_twins():
    texts = [f"{FRAME} {article(seed, 300)} {FRAME}" for seed in range(40)]
    assert folded([fingerprint(text) for text in texts], 99) == [[place] for place in range(40)]


def test_short_texts_are_twins_only_of_their_equals():
    one, other = "Donate now. " * 20 + "Photo 1", "Donate now. " * 20 + "Photo 2"
    assert len(one) < SHORT and bits(one, one) == 0 and bits(one, other) > NEAR


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_an_empty_text_is_nobodys_twin(text):
    assert fingerprint(text) == NOBODY
    assert folded([NOBODY, NOBODY, 1], 9) == [[0], [1], [2]]
    assert folded([1, NOBODY, NOBODY], 9) == [[0], [1], [2]]


def test_texts_of_one_letter_each_are_no_twins():
    assert bits("a" * 9000, "b" * 9000) > NEAR


@pytest.mark.parametrize("text", ["x" * 9000, "\ud800" * 900, "Ж" * 5000, "a", "\0" * 3000, "日本語" * 2000])
def test_any_text_has_a_fingerprint_of_64_bits(text):
    assert 0 < fingerprint(text) < 1 << 64
    assert fingerprint(text) == fingerprint(text)


def test_the_first_of_twins_stands_for_them_but_not_for_their_twins():
    # The second is near the first, the third near the second only.
    first, second, third = 0xFFFF << 40, (0xFFFF << 40) ^ 0b11111, (0xFFFF << 40) ^ 0b1111111111
    assert folded([first, second, third], 9) == [[0, 1], [2]]
    assert folded([second, first, third], 9) == [[0, 1, 2]]
    assert folded([], 9) == [] and folded([first], 9) == [[0]]


def test_pages_of_different_length_are_no_twins():
    near = [0xFFFF << 40, (0xFFFF << 40) ^ 1, (0xFFFF << 40) ^ 2]
    assert folded(near, 9, [10_000, 9_000, 11_000]) == [[0, 1, 2]]
    assert folded(near, 9, [10_000, 7_000, 14_000]) == [[0], [1], [2]]


def test_only_as_many_groups_are_made_as_are_wanted_and_each_is_whole():
    alone = [random.Random(seed).getrandbits(64) for seed in range(30)]
    prints = alone + [each ^ 0b1010101 for each in alone]
    assert folded(prints, 3) == [[0, 30], [1, 31], [2, 32]]
    assert folded(prints, 99)[:3] == folded(prints, 3) and len(folded(prints, 99)) == 30
