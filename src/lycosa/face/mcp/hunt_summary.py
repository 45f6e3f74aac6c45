"""Summarises the state of a hunt for an agent: as data, as a line of text, and with advice."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.estimates import worded
from lycosa.app.jobs.hunt_state import AT_WORK
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import remote_options
from lycosa.app.wording import counted, harvest_words, probability
from lycosa.face.mcp.tool_results import (
    EstimateResult,
    FailedSeed,
    FailedSeedWords,
    HuntBudget,
    JudgedPages,
    PageResult,
    RenderingResult,
    Words,
)
from lycosa.face.mcp.untrusted_text import address, line, ours

BEST = 10
"""How many of the best pages an answer holds."""
_ENOUGH = 0.9
"""Share of the relevant pages that counts as most of them (our choice)."""
_FALLEN = 0.5
"""Share of the harvest so far below which new pages are no longer worth their cost (our choice)."""


def advise(status: HuntStatus, harvest: float | None, before: float) -> tuple[bool, str]:
    """Whether to continue a hunt, and why: from its state, its frontier, its estimate and its latest harvest."""
    if status.state in AT_WORK:
        return True, "It is still running: crawl_more with pages=0 waits for the rest, pause_hunt ends it."
    if status.failures:
        return False, "No seed could be fetched: crawl_more with pages=0 tries them again, or start a hunt from others."
    if status.problem:
        return False, "It stopped for the problem named here."
    if status.queued == 0:
        names = {field.name for field in remote_options(HuntRequest)}
        helps = [name for remedy in status.remedies if remedy.cause for name in remedy.fields if name in names]
        others = f"; these arguments would help: {', '.join(dict.fromkeys(helps))}" if helps else ""
        return False, f"No link is left to follow: start another hunt from other seeds or with other keywords{others}."
    estimate = status.estimate
    if estimate and estimate.found >= _ENOUGH * estimate.total:
        return False, "Most of the relevant pages that can be found from here seem to be found."
    if harvest is not None and before and harvest < _FALLEN * before:
        return False, (
            "The new pages fit much less than those before: look at peek_frontier, judge pages_in_doubt, or end here."
        )
    return True, "Going on is likely to bring more: crawl_more."


def facts_of(name: str, status: HuntStatus) -> dict[str, Any]:
    """The fields of a `HuntResult`, from the status that `HuntJobs` gives."""
    budget, estimate = status.budget, status.estimate
    return {
        "name": name,
        "state": status.state,
        "problem": ours(status.problem),
        "fix": ours(status.fix),
        "failures": [
            FailedSeed(
                problem=ours(each.problem),
                fix=ours(each.fix),
                untrusted=FailedSeedWords(url=address(each.url), at=address(each.at)),
            )
            for each in status.failures[:BEST]
        ],
        "early": ours(status.early, 2000),
        "keywords": line(status.keywords, 500),
        "strategy": status.strategy,
        "pages": status.pages,
        "bytes": status.bytes,
        "harvest": status.harvest,
        "hosts": status.hosts,
        "queued": status.queued,
        "misses": {ours(reason, 80): count for reason, count in list(status.misses.items())[:20]},
        "withheld": {ours(reason, 80): count for reason, count in list(status.withheld.items())[:20]},
        "estimate": EstimateResult(**asdict(estimate)) if estimate else None,
        "too_early": status.too_early,
        "judged": JudgedPages(
            pages=status.judged.pages,
            relevant=status.judged.relevant,
            by={ours(origin, 80): count for origin, count in status.judged.by.items()},
        ),
        "rendering": RenderingResult(
            pages=status.rendering.pages,
            seconds=status.rendering.seconds,
            shells=status.rendering.shells,
            advice=status.rendering.advice,
        ),
        "hunt_budget_left": HuntBudget(
            pages=None if budget.pages is None else max(0, budget.pages - status.pages),
            bytes=None if budget.bytes is None else max(0, budget.bytes - status.bytes),
        ),
        "best": [page_of(row.relevance, row.url, row.title, row.known) for row in status.best[:BEST]],
    }


def in_words(status: HuntStatus) -> str:
    """The same as a line of text in our own words."""
    estimate = status.estimate
    relevant = (
        f"relevant pages: {worded(estimate)}"
        if estimate
        else f"too early to tell how many relevant pages there are ({status.too_early})"
    )
    problem = f" ({ours(status.problem)})" if status.problem else ""
    return (
        f"{status.name}: {status.state}{problem}, {counted(status.pages, 'page')} of "
        f"{counted(status.hosts, 'host')}, "
        f"harvest: {harvest_words(status.harvest)}, {relevant}, {counted(status.queued, 'link')} to follow."
        + (f" {ours(status.early, 2000)}" if status.early else "")
        + "".join(f" A seed failed: {ours(why)}." for why in {each.line: None for each in status.failures[:BEST]})
    )


def page_of(relevance: float | None, url: str, title: str, known: str = "") -> PageResult:
    """The result for a page that was fetched."""
    return PageResult(relevance=relevance, known=known, untrusted=Words(url=address(url), title=line(title)))


def shown(page: PageResult) -> str:
    """A page as a line of a block of untrusted text."""
    return f"{probability(page.relevance, page.known)}: {page.untrusted.url} «{page.untrusted.title}»"
