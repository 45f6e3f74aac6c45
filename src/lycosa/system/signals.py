"""Child processes: Ctrl-C in a terminal does not reach them, because their parent decides; they end with it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PDEATHSIG = 1
"""Linux's PR_SET_PDEATHSIG."""


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C here and in processes started meanwhile, from their first moment on."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def die_with_parent(parent: int | None = None) -> None:
    """Have this process killed when the one that started it ends, however it ends; on Linux only.

    If `parent` is given and has already ended, this process ends at once.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def leave_to_parent() -> None:
    """Ignore signals that reach all processes of a terminal or a service, and die with the parent."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    die_with_parent()
