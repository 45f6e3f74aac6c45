"""Crawls side by side: polite together, nothing fetched twice, resumed where they were."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import closing, contextmanager
from itertools import pairwise

import pytest
from msgspec.structs import replace

from lycosa.community.query_crawls import CrawlContext, CrawlJob, Live, Replayed
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.core.events import Visited
from lycosa.core.nouns import Topic
from lycosa.core.urls import host_of
from lycosa.engine.hub_rounds import state_of
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.http_options import HttpOptions
from lycosa.web.serving import spawn
from lycosa.web.source_names import open_made

WEB = "made:pages=300,topics=2,seed=3,page_bytes=2000,traps=no,site_pages=12,crawl_delay=0.3"
TOPICS = open_made(WEB).topics
DELAY, PAGES = 0.1, 10


def plan(topic=0, pages=PAGES, **more):
    topic = TOPICS[topic]
    return Plan(
        topic=Topic(topic.keywords),
        seeds=topic.examples[:3],
        strategy="best-first",
        budget=Budget(pages),
        index=False,
        processes=1,
        **{"rules": PolitenessRules(delay=DELAY), **more},
    )


def pages_of(folder):
    with Collection.open(folder) as collection:
        return [row.url for row in collection.log.pages(order="time")]


def told(pages):
    """Nobody listens."""


@pytest.fixture
def fetches(tmp_path):
    fetches = RefreshFetches(tmp_path / "tonight", plan().dump())
    yield fetches
    fetches.close()


class Web:
    """A served web, and crawls of it side by side."""

    def __init__(self, served, fetches, folder):
        self.served = served
        self.fetches = fetches
        self.folder = folder

    def jobs(self, count, name="crawl", **more):
        http, sources = HttpOptions(proxy=self.served.proxy), Sources(trusted=(str(self.fetches.folder),))
        return [
            CrawlJob(plan(http=http, sources=sources, **more), self.folder / f"{name}-{one}") for one in range(count)
        ]

    def crawl(self, jobs, told=told):
        return list(Live(self.fetches, jobs[0].plan.rules, None, told)(jobs))

    def asked(self):
        """For each host, when it was asked for what."""
        asked = defaultdict(list)
        for each in self.served.asked():
            asked[each.host].append((each.time, each.path))
        return asked

    def pauses(self):
        return [later[0] - sooner[0] for times in self.asked().values() for sooner, later in pairwise(sorted(times))]

    def repeated(self):
        """How often pages were asked for that had been asked for before."""
        pages = Counter((each.host, each.path) for each in self.served.asked() if each.path != "/robots.txt")
        return sum(count - 1 for count in pages.values())


@contextmanager
def open_web(folder):
    fetches = RefreshFetches(folder / "tonight", plan().dump())
    with spawn(WEB, log=str(folder / "asked"), latency=(0.0, 0.02)) as served, closing(fetches):
        yield Web(served, fetches, folder)


@pytest.fixture
def web(tmp_path):
    with open_web(tmp_path) as web:
        yield web


@pytest.fixture(scope="module")
def together(tmp_path_factory):
    """Three crawls for the same topic, which want the same pages of the same hosts, over HTTP; they are over."""
    with open_web(tmp_path_factory.mktemp("together")) as web:
        jobs = web.jobs(3)
        assert web.crawl(jobs) == [job.folder for job in jobs]
        yield web, jobs


def test_no_host_is_asked_by_two_crawls_at_once_or_before_its_pause_is_over(together):
    web, _ = together
    pauses = web.pauses()
    assert len(pauses) > 5
    assert min(pauses) >= DELAY


def test_no_page_is_fetched_twice_over_all_crawls(together):
    web, jobs = together
    assert web.repeated() == 0
    assert [len(pages_of(job.folder)) for job in jobs] == [PAGES] * 3
    assert sum(web.fetches.fetched_by(job.folder) for job in jobs) == len(web.fetches) < 3 * PAGES


def test_pages_from_another_crawl_are_archived_and_judged_as_if_they_had_been_sent(together):
    found = []
    for job in together[1]:
        with Collection.open(job.folder) as collection:
            visits = [entry.event.visit for entry in collection.log.read(kinds=(Visited,))]
            assert all(collection.repository.read(visit.where).body for visit in visits)
            found.append({visit.url: (visit.relevance, visit.digest, list(visit.links)) for visit in visits})
    both = found[0].keys() & found[1].keys()
    assert both and all(found[0][url] == found[1][url] for url in both)


def test_a_crawl_that_wants_nothing_new_asks_nobody(together):
    web, known = together
    before = len(web.served.asked())
    (job,) = web.jobs(1, "again", workers=1, reach=1)
    web.crawl([replace(job, plan=replace(job.plan, seeds=tuple(pages_of(known[1].folder))))])
    assert len(pages_of(job.folder)) == PAGES
    assert len(web.served.asked()) == before


def test_the_longer_pause_that_a_host_asks_for_holds_over_all_crawls(web):
    made = open_made(WEB)
    by_host = defaultdict(list)
    for url in made.urls():
        by_host[host_of(url)].append(url)
    slow = next(
        urls
        for host, urls in by_host.items()
        if b"Crawl-delay" in getattr(made.response(f"http://{host}/robots.txt"), "body", b"") and len(urls) > 5
    )
    jobs = [
        replace(job, plan=replace(job.plan, seeds=tuple(slow[1 + 2 * number : 3 + 2 * number]), budget=Budget(2)))
        for number, job in enumerate(web.jobs(2))
    ]
    web.crawl(jobs)
    asked = [time for time, _ in web.asked()[host_of(slow[0])]]
    assert len(asked) >= 4
    assert min(later - sooner for sooner, later in pairwise(sorted(asked))) >= 0.3


def test_live_crawls_that_were_interrupted_go_on(web):
    class Enough(Exception):
        pass

    counted = 0

    def tell(pages):
        nonlocal counted
        counted += pages
        if counted == 6:
            raise Enough

    jobs = web.jobs(2, workers=4)
    with pytest.raises(Enough):
        web.crawl(jobs, tell)
    assert {state_of(job.folder) for job in jobs} == {"begun"}
    live = Live(web.fetches, jobs[0].plan.rules, None, told)
    live.beware([job.folder for job in jobs], DELAY)
    list(live(jobs))
    assert {state_of(job.folder) for job in jobs} == {"finished"}
    assert [len(pages_of(job.folder)) for job in jobs] == [PAGES, PAGES]
    assert min(web.pauses()) >= DELAY
    # What was under way at the moment of the interruption is all that may be asked for again.
    assert web.repeated() <= 8


def test_trouble_of_one_crawl_ends_all_with_its_reason(web):
    one, two = web.jobs(2, pages=100, rules=PolitenessRules(delay=3.0))  # half a minute, if nothing happens
    lost = replace(two, plan=replace(two.plan, http=HttpOptions(proxy="http://127.0.0.1:1")))
    with pytest.raises(Refused, match="proxy"):
        web.crawl([one, lost])
    assert state_of(one.folder) == "begun"


def test_a_crawl_whose_log_is_damaged_is_made_anew(web):
    (job,) = web.jobs(1)
    job.folder.mkdir()
    (job.folder / "log.sqlite").write_text("nothing of ours")
    web.crawl([job])
    assert len(pages_of(job.folder)) == PAGES


def replayed(fetches, tmp_path, names, processes=1):
    world = CrawlContext(plan(recorded=WEB), fetches.folder)
    harvest = Replayed(world, lambda pages: None, processes)
    jobs = [CrawlJob(plan(number % 2, 40, recorded=WEB), tmp_path / name) for number, name in enumerate(names)]
    try:
        for folder in harvest(jobs):
            fetches.take_in(folder)
    finally:
        harvest.close()
    return jobs


@pytest.mark.parametrize("processes", [1, 2])
def test_replayed_crawls_archive_no_page_that_lies_there_already(fetches, tmp_path, processes):
    jobs = replayed(fetches, tmp_path, ["0-1", "1-1"], processes)
    known = len(fetches)
    (again, _) = replayed(fetches, tmp_path, ["0-2", "1-2"], processes)
    assert len(fetches) == known
    assert pages_of(again.folder) == pages_of(jobs[0].folder)
    assert fetches.fetched_by(again.folder) == 0
    with Collection.open(again.folder) as collection:
        assert not collection.repository.files()
    for url in pages_of(again.folder):
        folder, where = fetches.place(url)
        assert folder == fetches.folder
        assert fetches.collection.repository.read(where).body


def test_a_replayed_crawl_that_was_cut_short_is_made_anew(fetches, tmp_path):
    (whole,) = replayed(fetches, tmp_path, ["0-1"])
    expected = pages_of(whole.folder)
    with Collection.open(whole.folder, write=True) as collection:
        collection.log.cut(collection.log.last_seq() - 20)
        collection.log.commit()
    assert state_of(whole.folder) == "begun"
    (again,) = replayed(fetches, tmp_path, ["0-1"])
    assert pages_of(again.folder) == expected


def test_what_was_fetched_is_remembered_over_an_interruption(fetches, tmp_path):
    (job,) = replayed(fetches, tmp_path, ["0-1"])
    known = pages_of(job.folder)
    fetches.close()
    again = RefreshFetches(fetches.folder, plan().dump())
    try:
        assert all(url in again for url in known)
        again.take_in(job.folder)
        assert len(again) == len(known)
    finally:
        again.close()
