"""Why the seeds of a crawl brought no page, read from its log."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lycosa.core.events import Missed, Redirected, Visited
from lycosa.core.urls import host_of
from lycosa.engine.link_filter import GIVEN_UP
from lycosa.engine.plan import Plan
from lycosa.store.log import Log
from lycosa.system.errors import SeedsFailed

NOT_ASKED = "not asked"
"""The reason of a seed that was never requested, because the hunt ended before its turn came."""
_NAMED = 3
"""Seeds named in the message of the error, at most."""


class SeedFailure(NamedTuple):
    """A seed that brought no page."""

    url: str
    reason: str
    """As in the log: «no such host», «status 404»."""
    at: str = ""
    """Where its redirects led, if it had any; the reason applies to that URL."""


def seed_failures(log: Log, plan: Plan) -> list[SeedFailure]:
    """Each seed of a plan that brought no page, and why."""
    ends = {url: _end(log, plan, url) for url in plan.seeds}
    # The remaining tickets of a host that is given up are dropped, and the log has no outcome for them.
    given_up = {host_of(url) for url, end in ends.items() if end and end.reason != NOT_ASKED}
    return [
        end._replace(reason=GIVEN_UP) if end.reason == NOT_ASKED and host_of(url) in given_up else end
        for url, end in ends.items()
        if end
    ]


def _end(log: Log, plan: Plan, seed: str) -> SeedFailure | None:
    """How a seed and its redirects ended; None if with a page."""
    scope, seen, url = plan.make_scope(), set[str](), seed
    while url not in seen and len(seen) <= plan.hops:
        seen.add(url)
        at = "" if url == seed else url
        told = [entry.event for entry in log.outcomes_of(url)]
        outcome = next((each for each in reversed(told) if isinstance(each, Visited | Redirected | Missed)), None)
        match outcome:
            case Visited(visit=visit):
                return SeedFailure(seed, visit.withheld, at) if visit.out_of_scope else None
            case Missed(miss=miss):
                return SeedFailure(seed, miss.reason, at)
            case Redirected(redirect=redirect):
                url = redirect.to
            case _:
                rule = scope.verdict(url)
                return SeedFailure(seed, rule.reason if rule else NOT_ASKED, at)
    return SeedFailure(seed, "too many redirects", url)


def failed(folder: Path, failures: Sequence[SeedFailure]) -> SeedsFailed:
    """The error for a hunt none of whose seeds could be fetched."""
    named = [f"{each.url} {each.reason}" for each in failures[:_NAMED]]
    more = [f"{len(failures) - _NAMED:,} more"] if len(failures) > _NAMED else []
    return SeedsFailed(
        f"none of the seeds could be fetched ({', '.join(named + more)})",
        f"see the status of {folder}, remove the cause, then resume it",
    )
