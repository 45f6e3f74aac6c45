"""Colours that everybody can tell apart."""

import pytest

from lycosa.lab.report.colours import DARK, DASHES, GREY, INK, LIGHT, MUTED, PAPER, colour, dash, printable


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dim, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize(("palette", "paper"), [(LIGHT, PAPER), (DARK, "#15171a")])
def test_every_line_stands_out_from_its_paper(palette, paper):
    assert all(contrast(each, paper) >= 3 for each in palette)


def test_text_is_readable_and_the_oracle_visible():
    assert min(contrast(INK, PAPER), contrast(MUTED, PAPER)) >= 4.5
    assert contrast(GREY, PAPER) >= 3


def test_each_way_has_a_colour_of_its_own_and_those_that_look_alike_other_dashes():
    ways = range(3 * len(LIGHT))
    assert len({colour(way) for way in ways}) == len(ways)
    assert len({(way % len(LIGHT), tuple(dash(way))) for way in ways}) == len(ways)
    assert len(DASHES) == len(LIGHT)


def test_letters_that_xml_cannot_hold_or_that_turn_text_round_are_replaced():
    assert printable("a\x00b\x1bc\ud800d\u202ee\tf\n – ünï 漢 🕷") == "a�b�c�d�e\tf\n – ünï 漢 🕷"
