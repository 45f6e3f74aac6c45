"""The index of a live crawl in a process of its own: `python -m lycosa.engine.indexer_process FOLDER`.

It reads the log as it grows and commits about once a second, until its standard input ends; then it reads the log once
more, to its end. What went wrong, if anything did, it says on standard output in one line. Nothing waits for it while
the crawl runs.
"""

from __future__ import annotations

import ctypes
import gc
import os
import select
import signal
import sys
import time
import traceback
from pathlib import Path

from lycosa.engine.indexing import Indexer, told
from lycosa.index.index import Busy
from lycosa.system.descriptors import raise_limit

_DIE_WITH_PARENT = 1
_LESS_URGENT = 5
"""Niceness: whoever fetches goes first, but it is not starved."""
_PAUSE = 0.7
_LONGEST = 2.0
"""Seconds between two commits, at least and at most."""
_SHARE = 10
"""Commits may take one part of so many of the time."""
_SETTLE = 30.0
"""Seconds between two computations of what hangs on the whole, or so many times what it costs if that is more."""


class IndexerTask:
    """Follows the log of one collection until told that it is complete."""

    def __init__(self, folder: Path, stop: int) -> None:
        self.folder = folder
        self.stop = stop
        self._settle_at = time.monotonic() + _SETTLE

    def run(self) -> None:
        """Until standard input ends, and then once more."""
        indexer = self._open()
        try:
            while not self._told(min(_LONGEST, max(_PAUSE, _SHARE * indexer.commit_cost))):
                indexer.catch_up(every=_LONGEST)
                self._settle_if_due(indexer)
            indexer.catch_up()
            indexer.settle()
            indexer.sweep()
        finally:
            indexer.close()

    def _open(self) -> Indexer:
        """Wait for whoever else writes this index, as long as there is time."""
        while True:
            try:
                return Indexer(self.folder)
            except Busy:
                if self._told(_PAUSE):
                    raise

    def _told(self, seconds: float) -> bool:
        """Whether, within so many seconds, it is told that nothing more will come."""
        return bool(select.select([self.stop], [], [], seconds)[0])

    def _settle_if_due(self, indexer: Indexer) -> None:
        now = time.monotonic()
        if now > self._settle_at:
            indexer.settle()
            self._settle_at = time.monotonic() + max(_SETTLE, _SHARE * (time.monotonic() - now))


def main() -> None:
    """As with scouts, only the brain decides what signals mean, and none outlives it."""
    raise_limit()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    os.nice(_LESS_URGENT)
    # As in a scout: what is there now stays.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    try:
        IndexerTask(Path(sys.argv[1]), sys.stdin.fileno()).run()
    except Exception as error:
        traceback.print_exc()
        print(told(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
