"""What a scope says about URLs."""

from __future__ import annotations

from msgspec import Struct


class ScopeVerdict(Struct, kw_only=True):
    """What a scope says about a URL."""

    url: str
    inside: bool
    rule: str
    """include, exclude, within or without, with the pattern; empty if no rule is about this URL."""
    because: str
    """The same in words."""


class ScopeAnswer(Struct, kw_only=True):
    """What a scope says about some URLs."""

    urls: list[ScopeVerdict]
    outside: int
    """How many of them are out of the scope."""
