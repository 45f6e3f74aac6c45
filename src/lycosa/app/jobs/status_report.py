"""The status of a hunt, even before it has a log."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec.structs import asdict, replace

from lycosa.app import hunts
from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.jobs.hunt_state import HuntState
from lycosa.app.jobs.register import Intent
from lycosa.engine.plan import load_plan
from lycosa.store.listing import Ending
from lycosa.system.errors import Refused


def report(folder: Path, ending: Ending, intent: Intent | None, now: HuntState) -> HuntStatus:
    """The result of `hunts.status`, what the hunt was asked for, and its state as a job."""
    plain = ending.plan or (intent.plan if intent else None)
    try:
        found = hunts.status(folder)
    except Refused:
        # The collection does not exist yet, or was deleted. If another version wrote the plan, there is no more to say.
        found = HuntStatus()
        with suppress(Refused):
            found = HuntStatus(**hunts.asked_for(load_plan(plain))) if plain else found
    if now.state not in ("failed", "finished"):
        # The hunt will try again or spend more, so these no longer apply.
        found = replace(found, failures=[], early="")
    state = {**vars(now), "budget": hunts.budget_answer(now.budget)}
    return HuntStatus(**{**asdict(found), **state, "began": ending.first, "folder": ""})
