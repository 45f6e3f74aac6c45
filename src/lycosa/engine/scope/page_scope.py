"""Which pages a crawl keeps: what can only be known when a page has arrived, checked by the scouts."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from lycosa.core.nouns import Page
from lycosa.core.urls import host_of
from lycosa.engine.scope.scope import Rule, Scope
from lycosa.engine.scope.scope_rules import PageRules, day_of
from lycosa.engine.scope.type_names import MediaTypes, types_of


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

    def __call__(self, page: Page) -> Rule | None:
        """The rule that keeps a page out; None if it is kept."""
        rules = self._scope.rules_at(host_of(page.url))
        compiled = self._compiled.get(rules)
        if compiled is None:
            types = types_of(rules.types) if rules.types else None
            compiled = _Compiled(types, day_of(rules.after, "after"), day_of(rules.before, "before"))
            self._compiled[rules] = compiled
        if compiled.types and page.mime not in compiled.types:
            return Rule("type", page.mime)
        return _of_size(page, rules) or _of_date(page, rules, compiled) or _of_language(page, rules)


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


def _of_date(page: Page, rules: PageRules, compiled: _Compiled) -> Rule | None:
    if compiled.after is None and compiled.before is None and not rules.dated:
        return None
    from lycosa.web.page_dates import date_of

    date = date_of(page)
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
