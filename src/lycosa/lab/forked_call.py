"""Calls of a strategy's code: in a copy of this process, and with a plain answer whatever happens."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from lycosa.lab.sandbox import FAIR, Cheated
from lycosa.system.errors import Refused
from lycosa.system.signals import die_with_parent

T = TypeVar("T")


class CallTrouble(Struct, frozen=True):
    """Why there is no answer: problem and fix of the Refused that the caller raises."""

    problem: str
    fix: str


def attempt(label: str, function: Callable[[], T]) -> T | CallTrouble:
    """The result of a function that runs the code of a strategy, or what went wrong."""
    try:
        return function()
    except Cheated as cheated:
        return CallTrouble(str(cheated), FAIR)
    except Refused as refused:
        return CallTrouble(refused.problem, refused.fix)
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1:]
        where = f" at {place[0].filename}:{place[0].lineno}" if place else ""
        return CallTrouble(
            f"strategy {label} failed ({type(error).__name__}: {error}{where})", "correct it and run again"
        )


def in_a_copy(label: str, function: Callable[[], T]) -> T | CallTrouble:
    """The same in a forked copy of this process, which then ends: whatever the function changes is gone."""
    reading, writing = os.pipe()
    parent = os.getpid()
    copy = os.fork()
    if copy == 0:
        _answer(lambda: attempt(label, function), writing, parent)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    if code or not data:
        end = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        return CallTrouble(
            f"the process of strategy {label} {end}",
            "finished crawls are kept, so run it again; with fewer processes if memory was short",
        )
    found: T | CallTrouble = pickle.loads(data)
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
