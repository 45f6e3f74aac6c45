"""Numbers and lists as people write them."""

import pytest

from lycosa.lab.phrasing import about, chance, counted, listed, number, percent, spelled


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        (0.12345, "share", "0.123"),
        (1.0, "share", "1.000"),
        (1.0, "hosts", "1.00"),
        (12.345, "hosts", "12.3"),
        (12345.6, "pages", "12,346"),
        (-0.5, "share", "−0.500"),
        (-0.0001, "share", "−0.0001"),
        (0.00042, "score", "0.0004"),
        (-1e-9, "share", "0.000"),
        (0.0, "pages", "0"),
        (0.0, "share", "0.000"),
        (float("nan"), "share", "–"),
        (float("inf"), "", "–"),
    ],
)
def test_numbers_have_as_many_digits_as_they_need(value, unit, told):
    assert number(value, unit) == told


def test_percents_keep_a_digit_where_they_are_small():
    assert [percent(share) for share in (0.5, 0.014, 0.004, 0, -0.25)] == ["50%", "1%", "0.4%", "0%", "-25%"]


def test_chances_are_never_zero():
    assert [chance(p) for p in (0.0, 0.0312, 0.5, 0.999)] == ["< 0.001", "= 0.031", "= 0.5", "= 1"]


def test_one_is_not_many():
    assert [counted(n, "topic") for n in (0, 1, 1000)] == ["0 topics", "1 topic", "1,000 topics"]
    assert [spelled(n) for n in (2, 10, 11)] == ["two", "ten", "11"]
    assert [listed(list(items)) for items in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]


def test_about_keeps_two_digits():
    assert [about(n) for n in (0.4, 7, 42, 374.2, 1550, 12345)] == ["0", "7", "42", "370", "1,600", "12,000"]
