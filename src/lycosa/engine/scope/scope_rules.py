"""The rules of a scope as they are stored in a plan, and what of them applies to single sites."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import fields, force_setattr

from lycosa.core.urls import typed_host
from lycosa.engine.scope.type_names import types_of
from lycosa.engine.scope.url_patterns import UrlPatterns
from lycosa.system.errors import LARGEST, Code, Refused, check_range

_DAY = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
_LANGUAGE = re.compile(r"[a-z]{2}")


class PageRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which pages are kept; all of this is known only when a page has arrived."""

    types: tuple[str, ...] | None = None
    """Names of media types, such as html or pdf, or media types themselves, such as image/*."""
    languages: tuple[str, ...] | None = None
    """Two-letter codes; a page whose language cannot be detected is kept."""
    after: str | None = None
    """A day, month or year: pages that are older are not kept."""
    before: str | None = None
    """A day, month or year: pages from then on are not kept."""
    dated: bool | None = None
    """Whether pages without a date are left out, if there is a bound on dates."""
    min_size: int | None = None
    """Bytes of the body."""
    max_size: int | None = None
    min_words: int | None = None
    max_words: int | None = None


class ScopeRules(PageRules, frozen=True, kw_only=True):
    """Which URLs are asked for, and which pages are kept. None and empty mean no limit."""

    depth: int | None = None
    """Links from a seed, at most, by the shortest path that is known."""
    include: tuple[str, ...] | None = None
    """If there are any, a URL must match one of these patterns."""
    exclude: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_range("depth", self.depth, 0, LARGEST)
        for name in ("size", "words"):
            low, high = getattr(self, f"min_{name}"), getattr(self, f"max_{name}")
            check_range(f"min_{name}", low, 0, LARGEST)
            check_range(f"max_{name}", high, 1, LARGEST)
            if low is not None and high is not None and low > high:
                problem = f"no page has at least {low:,} and at most {high:,} {name if name == 'words' else 'bytes'}"
                raise Refused(problem, "exchange them", code=Code.CONTRADICTION, field=f"min_{name}")
        for name in ("include", "exclude"):
            UrlPatterns(getattr(self, name) or (), name)
        types_of(self.types or ())
        for name in ("types", "languages"):
            if typed := getattr(self, name):
                words = [word.strip().lower() for each in typed for word in each.split(",")]
                force_setattr(self, name, tuple(dict.fromkeys(filter(None, words))))
        for code in self.languages or ():
            if not _LANGUAGE.fullmatch(code):
                fix = "give codes of two letters, such as en or de"
                raise Refused(f"{code!r} is not a language", fix, code=Code.BAD_VALUE, field="languages")
        after, before = day_of(self.after, "after"), day_of(self.before, "before")
        if after is not None and before is not None and after >= before:
            problem = f"no page is after {self.after} and before {self.before}"
            raise Refused(problem, "exchange them", code=Code.CONTRADICTION, field="after")


class SiteRules(ScopeRules, frozen=True, kw_only=True):
    """What applies to one host and all beneath it in place of what applies elsewhere; None leaves that as it is."""

    delay: float | None = None
    """Seconds between two requests to a host."""
    per_host: int | None = None
    per_site: int | None = None
    index_pages: bool | None = None
    """Whether /index.html and similar URLs are the folder's URL."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("delay", self.delay, 0, below=math.inf)
        for name in ("per_host", "per_site"):
            check_range(name, getattr(self, name), 1, 2**31 - 1)


SITE_KEYS = tuple(field.name for field in fields(SiteRules))
"""What can be set for a single site."""


def site_rules(host: str, values: dict[str, Any]) -> tuple[str, SiteRules]:
    """The rules of a site as a person wrote them, with the host in its one form; raises Refused."""
    name = typed_host(host.strip().removeprefix("."))
    if name is None:
        fix = "name a host such as example.org; it stands for all beneath it too"
        raise Refused(f"{host!r} is not a host", fix, code=Code.BAD_VALUE, field="sites")
    made = {}
    for key, value in values.items():
        if key not in SITE_KEYS:
            problem = f"unknown key {key!r} for the site {name}"
            raise Refused(problem, f"use one of: {', '.join(SITE_KEYS)}", code=Code.UNKNOWN_NAME, field="sites")
        several = key in ("types", "languages", "include", "exclude")
        made[key] = [value] if several and isinstance(value, str) else value
    try:
        return name, convert(made, SiteRules)
    except Refused as refused:
        raise Refused(f"{name}: {refused.problem}", refused.fix, code=refused.code, field="sites") from None
    except ValueError as error:
        why = str(error).replace("`", "").replace("$.", "")
        raise Refused(f"{name}: {why}", "correct the value", code=Code.BAD_VALUE, field="sites") from None


def day_of(text: str | None, field: str) -> datetime | None:
    """The first moment (UTC) of a day, month or year."""
    if not text:
        return None
    found = _DAY.fullmatch(text.strip())
    try:
        year, month, day = (int(part or 1) for part in found.groups()) if found else (0, 0, 0)
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        fix = "write it like 2024-06-30, 2024-06 or 2024"
        raise Refused(f"{text!r} is not a date", fix, code=Code.BAD_VALUE, field=field) from None
