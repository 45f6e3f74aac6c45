"""How a hunt ended, in words: why it and each of its seeds failed, or why it ended before its budget was spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lycosa.app.answers.hunt import FailedSeedAnswer
from lycosa.app.miss_reasons import explained
from lycosa.app.wording import counted
from lycosa.core.events import Stopped
from lycosa.engine.crawl import NOTHING_LEFT
from lycosa.engine.plan import Budget
from lycosa.engine.seed_failures import SeedFailure

FIX = "mend what is in the way of a seed, then resume the hunt: it tries all of them again"
_REASONS = 5
"""Reasons named at most, the most frequent first."""


def problem_of(seeds: int) -> str:
    """The problem of a hunt whose seeds all failed."""
    return "its only seed could not be fetched" if seeds == 1 else f"none of its {seeds:,} seeds could be fetched"


def failed_seeds(failures: Sequence[SeedFailure]) -> list[FailedSeedAnswer]:
    """Why each seed brought no page."""
    return [FailedSeedAnswer(**failure._asdict(), **explained(failure.reason)._asdict()) for failure in failures]


def early(stopped: Stopped, budget: Budget, pages: int, misses: Mapping[str, int]) -> str:
    """Why a hunt ended with budget left; empty if it did not."""
    limited = any((budget.pages, budget.bytes, budget.seconds, budget.share))
    if stopped.state != "finished" or stopped.reason != NOTHING_LEFT or not limited:
        return ""
    of = f"{pages:,} of {counted(budget.pages, 'page')}" if budget.pages else counted(pages, "page")
    said = [f"Ended early: nothing was left to fetch after {of}."]
    if total := sum(misses.values()):
        named = [f"{explained(reason).problem} ×{count:,}" for reason, count in _ranked(misses)]
        said.append(f"{counted(total, 'link')} brought no page: {', '.join(named)}.")
    if stopped.left_out:
        # One link may be found on many pages, so these counts do not tell how many links there were.
        named = [explained(reason).problem for reason, _ in _ranked(stopped.left_out)]
        said.append(f"Why other links were not followed: {', '.join(named)}.")
    said.append("Give it more seeds, or widen its scope.")
    return " ".join(said)


def _ranked(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:_REASONS]
