"""The scope of one crawl: its rules compiled, asked about URLs, depths, pages and sites."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import fields, replace

from lycosa.core.nouns import ListedDate
from lycosa.core.urls import host_of, without_index_page
from lycosa.engine.host_names import HostScope
from lycosa.engine.scope.scope_rules import ScopeRules, SiteRules, day_of
from lycosa.engine.scope.url_patterns import UrlPatterns
from lycosa.system.errors import Refused

_REMEMBERED = 1 << 14
"""Hosts whose rules are cached."""
_SCOPE = tuple(field.name for field in fields(ScopeRules))


class Rule(NamedTuple):
    """A rule that keeps a URL or a page out, and what it says."""

    kind: str
    """within, without, include, exclude or depth; of a page: type, language, date, size or words."""
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.detail}".strip()

    @property
    def counted(self) -> str:
        """What its links are counted as: there may be any number of hosts, but only so many patterns."""
        return self.kind if self.kind in ("within", "without") else str(self)

    @property
    def reason(self) -> str:
        """The reason of a link that is not followed."""
        # Versions before patterns and depths knew hosts only.
        return "outside" if self.kind in ("within", "without") else f"scope {self}"


class Admitted(NamedTuple):
    """Why a URL is in the scope: a pattern of `include`, or nothing that keeps it out."""

    pattern: str = ""


class HostRules(NamedTuple):
    """The rules that apply at one host, compiled."""

    rules: ScopeRules
    include: UrlPatterns | None
    exclude: UrlPatterns | None
    after: str
    before: str
    """Days such as 2024-06-30; empty if there is no bound."""


class Scope:
    """Says which URLs a crawl may ask for; the rules of the most specific site come first, key by key."""

    def __init__(
        self,
        rules: ScopeRules | None = None,
        sites: Mapping[str, SiteRules] | None = None,
        within: tuple[str, ...] = (),
        without: tuple[str, ...] = (),
    ) -> None:
        self.rules = rules or ScopeRules()
        self.sites = SiteTable(sites or {})
        self._hosts = HostScope(within, without)
        everywhere = [self.rules, *self.sites.named.values()]
        self._by_pattern = any(each.include or each.exclude for each in everywhere)
        self.limited = self._hosts.limited or self._by_pattern
        """Whether there are URLs that are out of the scope, whatever their depth."""
        self.has_depth = any(each.depth is not None for each in everywhere)
        """Whether links must be counted."""
        self.has_types = any(each.types for each in everywhere)
        """Whether pages of some types are not kept."""
        self.has_dates = any(each.after or each.before or each.dated for each in everywhere)
        """Whether the dates of pages matter."""
        self._compiled: dict[SiteRules | None, HostRules] = {}
        self._at = lru_cache(_REMEMBERED)(self._at_unseen)
        for name in self.sites.named:
            # Each may be right by itself and wrong beside the general rules.
            try:
                self._at(name)
            except Refused as refused:
                raise Refused(f"{name}: {refused.problem}", refused.fix, code=refused.code, field="sites") from None

    @property
    def fingerprint(self) -> str:
        """A text that tells scopes apart, hosts aside; empty if there are no rules."""
        sites = self.sites.named
        return repr((self.rules, sorted(sites.items()))) if sites or self.rules != ScopeRules() else ""

    def verdict(self, url: str) -> Rule | None:
        """The rule that keeps a canonical URL out, depth aside; None if it may be asked for."""
        if not self.limited:
            return None
        found = self.explain(url)
        return found if isinstance(found, Rule) else None

    def never(self, url: str) -> bool:
        """Whether a canonical URL is excluded, by its host or a pattern: then not even a rendered page may load it."""
        host = host_of(url)
        exclude = self._at(host).exclude if self._by_pattern else None
        return self._hosts.outside(host) == "without" or bool(exclude and exclude.first(url))

    def explain(self, url: str) -> Rule | Admitted:
        """Which rule lets a canonical URL in or keeps it out, depth aside."""
        host = host_of(url)
        if kind := self._hosts.outside(host):
            return Rule(kind, "" if kind == "within" else host)
        if not self._by_pattern:
            return Admitted()
        include, exclude = self._at(host)[1:3]
        if exclude and (pattern := exclude.first(url)):
            return Rule("exclude", pattern)
        if include is None:
            return Admitted()
        pattern = include.first(url)
        return Rule("include") if pattern is None else Admitted(pattern)

    def too_deep(self, url: str, depth: int) -> Rule | None:
        """The rule that keeps a URL out that is so many links away from a seed; None if it may be asked for."""
        most = self.rules_at(host_of(url)).depth
        return Rule("depth", str(most)) if most is not None and depth > most else None

    def dated_out(self, url: str, listed: ListedDate) -> Rule | None:
        """The rule that keeps a page out whatever it says itself, by the date that a list states for it.

        Nothing was published after its last change, so a change long ago decides, and a recent one does not.
        """
        at = self._at(host_of(url))
        late = at.before and listed.published and listed.day >= at.before
        return Rule("date", listed.day) if late or (at.after and listed.day < at.after) else None

    def rules_at(self, host: str) -> ScopeRules:
        """The rules that apply at a host."""
        return self._at(host).rules

    def _at_unseen(self, host: str) -> HostRules:
        site = self.sites.at(host)
        found = self._compiled.get(site)
        if found is None:
            own = {name: value for name in _SCOPE if (value := getattr(site, name, None)) is not None}
            rules = replace(self.rules, **own)
            found = HostRules(
                rules,
                UrlPatterns(rules.include, "include") if rules.include else None,
                UrlPatterns(rules.exclude, "exclude") if rules.exclude else None,
                _iso(rules.after, "after"),
                _iso(rules.before, "before"),
            )
            self._compiled[site] = found
        return found


def _iso(text: str | None, field: str) -> str:
    day = day_of(text, field)
    return day.date().isoformat() if day else ""


class SiteTable:
    """The rules of single sites, found by host: each key from the most specific site that has it."""

    def __init__(self, sites: Mapping[str, SiteRules]) -> None:
        self.named = dict(sites)
        self._at = lru_cache(_REMEMBERED)(self._at_unseen)

    def __bool__(self) -> bool:
        return bool(self.named)

    def at(self, host: str) -> SiteRules | None:
        """What applies at a host; None if nothing does."""
        return self._at(host) if self.named else None

    def _at_unseen(self, host: str) -> SiteRules | None:
        found: dict[str, object] = {}
        for name in _from_general_to_specific(host):
            if site := self.named.get(name):
                found |= {key: value for key in site.__struct_fields__ if (value := getattr(site, key)) is not None}
        return SiteRules(**found) if found else None  # type: ignore[arg-type]

    def has(self, key: str) -> bool:
        """Whether any site sets a key."""
        return any(getattr(site, key) is not None for site in self.named.values())

    def index_page(self, url: str, everywhere: bool) -> str:
        """A URL without the name of its folder's default page, if that applies at its host."""
        site = self.at(host_of(url))
        own = site.index_pages if site else None
        if not (everywhere if own is None else own):
            return url
        path, mark, query = url.partition("?")
        return without_index_page(path) + mark + query


def _from_general_to_specific(host: str) -> list[str]:
    """The names that stand for a host: those above it, the host, and the host with its port."""
    name, colon, port = host.rpartition(":")
    bare = name if colon and port.isdigit() else host
    parts = [] if bare.startswith("[") else bare.split(".")
    names = [".".join(parts[start:]) for start in range(len(parts) - 1, 0, -1)]
    return list(dict.fromkeys([*names, bare, host]))
