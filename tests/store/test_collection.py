from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from lycosa.core.events import Began, Visited
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.system.errors import Refused

CRAWLER = """
import sys
from pathlib import Path
from lycosa.core.events import Leased, Redirected, Visited
from lycosa.core.nouns import Raw, Redirect, Ticket, Visit
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer

collection = Collection.open(Path(sys.argv[1]), write=True)
collection.recover()
scouts = [Writer(collection.folder, f"scout{n}") for n in range(3)]
begin = collection.log.counts()["visits"]
for n in range(begin, 1_000_000):
    ticket = Ticket(f"https://a.test/{n}", 0.5)
    collection.log.append(Leased(ticket), float(n))
    where = scouts[n % 3].write(ticket.url, Raw(200, (), b"<p>%d" % n * 3000), 1.7e9)
    seq = collection.log.append(Visited(Visit(ticket, 0.5, ["https://b.test/"], where=where)), float(n))
    if n % 4:
        collection.log.commit()
        print(n, flush=True)
    if n % 50 == 49:
        collection.save_checkpoint(b"state %d" % n * 1000, seq)
"""


def fill(collection: Collection, make, count: int, name: str = "scout", start: int = 0) -> None:
    writer = Writer(collection.folder, name)
    for n in range(start, start + count):
        url = f"https://a.test/{n}"
        where = writer.write(url, make.raw(b"<p>%d" % n * 100), 1.7e9)
        event = make.redirected(url, "https://a.test/", where) if n % 5 == 4 else make.visited(url, where=where)
        collection.log.append(event, float(n))
        collection.log.commit()
    writer.close()


def archived(folder: Path) -> list[str]:
    """The URLs of all response records, as any reader of the format finds them."""
    urls = []
    for file in sorted((folder / "pages").iterdir()):
        with file.open("rb") as stream:
            urls += [
                r.rec_headers.get_header("WARC-Target-URI") for r in ArchiveIterator(stream) if r.rec_type == "response"
            ]
    return urls


def test_a_collection_is_created_closed_and_opened(tmp_path: Path, make):
    with Collection.create(tmp_path / "deep" / "new") as collection:
        fill(collection, make, 10)
    with Collection.open(tmp_path / "deep" / "new") as collection:
        rows = list(collection.log.pages(order="time"))
        assert [row.url for row in rows] == [f"https://a.test/{n}" for n in range(10) if n % 5 != 4]
        assert all(row.where and collection.repository.read(row.where).status == 200 for row in rows)
        assert collection.graph.catch_up() == 2


def test_a_moved_folder_is_the_same_collection(tmp_path: Path, make):
    with Collection.create(tmp_path / "here") as collection:
        fill(collection, make, 10)
        collection.save_checkpoint(b"state", collection.log.last_seq())
        collection.graph.catch_up()
    (tmp_path / "other").mkdir()
    moved = Path(shutil.move(tmp_path / "here", tmp_path / "other" / "there"))
    assert not any(str(tmp_path).encode() in file.read_bytes() for file in moved.rglob("*") if file.is_file())
    with Collection.open(moved, write=True) as collection:
        assert collection.load_checkpoint() == (10, b"state")
        assert collection.recover() == (0, 0, 0, ())
        assert all(row.where and collection.repository.holds(row.where) for row in collection.log.pages())
        assert collection.graph.catch_up() == 0
        fill(collection, make, 5, start=10)


def test_what_is_no_collection_is_refused(tmp_path: Path):
    for path in (tmp_path, tmp_path / "nowhere"):
        for write in (False, True):
            with pytest.raises(Refused, match=re.escape(f"{path} is not a collection")):
                Collection.open(path, write=write)
    assert not list(tmp_path.iterdir())


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(Refused, match="is not empty: choose another folder"):
            Collection.create(tmp_path, force=force)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_existing_collection_is_not_overwritten(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 3)
    with pytest.raises(Refused, match="already holds a collection: resume it"):
        Collection.create(tmp_path)
    with Collection.open(tmp_path) as collection:
        assert collection.log.last_seq() == 3


def test_force_begins_anew_and_spares_other_files(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 3)
        collection.save_checkpoint(b"state", 3)
        collection.graph.catch_up()
    (tmp_path / "notes.txt").write_text("mine")
    with Collection.create(tmp_path, force=True) as collection:
        assert collection.log.last_seq() == 0 and collection.load_checkpoint() is None
        assert collection.repository.files() == {} and collection.graph.arrays()[0] == []
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_collection_in_which_nothing_happened_can_be_created_again(tmp_path: Path, make):
    Collection.create(tmp_path).close()
    (tmp_path / "log.sqlite.new").touch()
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 1)


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/none"])
def test_an_unwritable_place_is_refused(tmp_path: Path, place: str):
    (tmp_path / "file").touch()
    with pytest.raises(Refused, match=r"cannot make the folder .* choose another one"):
        Collection.create(tmp_path / place)


def test_a_second_crawler_is_told_who_is_there(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 1)
        for attempt in (lambda: Collection.open(tmp_path, write=True), lambda: Collection.create(tmp_path, force=True)):
            with pytest.raises(Refused, match=f"in use by process {os.getpid()}"):
                attempt()
        with Collection.open(tmp_path) as reader:
            assert reader.running()
    with Collection.open(tmp_path) as reader:
        assert not reader.running()
    Collection.open(tmp_path, write=True).close()


def test_asking_whether_a_crawl_runs_keeps_none_from_beginning(tmp_path: Path):
    Collection.create(tmp_path).close()
    asking = Collection.open(tmp_path)
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            asking.running()

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(50):
        Collection.open(tmp_path, write=True).close()
    done.set()
    thread.join()
    asking.close()


def test_a_checkpoint_is_kept_and_replaced(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        assert collection.load_checkpoint() is None
        fill(collection, make, 3)
        for seq, data in ((1, b"one"), (3, b"three" * 100_000), (2, b"")):
            collection.save_checkpoint(data, seq)
            assert collection.load_checkpoint() == (seq, data)
        collection.save_checkpoint(b"last")
        assert collection.load_checkpoint() == (3, b"last")
        assert not list(tmp_path.glob("checkpoint.*"))


def test_a_checkpoint_makes_what_was_appended_permanent(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        seq = collection.log.append(make.visited("https://a.test/"), 1)
        collection.save_checkpoint(b"state", seq)
    with Collection.open(tmp_path) as collection:
        assert collection.load_checkpoint() == (seq, b"state") and collection.log.last_seq() == seq


def test_a_damaged_checkpoint_is_ignored(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 3)
        collection.save_checkpoint(b"some state", 3)
        path = tmp_path / "checkpoint"
        whole = path.read_bytes()
        for n in range(len(whole)):
            path.write_bytes(whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1 :])
            assert collection.load_checkpoint() is None
            path.write_bytes(whole[:n])
            assert collection.load_checkpoint() is None


def test_a_checkpoint_the_log_does_not_reach_is_ignored(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 5)
        collection.save_checkpoint(b"state", 5)
        collection.log.cut(4)
        assert collection.load_checkpoint() is None


def test_records_the_log_does_not_name_are_cut_off(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 10)
        writer = Writer(tmp_path, "late")
        writer.write("https://late.test/", make.raw(), 1.7e9)
        writer.close()
        with (tmp_path / "pages" / "scout-00000.warc.gz").open("ab") as file:
            file.write(b"half a record")
        recovery = collection.recover()
        assert (recovery.events, recovery.files, recovery.short) == (0, 1, ()) and recovery.dropped > 13
        assert archived(tmp_path) == [f"https://a.test/{n}" for n in range(10)]
        assert collection.recover() == (0, 0, 0, ())


@pytest.mark.parametrize("checkpoint", [0, 3, 14])
def test_events_whose_record_never_reached_the_disk_are_dropped(tmp_path: Path, make, checkpoint: int):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 15, "one")
        fill(collection, make, 5, "two", start=15)
        collection.save_checkpoint(b"state", checkpoint)
        lost = collection.log.visit_of("https://a.test/12" if checkpoint < 14 else "https://a.test/16")
        assert lost and lost.event.visit.where
        with (tmp_path / "pages" / lost.event.visit.where.file).open("r+b") as file:
            file.truncate(lost.event.visit.where.offset + 20)
        recovery = collection.recover()
        assert recovery.events == 20 - (lost.seq - 1)
        assert collection.log.last_seq() == lost.seq - 1
        assert archived(tmp_path) == [f"https://a.test/{n}" for n in range(lost.seq - 1)]
        assert collection.load_checkpoint() == (checkpoint, b"state")


def test_a_file_that_was_taken_away_is_reported(tmp_path: Path, make):
    with Collection.create(tmp_path) as collection:
        fill(collection, make, 5)
        collection.save_checkpoint(b"state", 5)
        (tmp_path / "pages" / "scout-00000.warc.gz").unlink()
        assert collection.recover().short == ("scout-00000.warc.gz",)
        assert collection.log.last_seq() == 5


def test_kill_9_at_any_moment_loses_nothing_and_doubles_nothing(tmp_path: Path):
    Collection.create(tmp_path).close()
    rng = random.Random(11)
    told = -1
    for _ in range(5):
        child = subprocess.Popen([sys.executable, "-c", CRAWLER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout
        lines = [child.stdout.readline()]
        time.sleep(rng.uniform(0, 0.15))
        child.send_signal(signal.SIGKILL)
        lines += [line for line in child.communicate()[0].splitlines(keepends=True) if line.endswith("\n")]
        told = int(lines[-1])
        with Collection.open(tmp_path, write=True) as collection:
            recovery = collection.recover()
            assert (recovery.events, recovery.short) == (0, ())
            visits = [entry.event.visit.url for entry in collection.log.read(kinds=[Visited])]
            assert visits == [f"https://a.test/{n}" for n in range(len(visits))] and len(visits) > told
            assert sorted(archived(tmp_path)) == sorted(visits)
            found = collection.load_checkpoint()
            assert found is None or found[1].startswith(b"state ")
    assert told > 0


def test_a_checkpoint_of_another_log_is_not_trusted(tmp_path):
    for name, title in (("one", "first"), ("two", "second")):
        with Collection.create(tmp_path / name) as collection:
            collection.log.append(Began({"title": title}), 1.0)
            collection.save_checkpoint(title.encode())
            assert collection.load_checkpoint() == (1, title.encode())
    (tmp_path / "two" / "checkpoint").write_bytes((tmp_path / "one" / "checkpoint").read_bytes())
    with Collection.open(tmp_path / "two") as collection:
        assert collection.load_checkpoint() is None
