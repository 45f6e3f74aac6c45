"""LaTeX for papers: escaped text, and booktabs tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "−": "$-$",
    "–": r"\textendash{}",
    "±": r"$\pm$",
    "\n": " ",
    "\r": " ",
    "\t": " ",
} | {character: f"\\{character}" for character in "&%$#_"}


def escape(text: str) -> str:
    """LaTeX that prints exactly this text; hyphens in a row are kept apart, or they would print as a dash."""
    return re.sub("-(?=-)", "-{}", "".join(_SPECIAL.get(character, character) for character in text))


def tabular(head: Sequence[str], lines: Iterable[Sequence[str]], align: str, notes: Sequence[str] = ()) -> str:
    """A booktabs tabular of cells that are LaTeX already, for use in one's own table; notes become comments."""
    above = [r"Needs \usepackage{booktabs}.", *notes]
    return "\n".join(
        [
            *(f"% {' '.join(note.split())}" for note in above),
            rf"\begin{{tabular}}{{{align}}}",
            r"\toprule",
            _line(head),
            r"\midrule",
            *map(_line, lines),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
