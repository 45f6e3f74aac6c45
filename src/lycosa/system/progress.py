"""Progress: how long work says how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], object]
"""Called with the name of the step, how much of it is done, and the total (0 if it is unknown)."""


def no_progress(step: str, done: int, total: int) -> None:
    """For callers that do not want to know."""
