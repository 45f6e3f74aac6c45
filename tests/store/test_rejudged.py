"""The relevance of pages in the log: told at the visit, told again, and never against a person's word."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from lycosa.core.events import Judged, Rejudged, Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.rejudging import STEPS, UNKNOWN
from lycosa.store import log_check
from lycosa.store.collection import Collection
from lycosa.store.listing import Listing
from lycosa.store.log import Log
from lycosa.store.merge import Share, merge
from lycosa.store.repository import Writer


@pytest.fixture
def collection(tmp_path: Path):
    with Collection.create(tmp_path / "c") as collection:
        yield collection


def url_of(number: int) -> str:
    return f"https://a.test/{number}"


def fill(collection: Collection, *relevance: float | None) -> None:
    for number, each in enumerate(relevance):
        visit = Visit(Ticket(url_of(number)), number / 10, digest=str(number))
        collection.log.append(Visited(visit, relevance=each), float(number))
    collection.log.commit()


def shown(collection: Collection) -> list[float | None]:
    return [row.relevance for row in collection.log.pages(order="time")]


def sound(collection: Collection) -> bool:
    collection.log.commit()
    return not list(log_check.check_log(collection.folder, lambda what, done, total: None))


def test_a_page_has_the_relevance_of_its_visit_until_it_is_judged_again(collection):
    fill(collection, None, 0.25, 0.5, None)
    assert shown(collection) == [None, 0.25, 0.5, None]
    assert [row.score for row in collection.log.pages(order="time")] == [0.0, 0.1, 0.2, 0.3]
    collection.log.append(Rejudged(bytes([STEPS, 20, UNKNOWN])), 9.0)
    assert shown(collection) == [None, 1.0, 0.1, None]
    assert sound(collection)


def test_a_persons_word_is_the_relevance_and_a_withdrawn_one_is_forgotten(collection):
    fill(collection, 0.25, 0.5)
    collection.log.append(Judged(url_of(0), True), 3.0)
    collection.log.append(Judged(url_of(1), False), 3.0)
    assert shown(collection) == [1.0, 0.0]
    collection.log.append(Judged(url_of(1), None), 4.0)
    collection.log.append(Judged("https://nowhere.test/", True), 4.0)
    assert shown(collection) == [1.0, None]
    collection.log.append(Rejudged(bytes([STEPS, 30])), 4.0)
    assert shown(collection) == [1.0, 0.15]
    assert sound(collection)


def test_only_rows_that_change_noticeably_are_written(collection):
    fill(collection, *[0.5] * 100)
    before = collection.log._db.execute("SELECT total_changes()").fetchone()[0]
    collection.log.append(Rejudged(bytes([101] * 98 + [10, 190])), 1.0)
    # One for the event, one for each of the two pages.
    assert collection.log._db.execute("SELECT total_changes()").fetchone()[0] == before + 3
    assert shown(collection)[-3:] == [0.5, 0.05, 0.95]


def test_what_is_not_known_comes_last_and_there_the_better_score_first(collection):
    fill(collection, None, 0.2, None, 0.9)
    assert [row.url for row in collection.log.pages()] == [url_of(number) for number in (3, 1, 2, 0)]
    assert [row.url for row in collection.log.pages(0.2)] == [url_of(3), url_of(1)]
    assert (collection.log.page_count(0.0), collection.log.page_count(0.2)) == (4, 2)
    with closing(Listing(collection.folder)) as listing:
        rows, total = listing.some()
        assert ([row.url for row in rows], total) == ([url_of(number) for number in (3, 1, 2, 0)], 4)
        assert listing.some(min_relevance=0.5)[1] == 1


def test_the_harvest_is_the_mean_of_what_is_known(collection):
    assert collection.log.counts()["harvest"] is None
    fill(collection, None, 0.2, 0.4)
    assert collection.log.counts()["harvest"] == pytest.approx(0.3)


def test_a_page_that_was_fetched_again_is_the_latest_one(collection):
    fill(collection, 0.2, 0.2, 0.2)
    fill(collection, 0.3)
    collection.log.append(Rejudged(bytes([100, 120])), 9.0)
    assert {row.url: row.relevance for row in collection.log.pages()} == {
        url_of(1): 0.2,
        url_of(2): 0.5,
        url_of(0): 0.6,
    }
    assert sound(collection)


def test_a_log_that_is_cut_says_what_it_said_then(collection):
    fill(collection, 0.2, 0.2)
    seq = collection.log.append(Rejudged(bytes([100, 100])), 3.0)
    collection.log.append(Rejudged(bytes([180, 180])), 4.0)
    collection.log.append(Judged(url_of(0), False), 5.0)
    collection.log.commit()
    assert shown(collection) == [0.0, 0.9]
    collection.log.cut(seq)
    assert shown(collection) == [0.5, 0.5] and sound(collection)


def test_a_relevance_that_no_event_gave_is_found(collection):
    fill(collection, 0.2, 0.3)
    collection.log._db.execute("BEGIN")
    collection.log._db.execute("UPDATE pages SET relevance = 0.9 WHERE url = ?", (url_of(1),))
    collection.log._db.commit()
    assert not sound(collection)


def test_a_merged_collection_has_the_relevance_of_its_pages_as_it_was_last(collection, tmp_path, make):
    fill(collection, 0.2)
    collection.log.append(Rejudged(bytes([160])), 3.0)
    collection.log.commit()
    with Collection.create(tmp_path / "other") as other:
        record = _archived(other, make)
    with Collection.create(tmp_path / "m") as into:
        merge([Share(collection.folder, [url_of(0)], elsewhere=lambda url: record)], into, {}, 1.0)
        (row,) = into.log.pages()
        assert (row.relevance, row.score) == (0.8, 0.0)


def _archived(collection, make):
    writer = Writer(collection.folder, "x")
    where = writer.write(url_of(0), make.raw(), 1.0)
    writer.close()
    return collection.folder, where


def test_a_log_of_version_2_keeps_its_scores_and_then_follows_its_judgements(collection):
    fill(collection, 0.0, 0.1, 0.2)
    for number, relevant in ((1, True), (2, False), (2, None)):
        collection.log.append(Judged(url_of(number), relevant), 5.0)
    collection.log.commit()
    db = collection.log._db
    db.execute("BEGIN")
    db.execute("UPDATE pages SET relevance = score")
    db.execute("ALTER TABLE pages DROP COLUMN score")
    db.execute("UPDATE meta SET value = 2 WHERE key = 'version'")
    db.commit()
    with closing(Listing(collection.folder)) as listing:
        assert [(row.relevance, row.score) for row in listing.some()[0]] == [(0.2, 0.2), (0.1, 0.1), (0.0, 0.0)]
    assert sound(collection)
    with closing(Log(collection.folder / "log.sqlite", write=True)) as log:
        rows = [(row.relevance, row.score) for row in log.pages(order="time")]
    assert rows == [(0.0, 0.0), (1.0, 0.1), (None, 0.2)]
    assert sound(collection)
