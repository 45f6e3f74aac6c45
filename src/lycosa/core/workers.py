"""Worker processes: a function of Lycosa over many arguments, on all cores, with the answers in order."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from lycosa.core.errors import Refused

A = TypeVar("A")
B = TypeVar("B")
_PDEATHSIG = 1


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    function: Callable[[A], B],
    arguments: Iterable[A],
    *,
    processes: int | None = None,
    opened: Callable[..., object] | None = None,
    given: tuple[Any, ...] = (),
    ahead: int = 4,
) -> Iterator[B]:
    """function(argument) for each argument, in their order; `opened(*given)` is called first in every process.

    At most `ahead` arguments a process are under way, so neither they nor the answers pile up. Whoever stops asking
    stops the processes.
    """
    waiting, count = iter(arguments), processes or cores()
    with pool(count, opened, given) as workers:
        under_way = deque(workers.submit(function, argument) for argument in islice(waiting, ahead * count))
        while under_way:
            answer = under_way.popleft().result()
            under_way.extend(workers.submit(function, argument) for argument in islice(waiting, 1))
            yield answer


@contextmanager
def pool(
    processes: int, opened: Callable[..., object] | None = None, given: tuple[Any, ...] = ()
) -> Iterator[ProcessPoolExecutor]:
    """Processes that start afresh: same hash seed everywhere, no part of the caller's script, deaf to Ctrl-C."""
    workers = ProcessPoolExecutor(processes, _Afresh(), _begin, (os.getpid(), opened, given))
    try:
        yield workers
    except BrokenProcessPool:
        raise Refused(
            "a worker process was killed", "look for too little memory; what is finished is kept, so run it again"
        ) from None
    finally:
        # Who leaves early does not want the rest.
        running = list((workers._processes or {}).values())
        workers.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.terminate()
        workers.shutdown(wait=True)


def die_with(parent: int) -> None:
    """Have this process killed when the one that started it ends, however it ends; where Linux is."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it was quicker
            os._exit(1)


def _begin(parent: int, opened: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    if opened:
        opened(*given)


class _Process(SpawnProcess):
    """A process that does not import the caller's script: only functions of Lycosa run in it."""

    def start(self) -> None:
        script, environment = sys.modules["__main__"].__dict__, os.environ.copy()
        kept: dict[str, Any] = {name: script.pop(name) for name in ("__file__", "__spec__") if name in script}
        script["__spec__"] = None
        os.environ["PYTHONHASHSEED"] = "0"
        try:
            super().start()
        finally:
            script.pop("__spec__")
            script.update(kept)
            os.environ.pop("PYTHONHASHSEED")
            os.environ.update(environment)


class _Afresh(SpawnContext):
    Process = _Process
