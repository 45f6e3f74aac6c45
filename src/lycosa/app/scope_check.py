"""Trying out a scope: which rule lets a URL in, or keeps it out, before anything is fetched."""

from __future__ import annotations

from pathlib import Path

from lycosa.app.answers.scope import ScopeAnswer, ScopeVerdict
from lycosa.app.requests.option import takes
from lycosa.app.requests.scope import ScopeTestRequest, rules_of, sites_of
from lycosa.app.scope_words import rule_words
from lycosa.core.urls import page_url
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scope.scope import Admitted, Scope
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused


def verdicts(request: ScopeTestRequest) -> list[ScopeVerdict]:
    """What a scope says about each URL; how many links it is away from a seed cannot be known here."""
    if not request.urls:
        raise Refused("no URL to test", "give at least one", code=Code.MISSING, field="urls")
    scope = _scope(request)
    return [_verdict(scope, page_url(url)) for url in request.urls]


def tested(request: ScopeTestRequest) -> ScopeAnswer:
    """The same, and how many of the URLs are outside."""
    found = verdicts(request)
    return ScopeAnswer(urls=found, outside=sum(not each.inside for each in found))


@takes(ScopeTestRequest)
def check_scope(request: ScopeTestRequest) -> list[ScopeVerdict]:
    """What a scope says about URLs."""
    return verdicts(request)


def _scope(request: ScopeTestRequest) -> Scope:
    plan = None
    if request.collection:
        with Collection.open(Path(request.collection)) as collection:
            plan = plan_of(collection)
    rules, hosts = rules_of(request, plan.scope if plan else None), plan.rules if plan else None
    sites = {**(plan.sites if plan else {}), **sites_of(request.sites)}
    within = tuple(request.within) or (hosts.within if hosts else ())
    without = tuple(request.without) or (hosts.without if hosts else ())
    # These rules check and normalise the names of hosts.
    checked = PolitenessRules(within=within, without=without)
    return Scope(rules, sites, checked.within, checked.without)


def _verdict(scope: Scope, url: str) -> ScopeVerdict:
    found = scope.explain(url)
    if not isinstance(found, Admitted):
        return ScopeVerdict(url=url, inside=False, rule=str(found), because=rule_words(found))
    if found.pattern:
        because = f"it matches the pattern {found.pattern}"
        return ScopeVerdict(url=url, inside=True, rule=f"include {found.pattern}", because=because)
    return ScopeVerdict(url=url, inside=True, rule="", because="no rule keeps it out")
