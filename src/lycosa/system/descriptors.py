"""File descriptors: take as many as the system allows, and know how many are free."""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from pathlib import Path

MOST = 65_536
"""No process of ours needs more, and some systems slow down when the limit is in the millions."""
RESERVE = 8
"""Descriptors kept free for the archive, the log and whatever a library opens for a moment."""


def raise_limit() -> None:
    """Raise the soft limit of this process to its hard limit; its children inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Some systems promise more than they give; the old limit is still a limit to live with.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def limit() -> int:
    """How many descriptors this process may have open, as far as we make use of it."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else min(soft, MOST)


def free() -> int:
    """How many more descriptors this process may open; 0 where not even that can be found out."""
    try:
        # Listing the folder takes a descriptor itself.
        return max(0, limit() - sum(1 for _ in Path("/dev/fd").iterdir()) + 1)
    except OSError:
        return 0


def can_open(count: int) -> bool:
    """Whether so many descriptors can be opened at the same time."""
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
