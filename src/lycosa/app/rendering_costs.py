"""What reading pages from a browser has cost a hunt, in words and figures."""

from __future__ import annotations

from collections.abc import Mapping

from lycosa.app.answers.hunt import RenderingAnswer
from lycosa.app.wording import counted
from lycosa.core.rendering import render_cost

_MANY = 0.05
"""Share of a hunt's pages from which empty shells are worth a word."""


_ADVICE = (
    "it has text only in a browser, so let the next hunt render it",
    "they have text only in a browser, so let the next hunt render them",
)


def rendering_answer(counts: Mapping[str, int], pages: int) -> RenderingAnswer:
    """The cost that a hunt's counts add up to."""
    cost = render_cost(counts)
    many = cost.shells > 0 and cost.shells >= _MANY * pages
    return RenderingAnswer(
        pages=cost.pages,
        requests=cost.requests,
        seconds=cost.seconds,
        slower=cost.slower,
        shells=cost.shells,
        advice=_ADVICE[cost.shells != 1] if many else "",
    )


def rendering_words(cost: RenderingAnswer) -> str:
    """The cost in one line; empty if there is none worth a word."""
    said = []
    if cost.pages:
        slower = f", {cost.slower:,.0f} times as slow as without" if cost.slower and cost.slower >= 2 else ""
        asked = counted(cost.requests, "further request")
        said.append(f"{counted(cost.pages, 'page')} rendered in {cost.seconds:.1f} s each{slower}, {asked}")
    if cost.advice:
        said.append(f"{counted(cost.shells, 'page')} empty without JavaScript: {cost.advice}")
    return "; ".join(said)
