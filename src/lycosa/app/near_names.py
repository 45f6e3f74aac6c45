"""Unknown names: the message about one, and the known name that may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN = 80
"""Characters of an unknown name that are shown."""


def unknown_name(what: str, name: str, known: Iterable[str]) -> tuple[str, str]:
    """The problem with a name, and the fix: the nearest known one, or all of them."""
    names = list(known)
    problem = f"unknown {what} {name[:_SHOWN]!r}"
    if not names:
        return problem, f"leave it out: no {what} is known here"
    nearest = _nearest(name, names)
    return problem, f"did you mean {nearest!r}?" if nearest else f"the {what}s are: {', '.join(names)}"


def _nearest(name: str, known: list[str]) -> str | None:
    plain = {one.lower().replace("_", "-"): one for one in known}
    asked = name[:_SHOWN].lower().replace("_", "-")
    if close := get_close_matches(asked, plain, 1, 0.7):
        return plain[close[0]]
    # A name that is longer or shorter by a word: min_relevance for min.
    words = set(asked.split("-"))
    return next((one for short, one in plain.items() if words & set(short.split("-"))), None)
