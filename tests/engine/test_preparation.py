"""What must be known before a crawl: wished for, read once, kept, and given to brain and scouts alike."""

import asyncio
import json
import os
import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from lycosa.app.hunts import hunt, resume
from lycosa.core.inlinks import Inlinks
from lycosa.core.judge import Judge
from lycosa.core.nouns import Ticket, Topic, Verdict
from lycosa.core.priors import LinksTo, Priors, ReadPages, Usual
from lycosa.core.strategy import Strategy
from lycosa.engine.crawl_recovery import priors_of
from lycosa.engine.preparation import Preparation
from lycosa.store.collection import Collection
from lycosa.store.link_graph import Graph
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=600, topics=3, seed=5, page_bytes=2000).topics[0]


@dataclass
class Learned(Strategy):
    """Reads the examples and what links to them; senses and scores by what it has read."""

    limit: int = 3

    def study(self, topic, priors):
        for url in topic.examples:
            yield ReadPages(url)
            yield LinksTo(url, self.limit)
            yield from map(ReadPages, priors.inlinks.get(url, ()))

    def prepare(self, topic, priors):
        self.read = sorted(url for url, reading in priors.readings.items() if reading and reading.text)

    def sense(self, page, topic):
        return self.read

    def learn(self, visit):
        assert visit.sense == self.read
        return [Ticket(url, float(url in self.read), via=visit.url) for url in visit.links]


@dataclass
class Versed(Judge):
    """Judges by how usual the words of a page are."""

    def study(self, topic, priors):
        yield Usual()

    def prepare(self, topic, priors):
        self.usage = priors.background

    def __call__(self, page):
        terms, _ = self.bag(page)
        return Verdict(sum(self.usage.holding.get(term, 0) for term in terms) / (len(terms) * self.usage.pages or 1))


LEARNED = f"{__name__}:Learned"
VERSED = f"{__name__}:Versed"


def begin(out, **options):
    options = {"pages": 30, "strategy": LEARNED, "inlinks": [WEB], "replay": WEB, **options}
    return hunt(TOPIC.keywords, TOPIC.examples, out=out, **options)


def test_what_is_wished_for_is_read_before_the_first_ticket(tmp_path):
    with begin(tmp_path / "c") as running:
        urls = [visit.url for visit in running]
        priors = running.priors
    assert isinstance(priors, Priors)
    assert set(TOPIC.examples) <= priors.readings.keys()
    parents = {parent for parents in priors.inlinks.values() for parent in parents}
    assert parents and parents <= priors.readings.keys()
    assert all(len(found) <= 3 for found in priors.inlinks.values())
    assert len(urls) == 30, "what was read before is not part of the budget"


def test_a_resumed_crawl_has_the_same_lore_although_its_source_is_gone(tmp_path):
    with begin(tmp_path / "source", pages=80, strategy="breadth-first", inlinks=()) as running:
        list(running)
    inlinks = [str(tmp_path / "source")]
    with begin(tmp_path / "whole", inlinks=inlinks) as running:
        whole = [visit.url for visit in running]
        known = running.priors
    with begin(tmp_path / "c", inlinks=inlinks) as running:
        first = [visit.url for visit in islice(running, 12)]
    shutil.rmtree(tmp_path / "source")
    (tmp_path / "c" / "checkpoint").unlink()
    with resume(tmp_path / "c") as running:
        rest = [visit.url for visit in running]
        assert running.priors == known
    assert first + rest == whole


def test_pages_of_earlier_crawls_are_not_fetched_again(tmp_path):
    with begin(tmp_path / "past", pages=40, strategy="breadth-first", inlinks=()) as running:
        seen = {visit.url: visit.relevance for visit in running}
    with begin(tmp_path / "c", pages=1, past=[str(tmp_path / "past")]) as running:
        list(running)
        priors = running.priors
    assert {visit.url: visit.relevance for visit in priors.past} == seen
    assert all(visit.sense is None for visit in priors.past)
    with Collection.open(tmp_path / "past") as past:
        assert priors.readings[TOPIC.examples[0]].title == past.log.page(TOPIC.examples[0]).title


def test_the_scouts_know_what_the_brain_knows(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.syspath_prepend(tmp_path)
    source = Path(__file__).read_text()
    (tmp_path / "learning.py").write_text(source.replace("__name__", "'learning'"))
    judge, strategy = "learning:Versed", "learning:Learned"
    with (
        spawn(WEB, log=str(tmp_path / "log")) as served,
        hunt(
            TOPIC.keywords,
            TOPIC.examples,
            out=tmp_path / "c",
            pages=20,
            delay=0.0,
            strategy=strategy,
            judge=judge,
            inlinks=[WEB],
            background=WEB,
            proxy=served.proxy,
            index=False,
        ) as running,
    ):
        visits = list(running)
        read = sorted(url for url, reading in running.priors.readings.items() if reading)
        asked = [request for request in served.asked() if request.path == "/robots.txt"]
    assert len(visits) == 20 and read
    assert all(visit.sense == read for visit in visits)
    assert len({visit.relevance for visit in visits}) > 10
    assert asked, "reading is as polite as crawling"
    assert not list((tmp_path / "c").glob("reading-*"))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"inlinks": ()}, "the pages that link to .* are not known"),
        ({"strategy": "best-first", "judge": VERSED, "inlinks": ()}, "the frequencies of words are not known"),
        ({"judge": "wise"}, "unknown judge 'wise'"),
        ({"judge": "cosine:depth=3"}, "judge cosine has no option 'depth'"),
        ({"judge": "cosine:depth"}, "cannot be imported"),
        ({"judge": "cosine:depth=1,depth=2"}, "sets no option"),
        ({"inlinks": ["nowhere"]}, "is not a source of in-links"),
        ({"past": ["nowhere"]}, "is not a collection"),
        ({"strategy": "best-first", "background": "nowhere"}, "the background nowhere does not exist"),
        ({"strategy": "best-first", "good": ["Top"]}, "good categories were given without a taxonomy"),
        ({"strategy": "best-first", "refile": {"http://a/": "b"}}, "were given without a taxonomy"),
    ],
)
def test_what_can_never_be_known_is_refused_before_there_is_a_folder(tmp_path, options, problem):
    with pytest.raises(Refused, match=problem):
        begin(tmp_path / "c", **options)
    assert not (tmp_path / "c").exists()


def test_a_damaged_lore_is_named(tmp_path):
    with begin(tmp_path / "c") as running:
        list(islice(running, 3))
    priors = tmp_path / "c" / "lore"
    priors.write_bytes(priors.read_bytes()[:-1])
    with pytest.raises(Refused, match="lore is damaged"):
        resume(tmp_path / "c")


def test_background_counts_pages_and_not_words(tmp_path):
    with begin(tmp_path / "past", pages=40, strategy="breadth-first", inlinks=()) as running:
        list(running)
    past = [str(tmp_path / "past")]
    with begin(tmp_path / "c", pages=1, strategy="best-first", judge=VERSED, past=past) as running:
        list(running)
        usage = running.priors.background
    assert usage.pages == 40
    assert 0 < max(usage.holding.values()) <= 40
    assert json.dumps(usage.holding)


@pytest.mark.parametrize("limits", [(3, 40), (40, 3)])
def test_who_wishes_for_few_in_links_takes_none_from_who_wishes_for_more(limits):
    class Many(Inlinks):
        def of(self, url, limit):
            return [f"http://{n}.test/" for n in range(limit)]

    async def read(urls):
        return dict.fromkeys(urls)

    topic = Topic("wolf", examples=("http://a.test/",))
    priors = asyncio.run(Preparation(topic, [Learned(limit) for limit in limits], Priors(), Many()).complete(read))
    assert len(priors.inlinks["http://a.test/"]) == 40


def test_how_much_is_kept_does_not_limit_what_is_read_before(tmp_path):
    limits = {"per_host": 1, "per_site": 1, "capacity": 20}
    options = {"strategy": "context-graph", "replay": WEB, "pages": 5, "inlinks": [WEB]}
    unread = []
    for more in ({}, limits):
        with hunt(TOPIC.keywords, TOPIC.examples, out=tmp_path / str(len(more)), **options, **more) as found:
            list(found)
            priors = priors_of(found.collection)
        unread.append([url for url, reading in priors.readings.items() if reading is None])
    assert unread[0] == unread[1]


@pytest.mark.parametrize("run", [True, False])
def test_who_knows_in_links_is_let_go(tmp_path, monkeypatch, run):
    with hunt(TOPIC.keywords, TOPIC.examples, out=tmp_path / "asked", replay=WEB, pages=20) as found:
        list(found)
    closed = []
    close = Graph.close
    monkeypatch.setattr(Graph, "close", lambda source: (closed.append(source), close(source)))
    options = {"strategy": LEARNED, "replay": WEB, "pages": 3}
    inlinks = [str(tmp_path / "asked")]
    with hunt(TOPIC.keywords, TOPIC.examples, out=tmp_path / "out", inlinks=inlinks, **options) as found:
        if run:
            list(found)
    assert len(closed) == 1
