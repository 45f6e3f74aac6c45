"""The index of a running hunt: it follows the log while pages come, and never slows down the crawl."""

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
"""Seconds that a hunt waits at its end for its index; pages still missing are added at the next search."""
_OFTEN = 2.0
_MANY = 1_000
"""Seconds and pages after which a hunt in virtual time updates its index."""


class IndexFollower(Protocol):
    """An index that follows a hunt."""

    trouble: str
    """What went wrong, in one line; empty if nothing did."""

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
        """The id of the indexer process."""
        return self._process.pid if self._process else None

    def look(self) -> None:
        """Nothing to do: the indexer process follows the log by itself."""

    async def finish(self, patience: float = PATIENCE) -> None:
        """Wait until everything in the log is indexed and the process has ended, `patience` seconds at most."""
        process = self._process
        if process is None:
            return
        assert process.stdin and process.stdout
        # The end of its input tells the indexer to finish.
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
        """End the process at once, if it still runs; this does not damage the index."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin and process.stdout
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


class InProcessIndex:
    """The index of a crawl in virtual time, updated between pages."""

    def __init__(self, folder: Path) -> None:
        self.trouble = ""
        self.spool = Held()
        self._folder = folder
        self._indexer: Indexer | None = None
        self._looked = time.monotonic()

    def look(self) -> None:
        """Index the spooled pages if enough have come or some time has passed; all must be in the log already."""
        if len(self.spool) >= _MANY or (len(self.spool) > 0 and time.monotonic() - self._looked > _OFTEN):
            self._catch_up()
            self._looked = time.monotonic()

    async def finish(self) -> None:
        """Index all that is left."""
        self._catch_up(last=True)
        self.close()

    def _catch_up(self, *, last: bool = False) -> None:
        try:
            if not self.trouble:
                # Imported here, so that a crawl without an index does not pay for it.
                from lycosa.engine.indexing import Indexer

                self._indexer = self._indexer or Indexer(self._folder, spool=self.spool)
                self._indexer.catch_up()
                if last:
                    self._indexer.settle()
        except Exception as error:
            # No problem with the index is a reason to lose a crawl.
            from lycosa.engine.indexing import told

            self.trouble = told(error)
            self.close()
        if self.trouble or last:
            self.spool.sweep(all=True)

    def close(self) -> None:
        """Close the index."""
        indexer, self._indexer = self._indexer, None
        if indexer:
            indexer.close()


def _end_of(code: int) -> str:
    if code == 0:
        return ""
    how = f"killed by signal {-code}" if code < 0 else f"ended with {code}"
    return f"the index is not up to date (its process was {how}); {LATER}"
