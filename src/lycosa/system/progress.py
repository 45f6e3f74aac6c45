"""How long work reports how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Called with how many are done, and of how many."""
StageProgress = Callable[[str, int, int], object]
"""Called with the stage of the work, how much of it is done, and of how much."""
