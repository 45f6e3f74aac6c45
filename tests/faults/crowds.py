"""What searches take at `lycosa serve`, alone and beside a crowd (`crowd.py`)."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import ProxyHandler, build_opener

import psutil

import lycosa
from lycosa.web.made import Made

CROWD = Path(__file__).with_name("crowd.py")
DESCRIPTORS = 1024
LIMIT = 120.0
"""Seconds to wait until a crowd has been let in."""
RATE = 10
"""Searches a second."""
_ask = build_opener(ProxyHandler({})).open


@contextmanager
def serving(home: Path, log: Path, options: Sequence[str], hard: bool) -> Iterator[tuple[int, psutil.Process]]:
    """A server on a free port; `hard` keeps it from raising its limit of descriptors."""

    def limit() -> None:
        most = DESCRIPTORS if hard else resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, most))

    command = [sys.executable, "-m", "lycosa", "serve", "--home", str(home), "--port", "0", *options]
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=limit) as process,
    ):
        try:
            assert process.stdout
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found
            yield int(found[1]), psutil.Process(process.pid)
        finally:
            process.terminate()


def slowness() -> float:
    """How many times longer work takes than it would on a machine that does nothing else, by half a second of it."""
    began, worked = time.monotonic(), time.process_time()
    while time.process_time() - worked < 0.5:
        sum(range(10_000))
    return max(1.0, (time.monotonic() - began) / (time.process_time() - worked))


def searches(port: int, words: str, seconds: float) -> dict[str, Any]:
    """Ask ten times a second, whether or not the last answer has come, over a new connection each time."""
    url = f"http://127.0.0.1:{port}/api/search?query={quote(words)}"

    def search(number: int) -> tuple[float, bool]:
        time.sleep(max(0.0, began + number / RATE - time.monotonic()))
        asked = time.perf_counter()
        try:
            with _ask(url, timeout=60) as answer:
                good = bool(json.load(answer)["results"])
        except (URLError, OSError):
            good = False
        return time.perf_counter() - asked, good

    with ThreadPoolExecutor(100) as pool:
        began = time.monotonic()
        found = sorted(pool.map(search, range(round(RATE * seconds))))
    p50, p95 = (found[int(share * (len(found) - 1))][0] for share in (0.5, 0.95))
    failed = sum(not good for _, good in found)
    return {"searches": len(found), "failed": failed, "p50": p50, "p95": p95, "most": found[-1][0]}


class SearchFigures(NamedTuple):
    """What searches took, and what the server took meanwhile."""

    searches: int
    failed: int
    p50: float
    p95: float
    most: float
    opened: int
    """Slow connections and streams that were let in."""
    rss_mb: float
    descriptors: int
    log_bytes: int
    load: float


class Measuring:
    """A server over one small collection, and crowds beside it for as long as searches are measured."""

    def __init__(self, folder: Path, *options: str, pages: int = 200, hard: bool = False) -> None:
        self._folder, self._options, self._hard = folder, options, hard
        self._log = folder / "log"
        self._words = _collection(folder / "home", pages)

    def __enter__(self) -> Measuring:
        self._open = ExitStack()
        server = serving(self._folder / "home", self._log, self._options, self._hard)
        self._port, self._server = self._open.enter_context(server)
        searches(self._port, self._words, 1 / RATE)  # the first one loads much that the others find loaded
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    @property
    def log(self) -> str:
        """What the server complained about."""
        return self._log.read_text("utf-8", "replace")

    def beside(self, seconds: float, slow: int = 0, streams: int = 0, admitted: int = 0) -> SearchFigures:
        """Search beside so many; memory and descriptors are those of when `admitted` of them were let in."""
        opened = self._folder / "opened"
        opened.write_bytes(b"")
        with ExitStack() as crowds:
            # Apart, so that those who open thousands do not slow down the others.
            for several in ((slow, 0), (0, streams)):
                if any(several):
                    crowds.enter_context(_crowd(opened, self._port, *several))
            found = searches(self._port, self._words, seconds)
            limit = time.monotonic() + LIMIT
            while opened.stat().st_size < admitted and time.monotonic() < limit:
                time.sleep(0.1)
            return SearchFigures(
                **found,
                opened=opened.stat().st_size,
                rss_mb=self._server.memory_info().rss / 1e6,
                descriptors=self._server.num_fds(),
                log_bytes=self._log.stat().st_size,
                load=os.getloadavg()[0],
            )


@contextmanager
def _crowd(opened: Path, *numbers: int) -> Iterator[None]:
    command = [sys.executable, str(CROWD), *map(str, numbers)]
    with opened.open("ab") as dots, subprocess.Popen(command, stdout=dots) as process:
        try:
            yield
        finally:
            process.kill()


def _collection(home: Path, pages: int) -> str:
    """Make a collection with so many pages of a made web; the words to search for."""
    web = {"pages": 15 * pages, "topics": 2, "seed": 3}
    topic, source = Made(**web).topics[0], "made:" + ",".join(f"{key}={value}" for key, value in web.items())
    with lycosa.hunt(topic.keywords, topic.examples, out=home / "rest", pages=pages, replay=source) as hunt:
        list(hunt)
    return topic.keywords
