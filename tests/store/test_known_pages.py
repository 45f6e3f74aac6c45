"""Pages about which it is known whether they are on topic: no list contradicts a person or an example."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from lycosa.core.events import Began, Redirected, Visited
from lycosa.core.nouns import Judgement, Redirect, Ticket, Visit
from lycosa.store.collection import Collection
from lycosa.store.known_pages import KnownPages, examples_of
from lycosa.store.listing import Listing


def url_of(number: int) -> str:
    return f"https://a.test/{number}"


@pytest.fixture
def collection(tmp_path: Path):
    """Four pages, each less likely on topic than the one before, the last unknown; the second was given as example."""
    with Collection.create(tmp_path / "c") as collection:
        log = collection.log
        log.append(Began({"topic": {"keywords": "x", "examples": ["https://a.test/old"]}}), 0.0)
        log.append(Redirected(Redirect(Ticket("https://a.test/old"), url_of(1))), 0.5)
        for number, relevance in enumerate((0.9, 0.6, 0.3, None)):
            log.append(Visited(Visit(Ticket(url_of(number)), 0.1), relevance=relevance), float(number))
        log.commit()
        yield collection


def said(no: int, yes: int) -> dict[str, Judgement]:
    return {url_of(number): Judgement(url_of(number), relevant) for number, relevant in ((no, False), (yes, True))}


def numbers(rows) -> list[int]:
    return [int(row.url.rpartition("/")[2]) for row in rows]


def test_an_example_is_the_page_that_it_was_redirected_to(collection):
    assert examples_of(collection.log) == {"https://a.test/old", url_of(1)}
    assert KnownPages(collection.log, {}).shown(url_of(1), 0.6) == (1.0, "example")


def test_a_person_is_right_even_about_an_example(collection):
    known = KnownPages(collection.log, said(no=1, yes=3))
    assert known.shown(url_of(1), 0.6) == (0.0, "judged")
    assert known.shown(url_of(3), None) == (1.0, "judged")
    assert known.shown(url_of(2), 0.3) == (0.3, "")


def test_what_is_known_has_its_place_in_the_order_before_the_log_follows(collection):
    known = KnownPages(collection.log, said(no=0, yes=3))
    found = list(known.best_first(collection.log))
    assert numbers(found) == [1, 3, 2, 0]
    assert [row.relevance for row in found] == [1.0, 1.0, 0.3, 0.0]
    assert numbers(known.best_first(collection.log, 0.5)) == [1, 3]
    assert known.count(collection.log, 0.5) == 2 and known.count(collection.log) == 4


def test_a_listing_follows_it_too(collection):
    with closing(Listing(collection.folder)) as listing:
        certain = KnownPages(listing, said(no=0, yes=3)).certain
        assert numbers(listing.some(said=certain)[0]) == [1, 3, 2, 0]
        rows, total = listing.some(said=certain, min_relevance=0.5)
        assert (numbers(rows), total) == ([1, 3], 2)
        assert numbers(listing.some()[0]) == [0, 1, 2, 3]
        assert numbers(listing.some(said=certain, order="time", host="a.test", text="a.test")[0]) == [3, 2, 1, 0]
