"""Rounds: crawl, then crawl again from the best hubs found, and so on."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from lycosa.app import hunts
from lycosa.app.requests.hunt_plan import folder_name, make_plan
from lycosa.app.requests.rounds import RoundsRequest
from lycosa.core.hubs import mean_relevance
from lycosa.core.nouns import Visit
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.hub_rounds import HUBS, HubRound, folder_of, hubs_of, measured, plan_of_round, state_of
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Plan
from lycosa.engine.preparation import past_visits
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused, check_range


class Rounds(Struct, frozen=True):
    """Consecutive crawls in one folder. Iterate over it for the hunt of each round that is not finished yet.

    The hunts are begun or resumed one after the other; run each to its end and close it before the next.
    """

    folder: str | Path
    rounds: int = 4
    plan: Plan | None = None
    """The plan of the first round; None if that was begun before."""
    hubs: int = HUBS
    relevant: float | None = None
    """Relevance from which a page counts as relevant; None for the mean relevance of the pages it was found among."""
    new: bool = False
    """Whether a round skips pages of earlier rounds; it then learns from all earlier rounds, not only the last."""
    proxy: str | None = None
    """The proxy for all requests; None for the one that the first round was begun with."""
    ca: str | None = None
    """A file of further certificate authorities; None for the one that the first round was begun with."""
    access: Mapping[str, Any] | None = None
    """How to enter hosts, which no round stores; None as in the plan."""

    def __post_init__(self) -> None:
        check_range("rounds", self.rounds, 1, 2**31 - 1)
        check_range("hubs", self.hubs, 1, 2**31 - 1)
        check_range("relevant", self.relevant, 0, 1)
        first = folder_of(self.folder, 1)
        if state_of(first) == "none":
            if self.plan is None:
                fix = "say what to hunt for, and from where"
                raise Refused(f"{self.folder} holds no rounds", fix, code=Code.EMPTY, field="out")
        elif self.plan and (other := _difference(self.plan, _plan_in(first))):
            problem = f"{self.folder} holds rounds with another {other}"
            raise Refused(problem, "choose another folder", code=Code.NOT_EMPTY, field="out")
        # Refuse a strategy that cannot skip known pages before the first round, not after it.
        if self.plan and self.new:
            plan_of_round(self.plan, [first], self.plan.seeds, new=True)

    def __iter__(self) -> Iterator[Hunt]:
        for number in range(1, self.rounds + 1):
            folder = folder_of(self.folder, number)
            state = state_of(folder)
            if state in ("begun", "failed"):
                yield hunts.resume(folder, proxy=self._proxy, ca=self.ca, access=self._access)
            elif state == "none":
                yield Hunt.begin(self._plan_of(number), folder)
            if state_of(folder) != "finished":
                return

    def _plan_of(self, number: int) -> Plan:
        if number == 1:
            assert self.plan
            return self.plan
        first, last = folder_of(self.folder, 1), folder_of(self.folder, number - 1)
        past = [folder_of(self.folder, earlier) for earlier in range(1, number)] if self.new else [last]
        visits = _visits(*past)
        threshold = _bar(visits) if self.relevant is None else self.relevant
        seeds = [hub.url for hub in hubs_of(visits, threshold, self.hubs)]
        begun = _plan_in(first)
        if given := {name: value for name, value in self._network if value}:
            begun = replace(begun, http=begun.http.changed(given))
        return plan_of_round(begun, [each.resolve() for each in past], seeds, relevant=self.relevant, new=self.new)

    @property
    def _network(self) -> tuple[tuple[str, Any], ...]:
        return ("proxy", self._proxy), ("ca", self.ca), ("access", self._access)

    @property
    def _access(self) -> Mapping[str, Any]:
        return self.access or (self.plan.http.access if self.plan else {})

    @property
    def _proxy(self) -> str | None:
        """The proxy with its login, which no round stores."""
        return self.proxy or (self.plan.http.proxy if self.plan else None)

    @property
    def threshold(self) -> float:
        """Relevance from which a page counts for precision, the same for all rounds; needs a first round."""
        return _bar(_visits(folder_of(self.folder, 1))) if self.relevant is None else self.relevant

    def results(self) -> list[HubRound]:
        """The results of the rounds so far."""
        found: list[HubRound] = []
        before: set[str] = set()
        threshold = self.threshold
        for number in range(1, self.rounds + 1):
            folder = folder_of(self.folder, number)
            if state_of(folder) == "none":
                break
            visits = _visits(folder)
            found.append(measured(number, folder, visits, threshold, before))
            before.update(visit.url for visit in visits)
        return found

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        done = self.results()
        last = state_of(folder_of(self.folder, len(done)))
        finished = "finished" if len(done) == self.rounds and last == "finished" else "interrupted"
        return {
            "folder": str(self.folder),
            "state": last if last == "failed" else finished,
            "relevant_from": self.threshold,
            "rounds": to_builtins(done),
        }


def rounds_of(request: RoundsRequest) -> Rounds:
    """The rounds that a request begins, or continues if it says nothing about what to hunt."""
    begins = bool(request.keywords or request.bed or request.seeds or request.seeds_file or request.out is None)
    return Rounds(
        request.out or folder_name(request),
        rounds=request.rounds,
        # The threshold is that of the rounds together; within each, the crawl finds its own.
        plan=make_plan(replace(request, relevant=None)) if begins else None,
        hubs=request.hubs,
        relevant=request.relevant,
        new=request.new,
        proxy=request.proxy,
        ca=request.ca,
        access=request.access,
    )


def _bar(visits: Sequence[Visit]) -> float:
    """The default threshold of relevance: the mean; if all pages have 0, no page is relevant."""
    return max(mean_relevance(visits), sys.float_info.min)


def _visits(*folders: Path) -> tuple[Visit, ...]:
    return past_visits([str(folder) for folder in folders])


def _plan_in(folder: Path) -> Plan:
    with Collection.open(folder) as collection:
        return plan_of(collection)


def _difference(wanted: Plan, begun: Plan) -> str:
    """The first part in which a plan differs from the one that was begun; empty if none does."""
    for what, ours, theirs in (
        ("topic", wanted.topic, begun.topic),
        ("seeds", wanted.seeds, begun.seeds),
        ("strategy", (wanted.strategy, wanted.settings), (begun.strategy, begun.settings)),
        ("judge", (wanted.judge, wanted.judge_settings), (begun.judge, begun.judge_settings)),
        ("web", wanted.recorded, begun.recorded),
        ("page budget", wanted.budget, begun.budget),
    ):
        if ours != theirs:
            return what
    return ""
