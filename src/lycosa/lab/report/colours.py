"""The colours and dashes of a report, by the number of a configuration, and which letters can be printed.

Every colour has a contrast of at least 3 to its background, and any two of the eight stay apart under protanopia,
deuteranopia and tritanopia (at least .09 in OKLab; Okabe and Ito's palette has .076), in light and dark mode. Dashes
and labels tell the configurations apart, too.
"""

from __future__ import annotations

import re

LIGHT = ("#2e5187", "#ac540c", "#00805e", "#d94b94", "#2a1877", "#b18d24", "#1c91c3", "#7a1f3d")
DARK = ("#70b0fb", "#ff9257", "#14e0b1", "#bd8eb8", "#8e7af6", "#edd758", "#c7e9f7", "#a76865")
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [5, 2], [1, 3], [12, 3], [4, 2, 1, 2, 1, 2])

PAPER, INK, MUTED, GRID, GREY = "#fffefb", "#1f1e1b", "#66635c", "#e4e1d8", "#8b8880"
SHADES = {INK: "ink", MUTED: "muted", GRID: "grid", GREY: "grey"}
"""Colours of no configuration, with the names of their CSS variables; GREY is the oracle's."""

_UNPRINTABLE = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    """Text with a sign for letters that XML forbids (vl-convert would abort this process) or that reverse text."""
    return _UNPRINTABLE.sub("\ufffd", text)


def colour(number: int, palette: tuple[str, ...] = LIGHT) -> str:
    """The colour of a configuration; from the ninth on they repeat, one step of blue away, so that all differ."""
    base = palette[number % len(palette)]
    step = number // len(palette)
    blue = int(base[5:], 16)
    return f"{base[:5]}{blue + step if blue + step < 256 else blue - step:02x}"


def dash(number: int) -> list[int]:
    """The dashes of a configuration; those with almost the same colour differ here."""
    return DASHES[(number + number // len(LIGHT)) % len(DASHES)]


def variables(count: int) -> dict[str, str]:
    """The CSS variable of each colour that a figure may use."""
    return {colour(number): f"var(--w{number})" for number in range(count)} | {
        shade: f"var(--{name})" for shade, name in SHADES.items()
    }
