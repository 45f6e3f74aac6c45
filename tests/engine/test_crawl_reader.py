"""An onlooker knows what the crawl knows, asks well, and leaves no trace."""

import shutil

import pytest

from lycosa.app.hunts import hunt
from lycosa.core.nouns import Judgement
from lycosa.core.rejudging import NOTICED
from lycosa.core.urls import host_of
from lycosa.engine.crawl_reader import CrawlReader
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=600, topics=3, seed=5, page_bytes=2000).topics[0]

TAUGHT = """
from lycosa.core.nouns import Ticket
from lycosa.core.strategy import Strategy

class Taught(Strategy):
    def begin(self, brief):
        self.pages, self.words = {}, {}
        return super().begin(brief)

    def learn(self, visit):
        self.pages[visit.url] = list(visit.links)
        return [Ticket(url, visit.relevance, via=visit.url) for url in visit.links]

    def judged(self, judgement):
        self.words[judgement.url] = judgement.relevant
        return [Ticket(url, 2.0, via=judgement.url) for url in self.pages[judgement.url] if judgement.relevant]

    def withdrawn(self, url):
        self.words.pop(url)
        return ()

    def doubts(self, count):
        return [url for url in sorted(self.pages) if url not in self.words][:count]

    def save(self):
        return [self.pages, self.words]

    def load(self, state):
        self.pages, self.words = state
"""


@pytest.fixture
def taught(tmp_path, monkeypatch):
    (tmp_path / "taught.py").write_text(TAUGHT)
    monkeypatch.syspath_prepend(tmp_path)
    return "taught:Taught"


def begin(folder, strategy="best-first", pages=80):
    return hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=pages, strategy=strategy)


def files(folder):
    """The folder, but for what SQLite makes beside a file for every reader."""
    found = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: content for name, content in found.items() if content and not name.endswith("-shm")}


def test_it_has_the_state_of_the_crawl_and_writes_nothing(tmp_path):
    with begin(tmp_path / "c") as running:
        list(running)
        state = running.crawl.save()
        ahead = running.crawl.frontier.best(5)
    before = files(tmp_path / "c")
    with CrawlReader(tmp_path / "c") as crawl_reader:
        assert crawl_reader.crawl.save() == state
        assert crawl_reader.best(5) == ahead
        crawl_reader.judged(Judgement(TOPIC.examples[0], True))
        assert len(crawl_reader.doubts(5)) == 5
    assert files(tmp_path / "c") == before


def test_it_catches_up_with_a_crawl_that_runs(tmp_path, taught):
    with begin(tmp_path / "c", taught) as running:
        visits = iter(running)
        for _ in range(20):
            next(visits)
        with CrawlReader(tmp_path / "c") as crawl_reader:
            seen = crawl_reader.crawl.tally.pages
            crawl_reader.judged(Judgement(TOPIC.examples[0], True))
            for _ in range(30):
                next(visits)
            crawl_reader.catch_up()
            assert crawl_reader.crawl.tally.pages - seen == 30
            list(visits)
            crawl_reader.catch_up()
            assert crawl_reader.crawl.save() == running.crawl.save()


def test_the_strategy_says_what_is_in_doubt_and_hears_the_answers(tmp_path, taught):
    with begin(tmp_path / "c", taught) as running:
        pages = sorted(visit.url for visit in running)
    with CrawlReader(tmp_path / "c") as crawl_reader:
        assert crawl_reader.learns
        assert crawl_reader.doubts(2) == pages[:2]
        crawl_reader.judged(Judgement(pages[0], True))
        assert crawl_reader.doubts(2) == pages[1:3]
        assert crawl_reader.crawl.strategy.words == {}  # type: ignore[attr-defined]
        crawl_reader.judged(Judgement(pages[0], None))
        assert crawl_reader.doubts(2) == pages[:2]


def test_a_word_on_its_way_back_is_known(tmp_path, taught):
    with begin(tmp_path / "c", taught) as running:
        visits = iter(running)
        pages = sorted(next(visits).url for _ in range(10))
        running.collection.inbox.add([Judgement(pages[0], True), Judgement(pages[1], True)], 1.0)
        running._listen.read_at = 0.0
        pages = sorted([*pages, *(visit.url for visit in visits)])
        assert len(running.crawl.judgements) == 2
        first, second = running.crawl.judgements
        running.collection.inbox.add([Judgement(first, None)], 2.0)
    with CrawlReader(tmp_path / "c") as crawl_reader:
        assert first in crawl_reader.doubts(80)
        assert second not in crawl_reader.doubts(80)
        assert len(crawl_reader.crawl.strategy.words) == 2  # type: ignore[attr-defined]


def test_a_strategy_without_doubts_is_asked_for_by_the_middle(tmp_path):
    with begin(tmp_path / "c") as running:
        list(running)
    with CrawlReader(tmp_path / "c") as crawl_reader:
        assert not crawl_reader.learns
        relevance = {row.url: row.relevance or 0.0 for row in crawl_reader.collection.log.pages()}
        asked = crawl_reader.doubts(8)
        assert abs(relevance[asked[0]] - 0.5) <= min(abs(each - 0.5) for each in relevance.values()) + NOTICED
        assert len({host_of(url) for url in asked}) == 8
        crawl_reader.judged(Judgement(asked[0], False))
        again = crawl_reader.doubts(8)
        assert asked[0] not in again
        assert host_of(again[0]) != host_of(asked[0])


def test_what_waits_in_the_inbox_is_known(tmp_path, taught):
    with begin(tmp_path / "c", taught) as running:
        pages = sorted(visit.url for visit in running)
        running.collection.inbox.add([Judgement(pages[0], True)], 1.0)
    with CrawlReader(tmp_path / "c") as crawl_reader:
        assert crawl_reader.doubts(1) == pages[1:2]


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    with pytest.raises(Refused, match="not a collection"):
        CrawlReader(tmp_path)
    with begin(tmp_path / "c", pages=5) as running:
        list(running)
    shutil.rmtree(tmp_path / "c" / "pages")
    with CrawlReader(tmp_path / "c") as crawl_reader:
        assert crawl_reader.doubts(1)
