"""The index beside a hunt: it follows the log while pages come, and never stands in the way of the crawl."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lycosa.engine.spool import LATER, Held
from lycosa.system.signals import interrupts_blocked

if TYPE_CHECKING:
    from lycosa.engine.indexing import Indexer

PATIENCE = 60.0
"""Seconds that a hunt waits at its end for its index; what is lacking then is added at the next search."""
_OFTEN = 2.0
_MANY = 1_000
"""Seconds and pages after which a hunt in virtual time looks after its index."""


class IndexFollower(Protocol):
    """An index that follows a hunt."""

    trouble: str
    """What went wrong, in one line, if anything did."""

    def look(self) -> None: ...

    async def finish(self) -> None: ...

    def close(self) -> None: ...


class LiveIndex:
    """The index of a live crawl, in a process of its own (indexer_process.py)."""

    def __init__(self, folder: Path) -> None:
        self.trouble = ""
        self._process: subprocess.Popen[bytes] | None = None
        try:
            with (folder / "scouts.log").open("ab") as complaints, interrupts_blocked():
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "lycosa.engine.indexer_process", str(folder)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=complaints,
                )
        except OSError as error:
            self.trouble = f"the index was not made ({error}); {LATER}"

    @property
    def pid(self) -> int | None:
        """The process that indexes."""
        return self._process.pid if self._process else None

    def look(self) -> None:
        """It looks by itself."""

    async def finish(self, patience: float = PATIENCE) -> None:
        """Have everything indexed that is in the log now, and see the process end."""
        process = self._process
        if process is None:
            return
        assert process.stdin and process.stdout
        # This is how it is told.
        process.stdin.close()
        deadline = time.monotonic() + patience
        wait = 0.005
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(wait)
            wait = min(0.1, 1.5 * wait)
        if process.poll() is None:
            self.trouble = f"the index is not complete yet; {LATER}"
        else:
            self.trouble = process.stdout.read().decode().strip() or _end_of(process.returncode)
        self.close()

    def close(self) -> None:
        """End the process at once, if it still runs; the index is none the worse for it."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin and process.stdout
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


class InProcessIndex:
    """The index of a crawl in virtual time, looked after between pages."""

    def __init__(self, folder: Path) -> None:
        self.trouble = ""
        self.spool = Held()
        self._folder = folder
        self._indexer: Indexer | None = None
        self._looked = time.monotonic()

    def look(self) -> None:
        """Take in what has come, if that is worth while; all of it must be in the log."""
        if len(self.spool) >= _MANY or (len(self.spool) > 0 and time.monotonic() - self._looked > _OFTEN):
            self._catch_up()
            self._looked = time.monotonic()

    async def finish(self) -> None:
        """Take in all that is left."""
        self._catch_up(last=True)
        self.close()

    def _catch_up(self, *, last: bool = False) -> None:
        try:
            if not self.trouble:
                # A crawl that is not indexed does not pay for it.
                from lycosa.engine.indexing import Indexer

                self._indexer = self._indexer or Indexer(self._folder, spool=self.spool)
                self._indexer.catch_up()
                if last:
                    self._indexer.settle()
        except Exception as error:
            # Whatever it is, it is no reason to lose a crawl.
            from lycosa.engine.indexing import told

            self.trouble = told(error)
            self.close()
        if self.trouble or last:
            self.spool.sweep(all=True)

    def close(self) -> None:
        """Let go of the index."""
        indexer, self._indexer = self._indexer, None
        if indexer:
            indexer.close()


def _end_of(code: int) -> str:
    if code == 0:
        return ""
    how = f"killed by signal {-code}" if code < 0 else f"ended with {code}"
    return f"the index is not up to date (its process was {how}); {LATER}"
