"""The index of a collection equals its store: while it grows, when it is resumed, cut, damaged or thrown away."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from lycosa.app.hunts import hunt, resume
from lycosa.core.events import Began, Judged, Rejudged, Visited
from lycosa.core.nouns import Raw, Ticket, Visit
from lycosa.core.rejudging import STEPS, UNKNOWN
from lycosa.engine.archived import Documents, archived
from lycosa.engine.index_check import compare_with_store
from lycosa.engine.indexing import Indexer, bring_up_to_date, index_collection
from lycosa.engine.spool import SpoolReader
from lycosa.index.index import Index
from lycosa.index.index_errors import Busy
from lycosa.index.search_types import Filters, Question
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX, SPOOL
from lycosa.store.repository import Writer
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=300,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=300, topics=3, seed=5, page_bytes=2000).topics[0]


def replayed(out, **options):
    options = {"pages": 40, "strategy": "best-first", **options}
    with hunt(TOPIC.keywords, TOPIC.examples, out=out, replay=WEB, **options) as running:
        visits = list(running)
    assert running.index is None or not running.index.trouble
    return visits


def live(out, served, **options):
    options = {"pages": 60, "delay": 0.0, "workers": 8, "strategy": "best-first", **options}
    return hunt(TOPIC.keywords, TOPIC.examples, out=out, proxy=served.proxy, **options)


@pytest.fixture(scope="module")
def served():
    """The web on loopback."""
    with spawn(WEB) as served:
        yield served


@pytest.fixture(scope="module")
def crawls(tmp_path_factory):
    """Crawls of 40 pages, made once: «with» an index and «without»."""
    folder = tmp_path_factory.mktemp("crawls")
    replayed(folder / "with")
    replayed(folder / "without", index=False)
    return folder


@pytest.fixture
def indexed_crawl(tmp_path, crawls):
    """A crawl with an index, to be changed."""
    return shutil.copytree(crawls / "with", tmp_path / "c")


@pytest.fixture
def bare_crawl(tmp_path, crawls):
    """A crawl without an index, to be changed."""
    return shutil.copytree(crawls / "without", tmp_path / "c")


def stored(folder):
    """Titles and texts of the pages as the store has them."""
    with Collection.open(Path(folder)) as collection:
        return {
            row.url: (row.title, archived(collection.repository, row.url, row.where).text)
            for row in collection.log.pages()
            if row.where
        }


def indexed(folder):
    """Titles and texts of the pages as the index has them."""
    with Index.open(Path(folder) / INDEX) as index:
        urls = index.urls()
        titles = index.content.titles(urls)
        assert len(urls) == len(set(urls)) == len(index)
        return {url: (titles[url], index.text(url)) for url in urls}


def documents(folder, spool=None):
    with Collection.open(Path(folder)) as collection:
        return {url: document for _, url, document in Documents(collection, spool).after(0)}


def found(folder, words):
    with Index.open(Path(folder) / INDEX) as index:
        return [hit.url for hit in index.search(Question(words, by="content")).hits]


class Site:
    """A collection that is written by hand."""

    def __init__(self, folder):
        self.collection = Collection.create(folder)
        self.writer = Writer(folder, "hand")
        self.at = 1000.0

    def visit(self, name, text, *, labels=None, mime="text/html", keep=True):
        url, self.at = f"http://a.test/{name}", self.at + 1
        body = f"<title>{name}</title><body>{text}</body>".encode()
        where = self.writer.write(url, Raw(200, (("Content-Type", mime),), body), self.at) if keep else None
        visit = Visit(Ticket(url), 0.5, labels=labels or {}, title=name, mime=mime, where=where)
        self.collection.log.append(Visited(visit), self.at)
        self.collection.log.commit()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.writer.close()
        self.collection.close()


# ---- the whole


def test_a_replayed_crawl_is_searchable_at_its_end(indexed_crawl):
    assert indexed(indexed_crawl) == stored(indexed_crawl)
    assert len(stored(indexed_crawl)) == 40
    assert found(indexed_crawl, TOPIC.keywords)
    assert not (indexed_crawl / SPOOL).exists()


def test_a_live_crawl_is_searchable_at_its_end(tmp_path, served):
    with live(tmp_path / "c", served) as running:
        assert len(list(running)) == 60
    assert running.index.trouble == ""
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")
    assert not (tmp_path / "c" / SPOOL).exists()


def test_a_page_is_findable_within_seconds_while_the_crawl_runs(tmp_path):
    with spawn(WEB, latency=(0.2, 0.2)) as served, live(tmp_path / "c", served, pages=600, workers=4) as running:
        visits = iter(running)
        first, began = next(visits), time.monotonic()
        deadline, there = began + 100.0, False
        for _ in visits:
            if (tmp_path / "c" / INDEX / "state.json").exists():
                with Index.open(tmp_path / "c" / INDEX) as index:
                    there = index.holds(first.url)
            if there or time.monotonic() > deadline:
                break
        assert there


def test_without_an_index_nothing_is_spooled_and_nothing_indexed(tmp_path, served, crawls):
    with live(tmp_path / "d", served, index=False, pages=10) as running:
        list(running)
        assert running.index is None
    for folder in (crawls / "without", tmp_path / "d"):
        assert not (folder / SPOOL).exists()
        assert not (folder / INDEX).exists()


def test_what_was_crawled_without_an_index_gets_one_when_it_is_asked_for(bare_crawl):
    told = []
    bring_up_to_date(bare_crawl, lambda done, total: told.append((done, total)))
    assert indexed(bare_crawl) == stored(bare_crawl)
    assert told[-1] == (40, 40)
    told.clear()
    bring_up_to_date(bare_crawl, lambda done, total: told.append((done, total)))
    assert told == []


@pytest.mark.parametrize("strategy", ["best-first", "breadth-first", "dom", "apprentice"])
def test_a_crawl_is_the_same_with_and_without_an_index(tmp_path, strategy):
    with_index = replayed(tmp_path / "with", strategy=strategy)
    without = replayed(tmp_path / "without", strategy=strategy, index=False)
    assert [replace(visit, where=None) for visit in with_index] == [replace(visit, where=None) for visit in without]


def test_a_live_page_is_the_same_with_and_without_an_index(tmp_path, served):
    visits = []
    for index in (True, False):
        name = tmp_path / str(index)
        with live(name, served, index=index, strategy="dom", workers=1, pages=15) as running:
            visits.append([replace(visit, where=None) for visit in running])
    assert visits[0] == visits[1]


@pytest.mark.parametrize("strategy", ["best-first", "dom"])
def test_it_makes_no_difference_whether_a_page_comes_from_the_spool(tmp_path, served, strategy):
    with live(tmp_path / "c", served, strategy=strategy) as running:
        urls = []
        for visit in running:
            urls.append(visit.url)
            if len(urls) == 1:
                os.kill(running.index.pid, signal.SIGKILL)
    assert running.index.trouble
    spool = SpoolReader(tmp_path / "c")
    from_spool = documents(tmp_path / "c", spool)
    spool.close()
    parsed = documents(tmp_path / "c")
    assert len(parsed) == 60
    assert parsed == from_spool
    assert any(document.links for document in parsed.values())


# ---- the log decides


def test_a_page_that_was_visited_twice_is_what_it_was_the_last_time(tmp_path):
    with Site(tmp_path / "c") as site, Indexer(tmp_path / "c") as indexer:
        site.visit("one", "wolf")
        site.visit("two", "lamb")
        assert indexer.catch_up() == 2
        site.visit("one", "sheep")
        assert indexer.catch_up() == 1
        assert indexer.catch_up() == 0
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")
    assert indexed(tmp_path / "c")["http://a.test/one"] == ("one", "one\nsheep")
    assert found(tmp_path / "c", "wolf") == []


def test_what_is_no_text_or_was_not_archived_is_no_document(tmp_path):
    with Site(tmp_path / "c") as site, Indexer(tmp_path / "c") as indexer:
        site.visit("page", "wolf")
        site.visit("picture", "wolf", mime="image/png")
        site.visit("unkept", "wolf", keep=False)
        assert indexer.catch_up() == 1
    assert list(indexed(tmp_path / "c")) == ["http://a.test/page"]


def test_the_best_label_is_the_category(tmp_path):
    with Site(tmp_path / "c") as site:
        site.visit("one", "wolf", labels={"animals": 0.7, "plants": 0.3})
        site.visit("two", "wolf")
    categories = {url: document.category for url, document in documents(tmp_path / "c").items()}
    assert categories == {"http://a.test/one": "animals", "http://a.test/two": ""}


def test_a_log_that_was_cut_means_an_index_made_anew(indexed_crawl):
    with Collection.open(indexed_crawl, write=True) as collection:
        rows = list(collection.log.pages(order="time"))
        collection.log.cut(rows[20].seq)
        collection.tidy()
    bring_up_to_date(indexed_crawl)
    assert indexed(indexed_crawl) == stored(indexed_crawl)
    assert len(indexed(indexed_crawl)) == 21
    with resume(indexed_crawl, pages=30) as running:
        list(running)
    assert indexed(indexed_crawl) == stored(indexed_crawl)


def test_what_only_the_index_remembers_after_a_power_cut_goes(tmp_path):
    with Site(tmp_path / "c") as site, Indexer(tmp_path / "c") as indexer:
        state = tmp_path / "c" / INDEX / "state.json"
        site.visit("one", "wolf")
        indexer.catch_up()
        indexer.settle()
        before, seq = state.read_bytes(), site.collection.log.last_seq()
        site.visit("two", "sheep")
        indexer.catch_up()
        # Neither the log's last event nor the index's state reached the disk, but the documents did.
        state.write_bytes(before)
        site.collection.log.cut(seq)
    assert len(indexed(tmp_path / "c")) == 2
    bring_up_to_date(tmp_path / "c")
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")
    assert list(indexed(tmp_path / "c")) == ["http://a.test/one"]


def test_a_log_that_was_replaced_means_an_index_made_anew(tmp_path, indexed_crawl):
    replayed(tmp_path / "d", index=False, strategy="breadth-first", pages=35)
    shutil.copytree(indexed_crawl / INDEX, tmp_path / "d" / INDEX)
    bring_up_to_date(tmp_path / "d")
    assert indexed(tmp_path / "d") == stored(tmp_path / "d")


def test_a_damaged_record_costs_its_page_and_nothing_else(tmp_path):
    with Site(tmp_path / "c") as site:
        for name in ("one", "two", "three"):
            site.visit(name, "wolf " * 50)
        where = site.collection.log.page("http://a.test/two").where
    file = tmp_path / "c" / "pages" / where.file
    damaged = bytearray(file.read_bytes())
    damaged[where.offset + where.length // 2] ^= 0xFF
    file.write_bytes(damaged)
    with Indexer(tmp_path / "c") as indexer:
        assert indexer.catch_up() == 2
        assert indexer.index.unread == 1


@pytest.mark.parametrize("part", ["", "content", "references"])
def test_an_index_that_was_deleted_or_a_part_of_it_is_made_again(indexed_crawl, part):
    before = indexed(indexed_crawl)
    shutil.rmtree(indexed_crawl / INDEX / part)
    bring_up_to_date(indexed_crawl)
    assert indexed(indexed_crawl) == before


def test_what_was_added_but_not_noted_is_added_once(bare_crawl):
    with Indexer(bare_crawl) as indexer:
        for _, _, document in indexer.documents.after(0):
            indexer.index.add(document)
        # Content and references are safe, and then the process dies.
        indexer.index.references.commit()
        indexer.index.content.commit()
    with Indexer(bare_crawl) as indexer:
        assert indexer.catch_up() == 40
    assert indexed(bare_crawl) == stored(bare_crawl)


# ---- one at a time, and never in the way


def test_a_second_indexer_leaves_it_to_the_first(bare_crawl):
    with Indexer(bare_crawl) as first:
        with pytest.raises(Busy):
            Indexer(bare_crawl)
        bring_up_to_date(bare_crawl)
        assert first.catch_up() == 40


def test_a_crawl_whose_index_is_busy_goes_on_and_says_so(tmp_path):
    replayed(tmp_path / "c", pages=20)
    with Indexer(tmp_path / "c"), resume(tmp_path / "c", pages=40) as running:
        assert len(list(running)) == 20
    assert "\n" not in running.index.trouble
    assert "next search" in running.index.trouble
    bring_up_to_date(tmp_path / "c")
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")


def test_a_follower_that_is_killed_does_not_disturb_the_crawl(tmp_path, served):
    with live(tmp_path / "c", served) as running:
        urls = []
        for visit in running:
            urls.append(visit.url)
            if len(urls) == 20:
                os.kill(running.index.pid, signal.SIGKILL)
    assert len(urls) == 60
    assert "next search" in running.index.trouble
    bring_up_to_date(tmp_path / "c")
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")
    assert not (tmp_path / "c" / SPOOL).exists()


def test_an_index_that_cannot_be_written_does_not_disturb_the_crawl(tmp_path, served):
    with live(tmp_path / "c", served, pages=30) as running:
        (tmp_path / "c" / INDEX).write_text("a file where the folder should be")
        assert len(list(running)) == 30
    assert "\n" not in running.index.trouble
    assert "next search" in running.index.trouble


def test_leaving_the_loop_early_ends_the_follower(tmp_path, served):
    with live(tmp_path / "c", served) as running:
        for _ in running:
            pid = running.index.pid
            break
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")


def test_a_follower_does_not_outlive_a_brain_that_is_killed(tmp_path, served):
    script = (
        "import sys\n"
        "from lycosa.app.hunts import hunt\n"
        "keywords, seeds, proxy, out = sys.argv[1], sys.argv[2].split(), sys.argv[3], sys.argv[4]\n"
        "with hunt(keywords, seeds, out=out, proxy=proxy, delay=0.2, pages=500) as running:\n"
        "    for _ in running:\n"
        "        print(running.index.pid, flush=True)\n"
    )
    arguments = [TOPIC.keywords, " ".join(TOPIC.examples), served.proxy, str(tmp_path / "c")]
    with subprocess.Popen([sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, text=True) as brain:
        follower = int(brain.stdout.readline())
        brain.kill()
    deadline = time.monotonic() + 60.0
    while Path(f"/proc/{follower}/cmdline").exists() and Path(f"/proc/{follower}/cmdline").read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_spool_that_is_damaged_does_not_harm(tmp_path, served):
    with live(tmp_path / "c", served, pages=30) as running:
        for number, _ in enumerate(running):
            if number == 0:
                os.kill(running.index.pid, signal.SIGKILL)
    for number, file in enumerate(sorted((tmp_path / "c" / SPOOL).glob("*.spool"))):
        content = bytearray(file.read_bytes())
        content[len(content) // 3] ^= 0xFF
        file.write_bytes(content[: -100 - number])
    bring_up_to_date(tmp_path / "c")
    assert indexed(tmp_path / "c") == stored(tmp_path / "c")


# ---- several into one


def test_several_collections_go_into_one_index(tmp_path):
    with Site(tmp_path / "one") as site:
        site.visit("wolf", "wolf old")
        site.visit("wolf", "wolf new")
        site.visit("sheep", "sheep")
    with Site(tmp_path / "two") as site:
        site.visit("goat", "goat")
        site.visit("private", "hidden")
    with Index.write(tmp_path / "both") as index:
        assert index_collection(tmp_path / "one", index) == 2
        assert index_collection(tmp_path / "two", index, wanted=lambda url: "private" not in url) == 1
        index.commit(0, 0)
    with Index.open(tmp_path / "both") as index:
        assert sorted(index.urls()) == [f"http://a.test/{name}" for name in ("goat", "sheep", "wolf")]
        assert index.text("http://a.test/wolf") == "wolf\nwolf new"


def test_a_collection_without_a_crawl_can_be_indexed(tmp_path):
    with Site(tmp_path / "c") as site:
        site.visit("page", "<h1>Wolf</h1><a href=/x>link</a>")
        assert site.collection.log.last(Began) is None
    bring_up_to_date(tmp_path / "c")
    (document,) = documents(tmp_path / "c").values()
    assert (document.headings, document.links) == ("Wolf", (("http://a.test/x", (10, 14)),))
    assert found(tmp_path / "c", "wolf") == ["http://a.test/page"]


def relevant(folder, least):
    """The pages of at least this relevance, by the index and by the log."""
    with Index.open(folder / INDEX) as index, Collection.open(folder) as collection:
        hits = index.search(Question("", limit=100, filters=Filters(relevance=least), twins=True)).hits
        return {hit.url: hit.relevance for hit in hits}, {row.url: row.relevance for row in collection.log.pages(least)}


def test_search_knows_what_the_crawl_last_said_about_each_page(tmp_path):
    visits = {visit.url: visit for visit in replayed(tmp_path / "c")}
    found, stored = relevant(tmp_path / "c", 0.4)
    assert found == stored and 0 < len(found) < 40
    assert any(visits[url].relevance != pytest.approx(found[url]) for url in found)
    with Collection.open(tmp_path / "c", write=True) as collection:
        *rest, last = [row.url for row in collection.log.pages(order="time")]
        assert found.get(last) != 1.0
        collection.log.append(Judged(next(iter(found)), False), 1e10)
        collection.log.append(Rejudged(bytes([UNKNOWN] * len(rest) + [STEPS])), 1e10)
        collection.log.commit()
    assert relevant(tmp_path / "c", 0.4)[0] == found
    bring_up_to_date(tmp_path / "c")
    again, stored = relevant(tmp_path / "c", 0.4)
    assert again == stored and next(iter(found)) not in again and again[last] == 1.0
    assert list(compare_with_store(tmp_path / "c")) == []


def test_a_relevance_that_the_log_never_told_is_found(tmp_path):
    replayed(tmp_path / "c")
    with Index.write(tmp_path / "c" / INDEX) as index:
        url, progress = index.urls()[0], index.relevances.progress
        index.relevances.write([(url, 0.123)], *progress)
    assert url in {damage.place.rpartition(" ")[2] for damage in compare_with_store(tmp_path / "c")}
