"""Checks everything in the folder of a collection, and rebuilds the log from its events if possible."""

from __future__ import annotations

import re
import sqlite3
import stat
import time
from base64 import b32encode
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha1
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from xxhash import xxh3_64_intdigest, xxh3_128_hexdigest

from lycosa.core.damage import Damage
from lycosa.core.events import Event, Judged, Redirected, Rejudged, Visited
from lycosa.core.rejudging import changes
from lycosa.store import checkpoint, pagesums, repository, sqlite, warc
from lycosa.store.collection import CHECKPOINT, LOG, LORE, Collection
from lycosa.store.event_coding import decode, url_of, where_of
from lycosa.store.judgements import Inbox
from lycosa.store.link_graph import FILE as GRAPH
from lycosa.store.log import Log
from lycosa.store.log_file import VERSION, columns_of, sum_of
from lycosa.store.projections import WITHHELD, Tally, counted, page_of
from lycosa.store.rows import PageRow
from lycosa.system.errors import Damaged, Refused
from lycosa.system.progress import StageProgress

FROM_EVENTS = "it is made anew from the events of the log"
FROM_LOG = "it is made anew from the log"
LEFT_OUT = "what it said is left out"
READY = f"{LOG}.ready"
"""A repaired log, complete, before it is moved into place."""
DAMAGED = "damaged"
"""The folder into which damaged files are moved."""
_CHUNK = 500
_MANY = 20
"""Most damages of one kind that are listed one by one."""
_UNLIKELY = 1 << 40
"""A number that no event has; a damaged row may have any."""
_payload = re.compile(rb"\r\nWARC-Payload-Digest: sha1:([A-Z2-7]{32})\r\n")


class _Stored(NamedTuple):
    """An event as it stands in the log."""

    seq: int
    at: float
    body: bytes
    event: Event


def check_log(folder: Path, progress: StageProgress) -> Iterator[Damage]:
    """What is damaged in the log: the pages of its file, its events, and its projections."""
    path = folder / LOG
    if (folder / READY).exists():
        yield Damage(LOG, "a repair was interrupted", FROM_EVENTS)
        return
    problems: list[str] = []
    if pagesums.sums_beside(path).exists() or _version(path) != 1:
        total = max(1, path.stat().st_size // sqlite.PAGE)
        pages = list(pagesums.lasting_problems(path, lambda pages: progress("log file", pages, total)))
        problems += pages[:_MANY]
        if len(pages) > _MANY:
            problems.append(f"{LOG} is damaged in {len(pages) - _MANY} further pages")
    events: list[Damage] = []
    try:
        with closing(sqlite.reading(path)) as db:
            problems += [f"{LOG}: {line}" for (line,) in db.execute("PRAGMA integrity_check(10)") if line != "ok"]
    except sqlite3.Error as error:
        problems.append(f"{LOG} cannot be read ({error})")
    shadow = _Shadow()
    for seq, kept in _events(path, progress):
        if kept is None:
            events.append(Damage(f"{LOG}, event {seq}", "the event is damaged or missing", ""))
        else:
            shadow.add(kept)
    if not problems and not events:
        problems += shadow.differences(path)
    yield from events
    anew = "" if events else FROM_EVENTS
    yield from (Damage(LOG, problem, anew) for problem in problems)


def check_rest(folder: Path) -> Iterator[Damage]:
    """What is damaged in the files beside the log and the pages."""
    if (folder / CHECKPOINT).exists() and checkpoint.load(folder / CHECKPOINT) is None:
        yield Damage(CHECKPOINT, "the state of the crawl is damaged", FROM_LOG)
    if (folder / LORE).exists() and checkpoint.load(folder / LORE) is None:
        yield Damage(LORE, "what was known before the crawl is damaged", "")
    inbox = Inbox(folder)
    for start, _ in inbox.damaged():
        yield Damage(f"{inbox.path.name}, byte {start}", "a judgement is damaged", LEFT_OUT)
    if (folder / GRAPH).exists() and pagesums.sums_beside(folder / GRAPH).exists():
        yield from (Damage(GRAPH, problem, FROM_LOG) for problem in pagesums.lasting_problems(folder / GRAPH))


def check_pages(folder: Path, progress: StageProgress) -> Iterator[Damage]:
    """What is damaged among the archived responses that the log names, each with its URL."""
    with Collection.open(folder) as collection:
        total = collection.log.last_seq()
        for entry in collection.log.read(kinds=(Visited, Redirected)):
            progress("pages", entry.seq, total)
            where = where_of(entry.event)
            if where is None:
                continue
            try:
                problem = _difference(entry.event, collection.repository.member(where))
            except Damaged as damaged:
                problem = damaged.problem
            if problem:
                place = f"{repository.FOLDER}/{where.file}, byte {where.offset}"
                yield Damage(place, f"the record of {url_of(entry.event)} is damaged ({problem})", "")
        progress("pages", total, total)


def open_to_others(folder: Path) -> Iterator[str]:
    """Files and folders of a collection that every user of this machine may change."""
    for path in (folder, *sorted(folder.rglob("*"))):
        try:
            state = path.lstat()
        except FileNotFoundError:
            continue  # a crawl has removed it in the meantime
        if not stat.S_ISLNK(state.st_mode) and state.st_mode & stat.S_IWOTH:
            yield str(path.relative_to(folder)) if path != folder else "."


def rebuild_log(folder: Path, progress: StageProgress) -> None:
    """Rebuild the log from its events, all of which must be intact; the damaged files are kept beside it."""
    if not (folder / READY).exists():
        _write_anew(folder, progress)
    _put_in_place(folder)


def _write_anew(folder: Path, progress: StageProgress) -> None:
    path, fresh = folder / LOG, folder / f"{LOG}.repaired"
    sqlite.remove(fresh)
    log = Log.create(fresh)
    try:
        for seq, kept in _events(path, progress):
            if kept is None:
                raise Damaged(f"event {seq} of {path} is damaged", "restore the file from a copy")
            log.copy(kept.event, kept.body, kept.at)
            if seq % _CHUNK == 0:
                log.commit()
        log.sync()
    finally:
        log.close()
    pagesums.sums_beside(fresh).rename(pagesums.sums_beside(folder / READY))
    fresh.rename(folder / READY)


def _put_in_place(folder: Path) -> None:
    """Move the damaged files aside and the new ones into place; continues after an interruption."""
    path, ready = folder / LOG, folder / READY
    aside = folder / DAMAGED / time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    aside.mkdir(parents=True, exist_ok=True)
    if pagesums.sums_beside(ready).exists():
        for beside in sqlite.BESIDE:
            if (old := path.with_name(path.name + beside)).exists():
                old.rename(aside / old.name)
        pagesums.sums_beside(ready).rename(pagesums.sums_beside(path))
    ready.rename(path)


def _events(path: Path, progress: StageProgress) -> Iterator[tuple[int, _Stored | None]]:
    """Every event that exists or must have existed, in order; None for one that is missing or damaged."""
    try:
        db = sqlite.reading(path)
    except sqlite3.Error:
        yield 1, None
        return
    with closing(db):
        yield from _events_after(0, db, _version(path), progress)


def _events_after(
    after: int, db: sqlite3.Connection, version: int, progress: StageProgress = lambda what, done, total: None
) -> Iterator[tuple[int, _Stored | None]]:
    columns = columns_of(version or VERSION).event
    last = max(_last(db, ""), _last(db, "INDEXED BY events_by_url"), _last(db, "INDEXED BY events_by_kind"))
    for start in range(after + 1, last + 1, _CHUNK):
        select = f"SELECT {columns} FROM events WHERE seq >= {start} AND seq < {min(start + _CHUNK, last + 1)}"
        found = {row[0]: row for row in _rows(db, select)}
        for seq in range(start, min(start + _CHUNK, last + 1)):
            rows = [found[seq]] if seq in found else _rows(db, f"SELECT {columns} FROM events WHERE seq = {seq}")
            yield seq, _kept(*rows[0]) if rows else None
        progress("events", min(start + _CHUNK, last), last)


def _kept(seq: int, at: float, kind: str, key: int | None, body: bytes, sum: int | None) -> _Stored | None:
    try:
        if sum is not None and sum_of(seq, at, kind, key, body) != sum:
            return None
        return _Stored(seq, at, body, decode(body))
    except Exception:
        # A damaged row may contain anything.
        return None


def _last(db: sqlite3.Connection, how: str) -> int:
    where = {"": "", "INDEXED BY events_by_url": "WHERE key IS NOT NULL"}.get(how, "WHERE key IS NULL AND kind > ''")
    rows = _rows(db, f"SELECT coalesce(max(seq), 0) FROM events {how} {where}")
    found = rows[0][0] if rows else 0
    return found if isinstance(found, int) and found < _UNLIKELY else 0


def _rows(db: sqlite3.Connection, select: str) -> list[Any]:
    try:
        return db.execute(select).fetchall()
    except sqlite3.Error:
        return []


def _version(path: Path) -> int:
    try:
        with closing(sqlite.reading(path)) as db:
            rows = _rows(db, "SELECT max(value) FROM meta WHERE key = 'version'")
            return int(rows[0][0]) if rows and isinstance(rows[0][0], int) else 0
    except sqlite3.Error:
        return 0


class _Shadow:
    """The projections computed from the events, to be compared with the stored ones."""

    def __init__(self) -> None:
        self._rows: dict[str, int | None] = {}
        """The digest of each page's row without its relevance, in the order of the visits."""
        self._relevance: dict[str, float | None] = {}
        self._tally: Tally = {}
        self._last = 0

    def add(self, kept: _Stored) -> None:
        """Add one more event."""
        self._last = kept.seq
        match kept.event:
            case Visited() as event:
                page = page_of(kept.seq, kept.at, event)
                # A page that was fetched again is the latest again.
                self._rows.pop(page.url, None)
                # What is out of the scope has no row, but the crawl tells its relevance like that of pages.
                self._rows[page.url] = None if event.visit.out_of_scope else _digest(page)
                self._relevance[page.url] = page.relevance
            case Judged(url=url, relevant=relevant) if url in self._rows:
                self._relevance[url] = None if relevant is None else float(relevant)
            case Rejudged(packed=packed):
                latest = list(islice(reversed(self._rows), len(packed)))[::-1]
                for place, relevance in changes([self._relevance[url] for url in latest], packed):
                    self._relevance[latest[place]] = relevance
        counted(self._tally, kept.event)

    def differences(self, path: Path) -> Iterator[str]:
        """The differences from the stored projections."""
        with closing(sqlite.reading(path)) as db:
            # A crawl may be writing: its new events are added first, and everything is read in one transaction.
            db.execute("BEGIN")
            for _, kept in _events_after(self._last, db, _version(path)):
                if kept:
                    self.add(kept)
            version = _version(path) or VERSION
            select = f"SELECT {columns_of(version).page} FROM pages"
            stored = {page.url: (_digest(page), page.relevance) for page in map(PageRow._make, db.execute(select))}
            tally = {(kind, name): count for kind, name, count in db.execute("SELECT kind, name, count FROM tally")}
        if version < 3:  # it does not follow judgements
            stored = {url: (digest, self._relevance.get(url)) for url, (digest, _) in stored.items()}
        made = {url: (digest, self._relevance[url]) for url, digest in self._rows.items() if digest is not None}
        other = [url for url in {**made, **stored} if made.get(url) != stored.get(url)]
        yield from (f"the row of {url} among the pages is not as its event says" for url in other[:_MANY])
        if len(other) > _MANY:
            yield f"{len(other) - _MANY} further rows among the pages are not as their events say"
        if not _agree(tally, self._tally):
            yield "the tally is not as the events say"


def _agree(stored: Tally, made: Tally) -> bool:
    """Whether the stored tally is as the events say, except for what earlier versions did not count."""
    differing = {key for key in stored.keys() | made.keys() if stored.get(key) != made.get(key)}
    return all(
        kind == WITHHELD and stored.get((kind, name), 0) <= made.get((kind, name), 0) for kind, name in differing
    )


def _digest(page: PageRow) -> int:
    return xxh3_64_intdigest(repr(tuple(page._replace(relevance=None))).encode("utf-8", "surrogatepass"))


def _difference(event: Event, member: bytes) -> str:
    """How a record differs from what was fetched; empty if it does not."""
    record = warc.unpack(member)
    raw = warc.parse(record)
    if (stated := _payload.search(record)) and stated[1] != b32encode(sha1(raw.body).digest()):
        return "its payload digest is wrong"
    if isinstance(event, Visited):
        visit = event.visit
        # The digest of a truncated page covers only what was read of it.
        if len(visit.digest) == 32 and visit.size == len(raw.body) and xxh3_128_hexdigest(raw.body) != visit.digest:
            return "the log knows another body by its digest"
    return ""


def refused_or(damages: Iterator[Damage], place: str) -> Iterator[Damage]:
    """The damages, with a refusal during the check as one more damage."""
    try:
        yield from damages
    except Refused as refused:
        yield Damage(place, refused.problem, "")
