"""Calls in a copy of this process: whatever they change is gone when the answer is there."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from lycosa.system.signals import die_with_parent

T = TypeVar("T")


class CallTrouble(Struct, frozen=True):
    """Why there is no answer: problem and fix of the Refused that the caller raises."""

    problem: str
    fix: str


class Lost(Exception):
    """The copy ended without an answer."""


def in_a_copy(function: Callable[[], T]) -> T:
    """Call a function in a forked copy of this process, which then ends, and return its result."""
    reading, writing = os.pipe()
    parent = os.getpid()
    copy = os.fork()
    if copy == 0:
        _answer(function, writing, parent)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    if code or not data:
        raise Lost(f"was killed by signal {-code}" if code < 0 else f"ended with code {code}")
    found: T = pickle.loads(data)
    return found


def _answer(function: Callable[[], object], writing: int, parent: int) -> None:
    try:
        # A strategy that never returns would otherwise outlive the process that waits for it.
        die_with_parent(parent)
        data = pickle.dumps(function())
        with os.fdopen(writing, "wb") as answer:
            answer.write(data)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)
