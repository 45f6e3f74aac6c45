"""What rendering pages in a browser costs: how many pages, how many further requests, how much slower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lycosa.core.nouns import Visit

PAGES, SHELLS, REQUESTS, PLAIN, BROWSER = "pages", "shells", "requests", "plain ms", "browser ms"
"""What is counted: rendered pages, pages left as empty shells, further requests, and milliseconds without and in it."""


class Rendering(NamedTuple):
    """How a page was rendered."""

    plain: float
    """Seconds until its plain answer was there, the host's pause included."""
    browser: float
    """Seconds that rendering took after that."""
    requests: int
    """Requests that its scripts made."""


def render_counts(visit: Visit) -> dict[str, int]:
    """What a visit adds to the counts; empty for most pages."""
    if (done := visit.rendering) is not None:
        times = {PLAIN: round(1000 * done.plain), BROWSER: round(1000 * done.browser)}
        return {PAGES: 1, REQUESTS: done.requests, **times}
    return {SHELLS: 1} if visit.shell else {}


class RenderCost(NamedTuple):
    """The cost of all rendered pages together."""

    pages: int
    """Pages whose text is that of a browser."""
    shells: int
    """Pages that are empty without scripts and were not rendered."""
    requests: int
    seconds: float
    """Mean seconds that a page took in the browser."""
    slower: float | None
    """How many times as long a rendered page took as its plain answer alone; None if none was rendered."""


def render_cost(counts: Mapping[str, int]) -> RenderCost:
    """The cost that counts add up to."""
    pages, plain, browser = (counts.get(name, 0) for name in (PAGES, PLAIN, BROWSER))
    return RenderCost(
        pages,
        counts.get(SHELLS, 0),
        counts.get(REQUESTS, 0),
        browser / pages / 1000 if pages else 0.0,
        (plain + browser) / max(plain, 1) if pages else None,
    )
