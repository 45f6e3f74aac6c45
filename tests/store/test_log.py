from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from lycosa.core.events import Asked, Began, Leased, Stopped, Visited
from lycosa.core.nouns import Where
from lycosa.store import pagesums, sqlite
from lycosa.store.log import Log
from lycosa.system.errors import Damaged, Refused
from lycosa.system.os_errors import DiskFull

HOME = "https://a.test/"
WRITER = """
import sys
from pathlib import Path
from lycosa.core.events import Leased, Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.store import pagesums, sqlite
from lycosa.store.log import Log

log = Log(Path(sys.argv[1]), write=True)
for n in range(int(sys.argv[2])):
    ticket = Ticket(f"https://a.test/{n}", 0.5)
    log.append(Leased(ticket), float(n))
    seq = log.append(Visited(Visit(ticket, 0.5, [f"https://b.test/{n}/{m}" for m in range(60)])), float(n))
    log.commit()
    print(seq, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


@pytest.fixture
def log(path: Path):
    log = Log.create(path)
    yield log
    log.close()


def writer(path: Path, count: int) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(count)], stdin=pipe, stdout=pipe, text=True)


def test_what_is_appended_is_read_back_in_order(log: Log, make, links):
    events = [
        Began({"pages": 10, "seeds": [HOME]}),
        make.leased(HOME),
        Asked("a.test", 2.5),
        make.visited(HOME, 0.75, Where("s-00000.warc.gz", 300, 40), links=links(60), sense=[0.5] * 60),
        make.redirected("https://a.test/old", "https://a.test/new", Where("s-00000.warc.gz", 340, 9)),
        make.missed("https://a.test/gone", "http 404"),
        Stopped("budget spent", finished=True),
    ]
    numbers = [log.append(event, 100.0 + n) for n, event in enumerate(events)]
    log.commit()
    entries = list(log.read())
    assert [entry.event for entry in entries] == events
    assert [entry.seq for entry in entries] == numbers == sorted(set(numbers))
    assert [entry.at for entry in entries] == [100.0 + n for n in range(len(events))]
    assert log.last_time() == entries[-1].at


def test_reading_can_begin_after_a_number_and_choose_kinds(log: Log, make):
    seqs = [log.append(make.visited(f"https://a.test/{n}"), n) for n in range(1200)]
    log.append(make.leased(HOME), 5)
    log.commit()
    assert [entry.seq for entry in log.read(after=seqs[600])] == [*seqs[601:], seqs[-1] + 1]
    assert [entry.event for entry in log.read(kinds=[Leased])] == [make.leased(HOME)]
    assert len(list(log.read(kinds=[Visited]))) == 1200
    assert list(log.read(kinds=[])) == []


def test_the_events_of_a_url_are_found(log: Log, make):
    log.append(make.leased(HOME, 0.1), 1)
    log.append(make.missed(HOME, "timeout", final=False), 2)
    log.append(make.leased("https://a.test/other"), 3)
    log.append(make.leased(HOME, 0.9, via="https://b.test/"), 4)
    log.append(make.visited(HOME), 5)
    log.commit()
    assert [entry.at for entry in log.outcomes_of(HOME)] == [1, 2, 4, 5]
    assert (lease := log.lease_of(HOME)) and lease.event.ticket.via == "https://b.test/"
    assert (visit := log.visit_of(HOME)) and visit.at == 5
    assert log.lease_of("https://nowhere.test/") is None
    assert log.visit_of("https://a.test/other") is None


def test_the_last_event_of_a_kind_is_found(log: Log, make):
    log.append(Began({"pages": 1}), 1)
    for n in range(10):
        log.append(make.visited(f"https://a.test/{n}"), n)
    log.append(Stopped("interrupted", finished=False), 20)
    log.commit()
    assert (began := log.last(Began)) and began.event.plan == {"pages": 1}
    assert (visited := log.last(Visited)) and visited.event.visit.url == "https://a.test/9"
    assert (stopped := log.last(Stopped)) and stopped.at == 20
    assert log.last(Asked) is None


def test_pages_are_listed_best_first_or_in_time(log: Log, make):
    for n, relevance in enumerate([0.2, 0.9, 0.2, 0.5]):
        log.append(make.visited(f"https://a.test/{n}", relevance, title=f"Page {n}"), n)
    log.commit()
    assert [row.url[-1] for row in log.pages()] == ["1", "3", "0", "2"]
    assert [row.url[-1] for row in log.pages(order="time")] == ["0", "1", "2", "3"]
    assert [row.url[-1] for row in log.pages(min_relevance=0.5)] == ["1", "3"]
    assert [row.title for row in log.pages(limit=1)] == ["Page 1"]


def test_pages_are_found_by_their_numbers_in_the_order_asked_for(log: Log, make):
    seqs = [log.append(make.visited(f"https://a.test/{n}"), 1.0) for n in range(1203)]
    log.commit()
    wanted = seqs[::-1]
    assert [row.seq for row in log.pages_at([*wanted, 99_999])] == wanted
    assert log.pages_at([]) == []


def test_pages_after_an_event_come_in_order_up_to_another(log: Log, make):
    seqs = [log.append(make.visited(f"https://a.test/{n}", n / 2000), 1.0) for n in range(1203)]
    log.commit()
    assert [row.seq for row in log.pages_after(0, seqs[-1])] == seqs
    assert [row.seq for row in log.pages_after(seqs[3], seqs[700])] == seqs[4:701]
    assert list(log.pages_after(seqs[-1], 10**9)) == []


def test_a_page_row_says_what_the_visit_said(log: Log, make):
    where = Where("s-00000.warc.gz", 300, 40)
    log.append(make.visited(HOME, 0.7, where, title="Ä", mime="text/plain", language="de", etag='"x"', status=203), 9.5)
    log.commit()
    row = log.page(HOME)
    assert row and row.where == where and row.host == "a.test" and row.at == 9.5 and row.relevance == 0.7
    assert (row.title, row.mime, row.language, row.etag, row.status, row.size) == (
        "Ä",
        "text/plain",
        "de",
        '"x"',
        203,
        1000,
    )
    assert log.page("https://a.test/other") is None


def test_a_page_fetched_again_is_one_page_with_the_latest_visit(log: Log, make):
    log.append(make.visited(HOME, 0.1), 1)
    log.append(make.visited(HOME, 0.8), 2)
    log.commit()
    assert [(row.relevance, row.at) for row in log.pages()] == [(0.8, 2)]
    assert (log.counts()["pages"], log.counts()["visits"]) == (1, 2)


def test_what_happened_is_counted(log: Log, make):
    log.append(make.leased(HOME), 1)
    log.append(make.visited(HOME, size=500), 1)
    log.append(make.visited("https://b.test/", size=700), 1)
    log.append(make.redirected("https://a.test/old", HOME), 1)
    log.append(make.missed("https://a.test/x", "timeout", final=False), 1)
    log.append(make.missed("https://a.test/x", "timeout"), 1)
    log.append(make.missed("https://a.test/y", "timeout"), 1)
    log.append(make.missed("https://a.test/z", "robots"), 1)
    log.commit()
    counts = log.counts()
    assert counts["misses"] == {"timeout": 2, "robots": 1}
    assert counts["retries"] == {"timeout": 1}
    assert counts["statuses"] == {200: 2, 301: 1}
    assert [counts[name] for name in ("events", "leases", "visits", "redirects")] == [8, 1, 2, 1]
    assert [counts[name] for name in ("bytes", "pages", "hosts")] == [1200, 2, 2]


def test_a_rollback_leaves_no_trace(log: Log, make):
    log.append(make.visited(HOME), 1)
    log.commit()
    before = log.counts(), log.ends()
    log.append(make.visited("https://b.test/", where=Where("s-00000.warc.gz", 0, 10)), 2)
    log.rollback()
    assert (log.counts(), log.ends()) == before
    assert [row.url for row in log.pages()] == [HOME]


def test_the_log_knows_where_each_file_of_the_repository_ends(log: Log, make):
    log.append(make.visited(HOME, where=Where("s-00000.warc.gz", 500, 50)), 1)
    log.append(make.visited("https://b.test/", where=Where("s-00000.warc.gz", 300, 40)), 2)
    log.append(make.redirected("https://c.test/", HOME, Where("t-00000.warc.gz", 300, 40)), 3)
    log.commit()
    assert log.ends() == {"s-00000.warc.gz": 550, "t-00000.warc.gz": 340}


def test_a_cut_log_is_as_if_the_rest_had_never_happened(tmp_path: Path, make):
    def fill(log: Log, count: int) -> None:
        for n in range(count):
            log.append(make.leased(f"https://a.test/{n % 5}"), n)
            log.append(make.visited(f"https://a.test/{n % 5}", n / 20, Where(f"{n % 2}.warc.gz", n * 10, 10)), n)
            log.append(make.missed(f"https://b.test/{n}", f"reason {n % 3}"), n)
        log.commit()

    long, short = Log.create(tmp_path / "long.sqlite"), Log.create(tmp_path / "short.sqlite")
    fill(long, 20)
    fill(short, 8)
    assert long.cut(8 * 3) == 12 * 3
    for part in (Log.counts, Log.ends, lambda log: list(log.pages()), lambda log: list(log.read())):
        assert part(long) == part(short)
    assert long.append(make.leased(HOME), 1) == 8 * 3 + 1
    assert long.cut(10_000) == 0
    long.close()
    short.close()


def test_kill_9_loses_nothing_that_was_committed(log: Log, path: Path):
    log.close()
    child = writer(path, 100_000)
    assert child.stdout
    committed = [int(child.stdout.readline()) for _ in range(300)]
    child.send_signal(signal.SIGKILL)
    # What it said before it died counts too.
    committed += [int(line) for line in child.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    child.communicate()
    with_rest = Log(path, write=True)
    assert with_rest.last_seq() >= committed[-1]
    assert [entry.seq for entry in with_rest.read(kinds=[Visited])][: len(committed)] == committed
    assert with_rest.counts()["visits"] == len(list(with_rest.pages())) == with_rest.last_seq() // 2
    with_rest.close()


def test_another_process_reads_while_a_crawl_writes(log: Log, path: Path):
    log.close()
    child = writer(path, 200)
    assert child.stdout
    reader = None
    for _ in range(200):
        seq = int(child.stdout.readline())
        reader = reader or Log(path)
        assert reader.last_seq() >= seq
    assert reader and reader.counts()["visits"] == 200 and len(list(reader.pages())) == 200
    reader.close()
    child.communicate("")


def test_several_threads_read_at_once(log: Log, path: Path, make, links):
    expected = [make.visited(f"https://a.test/{n}", links=[f"{link}?{n}" for link in links(200)]) for n in range(60)]
    for event in expected:
        log.append(event, 1.0)
    log.commit()

    def read(_: int) -> bool:
        reader = Log(path)
        try:
            return all([entry.event for entry in reader.read()] == expected for _ in range(5))
        finally:
            reader.close()

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(read, range(12)))


def test_a_reader_cannot_write(log: Log, path: Path, make):
    reader = Log(path)
    with pytest.raises(Refused):
        reader.append(make.leased(HOME), 1)
    reader.close()


@pytest.mark.parametrize("left", ["closed", "journal", "journal and memory"])
def test_a_copy_in_a_read_only_folder_can_be_read(log: Log, path: Path, make, left: str):
    log.append(make.visited(HOME), 1)
    log.commit()
    if left == "closed":
        log.close()
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for file in path.parent.glob("log.sqlite*"):
            if not (left == "journal" and file.name.endswith("-shm")):
                shutil.copy(file, copy)
                (copy / file.name).chmod(0o444)
        copy.chmod(0o555)
        with as_nobody():
            with pytest.raises(PermissionError):
                (copy / "new").touch()
            reader = Log(copy / "log.sqlite")
        assert reader.counts()["visits"] == 1
        reader.close()
        copy.chmod(0o755)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write anywhere, so root becomes somebody else for a while."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_folder_without_a_log_is_refused(tmp_path: Path):
    with pytest.raises(Refused, match="is not a collection"):
        Log(tmp_path / "log.sqlite")


def test_another_database_is_refused(path: Path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE cats (name)")
    db.close()
    with pytest.raises(Refused, match="is not a collection"):
        Log(path)


def test_a_log_of_a_newer_version_is_refused(log: Log, path: Path):
    log.close()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET value = 99 WHERE key = 'version'")
    db.close()
    pagesums.make(path, sqlite.PAGE)
    for write in (False, True):
        with pytest.raises(Refused, match=r"newer Lycosa .log version 99.: upgrade"):
            Log(path, write=write)


def test_a_log_that_has_lost_its_version_is_damaged(log: Log, path: Path):
    log.close()
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM meta")
    db.close()
    pagesums.make(path, sqlite.PAGE)
    with pytest.raises(Damaged, match="does not say its version"):
        Log(path)


@pytest.mark.parametrize("damage", ["noise", "header", "middle", "empty"])
def test_a_damaged_log_is_refused_in_one_line(log: Log, path: Path, make, links, damage: str):
    for n in range(200):
        log.append(make.visited(f"https://a.test/{n}", links=links(60)), n)
    log.commit()
    log.close()
    content = bytearray(path.read_bytes())
    match damage:
        case "noise":
            content[:] = os.urandom(20_000)
        case "header":
            content[:100] = bytes(100)
        case "middle":
            content[8192:] = os.urandom(len(content) - 8192)
        case "empty":
            content[:] = b""
    path.write_bytes(content)
    with pytest.raises(Refused) as refused:
        damaged = Log(path)
        try:
            list(damaged.read())
        finally:
            damaged.close()
    assert "\n" not in str(refused.value) and "log.sqlite" in str(refused.value)
    assert damage == "empty" or isinstance(refused.value, Damaged)


@pytest.mark.parametrize("body", [b"", b"\xc1", b"(\xb5/\xfd", b"(\xb5/\xfd" + bytes(20), b"\x81\xa4type\xa3moo"])
def test_an_event_that_cannot_be_read_is_named(log: Log, path: Path, make, body: bytes):
    seq = log.append(make.visited(HOME), 1)
    log.commit()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE events SET body = ?", (body,))
    db.close()
    with pytest.raises(Damaged, match=f"event {seq} "):
        list(log.read())


def test_a_full_disk_keeps_everything_committed(log: Log, path: Path, make, links):
    committed = fill_up(log, make, links, limit=60)
    assert committed
    again = Log(path, write=True)
    assert [entry.at for entry in again.read(kinds=[Visited])] == committed
    again.append(make.visited("https://after.test/"), 1)
    again.commit()
    again.close()


def fill_up(log: Log, make, links, limit: int) -> list[float]:
    log._db.execute(f"PRAGMA max_page_count = {limit}")
    committed: list[float] = []
    with pytest.raises(DiskFull, match=r"disk full .*free space"):
        for n in range(100_000):
            log.append(make.visited(f"https://a.test/{n}", links=[*links(60), str(n)]), n)
            log.commit()
            committed.append(n)
    log.close()
    return committed


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_really_full_disk_keeps_everything_committed(tmp_path: Path, make, links):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        log = Log.create(disk / "log.sqlite")
        committed = fill_up(log, make, links, limit=1 << 30)
        assert len(committed) > 10
        reader = Log(disk / "log.sqlite")
        assert [entry.at for entry in reader.read(kinds=[Visited])] == committed
        reader.close()
    finally:
        subprocess.run(["umount", disk], check=True)


def test_the_journal_stays_small(log: Log, path: Path, make, links):
    for n in range(4000):
        log.append(make.visited(f"https://a.test/{n}", links=links(60)), n)
        log.commit()
    assert path.with_name("log.sqlite-wal").stat().st_size < 40 << 20
