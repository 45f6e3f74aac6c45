"""Budgets that only grow."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import convert

from lycosa.engine.plan import Budget
from lycosa.system.errors import Code, Refused

N = TypeVar("N", int, float)


def budget_of(plan: dict[str, Any] | None) -> Budget:
    """The budget of a plan as the log stores it; without any limit if there is no plan."""
    return convert(plan["budget"], Budget) if plan else Budget(pages=None)


def larger(one: Budget | None, other: Budget) -> Budget:
    """The larger of two budgets in every part; no limit is the largest."""
    if one is None:
        return other
    return Budget(
        _most(one.pages, other.pages), _most(one.bytes, other.bytes), _most(one.seconds, other.seconds), other.share
    )


def grown(budget: Budget, pages: int, bytes: int, seconds: float) -> Budget:
    """A budget extended by so much of each part; a part without a limit stays so."""
    if not all(0 <= more < 2**62 for more in (pages, bytes, seconds)) or not (pages or bytes or seconds):
        raise Refused(
            "a budget is extended by something", "say how many more pages, bytes or seconds", code=Code.OUT_OF_RANGE
        )
    return Budget(_plus(budget.pages, pages), _plus(budget.bytes, bytes), _plus(budget.seconds, seconds), budget.share)


def _most(one: N | None, other: N | None) -> N | None:
    return None if one is None or other is None else max(one, other)


def _plus(limit: N | None, more: N) -> N | None:
    return None if limit is None else limit + more
