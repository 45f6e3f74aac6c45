"""The index of a live crawl in a process of its own: `python -m lycosa.engine.indexer_process FOLDER`.

It reads the log as it grows and commits about once a second, until its standard input ends; then it reads the log once
more, to its end. If anything goes wrong, it prints one line on standard output. The crawl never waits for it while it
runs.
"""

from __future__ import annotations

import gc
import os
import select
import sys
import time
import traceback
from pathlib import Path

from lycosa.engine.indexing import Indexer, told
from lycosa.index.index_errors import Busy
from lycosa.system.descriptors import raise_limit
from lycosa.system.signals import leave_to_parent

_LESS_URGENT = 5
"""Niceness: the scouts have priority, but the indexer is not starved."""
_PAUSE = 0.7
_LONGEST = 2.0
"""Seconds between two commits, at least and at most."""
_SHARE = 10
"""Commits may take one part in this many of the time."""
_SETTLE = 30.0
"""Seconds between two calls of `settle`, or _SHARE times the last one's duration if that is more."""


class IndexerTask:
    """Follows the log of one collection until it is told that the log is complete."""

    def __init__(self, folder: Path, stop: int) -> None:
        self.folder = folder
        self.stop = stop
        self._settle_at = time.monotonic() + _SETTLE

    def run(self) -> None:
        """Index until standard input ends, and then once more."""
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
        """Open the index; waits for another process that writes it until standard input ends."""
        while True:
            try:
                return Indexer(self.folder)
            except Busy:
                if self._told(_PAUSE):
                    raise

    def _told(self, seconds: float) -> bool:
        """Whether standard input ends within so many seconds, which means that the log is complete."""
        return bool(select.select([self.stop], [], [], seconds)[0])

    def _settle_if_due(self, indexer: Indexer) -> None:
        now = time.monotonic()
        if now > self._settle_at:
            indexer.settle()
            self._settle_at = time.monotonic() + max(_SETTLE, _SHARE * (time.monotonic() - now))


def main() -> None:
    """Run an indexer."""
    raise_limit()
    leave_to_parent()
    os.nice(_LESS_URGENT)
    # As in a scout: the objects made so far stay.
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
