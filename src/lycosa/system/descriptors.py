"""File descriptors: take as many as the system allows, and know how many are free."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

MOST = 65_536
"""Descriptors at most: no process needs more, and some systems slow down when the limit is in the millions."""
RESERVE = 8
"""Descriptors kept free for the archive, the log and what libraries open briefly."""


def raise_limit() -> None:
    """Raise the soft limit of this process to its hard limit; its children inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Some systems refuse a limit that they announce; the old limit is good enough.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def limit() -> int:
    """How many descriptors this process may have open, MOST at most."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(soft, MOST)


def free() -> int:
    """How many more descriptors this process may open; 0 if that cannot be found out."""
    try:
        # Listing the folder takes a descriptor itself.
        return max(0, limit() - sum(1 for _ in Path("/dev/fd").iterdir()) + 1)
    except OSError:
        return 0


def can_open(count: int) -> bool:
    """Whether `count` descriptors can be opened at the same time."""
    opened: list[int] = []
    try:
        opened.append(os.open(os.devnull, os.O_RDONLY))
        opened.extend(os.dup(opened[0]) for _ in range(count - 1))
    except OSError:
        return False
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return True
