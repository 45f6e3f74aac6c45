"""JSON and JSON-LD: names and values, one per line; URLs among the values are links."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from lycosa.web.extracted import Extracted, read_plain
from lycosa.web.readers.extraction import Enough, GrowingText

_TITLES = ("headline", "title", "name")
_LANGUAGES = ("inLanguage", "language", "lang", "@language")


def read(body: bytes, text: Callable[[], str]) -> Extracted:
    """The text of a JSON file; what is not JSON, or only its beginning, is read as plain text."""
    written = text()
    try:
        found = msgspec.json.decode(written)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return read_plain(written)
    into = GrowingText()
    top = _top(found)
    into.title = next((top[name] for name in _TITLES if isinstance(top.get(name), str)), "")
    into.language = next((top[name] for name in _LANGUAGES if isinstance(top.get(name), str)), "")
    with suppress(Enough):
        _walk(found, into)
    return into.extracted()


def _top(found: Any) -> dict[str, Any]:
    """What the file is about: the object itself, the first of its graph, or of a list of one."""
    if isinstance(found, dict) and isinstance(found.get("@graph"), list):
        found = found["@graph"]
    if isinstance(found, list):
        found = found[0] if found else {}
    return found if isinstance(found, dict) else {}


def _walk(found: Any, into: GrowingText) -> None:
    # A stack instead of recursion: the depth is the author's choice.
    waiting: list[tuple[str, Any]] = [("", found)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(str(key), value[key]) for key in reversed(list(value))]
        elif isinstance(value, list):
            waiting += [(name, each) for each in reversed(value)]
        elif value is not None and value != "":
            into.add(f"{name}: " if name else "")
            start = into.length
            into.add(value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value))
            if isinstance(value, str) and value.startswith(("http://", "https://")) and " " not in value:
                into.link(value, start)
            into.end()
