"""Which pages a crawl keeps: what can only be known when a page has arrived, checked by the scouts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from lycosa.core.nouns import Page
from lycosa.core.urls import host_of
from lycosa.engine.scope.scope import Rule, Scope
from lycosa.engine.scope.scope_rules import PageRules, day_of
from lycosa.engine.scope.type_names import MediaTypes, types_of
from lycosa.web.readers.media_types import kind_of


class _Compiled(NamedTuple):
    types: MediaTypes | None
    after: datetime | None
    before: datetime | None


class PageScope:
    """Says why a page is not kept. Its links are followed all the same: they may lead back into the scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._compiled: dict[PageRules, _Compiled] = {}

    @staticmethod
    def of(scope: Scope) -> PageScope | None:
        """The rules about pages in a scope; None if it has none, so that nothing need be checked."""
        names = PageRules.__struct_fields__
        everywhere = (scope.rules, *scope.sites.named.values())
        limited = any(getattr(rules, name) is not None for rules in everywhere for name in names)
        return PageScope(scope) if limited else None

    def __call__(self, page: Page, listed: str = "") -> Rule | None:
        """The rule that keeps a page out; None if it is kept. `listed` is the day that a list states for it."""
        rules, compiled = self._at(page.url)
        if compiled.types and page.mime not in compiled.types:
            return Rule("type", page.mime)
        return _of_size(page, rules) or _of_date(page, rules, compiled, listed) or _of_language(page, rules)

    def announced(self, url: str, content_type: str) -> Rule | None:
        """The rule that keeps out what a header announces, so that its body need not be read.

        Pages of HTML and texts are always read: their links count, and only the bytes show what they are.
        """
        types = self._at(url)[1].types
        kind = kind_of(content_type.partition(";")[0].strip().lower()) if types else None
        return Rule("type", kind.mime) if types and kind and kind.mime not in types else None

    @property
    def wants_dates(self) -> bool:
        """Whether the dates of pages matter."""
        return self._scope.has_dates

    def _at(self, url: str) -> tuple[PageRules, _Compiled]:
        rules = self._scope.rules_at(host_of(url))
        compiled = self._compiled.get(rules)
        if compiled is None:
            types = types_of(rules.types) if rules.types else None
            compiled = _Compiled(types, day_of(rules.after, "after"), day_of(rules.before, "before"))
            self._compiled[rules] = compiled
        return rules, compiled


def unwanted_by(scope: Scope) -> Callable[[str, str], str] | None:
    """Why a page is not kept, from its URL and the type that its header states; None if no type is unwanted."""
    pages = PageScope.of(scope)
    if pages is None or not scope.has_types:
        return None

    def unwanted(url: str, content_type: str) -> str:
        rule = pages.announced(url, content_type)
        return rule.reason if rule else ""

    return unwanted


def _of_size(page: Page, rules: PageRules) -> Rule | None:
    if not _lies_within(page.size, rules.min_size, rules.max_size):
        return Rule("size", f"{page.size:,} bytes")
    if rules.min_words is not None or rules.max_words is not None:
        words = len(page.text.split())
        if not _lies_within(words, rules.min_words, rules.max_words):
            return Rule("words", f"{words:,}")
    return None


def _lies_within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)


def _of_date(page: Page, rules: PageRules, compiled: _Compiled, listed: str) -> Rule | None:
    if compiled.after is None and compiled.before is None and not rules.dated:
        return None
    from lycosa.web.page_dates import date_of

    date = date_of(page, listed)
    if date is None:
        return Rule("date", "unknown") if rules.dated else None
    inside = (compiled.after is None or date >= compiled.after) and (compiled.before is None or date < compiled.before)
    return None if inside else Rule("date", f"{date:%Y-%m-%d}")


def _of_language(page: Page, rules: PageRules) -> Rule | None:
    if not rules.languages:
        return None
    from lycosa.index.language import language_of

    language = language_of(page.text, page.language)
    return Rule("language", language) if language and language not in rules.languages else None
