"""Filters as they are written in a question: `host:example.org`, `after:2026-01-31`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime

from lycosa.index.language import language_code
from lycosa.index.search_types import Filters

FILTERS = ("host", "lang", "category", "type", "after", "before", "relevance")
FILTER_NAMES = {
    "site": "host",
    "language": "lang",
    "filetype": "type",
    "since": "after",
    "until": "before",
}
"""Other names of them."""
ALTERNATIVES = ("host", "lang", "category", "type")
"""Filters of which several are alternatives."""
_day = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?")


def read_filter(name: str, value: str) -> Filters | str:
    """The filter with this name and value, or what is wrong with it."""
    value = value.strip().strip(",;")
    match name:
        case "host":
            host = re.sub(r"^[a-z]+://", "", value.lower()).partition("/")[0].strip(".*")
            return Filters(hosts=(host,)) if host else f"«host:{value}» names no host"
        case "lang":
            return Filters(languages=(language_code(value) or value.lower(),))
        case "category":
            return Filters(categories=(value,))
        case "type":
            kind = value.lower().lstrip(".")
            return Filters(types=("html" if kind == "htm" else kind,)) if kind else f"«type:{value}» names no type"
        case "relevance":
            try:
                least = float(value)
            except ValueError:
                least = math.nan
            if math.isnan(least):
                return f"«relevance:{value[:40]}» is not a number such as 0.3"
            if not 0 <= least <= 1:
                return f"no page has a relevance of {least:g}: it is from 0 to 1"
            return Filters(relevance=least)
        case _:
            at = _moment(value)
            if at is None:
                return f"«{name}:{value[:40]}» is not a day such as 2026-01-31"
            return Filters(since=at) if name == "after" else Filters(until=at)


def both(one: Filters, other: Filters) -> Filters:
    """The filters of both; hosts, languages, categories and types are alternatives, the others all apply."""

    def edge(pick: Callable[[list[float]], float], *values: float | None) -> float | None:
        said = [value for value in values if value is not None]
        return pick(said) if said else None

    return Filters(
        tuple(dict.fromkeys((*one.hosts, *other.hosts))),
        tuple(dict.fromkeys((*one.languages, *other.languages))),
        tuple(dict.fromkeys((*one.categories, *other.categories))),
        edge(max, one.since, other.since),
        edge(min, one.until, other.until),
        edge(max, one.relevance, other.relevance),
        tuple(dict.fromkeys((*one.types, *other.types))),
    )


def _moment(value: str) -> float | None:
    """The beginning of a day, a month or a year, in seconds; None if the value is invalid."""
    found = _day.fullmatch(value)
    if found is None:
        return None
    try:
        return datetime(int(found[1]), int(found[2] or 1), int(found[3] or 1), tzinfo=UTC).timestamp()
    except ValueError:
        return None
