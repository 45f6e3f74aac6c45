"""A browser in processes of its own: started, watched, and killed when it is too large, hangs, or is not needed."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from lycosa.system.errors import Code, Refused
from lycosa.web.rendering.browser_flags import browser_flags

_START = 60.0
"""Seconds that a browser may take to start on a busy machine."""
_LOOK = 0.5
"""Seconds between two looks at how much memory it takes."""
_IDLE = 120.0
"""Seconds without a page after which a browser is closed, to be started again when it is needed."""
_PATIENCE = 3.0
"""Seconds that closing a page may take; if it takes longer, something hangs."""


class BrowserProcess:
    """One running browser with its Playwright driver. It is used until `lost`, and then replaced."""

    def __init__(self, path: str, memory: int) -> None:
        self._path = path
        self._memory = memory << 20
        # Bound but not listening: nobody else gets the port, and nobody ever answers there.
        self._dead = socket.socket()
        self._dead.bind(("127.0.0.1", 0))
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._watch: asyncio.Task[None] | None = None
        self._users = 0
        self._used = time.monotonic()
        self.pid = 0
        self.problem = ""
        """Why it was killed; empty if it was not."""
        self.one_page = False
        """Whether only one page was in it then, which must be to blame."""

    @property
    def lost(self) -> bool:
        """Whether it can no longer be used."""
        return bool(self.problem) or self._browser is None or not self._browser.is_connected()

    async def start(self) -> Self:
        """Start it; raises Refused if that is not possible."""
        try:
            # Not left behind by a crawl that is killed, because it is only needed for a moment.
            with tempfile.TemporaryDirectory(prefix="lycosa-browser-") as folder:
                async with asyncio.timeout(_START):
                    await self._launch(Path(folder))
        except (Error, OSError, ValueError) as error:
            await self.close()
            said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise Refused(
                f"the browser {self._path} cannot be started ({said})",
                "see whether it starts by itself, or give another one",
                code=Code.PROCESS_DIED,
                field="browser",
            ) from None
        self._watch = asyncio.create_task(self._watching())
        return self

    async def _launch(self, folder: Path) -> None:
        script, pid = folder / "browser", folder / "pid"
        words = [sys.executable, "-m", "lycosa.web.rendering.launch", str(pid), self._path]
        script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        script.chmod(0o700)
        heap = max(64, (self._memory >> 20) // 2)
        self._playwright = await async_playwright().start()
        self._browser = await self._playwright.chromium.launch(
            executable_path=script,
            args=browser_flags(self._dead.getsockname()[1], heap),
            # Root has no sandbox to go into.
            chromium_sandbox=os.getuid() != 0,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=1000 * _START,
        )
        self.pid = int(pid.read_text())

    async def open(self, agent: str) -> BrowserContext:
        """A place for one page, in which nothing is known of others."""
        assert self._browser
        self._users += 1
        try:
            return await self._browser.new_context(
                user_agent=agent,
                # What a page loads only when it is scrolled into view is in view.
                viewport={"width": 1280, "height": 4000},
                service_workers="block",
                accept_downloads=False,
            )
        except BaseException:
            self._left()
            raise

    async def leave(self, context: BrowserContext) -> None:
        """Close the place of a page; a browser that cannot do this in time hangs, and is killed."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await context.close()
        except Error:
            pass
        except TimeoutError:
            self.kill("hung")
        finally:
            self._left()

    def _left(self) -> None:
        self._users -= 1
        self._used = time.monotonic()

    def kill(self, problem: str) -> None:
        """End every process of the browser at once."""
        if not self.lost and self.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        if not self.problem:
            self.problem, self.one_page = problem, self._users == 1

    async def close(self) -> None:
        """End the browser and its driver, killing what does not end."""
        if self._watch and self._watch is not asyncio.current_task():
            self._watch.cancel()
        try:
            async with asyncio.timeout(_PATIENCE):
                if self._browser and not self.lost:
                    await self._browser.close()
        except (Error, TimeoutError):
            self.kill("hung")
        with suppress(Exception):
            async with asyncio.timeout(_PATIENCE):
                if self._playwright:
                    await self._playwright.stop()
        self._dead.close()

    async def _watching(self) -> None:
        while not self.lost:
            await asyncio.sleep(_LOOK)
            if self._users and memory_of(self.pid) > self._memory:
                self.kill("too much memory")
            elif not self._users and time.monotonic() - self._used > _IDLE:
                self.kill("not needed")
                await self.close()


def memory_of(pid: int) -> int:
    """Bytes of memory that a process and its descendants have for themselves; 0 where the system does not tell."""
    total, left = 0, [pid]
    while left:
        folder = Path(f"/proc/{left.pop()}")
        with suppress(OSError):
            for line in (folder / "status").read_text().splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    total += int(line.split()[1]) << 10
            for task in (folder / "task").iterdir():
                left += map(int, (task / "children").read_text().split())
    return total
