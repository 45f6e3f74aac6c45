"""A world is the same pages as its source, as a web and as arrays, whoever opens it."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from lycosa.core.judge import Bags
from lycosa.core.nouns import Link, Page, Raw
from lycosa.core.words import norm, terms
from lycosa.judge.cosine import Cosine
from lycosa.lab import corpus_builder
from lycosa.lab.corpus import CorpusBags, of_pages
from lycosa.lab.world import open_world
from lycosa.system.errors import Refused
from lycosa.web import parsed_cache
from lycosa.web.made import Made
from lycosa.web.source import BedTopic
from lycosa.web.source_names import open_made
from lycosa.web.testbed import PAGES, TOPICS, make_bed

MADE = "made:pages=400,topics=4,seed=3,page_bytes=2000"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def world():
    return open_world(MADE)


def get(web, url):
    return asyncio.run(web.get(url, 1 << 20))


def test_words_links_hosts_and_sizes_are_those_of_the_pages(world):
    corpus = world.corpus
    web = world.web()
    stems = list(corpus.stems)
    for number in range(0, len(corpus), 37):
        page = get(web, corpus.urls[number])
        if not isinstance(page, Page):
            continue  # closed by robots.txt
        row = corpus.terms[[number]]
        assert dict(zip([stems[column] for column in row.indices], row.data, strict=True)) == terms(page.text)
        assert corpus.norms[number] == norm(terms(page.text))
        assert corpus.sizes[number] == page.size
        linked = {corpus.number(link.url) for link in page.links} - {-1, number}
        assert set(corpus.links[[number]].indices.tolist()) == linked
    hosts = [url.split("/")[2] for url in corpus.urls]
    assert len(set(zip(hosts, corpus.hosts.tolist(), strict=True))) == len(set(hosts)) == corpus.hosts.max() + 1


def test_a_link_to_a_redirect_is_a_link_to_where_it_leads(world):
    made = open_made(MADE)
    moved = [url for url in made.urls() if (raw := made.response(url)) and raw.status == 301]
    found = {url: world.corpus.number(url) for url in moved}
    assert any(number >= 0 for number in found.values())
    for url, number in found.items():
        if number >= 0:
            assert world.corpus.urls[number] != url


def test_many_processes_count_as_one_does(world, tmp_path, monkeypatch):
    alone = world.corpus
    monkeypatch.setattr(corpus_builder, "ALONE", 0)
    monkeypatch.setattr(corpus_builder, "BATCH", 90)
    monkeypatch.setattr(parsed_cache, "ALONE", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    together = open_world(MADE).corpus
    assert list(together.urls) == list(alone.urls)
    assert together.stems == alone.stems
    assert (together.links != alone.links).nnz == 0
    assert (together.terms != alone.terms).nnz == 0
    assert np.array_equal(together.hosts, alone.hosts)


def test_a_judge_gives_the_same_verdict_from_the_arrays_as_from_the_text(world):
    topic = world.topics[0]
    slow, quick = Cosine.of(topic.keywords, Bags()), Cosine.of(topic.keywords, CorpusBags(world.corpus))
    web, bare = world.web(), world.web(text=False)
    verdicts = []
    for url in world.corpus.urls[::5]:
        page = get(web, url)
        if isinstance(page, Page):
            verdicts.append(slow(page).relevance)
            assert quick(get(bare, url)).relevance == verdicts[-1]
    assert max(verdicts) > 0.1


def test_a_small_corpus_in_memory_is_like_one_on_disk():
    pages = [
        Page(
            "http://a.test/", "spiders hunt spiders", [Link("http://b.test/", (0, 0)), Link("http://no.test/", (0, 0))]
        ),
        Page("http://b.test/", "", [Link("http://a.test/", (0, 0))], size=7),
    ]
    corpus = of_pages(pages)
    assert corpus.count("Hunting a spider, a spider, an owl") == {corpus.stems["spider"]: 2, corpus.stems["hunt"]: 1}
    assert corpus.terms.toarray().tolist() == [[2, 1], [0, 0]]
    assert corpus.links.toarray().tolist() == [[0, 1], [1, 0]]
    assert corpus.norms.tolist() == [5**0.5, 0]
    assert corpus.numbers(["http://b.test/", "http://no.test/", "http://b.test/"]).tolist() == [1]


def test_a_bed_and_the_web_it_was_made_from_are_the_same_world(tmp_path, world):
    bed = open_world(str(make_bed(open_made(MADE), tmp_path / "bed").path))
    assert list(bed.corpus.urls) == list(world.corpus.urls)
    assert (bed.corpus.links != world.corpus.links).nnz == 0
    assert [topic.id for topic in bed.topics] == [topic.id for topic in world.topics]
    assert bed.seeds(bed.topics[0], "neighbors") == world.seeds(world.topics[0], "neighbors")
    assert bed.digest != world.digest


def test_the_digest_tells_worlds_apart():
    digests = {
        open_world(text).digest for text in (MADE, MADE + ",traps=no", "made:page_bytes=2000,seed=3,topics=4,pages=400")
    }
    assert len(digests) == 2


def test_whether_a_bed_is_complete_is_told_by_its_origin(tmp_path):
    bed = make_bed(Made(200, 2), tmp_path / "bed").path
    assert open_world(str(bed)).complete
    (bed / "bed.json").write_text(json.dumps({"made_from": "collection x", "complete": False}))
    assert not open_world(str(bed)).complete
    (bed / "bed.json").write_text("{")
    with pytest.raises(Refused, match=r"bed\.json cannot be read"):
        assert open_world(str(bed)).complete


def test_what_is_no_world_is_refused(tmp_path):
    with pytest.raises(Refused, match="is not a folder"):
        open_world(str(tmp_path / "none"))
    with pytest.raises(Refused, match=f"it has no {PAGES}"):
        open_world(str(tmp_path))
    with pytest.raises(Refused, match="not a setting of a made web"):
        assert open_world("made:colour=red").digest
    bed = make_bed(Made(200, 2), tmp_path / "bed").path
    (bed / TOPICS).write_text("{")
    with pytest.raises(Refused, match=r"topics\.jsonl, line 1"):
        assert open_world(str(bed)).topics
    with pytest.raises(Refused, match="has no topic 'x': choose one of"):
        open_world(MADE).topic("x")
    with pytest.raises(Refused, match="unknown task 'x'"):
        open_world(MADE).seeds(open_world(MADE).topics[0], "x")


class Unfollowable:
    """Pages of which some links must not be followed: three inside, one outside; the rest may be."""

    topics = [BedTopic("t", "spiders", ("http://a.test/b",), examples=("http://a.test/",))]
    answers = {
        "http://a.test/": '<a rel="nofollow" href="/b">b</a><a href="/c">c</a><a rel="ugc nofollow" href="//x.test/">x',
        "http://a.test/b": '<meta name="robots" content="nofollow"><a href="/">a</a><a href="/">again</a>',
        "http://a.test/c": '<meta name="robots" content="none"><a href="/b">b</a>',
        "http://a.test/d": 'says nofollow, and means <a href="/b">nothing</a>',
    }

    def urls(self):
        return iter(self.answers)

    def response(self, url):
        if url not in self.answers:
            return None
        return Raw(200, (("Content-Type", "text/html"),), self.answers[url].encode(), reason="OK")


def test_links_that_must_not_be_followed_are_counted(tmp_path):
    world = open_world(str(make_bed(Unfollowable(), tmp_path / "bed").path))
    # Followed: / to c, d to b. Left out inside: / to b, b to /, c to b.
    assert world.unfollowed == (3, 3 / 5, 3)
    assert len(world.parsed.unfollowed) == 4
    assert get(world.web(), "http://a.test/").links == [Link("http://a.test/c", (0, 0))]
