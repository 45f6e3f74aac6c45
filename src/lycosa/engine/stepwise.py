"""Asynchronous generators for code that is not asynchronous: a plain loop takes one item after another.

Outside an event loop, the generator runs here, between two items of the loop. Inside one, as in Jupyter, it runs in a
thread with an event loop of its own, because an event loop cannot run inside another. The loop then blocks, as any
plain loop does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_LOOK = 0.1
"""Seconds after which a waiting thread looks whether it was asked to end."""


class _Runs(Protocol):
    def run(self, work: Coroutine[Any, Any, R]) -> R: ...


def stepwise(items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
    """The items of an asynchronous generator, which is closed at the end."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with asyncio.Runner() as runner:
            yield from _steps(items, runner)
    else:
        with ThreadPoolExecutor(1, "lycosa") as thread:
            yield from _steps(items, _ThreadRunner(thread))


def _steps(items: AsyncGenerator[T, None], runner: _Runs) -> Generator[T, None, None]:
    end = object()
    try:
        while (item := runner.run(_next(items, end))) is not end:
            yield item  # type: ignore[misc]
    finally:
        runner.run(items.aclose())
        if isinstance(runner, _ThreadRunner):
            runner.close()


async def _next(items: AsyncGenerator[T, None], end: object) -> T | object:
    return await anext(items, end)


class _ThreadRunner:
    """Runs coroutines in a thread, all in the same event loop."""

    def __init__(self, thread: ThreadPoolExecutor) -> None:
        self._thread = thread
        self._runner = asyncio.Runner()
        self._waiting = asyncio.current_task()
        self._asked = self._waiting.cancelling() if self._waiting else 0

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        """The result of a coroutine; if the task that waits for it is interrupted, the coroutine is cancelled."""
        running: list[asyncio.Task[Any]] = []
        done = self._thread.submit(self._runner.run, _told(work, running))
        try:
            while not done.done():
                # The first Ctrl-C under asyncio.run only asks the task to end, which a plain loop would not notice.
                if self._waiting and self._waiting.cancelling() > self._asked:
                    self._asked = self._waiting.cancelling()
                    raise asyncio.CancelledError
                wait([done], _LOOK)
            return done.result()
        except BaseException:
            if not done.done() and running:
                self._runner.get_loop().call_soon_threadsafe(running[0].cancel)
            done.exception()
            raise

    def close(self) -> None:
        """Close the event loop."""
        self._thread.submit(self._runner.close).result()


async def _told(work: Coroutine[Any, Any, R], running: list[asyncio.Task[Any]]) -> R:
    task = asyncio.current_task()
    assert task
    running.append(task)
    return await work
