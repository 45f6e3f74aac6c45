"""The scope of a hunt in words: how much it kept out by which rule, and why a URL was not asked for."""

from __future__ import annotations

from collections.abc import Mapping

from lycosa.app.wording import counted
from lycosa.engine.crawl_reader import CrawlReader
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.plan import Plan
from lycosa.engine.scope.scope import Rule
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused

_NAMED = 6
"""Rules that are named, those that kept out most."""


def ranked(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by rule, the largest first."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def outside_words(counts: Mapping[str, int], noun: str) -> str:
    """How many links or pages were kept out, and by which rules."""
    largest = ranked(counts)
    named = [f"{count:,} by {rule}" for rule, count in list(largest.items())[:_NAMED]]
    rest = sum(list(largest.values())[_NAMED:])
    more = [f"{rest:,} by others"] if rest else []
    return f"{counted(sum(counts.values()), noun)} outside the scope: {', '.join([*named, *more])}"


def rule_words(rule: Rule) -> str:
    """What a rule says, as a clause about a URL."""
    match rule:
        case Rule(kind="within"):
            return "its host is none of those to stay within"
        case Rule(kind="without"):
            return "its host is to be left alone"
        case Rule(kind="include"):
            return "it matches none of the patterns to include"
        case Rule(kind="exclude", detail=pattern):
            return f"it matches the excluded pattern {pattern}"
        case Rule(kind="date", detail=day):
            return f"a sitemap or a feed says that it is from {day}"
    return f"it is more than {counted(int(rule.detail), 'link')} away from every seed"


def never_fetched(collection: Collection, url: str) -> Refused:
    """Why a URL was never asked for."""
    collection.graph.catch_up()
    parents = collection.graph.in_links(url, 3)
    if not parents:
        problem, fix = f"{url} is not in this collection", "no page of it links there; choose one of its pages"
        return Refused(problem, fix, code=Code.NOT_FOUND, field="url")
    if rule := _rule(collection, plan_of(collection), url):
        problem = f"{url} was found on {parents[0]} but is outside the scope of the hunt ({rule_words(rule)})"
        return Refused(problem, "widen the scope and resume the hunt", code=Code.OUT_OF_SCOPE, field="url")
    problem = f"{url} was found on {parents[0]} but never fetched"
    return Refused(problem, "its turn had not come: resume the hunt", code=Code.NOT_FOUND, field="url")


def _rule(collection: Collection, plan: Plan, url: str) -> Rule | None:
    """The rule that keeps a URL out."""
    scope = plan.make_scope()
    if (rule := scope.verdict(url)) or not (scope.has_depth or scope.has_dates):
        return rule
    with CrawlReader(collection.folder) as reader:
        return reader.crawl.refuses.scope.rule(url)
