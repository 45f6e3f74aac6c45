"""Worker processes: call a function of Lycosa with many arguments, on all cores, with the results in order."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from lycosa.system.descriptors import raise_limit
from lycosa.system.errors import Code, Refused
from lycosa.system.signals import die_with_parent, interrupts_blocked

A = TypeVar("A")
B = TypeVar("B")


def cores() -> int:
    """The number of CPU cores that this process may use."""
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

    At most `ahead` arguments per process are under way, so neither they nor the results pile up. Closing the iterator
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
    """Freshly started processes: same hash seed in all, no part of the caller's script, Ctrl-C ignored."""
    before = set(_started)
    workers = _Pool(processes, _Afresh(), _begin, (os.getpid(), opened, given))
    try:
        yield workers
    except BrokenProcessPool:
        fix = "check whether there is enough memory, then run it again: what is finished is kept"
        raise Refused("a worker process was killed", fix, code=Code.PROCESS_DIED) from None
    finally:
        # A caller that leaves early does not want the rest.
        thread = getattr(workers, "_executor_manager_thread", None)
        workers.shutdown(wait=False, cancel_futures=True)
        for process in _started - before:
            if process.is_alive():
                process.terminate()
        # A pool that was told not to wait forgets its thread, which would still be closing pipes when Python ends.
        if thread:
            thread.join()
        _started.intersection_update(before)


class _Pool(ProcessPoolExecutor):
    """A pool whose processes report with their first result why they could not begin."""

    def submit(self, function: Callable[..., B], /, *args: Any, **options: Any) -> Future[B]:
        """Call a function in a process; this may start one, so Ctrl-C is held back until that is done."""
        with _undisturbed():
            return super().submit(_call, function, args, options)


_started: set[_Process] = set()
_trouble: BaseException | None = None


def _begin(parent: int, opened: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    global _trouble
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)
    raise_limit()
    try:
        if opened:
            opened(*given)
    except Exception as error:
        _trouble = error


def _call(function: Callable[..., B], args: tuple[Any, ...], options: dict[str, Any]) -> B:
    if _trouble:
        raise _trouble
    return function(*args, **options)


class _Process(SpawnProcess):
    """A process that does not import the caller's script: only functions of Lycosa run in it."""

    def start(self) -> None:
        """Start, and register first, so that an interrupted caller knows of this process nevertheless."""
        _started.add(self)
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


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Start processes with Ctrl-C blocked, since it reaches all processes of a terminal; ours is raised afterwards."""
    heard: list[int] = []
    # Only the main thread may set signal handlers.
    ours = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number)) if ours else None
    try:
        with interrupts_blocked():
            yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, handler)
    if heard:
        signal.raise_signal(signal.SIGINT)


class _Afresh(SpawnContext):
    Process = _Process
