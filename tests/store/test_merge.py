"""Merging: several collections become one, with every page's record and the way that led to it."""

from __future__ import annotations

import pytest

from lycosa.core.events import Began, Leased, Stopped
from lycosa.store.collection import Collection
from lycosa.store.merge import Share, merge
from lycosa.store.repository import Repository, Writer


@pytest.fixture
def crawl(tmp_path, make):
    """Makes a collection of pages; each is told as (url, via) and archived with its URL as its body."""

    def crawl(name, pages, archived=True, relevance=0.5):
        folder = tmp_path / name
        with Collection.create(folder) as collection:
            writer = Writer(folder, name)
            collection.log.append(Began({}), 1.0)
            for at, (url, via) in enumerate(pages, 2):
                where = writer.write(url, make.raw(url.encode()), at) if archived else None
                collection.log.append(make.leased(url, via=via), at)
                collection.log.append(make.visited(url, relevance, where, via=via, sense=[1]), at)
            writer.close()
            collection.log.commit()
        return folder

    return crawl


def merged(tmp_path, *shares):
    with Collection.create(tmp_path / "new") as into:
        done = merge(shares, into, {"plan": 1}, 100.0)
    return done, Collection.open(tmp_path / "new")


def way(collection, url):
    hops = []
    while url:
        hops.append(url)
        lease = collection.log.lease_of(url)
        url = lease.event.ticket.via if lease else "?"
    return hops[::-1]


def test_pages_come_with_their_records_and_in_the_order_asked_for(tmp_path, crawl):
    one = crawl("one", [("http://a/", None), ("http://b/", "http://a/")])
    two = crawl("two", [("http://c/", None)])
    done, new = merged(tmp_path, Share(one, ["http://b/", "http://a/"]), Share(two, ["http://c/"]))
    with new:
        rows = list(new.log.pages(order="time"))
        assert [row.url for row in rows] == ["http://b/", "http://a/", "http://c/"]
        assert [new.repository.read(row.where).body.decode() for row in rows] == [row.url for row in rows]
        assert new.log.visit_of("http://b/").event.visit.sense is None
        assert done.pages == 3 and not done.lost
        assert new.log.last(Began).event.plan == {"plan": 1}
        assert new.log.last(Stopped).event.finished


def test_no_url_is_there_twice(tmp_path, crawl):
    one = crawl("one", [("http://a/", None)], relevance=0.3)
    two = crawl("two", [("http://a/", None)], relevance=0.9)
    done, new = merged(tmp_path, Share(one, ["http://a/", "http://a/"]), Share(two, ["http://a/"]))
    with new:
        assert done.pages == new.log.page_count() == new.log.counts()["visits"] == 1
        assert new.log.page("http://a/").relevance == 0.3


def test_the_whole_way_is_told_although_pages_on_it_are_left_out(tmp_path, crawl):
    one = crawl("one", [("http://a/", None), ("http://b/", "http://a/"), ("http://c/", "http://b/")])
    _, new = merged(tmp_path, Share(one, ["http://c/"]))
    with new:
        assert way(new, "http://c/") == ["http://a/", "http://b/", "http://c/"]
        assert new.log.page_count() == 1


def test_ways_of_different_crawls_never_run_in_a_circle(tmp_path, crawl):
    one = crawl("one", [("http://s/", None), ("http://a/", "http://s/"), ("http://b/", "http://a/")])
    two = crawl("two", [("http://t/", None), ("http://b/", "http://t/"), ("http://a/", "http://b/")])
    _, new = merged(tmp_path, Share(one, ["http://b/"]), Share(two, ["http://a/"]))
    with new:
        assert way(new, "http://b/") == ["http://s/", "http://a/", "http://b/"]
        assert way(new, "http://a/") == ["http://s/", "http://a/"]


def test_a_redirect_on_the_way_is_told(tmp_path, make):
    with Collection.create(tmp_path / "one") as collection:
        writer = Writer(collection.folder, "one")
        collection.log.append(make.leased("http://old/"), 1.0)
        collection.log.append(make.redirected("http://old/", "http://new/"), 2.0)
        collection.log.append(make.leased("http://new/", via="http://old/"), 3.0)
        where = writer.write("http://new/", make.raw(), 3.0)
        collection.log.append(make.visited("http://new/", where=where, via="http://old/"), 4.0)
        writer.close()
        collection.log.commit()
    _, new = merged(tmp_path, Share(tmp_path / "one", ["http://new/"]))
    with new:
        assert way(new, "http://new/") == ["http://old/", "http://new/"]
        assert new.log.counts()["redirects"] == 1


def test_what_is_said_of_seeds_stands_among_the_parts_of_their_score(tmp_path, crawl):
    one = crawl("one", [("http://a/", None), ("http://b/", "http://a/")])
    _, new = merged(tmp_path, Share(one, ["http://b/"], "found by asking for bees"))
    with new:
        assert "found by asking for bees" in new.log.lease_of("http://a/").event.parts
        assert isinstance(lease := new.log.lease_of("http://b/").event, Leased)
        assert "found by asking for bees" not in lease.parts


def test_a_record_may_lie_elsewhere(tmp_path, crawl):
    one = crawl("one", [("http://a/", None)])
    two = crawl("two", [("http://a/", None)], archived=False, relevance=0.9)
    with Collection.open(one) as collection:
        where = collection.log.page("http://a/").where
    share = Share(two, ["http://a/"], elsewhere=lambda url: (one, where))  # type: ignore[return-value]
    done, new = merged(tmp_path, share)
    with new:
        row = new.log.page("http://a/")
        assert done.pages == 1 and row.relevance == 0.9
        assert new.repository.read(row.where).body == b"http://a/"


def test_pages_without_a_whole_record_are_left_out_and_named(tmp_path, crawl):
    one = crawl("one", [("http://a/", None), ("http://b/", None)])
    two = crawl("two", [("http://c/", None)], archived=False)
    (file,) = Repository(one).folder.glob("*.warc.gz")
    content = bytearray(file.read_bytes())
    content[-20] ^= 0xFF
    file.write_bytes(content)
    done, new = merged(tmp_path, Share(one, ["http://a/", "http://b/", "http://x/"]), Share(two, ["http://c/"]))
    with new:
        assert done.pages == 1 and done.lost == ["http://b/", "http://x/", "http://c/"]
        assert new.log.lease_of("http://b/") is None
