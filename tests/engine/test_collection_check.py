"""A check names every damage with its place; a repair makes anew what can be made from what is sound."""

import re
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lycosa.app.hunts import hunt, resume
from lycosa.app.search import search
from lycosa.core.events import Visited
from lycosa.core.nouns import Judgement, Ticket, Visit
from lycosa.engine import collection_check
from lycosa.store import pagesums, sqlite
from lycosa.store.collection import Collection
from lycosa.store.link_graph import Graph
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=300,topics=3,seed=5"
TOPIC = Made(pages=300, topics=3, seed=5).topics[0]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("checked") / "c"
    options = {"replay": WEB, "strategy": "best-first", "pages": 15}
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, **options) as running:
        list(running)
    with Collection.open(folder) as collection:
        collection.inbox.add([Judgement(f"https://{name}.test/", True) for name in "abc"], 1.0)
    with Graph(folder) as graph:
        graph.catch_up()
    return folder


@pytest.fixture
def folder(crawled, tmp_path):
    return shutil.copytree(crawled, tmp_path / "c")


def change(file, at, flip=0x10):
    content = bytearray(file.read_bytes())
    content[at] ^= flip
    file.write_bytes(content)


def tampered(folder, statement):
    """As if it had been written wrong from the beginning: the sums of the pages agree."""
    path = folder / "log.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.commit()
    pagesums.make(path, sqlite.PAGE)


def told(found):
    return [f"{damage.place}: {damage.problem}" for damage in found.damages]


def pages_of(folder):
    with Collection.open(folder) as collection:
        return list(collection.log.pages()), collection.log.counts(), list(collection.log.read())


def test_a_sound_collection_is_sound_and_is_not_changed(folder):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite-shm"}
    found = collection_check.check(folder)
    assert found.sound and not found.running and (found.pages, found.damages) == (15, [])
    after = {path: path.read_bytes() for path in before}
    assert after == before


def test_what_a_crawl_adds_while_it_is_checked_is_no_damage(folder):
    with Collection.open(folder, write=True) as collection:
        added = iter(range(100))

        def crawl_on(what, done, total):
            if what in ("log file", "events"):
                collection.log.append(Visited(Visit(Ticket(f"https://new.test/{next(added)}"), 0.5)), 1e9)
                collection.log.commit()

        found = collection_check.check(folder, crawl_on)
    assert next(added) > 1
    assert found.running and found.damages == []


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE pages SET relevance = 0.99 WHERE seq = 3", "the row of .* among the pages is not as its event says"),
        ("DELETE FROM pages WHERE seq = 3", "the row of .* among the pages is not as its event says"),
        ("UPDATE tally SET count = count + 1 WHERE kind = 'leased'", "the tally is not as the events say"),
    ],
)
def test_what_is_made_from_events_is_compared_with_them_and_made_anew(folder, crawled, statement, problem):
    tampered(folder, statement)
    found = collection_check.check(folder)
    assert len(found.damages) == 1 and not found.sound and re.search(problem, told(found)[0])
    with pytest.raises(AssertionError):
        assert pages_of(folder) == pages_of(crawled)
    assert collection_check.repair(folder).sound
    assert pages_of(folder) == pages_of(crawled)
    assert collection_check.check(folder).damages == []
    assert [path.name for path in (folder / "damaged").glob("*/log.sqlite")] == ["log.sqlite"]


def test_damaged_pages_of_the_file_are_named_and_made_anew_where_no_event_is_lost(folder, crawled):
    sums = folder / "log.sqlite-sums"
    change(sums, sums.stat().st_size - 3)
    assert told(collection_check.check(folder)) == ["log.sqlite: log.sqlite-sums is damaged"]
    assert collection_check.repair(folder).sound
    assert pages_of(folder) == pages_of(crawled)


@pytest.mark.parametrize("step", range(6))
def test_a_repair_that_is_interrupted_anywhere_is_finished_by_the_next(folder, crawled, step, monkeypatch):
    tampered(folder, "DELETE FROM pages WHERE seq = 3")
    rename, left = Path.rename, step

    def interrupted(self, target):
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", interrupted)
        with suppress(KeyboardInterrupt):
            collection_check.repair(folder)
    assert collection_check.repair(folder).sound
    assert pages_of(folder) == pages_of(crawled)
    assert collection_check.check(folder).damages == []


def test_a_lost_event_is_named_and_nothing_is_pretended(folder):
    tampered(folder, "UPDATE events SET at = at + 1 WHERE seq = 5")
    for look in (collection_check.check, collection_check.repair):
        found = look(folder)
        assert told(found) == ["log.sqlite, event 5: the event is damaged or missing"]
        assert found.damages[0].repair == "" and not found.sound


def test_a_damaged_record_is_named_with_its_url(folder):
    with Collection.open(folder) as collection:
        row = next(iter(collection.log.pages()))
    change(folder / "pages" / row.where.file, row.where.offset + row.where.length // 2)
    (problem,) = told(collection_check.check(folder))
    assert problem.startswith(f"pages/{row.where.file}, byte {row.where.offset}: the record of {row.url} is damaged")


def test_what_lies_beside_the_log_is_named_and_made_anew(folder):
    change(folder / "checkpoint", 60)
    change(folder / "graph.sqlite", 9000)
    inbox = folder / "judgements.jsonl"
    change(inbox, inbox.read_bytes().index(b"b.test"), 1)
    index = max((folder / "index").rglob("*"), key=lambda path: path.stat().st_size)
    change(index, 100)
    places = {damage.place.split(",")[0].split("/")[-1] for damage in collection_check.check(folder).damages}
    assert {"checkpoint", "graph.sqlite", "judgements.jsonl", index.name} <= places
    assert collection_check.repair(folder).sound
    again = collection_check.check(folder)
    assert told(again) == []
    with Collection.open(folder) as collection:
        assert sorted(collection.inbox.all()) == ["https://a.test/", "https://c.test/"]
    with resume(folder, pages=20) as running:
        assert len(list(running)) == 5


def test_a_collection_is_checked_while_it_is_crawled_and_not_repaired(folder):
    with Collection.open(folder, write=True):
        found = collection_check.check(folder)
        assert found.running and found.sound
        with pytest.raises(Refused, match="is in use by process"):
            collection_check.repair(folder)


def test_files_that_everybody_may_change_are_named(folder):
    (folder / "checkpoint").chmod(0o666)
    assert collection_check.check(folder).open_to_others == ["checkpoint"]


def test_a_crawl_whose_checkpoint_is_damaged_goes_on_from_the_log_and_says_so(folder):
    change(folder / "checkpoint", 60)
    with resume(folder, pages=20) as running:
        assert "the checkpoint is damaged" in running.remark
        assert len(list(running)) == 5
    with resume(folder, pages=21) as running:
        assert running.remark == ""


def test_a_search_says_that_pages_are_missing_whose_record_is_damaged(folder):
    with Collection.open(folder) as collection:
        row = next(iter(collection.log.pages()))
    assert search(folder, TOPIC.keywords).remark == ""
    change(folder / "pages" / row.where.file, row.where.offset + row.where.length // 2)
    shutil.rmtree(folder / "index")
    assert search(folder, TOPIC.keywords).remark.startswith("the archived records of 1 pages of")
