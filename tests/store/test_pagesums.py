"""Every page of the log is what was written, or the log says where it is not."""

import gc
import shutil
import sqlite3
from contextlib import closing, suppress
from random import Random

import pytest

from lycosa.core.events import Leased, Visited
from lycosa.store import database, pagesums, sqlite, wal
from lycosa.store.event_coding import KINDS, encode, key_of, url_of
from lycosa.store.log import Log
from lycosa.store.log_file import VERSION
from lycosa.system.errors import Damaged, Refused

OLD = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, key INTEGER, body BLOB NOT NULL);
CREATE INDEX events_by_url ON events (key) WHERE key IS NOT NULL;
CREATE INDEX events_by_kind ON events (kind) WHERE key IS NULL;
CREATE TABLE pages (
    seq INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host TEXT, relevance REAL, title TEXT, status INTEGER, mime TEXT,
    language TEXT, digest TEXT, size INTEGER, at REAL, file TEXT, offset INTEGER, length INTEGER, etag TEXT,
    modified TEXT
);
CREATE TABLE tally (kind TEXT, name TEXT, count INTEGER NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
INSERT INTO meta VALUES ('version', 1);
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "log.sqlite"


def written(path, make, links, pages=60):
    """A log of so many pages, open for writing."""
    log = Log.create(path)
    for n in range(pages):
        log.append(make.leased(f"https://a.test/{n}"), float(n))
        log.append(make.visited(f"https://a.test/{n}", links=links(40), title=f"Page {n}"), float(n))
        log.commit()
    return log


def everything(path):
    with closing(Log(path)) as log:
        urls = [row.url for row in log.pages()]
        ways = [(log.outcomes_of(url), log.page(url)) for url in urls]
        return list(log.read()), list(log.pages()), ways, log.counts()


def flipped(path, bit):
    content = bytearray(path.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def copied(path, folder):
    folder.mkdir()
    for beside in sqlite.BESIDE:
        if (file := path.with_name(path.name + beside)).exists() and beside != "-shm":
            shutil.copy(file, folder)
    return folder / path.name


@pytest.mark.parametrize("name", ["log.sqlite", "log.sqlite-sums"])
def test_a_changed_bit_of_a_log_is_told_with_its_place(path, make, links, tmp_path, name):
    written(path, make, links).close()
    rng = Random(4)
    for n in range(60):
        copy = copied(path, tmp_path / str(n))
        file = copy.with_name(name)
        bit = rng.randrange(8 * file.stat().st_size)
        flipped(file, bit)
        place = f"at byte {bit // 8 // sqlite.PAGE * sqlite.PAGE} " if name == "log.sqlite" else ""
        for write in (False, True):
            with pytest.raises(Damaged, match=f"{name} is damaged ?{place}.*repair the collection"):
                Log(copy, write=write)


def test_a_changed_bit_of_the_write_ahead_log_of_a_killed_writer_is_told(path, make, links, tmp_path):
    log = written(path, make, links)
    right, rng, told = everything(copied(path, tmp_path / "right")), Random(5), 0
    size = path.with_name("log.sqlite-wal").stat().st_size
    # The end of the file matters as much as its middle: the last thing that was committed is there.
    places = [rng.randrange(8 * size) for _ in range(40)] + [8 * size - n * 9973 - 1 for n in range(6)] + [100, 200]
    for n, bit in enumerate(places):
        copy = copied(path, tmp_path / str(n))
        flipped(copy.with_name("log.sqlite-wal"), bit)
        try:
            assert everything(copy) == right, f"bit {bit}"
        except Damaged as damaged:
            assert "log.sqlite-wal is damaged at byte" in str(damaged)
            told += 1
    assert told == len(places)
    log.close()


def test_a_writer_goes_on_where_the_write_ahead_log_breaks_off_and_says_so(path, make, links, tmp_path):
    log = written(path, make, links)
    copy = copied(path, tmp_path / "copy")
    log.close()
    flipped(copy.with_name("log.sqlite-wal"), 8 * 400_000)
    with closing(Log(copy, write=True)) as log:
        assert "log.sqlite-wal is damaged at byte" in log.remark
        kept = log.last_seq()
        assert 0 < kept < 120
        log.append(make.leased("https://b.test/"), 1.0)
        log.commit()
        assert len(everything(copied(copy, tmp_path / "killed again"))[0]) == kept + 1
    with closing(Log(copy, write=True)) as log:
        assert log.remark == ""
    assert len(everything(copy)[0]) == kept + 1


def test_what_a_writer_did_not_finish_is_no_damage(path, make, links, tmp_path):
    log = written(path, make, links)
    right = everything(path)
    file = path.with_name("log.sqlite-wal")
    whole = file.read_bytes()
    for n, cut in enumerate((1, 20, 24, 5000, 8215)):
        copy = copied(path, tmp_path / str(n))
        # Half a frame more than what was committed.
        copy.with_name(file.name).write_bytes(whole + whole[-8216:][:cut])
        assert everything(copy) == right
    log.close()


def test_pages_are_moved_while_readers_come_and_go(path, make, links, monkeypatch, tmp_path):
    monkeypatch.setattr(database, "_LOOK", 20)
    monkeypatch.setattr(sqlite, "CHECKPOINT", 30)
    log, sizes = Log.create(path), set()
    for n in range(120):
        log.append(make.visited(f"https://a.test/{n}", links=links(30)), float(n))
        log.commit()
        if n % 10 == 0:
            assert len(everything(copied(path, tmp_path / str(n)))[0]) == n + 1
            sizes.add(path.stat().st_size)
    log.close()
    assert len(sizes) > 3, "nothing was moved"
    assert not path.with_name("log.sqlite-wal").exists()
    assert len(everything(path)[0]) == 120


def test_a_rollback_leaves_no_wrong_sums(path, make, links, monkeypatch):
    monkeypatch.setattr(database, "_LOOK", 5)
    monkeypatch.setattr(sqlite, "CHECKPOINT", 10)
    log = Log.create(path)
    for n in range(40):
        log.append(make.visited(f"https://a.test/{n}", links=links(30)), float(n))
        if n % 3:
            log.commit()
        else:
            log.rollback()
    log.close()
    assert len(everything(path)[0]) == 26


@pytest.mark.parametrize("trouble", [Refused("no room"), MemoryError(), KeyboardInterrupt()])
def test_a_writer_that_cannot_write_sums_leaves_everything_in_the_write_ahead_log(
    path, make, links, monkeypatch, trouble
):
    log = written(path, make, links)

    def fails(*_, **__):
        raise trouble

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(pagesums, "update", fails)
        log.close()
    assert path.with_name("log.sqlite-wal").stat().st_size
    assert len(everything(path)[0]) == 120
    Log(path, write=True).close()
    assert len(everything(path)[0]) == 120


def test_a_writer_that_is_lost_leaves_everything_in_the_write_ahead_log(path, make, links):
    log = written(path, make, links)
    del log
    gc.collect()
    assert path.with_name("log.sqlite-wal").stat().st_size
    assert len(everything(path)[0]) == 120


def test_a_log_without_its_sums_is_not_taken_for_sound(path, make, links):
    written(path, make, links).close()
    pagesums.sums_beside(path).unlink()
    with pytest.raises(Damaged, match=r"log.sqlite-sums is not there, so that log.sqlite cannot be checked"):
        Log(path)


def test_an_event_that_is_not_what_was_appended_is_named(path, make, links):
    written(path, make, links).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE events SET at = at + 1 WHERE seq = 7")
        db.execute("DELETE FROM events WHERE seq = 11")
        db.commit()
    pagesums.make(path, sqlite.PAGE)
    with closing(Log(path)) as log:
        assert log.entry(8)
        with pytest.raises(Damaged, match=r"event 7 of log.sqlite is damaged \(its checksum is wrong\)"):
            log.entry(7)
        with pytest.raises(Damaged, match=r"event 11 of log.sqlite is missing"):
            list(log.read(9))


def old_log(path, make, links):
    """A log as version 1 wrote it."""
    events = [make.leased("https://a.test/"), make.visited("https://a.test/", links=links(50), title="A")]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {sqlite.PAGE}")
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(OLD)
        for n, event in enumerate(events):
            row = (float(n), KINDS[type(event)], key_of(url_of(event) or ""), encode(event))
            db.execute("INSERT INTO events VALUES (NULL, ?, ?, ?, ?)", row)
        page = (2, "https://a.test/", "a.test", 0.5, "A", 200, "text/html", "", "", 1000, 1.0, *[None] * 3, "", "")
        db.execute(f"INSERT INTO pages VALUES ({','.join('?' * len(page))})", page)
        db.executemany("INSERT INTO tally VALUES (?, ?, ?)", [("leased", "", 1), ("visited", "200", 1)])
    return events


def test_a_log_of_version_1_is_read_as_it_is_and_gets_sums_when_it_is_written(path, make, links):
    events = old_log(path, make, links)
    before = path.read_bytes()
    assert [entry.event for entry in everything(path)[0]] == events
    assert path.read_bytes() == before and not pagesums.sums_beside(path).exists()
    with closing(Log(path, write=True)) as log:
        marks = [log.mark(1), log.mark(2)]
        log.append(make.leased("https://b.test/"), 3.0)
        log.commit()
    with closing(Log(path)) as log:
        found = [entry.event for entry in log.read()]
        assert found[:2] == events and isinstance(found[2], Leased)
        assert [log.mark(1), log.mark(2)] == marks
        assert log.visit_of("https://a.test/").event == events[1] and isinstance(events[1], Visited)
        assert log._one("SELECT value FROM meta WHERE key = 'version'") == VERSION
    flipped(path, 8 * path.stat().st_size // 2)
    with pytest.raises(Damaged):
        Log(path)


def test_the_sums_of_frames_are_those_that_sqlite_computes(path, make, links):
    log = written(path, make, links, pages=30)
    found = wal.frames(path, sqlite.PAGE)
    numbers = wal.written(path, sqlite.PAGE)
    assert found.broken is None
    assert found.pages == {number: wal.place(n, sqlite.PAGE) for n, number in enumerate(numbers)}
    assert set(numbers) <= set(range(1, 1000)) and len(numbers) > 60
    log.close()


def test_a_page_that_a_writer_changes_during_a_look_is_not_taken_for_damaged(path, make, links, monkeypatch):
    monkeypatch.setattr(pagesums, "_AT_ONCE", 8)
    with closing(written(path, make, links, pages=100)) as log:
        log._db._checkpoint()
        looks = []

        def write_on(pages):
            looks.append(pages)
            if len(looks) == 1:
                for n in range(100):
                    log.append(make.visited(f"https://b.test/{n}", links=links(40)), 1.0)
                log.commit()
                log._db._checkpoint()

        assert pagesums.lasting_problems(path, write_on) == []
        assert looks.count(8) > 1
