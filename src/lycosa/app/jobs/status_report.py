"""The status of a hunt as plain data, even before it has a log."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from lycosa.app import hunts
from lycosa.app.jobs.hunt_state import HuntState
from lycosa.app.jobs.register import Meant
from lycosa.engine.plan import Plan, load_plan
from lycosa.store.listing import Ending
from lycosa.system.errors import Refused

_NOTHING: dict[str, Any] = {
    "reason": "",
    "failures": [],
    "early": "",
    "events": 0,
    "leases": 0,
    "visits": 0,
    "redirects": 0,
    "misses": {},
    "retries": {},
    "statuses": {},
    "bytes": 0,
    "pages": 0,
    "harvest": 0.0,
    "hosts": 0,
    "queued": 0,
    "estimate": None,
    "judged": {"pages": 0, "relevant": 0},
    "best": [],
}


def report(folder: Path, ending: Ending, meant: Meant | None, now: HuntState) -> dict[str, Any]:
    """The result of `hunts.status`, what the hunt was asked for, and its state as a job."""
    try:
        found = hunts.status(folder)
    except Refused:
        # The collection does not exist yet, or was deleted.
        found = dict(_NOTHING)
    if now.state not in ("failed", "finished"):
        # The hunt will try again or spend more, so these no longer apply.
        found |= {"failures": [], "early": ""}
    found |= _asked(ending.plan or (meant.plan if meant else None))
    stands = {**vars(now), "budget": to_builtins(now.budget)}
    return {**found, "seq": found["events"], "began": ending.first, **stands}


def _asked(plain: dict[str, Any] | None) -> dict[str, Any]:
    plan: Plan | None = None
    if plain:
        # If another version wrote the plan, the rest of the status is still reported.
        with suppress(Refused):
            plan = load_plan(plain)
    return {
        "keywords": plan.topic.keywords if plan else "",
        "strategy": plan.strategy if plan else "",
        "settings": plan.settings if plan else {},
        "judge": plan.judge if plan else "",
        "judge_settings": plan.judge_settings if plan else {},
        "seeds": list(plan.seeds) if plan else [],
        "on_topic": bool(plan and plan.topic.examples),
        "delay": plan.rules.delay if plan else 0.0,
        "within": list(plan.rules.within) if plan else [],
        "without": list(plan.rules.without) if plan else [],
    }
