"""How a hunt ended, in words: why it and each of its seeds failed, or why it ended before its budget was spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lycosa.app.answers.hunt import FailedSeedAnswer, HuntStatus, Remedy
from lycosa.app.miss_reasons import explained
from lycosa.app.scope_words import outside_words
from lycosa.app.wording import counted
from lycosa.core.events import Stopped
from lycosa.engine.crawl import NOTHING_LEFT
from lycosa.engine.plan import Plan
from lycosa.engine.seed_failures import SeedFailure

FIX = "mend what is in the way of a seed, then resume the hunt: it tries all of them again"
_REASONS = 5
"""Reasons named at most, the most frequent first."""
_LOGIN = ("login wall", "status 401", "login refused", "access not ready")
_CHALLENGE = ("challenge",)
_FORBIDDEN, _TOO_MANY = ("status 403",), ("status 429",)
_OF_PAGES = {
    "type": ("types",),
    "language": ("languages",),
    "date": ("after", "before", "dated"),
    "size": ("min_size", "max_size"),
    "words": ("min_words", "max_words"),
}
"""The options behind the rules about pages; other rules have the names of their options."""


def problem_of(seeds: int) -> str:
    """The problem of a hunt whose seeds all failed."""
    return "its only seed could not be fetched" if seeds == 1 else f"none of its {seeds:,} seeds could be fetched"


def failed_seeds(failures: Sequence[SeedFailure]) -> list[FailedSeedAnswer]:
    """Why each seed brought no page."""
    return [FailedSeedAnswer(**failure._asdict(), **explained(failure.reason)._asdict()) for failure in failures]


def ended_early(stopped: Stopped, plan: Plan) -> bool:
    """Whether a hunt ended with budget left because it had followed every link that it may follow."""
    budget = plan.budget
    limited = any((budget.pages, budget.bytes, budget.seconds, budget.share))
    return stopped.state == "finished" and stopped.reason == NOTHING_LEFT and limited


def early(status: HuntStatus, remedies: Sequence[Remedy]) -> str:
    """Why a hunt ended with budget left, and what would help."""
    pages, budget, misses = status.pages, status.budget, status.misses
    of = f"{pages:,} of {counted(budget.pages, 'page')}" if budget.pages else counted(pages, "page")
    said = [f"Ended early: nothing was left to fetch after {of}."]
    if total := sum(misses.values()):
        named = [f"{explained(reason).problem} ×{count:,}" for reason, count in _ranked(misses)]
        said.append(f"{counted(total, 'link')} brought no page: {', '.join(named)}.")
    if status.left_out:
        # One link may be found on many pages, so these counts do not tell how many links there were.
        named = [explained(reason).problem for reason, _ in _ranked(status.left_out)]
        said.append(f"Why other links were not followed: {', '.join(named)}.")
    helps = "; ".join(f"{each.fix} ({each.cause})" if each.cause else each.fix for each in remedies)
    said.append(f"What would help: {helps}.")
    return " ".join(said)


def remedies_of(status: HuntStatus, *, renders: bool) -> list[Remedy]:
    """What would help a hunt that ended early, what is most frequent first, and more seeds last."""
    found: list[tuple[int, Remedy]] = []

    def add(count: int, cause: str, fix: str, *fields: str) -> None:
        if count:
            found.append((count, Remedy(cause=cause, fix=fix, fields=fields)))

    def seen(*reasons: str) -> int:
        return sum(status.misses.get(reason, 0) + status.withheld.get(reason, 0) for reason in reasons)

    shells = 0 if renders else max(status.rendering.shells, seen("needs scripts"))
    empty = f"{counted(shells, 'page')} {'is' if shells == 1 else 'are'} empty without JavaScript"
    add(shells, empty, "render pages in a browser", "render")
    login, challenge, forbidden = seen(*_LOGIN), seen(*_CHALLENGE), seen(*_FORBIDDEN)
    add(login, f"{counted(login, 'page')} behind a login", "say how to enter the hosts that ask for a login", "access")
    checks = f"{counted(challenge, 'check')} that visitors are no robots"
    add(challenge, checks, "ask the owners of the hosts that check their visitors", "contact")
    refused = f"{counted(forbidden, 'page')} that the servers do not let us see"
    add(forbidden, refused, "give a contact for webmasters, so that servers know who asks", "contact")
    often = seen(*_TOO_MANY)
    add(often, f"{counted(often, 'refusal')} for too many requests", "leave longer pauses", "delay")
    parts = [(status.pages_outside, "page"), (status.links_outside, "link")]
    outside = [(sum(counts.values()), outside_words(counts, noun)) for counts, noun in parts if counts]
    kinds = dict.fromkeys(rule.partition(" ")[0] for counts, _ in parts for rule in counts)
    fields = [field for kind in kinds for field in _OF_PAGES.get(kind, (kind,))]
    add(sum(count for count, _ in outside), ", ".join(words for _, words in outside), "widen its scope", *fields)
    found.sort(key=lambda item: -item[0])
    return [*(remedy for _, remedy in found), Remedy(cause="", fix="give it more seeds", fields=("seeds", "find"))]


def _ranked(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:_REASONS]
