"""One bit of one file of a collection is changed, everything is read back, and what came of it is given a name."""

from __future__ import annotations

import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from lycosa.app import hunts
from lycosa.app import search as searching
from lycosa.core.nouns import Judgement
from lycosa.engine import collection_check
from lycosa.engine.crawl_reader import CrawlReader
from lycosa.store.collection import Collection
from lycosa.store.link_graph import Graph
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]

TOLD, HARMLESS, REPAIRED, SILENT, TRACEBACK = "told", "harmless", "repaired", "SILENT", "TRACEBACK"


class Flip(NamedTuple):
    """A changed bit, and what came of it."""

    file: str
    bit: int
    verdict: str
    detail: str = ""


def make_collections(folder: Path, pages: int = 20) -> dict[str, Path]:
    """The same hunt twice: ended in order, and as `kill -9` leaves it, with a write-ahead log."""
    rested, killed = folder / "rested", folder / "killed"
    options: dict[str, Any] = {"replay": WEB, "strategy": "best-first", "pages": pages}
    with hunts.hunt(TOPIC.keywords, TOPIC.examples, out=rested, **options) as running:
        for number, _ in enumerate(running, 1):
            if number == pages // 2:
                running.checkpoints.save()
                with Graph(rested) as graph:
                    graph.catch_up()
                running.collection.inbox.add([Judgement(f"https://{name}.test/", True) for name in "ab"], 1.0)
            if number == pages - 2:
                shutil.copytree(rested, killed)
    with Graph(rested) as graph:
        graph.catch_up()
    return {"rested": rested, "killed": killed}


def answers(folder: Path) -> dict[str, Any]:
    """What each reader of a collection says; a refusal is an answer, and so is any other exception."""
    return {name: _asked(read, folder) for name, read in READERS.items()}


def flips(collection: Path, count: int, rng: Random, scratch: Path) -> Iterator[Flip]:
    """Change a bit of a fresh copy so many times: every file in turn, then files as often as they are large."""
    original = scratch / "original"
    shutil.copytree(collection, original)
    # Reading may bring index and graph up to date; that is not what is looked for.
    copied = scratch / "first"
    shutil.copytree(original, copied)
    right = answers(copied)
    assert (troubles := [repr(each) for each in right.values() if isinstance(each, Exception)]) == [], troubles
    files = [path.relative_to(original) for path in sorted(original.rglob("*")) if path.is_file()]
    files = [file for file in files if (original / file).stat().st_size]
    sizes = [(original / file).stat().st_size for file in files]
    for number in range(count):
        file = files[number] if number < len(files) else rng.choices(files, sizes)[0]
        with tempfile.TemporaryDirectory(dir=scratch) as place:
            yield _flip(original, Path(place, "c"), file, rng, right)
    shutil.rmtree(original)
    shutil.rmtree(copied)


def _flip(original: Path, copy: Path, file: Path, rng: Random, right: dict[str, Any]) -> Flip:
    shutil.copytree(original, copy)
    content = bytearray((copy / file).read_bytes())
    bit = rng.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    (copy / file).write_bytes(content)
    found = answers(copy)
    wrong = {name: answer for name, answer in found.items() if answer != right[name]}
    for name, answer in wrong.items():
        if isinstance(answer, Exception) and not isinstance(answer, Refused):
            return Flip(str(file), bit, TRACEBACK, f"{name}: {''.join(traceback.format_exception(answer))}")
    for name, answer in wrong.items():
        if not isinstance(answer, Refused):
            return Flip(str(file), bit, SILENT, name)
    if wrong:
        return Flip(str(file), bit, TOLD, str(next(iter(wrong.values()))))
    there = copy / file
    changed = not there.exists() or there.read_bytes() != content
    return Flip(str(file), bit, REPAIRED if changed else HARMLESS)


def _asked(read: Callable[[Path], Any], folder: Path) -> Any:
    try:
        return msgspec.to_builtins(read(folder), builtin_types=(bytes,))
    except Exception as error:
        return error


def _log(folder: Path) -> Any:
    with Collection.open(folder) as collection:
        log = collection.log
        events = list(log.read())
        urls = sorted({row.url for row in log.pages()})
        ways = {url: (log.outcomes_of(url), log.lease_of(url), log.visit_of(url), log.page(url)) for url in urls}
        return events, list(log.pages()), ways, log.counts(), log.ends(), collection.inbox.all()


def _status(folder: Path) -> Any:
    return msgspec.structs.replace(hunts.status(folder), folder="", name="")


def _why(folder: Path) -> Any:
    with Collection.open(folder) as collection:
        urls = [row.url for row in collection.log.pages(limit=4)]
    return [hunts.why(folder, url) for url in urls]


def _search(folder: Path) -> Any:
    answer = searching.search(folder, TOPIC.keywords, limit=40, duplicates=True)
    if "damaged" in answer.remark:
        raise Refused(answer.remark)
    return [(hit.url, hit.title, round(hit.score, 6), hit.snippet) for hit in answer.results]


def _export(folder: Path) -> Any:
    target = folder.parent / f"{folder.name}.jsonl"
    done = hunts.export(folder, target)
    if done.skipped:
        raise Refused(f"{done.skipped} damaged and left out")
    return target.read_text()


def _graph(folder: Path) -> Any:
    with Graph(folder) as graph:
        graph.catch_up()
        urls, starts, links = graph.arrays()
        return urls, starts.tolist(), links.tolist(), [(graph.in_links(url), graph.out_links(url)) for url in urls[:50]]


def _state(folder: Path) -> Any:
    crawl_reader = CrawlReader(folder)
    try:
        crawl = crawl_reader.crawl
        return len(crawl.frontier), crawl.tally.save(), crawl.judgements
    finally:
        crawl_reader.collection.close()


READERS: dict[str, Callable[[Path], Any]] = {
    "log": _log,
    "status": _status,
    "why": _why,
    "state": _state,
    "export": _export,
    "graph": _graph,
    "search": _search,
}


def mended(
    collection: Path, count: int, rng: Random, scratch: Path
) -> Iterator[tuple[str, collection_check.CheckReport, bool]]:
    """Damage the log of a copy, repair it, and read everything: which bit, what was found, and whether all is right."""
    first = scratch / "first"
    shutil.copytree(collection, first)
    right = answers(first)
    for _ in range(count):
        with tempfile.TemporaryDirectory(dir=scratch) as place:
            copy = Path(place, "c")
            shutil.copytree(collection, copy)
            content = bytearray((copy / "log.sqlite").read_bytes())
            bit = rng.randrange(8 * len(content))
            content[bit // 8] ^= 1 << bit % 8
            (copy / "log.sqlite").write_bytes(content)
            found = collection_check.repair(copy)
            yield f"bit {bit}", found, answers(copy) == right
