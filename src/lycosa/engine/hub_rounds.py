"""Consecutive crawls (Kumar & Vig 2013, algorithm 3): each round starts from the best hubs of the one before.

A round is an ordinary collection, DIR/round-1, DIR/round-2 and so on. The relevant pages of a round (R) are
told by the relevance that they had when they were fetched; the hub scores of R (core/hubs.py) choose the next start
pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from lycosa.core.events import Began, Stopped
from lycosa.core.hubs import hub_scores, mean_relevance
from lycosa.core.nouns import COPY, LISTS, Visit
from lycosa.core.registry import options
from lycosa.engine.plan import Plan
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused

HUBS = 200
"""Start pages of a round at most: the paper's number."""

State = Literal["none", "begun", "failed", "finished"]
OVER: Sequence[State] = ("failed", "finished")
"""States of a crawl that has ended by itself."""


class RoundHub(NamedTuple):
    """A relevant page and its hub score among the relevant pages."""

    url: str
    score: float


class HubRound(Struct, frozen=True):
    """What one round brought."""

    number: int
    folder: str
    pages: int
    precision: float
    """The share of its pages that are relevant."""
    harvest: float
    """The mean relevance of its pages."""
    new: int
    """Pages that no earlier round had."""
    new_relevant: int


def hubs_of(visits: Sequence[Visit], threshold: float, count: int = HUBS) -> list[RoundHub]:
    """The best hubs among the relevant pages of a crawl; among equals the more relevant first."""
    # A list has more links than any hub, but nobody has chosen them.
    pages = {visit.url: visit for visit in visits if visit.relevance >= threshold and visit.withheld not in LISTS}
    scores = hub_scores({url: visit.links for url, visit in pages.items()})
    best = sorted(pages, key=lambda url: (-scores[url], -pages[url].relevance))
    return [RoundHub(url, scores[url]) for url in best[:count]]


def plan_of_round(
    plan: Plan, past: Sequence[Path], seeds: Sequence[str], *, relevant: float | None = None, new: bool = False
) -> Plan:
    """The plan of a later round, given that of the first, the folders that it may read, and its seeds.

    The topic keeps the examples that the user named. A strategy with an option `relevant` is given the threshold; with
    `new` its option `again` is set to False, so that it fetches no page of those folders again.
    """
    if not seeds:
        fix = "lower the threshold of relevance, or begin elsewhere"
        raise Refused(f"{past[-1]} holds no relevant page", fix, code=Code.EMPTY, field="relevant")
    known = {option.name for option in options(type(plan.make_strategy()))}
    threshold = {"relevant": relevant} if relevant is not None and "relevant" in known else {}
    return replace(
        plan,
        seeds=tuple(seeds),
        settings=plan.settings | threshold | ({"again": False} if new else {}),
        sources=replace(plan.sources, past=tuple(map(str, past))),
    )


def folder_of(folder: str | Path, number: int) -> Path:
    """The folder of a round."""
    return Path(folder) / f"round-{number}"


def state_of(folder: Path) -> State:
    """The state of the crawl in a folder."""
    try:
        collection = Collection.open(folder)
    except Refused:
        return "none"
    with collection:
        began, stopped = collection.log.last(Began), collection.log.last(Stopped)
    if began is None:
        return "none"
    if stopped is None or stopped.seq < began.seq or stopped.event.state == "stopped":
        return "begun"
    return stopped.event.state


def measured(number: int, folder: Path, visits: Sequence[Visit], threshold: float, before: set[str]) -> HubRound:
    """What a round brought, given the URLs of the pages of earlier rounds."""
    visits = [visit for visit in visits if visit.withheld not in (*LISTS, COPY) and not visit.out_of_scope]
    relevant = [visit.url for visit in visits if visit.relevance >= threshold]
    return HubRound(
        number,
        str(folder),
        len(visits),
        len(relevant) / (len(visits) or 1),
        mean_relevance(visits),
        sum(visit.url not in before for visit in visits),
        sum(url not in before for url in relevant),
    )
