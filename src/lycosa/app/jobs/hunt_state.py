"""The state of a hunt, from its log, its process and its register entry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lycosa.app.hunt_ending import FIX, problem_of
from lycosa.app.jobs.budgets import budget_of, larger
from lycosa.app.jobs.hunt_processes import HuntProcesses
from lycosa.app.jobs.register import PAUSE, RUN, STOP, Intent
from lycosa.engine.plan import Budget
from lycosa.store.listing import Ending, Listing
from lycosa.system.errors import Refused
from lycosa.system.locks import is_held

AT_WORK = ("running", "waiting", "starting")
"""States of a hunt that spends its budget, or soon will."""
_NO_LIMIT = Budget(pages=None)
_RESTING = {PAUSE: "paused", STOP: "stopped"}


@dataclass(frozen=True)
class HuntState:
    """The state of a hunt."""

    state: str
    """running, waiting, starting, paused, stopped, finished, interrupted, failed or elsewhere (another process)."""
    problem: str = ""
    """What went wrong, if it failed."""
    fix: str = ""
    ahead: int = 0
    """How many hunts are before it in the queue, if it waits."""
    budget: Budget = _NO_LIMIT
    """What it may spend, by the latest extension."""


def current_state(
    name: str, folder: Path, intent: Intent | None, ending: Ending, processes: HuntProcesses
) -> HuntState:
    """The state of a hunt, even of one that is still starting."""
    plan = ending.plan or (intent.plan if intent else None)
    spent = budget_of(plan)
    budget = larger(intent.budget, spent) if intent else spent
    # A hunt whose budget was extended but not used yet has only finished its old budget.
    over = ending.stopped.state if ending.stopped and ending.stopped.finished and budget == spent else ""
    state = _state(name, folder, intent, ending, processes, over)
    return HuntState(state, *(_said(intent, plan) if state == "failed" else ("", "")), processes.ahead(name), budget)


def _said(intent: Intent | None, plan: dict[str, Any] | None) -> tuple[str, str]:
    """Problem and fix of a hunt that failed: those of its process, or else of its seeds."""
    if intent and intent.problem:
        return intent.problem, intent.fix
    return problem_of(len(plan["seeds"]) if plan else 0), FIX


def _state(name: str, folder: Path, intent: Intent | None, ending: Ending, processes: HuntProcesses, over: str) -> str:
    what = intent.what if intent else ""
    with processes.guard:
        if name in processes.children:
            if what in _RESTING:
                return _RESTING[what]
            if name in processes.again or ending.began <= processes.children[name].after:
                return "starting"
            # Its process may still be busy with the index.
            return over or "running"
        if name in processes.waiting:
            return "waiting"
    if is_held(folder / "lock") or (what == RUN and processes.others):
        return "elsewhere"
    if intent and intent.problem:
        return "failed"
    if over:
        return over
    if what in _RESTING:
        return _RESTING[what]
    return "stopped" if ending.stopped and what != RUN else "interrupted"


def ending_of(folder: Path) -> Ending:
    """The end of a log; empty if there is no log yet."""
    try:
        log = Listing(folder)
    except Refused:
        return Ending()
    try:
        return log.ending()
    finally:
        log.close()
