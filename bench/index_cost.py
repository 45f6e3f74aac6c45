"""What an index costs on top of a crawl of the schools bed: CPU a page, by part; its size; how soon a page is findable.

    python bench/index_cost.py [--pages 2000] [--runs 3] [--strategy best-first --strategy apprentice] [--only parts]

Crawls run as anybody would call them, in turns with and without `--no-index`, replayed and over HTTP from the bed
served on loopback. CPU is that of all their processes. What starting costs, Python and imports, is in it and is told
apart by a crawl of one page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import loopback
import served
from lycosa.engine.archived import Documents
from lycosa.index.content import Content
from lycosa.index.index import Index
from lycosa.index.language import language_of
from lycosa.index.near_duplicates import fingerprint
from lycosa.index.references import References
from lycosa.index.search_types import Document
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX
from lycosa.system.errors import Refused
from lycosa.web.serving import spawn
from lycosa.web.testbed import Bed
from served import SCHOOLS

STRATEGIES = ("best-first", "apprentice")


def crawl(arguments: list[str], out: Path) -> float:
    """CPU-seconds of a crawl with all its processes."""
    shutil.rmtree(out, ignore_errors=True)
    process = start(arguments, out)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the crawl failed: {' '.join(arguments)}")
    return used.ru_utime + used.ru_stime


def start(arguments: list[str], out: Path) -> subprocess.Popen[bytes]:
    """A crawl as anybody would call it."""
    command = [sys.executable, "-m", "lycosa", "crawl", *arguments, f"--out={out}", "--json"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def compare(name: str, arguments: list[str], pages: int, runs: int, out: Path) -> None:
    """Crawls with and without an index in turns; what a page costs more."""
    ways = {"with": arguments, "without": [*arguments, "--no-index"]}
    first = {way: crawl([*given, "--pages=1"], out) for way, given in ways.items()}
    costs: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(runs):
        for way, given in ways.items():
            costs[way].append(crawl([*given, f"--pages={pages}"], out))
    done = pages_of(out)
    means = {way: statistics.median(seconds) / done * 1e3 for way, seconds in costs.items()}
    extra = [(more - less) / done * 1e3 for more, less in zip(costs["with"], costs["without"], strict=True)]
    begin = (first["with"] - first["without"]) / done * 1e3
    print(
        f"{name:24} {done:5} pages  without {means['without']:6.3f}  with {means['with']:6.3f}  "
        f"index {statistics.median(extra):6.3f} ({min(extra):.3f} to {max(extra):.3f}) ms a page, "
        f"of it {begin:.3f} for starting"
    )


def pages_of(folder: Path) -> int:
    """How many pages a collection holds."""
    with Collection.open(folder) as collection:
        return collection.log.page_count()


def findable(name: str, arguments: list[str], out: Path) -> None:
    """How long after it was logged a page can be found, asked every twentieth of a second from another process."""
    shutil.rmtree(out, ignore_errors=True)
    process, seen = start(arguments, out), [(time.time(), 0)]
    index: Index | None = None
    while process.poll() is None:
        try:
            index = index or Index.open(out / INDEX)
            index.reload()
            if index.progress[0] > seen[-1][1]:
                seen.append((time.time(), index.progress[0]))
        except Refused:
            pass
        time.sleep(0.05)
    if index:
        index.close()
    with Collection.open(out) as collection:
        rows = sorted((row.seq, row.at) for row in collection.log.pages())
    waits = []
    for (_, after), (at, upto) in pairwise(seen):
        waits += [at - when for seq, when in rows if after < seq <= upto]
    waits.sort()
    typical, most = statistics.median(waits), waits[int(0.95 * len(waits))]
    print(
        f"{name}, findable after {typical:.2f} s (median), {most:.2f} s (95 %), {waits[-1]:.2f} s (longest); "
        f"{len(seen) - 1} commits seen, {len(waits)} of {len(rows)} pages before the end"
    )


def sizes(folder: Path) -> None:
    """How large the index is beside the texts."""
    with Index.open(folder / INDEX) as index:
        texts = sum(len((index.text(url) or "").encode()) for url in index.urls())
    parts = {
        path.name: sum(file.stat().st_size for file in [path, *path.rglob("*")] if file.is_file())
        for path in sorted((folder / INDEX).iterdir())
    }
    shown = ", ".join(f"{name} {size / texts:.3f}" for name, size in parts.items() if size / texts >= 0.001)
    print(f"size: {sum(parts.values()) / texts:.2f} of the texts' {texts / 1e6:.1f} MB ({shown})")


def parts(folder: Path, place: Path) -> None:
    """What each part of indexing costs when it is done alone, in this process and its threads."""
    with Collection.open(folder) as collection:
        found = [document for _, _, document in Documents(collection).after(0) if document]
        with timed("log read", len(found)):
            list(collection.log.read(0))
        with timed("page parsed again", len(found)):
            list(Documents(collection).after(0))
    with timed("fingerprint", len(found)):
        twins = {document.url: fingerprint(document.text) for document in found}
    with timed("language", len(found)):
        languages = {document.url: language_of(document.text, document.language) for document in found}
    content, references = Content(place / "content", write=True), References(place, write=True)

    def say(document: Document) -> None:
        content.add(document, twin=twins[document.url], language=languages[document.url])

    each("content", say, content.commit, found)
    each("references", references.add, references.commit, found)
    content.close()
    references.close()
    with Index.write(place / "whole") as index:
        each("all together", index.add, lambda: index.commit(1, 1), found)
        with timed("settling", len(found)):
            index.settle()


def each(name: str, add: Callable[[Document], None], commit: Callable[[], None], found: list[Document]) -> None:
    """Add all documents, committed as often as in a crawl at full speed."""
    with timed(name, len(found)):
        for number, document in enumerate(found, 1):
            add(document)
            if number % 600 == 0:
                commit()
        commit()
        # Merges go on behind one's back.
        time.sleep(2.0)


@contextmanager
def timed(name: str, pages: int) -> Iterator[None]:
    """Say how much CPU a block took a page."""
    before = time.process_time()
    yield
    print(f"  {name:20} {(time.process_time() - before) / pages * 1e3:6.3f} ms a page")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--strategy", action="append", choices=STRATEGIES)
    parser.add_argument("--only", choices=("replay", "http", "parts"))
    options = parser.parse_args()
    loopback.keep_to_loopback()
    strategies, topic = options.strategy or STRATEGIES, Bed(SCHOOLS).topics[0]
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        replay = [f"--bed={SCHOOLS}", f"--topic={topic.id}"]
        for strategy in strategies if options.only in (None, "replay") else ():
            given = [*replay, f"--strategy={strategy}"]
            compare(f"replayed, {strategy}", given, options.pages, options.runs, place / "c")
        if options.only in (None, "http"):
            web = served.schools(place / "web", options.pages)
            with spawn(web.source / "pages", preload=True) as server:
                seeds = [*(f"--seed={url}" for url in web.seeds), "--delay=0", f"--proxy={server.proxy}"]
                for strategy in strategies:
                    given = [web.keywords, *seeds, f"--strategy={strategy}"]
                    compare(f"over HTTP, {strategy}", given, options.pages, options.runs, place / "c")
                given = [web.keywords, *seeds, f"--strategy={strategies[0]}"]
                findable("at full speed", [*given, f"--pages={options.pages}"], place / "c")
                sizes(place / "c")
            with spawn(web.source / "pages", preload=True, latency=(0.2, 0.2)) as server:
                given[-2] = f"--proxy={server.proxy}"
                findable("at 80 pages/s", [*given, f"--pages={min(800, options.pages)}"], place / "c")
        if options.only in (None, "parts"):
            crawl([*replay, "--strategy=best-first", f"--pages={options.pages}", "--no-index"], place / "parts")
            parts(place / "parts", place)


if __name__ == "__main__":
    main()
