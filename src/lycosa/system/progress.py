"""How long work reports how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Called with how many are done, and of how many."""
StageProgress = Callable[[str, int, int], object]
"""Called with the stage of the work, how much of it is done, and the total (0 if it is unknown)."""


def no_progress(stage: str, done: int, total: int) -> None:
    """For callers that do not want to know."""
