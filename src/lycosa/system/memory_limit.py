"""A limit on the memory that a piece of work may take, where the system has one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATM = Path("/proc/self/statm")


@contextmanager
def at_most(more: int) -> Iterator[None]:
    """Within this block the process may take so many bytes more than it has; 0 sets no limit."""
    if not more or not _STATM.exists():
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    has = int(_STATM.read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    limit = has + more
    if soft != resource.RLIM_INFINITY:
        limit = min(limit, soft)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
