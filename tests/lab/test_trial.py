"""One crawl of the laboratory: what it is told, and what it writes down."""

from __future__ import annotations

import asyncio
import copy
import pickle
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from lycosa.core.nouns import Raw, Ticket, Topic, Visit
from lycosa.core.priors import Priors, ReadPages
from lycosa.core.strategy import Strategy
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.lab.comparison import Pace
from lycosa.lab.trial import Trial, half_of, run_trial
from lycosa.lab.world import open_world
from lycosa.web.source import BedTopic
from lycosa.web.testbed import make_bed

MADE = "made:pages=400,topics=4,seed=3"


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def world():
    return open_world(MADE)


def job(world, strategy="best-first", pages=60, **rest):
    topic = world.topics[0]
    return Trial(strategy, strategy, {}, topic.keywords, topic.examples, pages, **rest)


async def crawled(plan, world):
    crawl = Crawl(plan)
    scout = Scout(world.web(), plan.topic, plan.make_strategy(), plan.make_judge())
    crawl.begin(0.0)
    return [outcome async for outcome in VirtualDriver(crawl, scout).run() if isinstance(outcome, Visit)]


@pytest.mark.parametrize("strategy", ["best-first", "breadth-first", "random"])
def test_a_track_is_the_crawl_that_the_engine_makes(world, strategy):
    topic = world.topics[0]
    plan = Plan(
        topic=Topic(topic.keywords),
        seeds=topic.examples,
        strategy=strategy,
        budget=Budget(60),
        rules=PolitenessRules(delay=0.0),
        workers=1,
        seed=5,
    )
    visits = asyncio.run(crawled(plan, world))
    track = run_trial(world, job(world, strategy, random_seed=5))
    assert [world.corpus.urls[page] for page in track.pages] == [visit.url for visit in visits]
    assert track.relevance == pytest.approx([visit.relevance for visit in visits])
    assert track.ended == "budget spent: pages"
    assert track.cpu > 0


def test_every_page_but_a_seed_was_found_on_an_earlier_one(world):
    track = run_trial(world, job(world))
    seeds = set(world.corpus.numbers(world.topics[0].examples).tolist())
    for step, (page, via) in enumerate(zip(track.pages, track.via, strict=True)):
        if page in seeds:
            assert via == -1
        else:
            assert via in track.pages[:step]
            assert page in world.corpus.links[[via]].indices


def test_dice_are_for_those_who_throw_them(world):
    same = [run_trial(world, job(world, random_seed=dice)).pages.tolist() for dice in (1, 2)]
    other = [run_trial(world, job(world, "random", random_seed=dice)).pages.tolist() for dice in (1, 2, 1)]
    assert same[0] == same[1]
    assert other[0] == other[2] != other[1]


def test_a_small_frontier_changes_the_crawl(world):
    wide, narrow = (run_trial(world, job(world, capacity=capacity)) for capacity in (None, 5))
    assert wide.pages.tolist() != narrow.pages.tolist()


class Small:
    """A page with a link to a redirect, one to a page, one to nothing and one to what is closed."""

    topics = [BedTopic("t", "spiders", ("http://a.test/end",), examples=("http://a.test/", "http://a.test/old"))]
    answers = {
        "http://a.test/": '<a href="/hop">spiders</a><a href="/page">a</a><a href="/none">b</a><a href="/shut">c</a>',
        "http://a.test/page": "spiders, and <a href='/gone'>spiders</a>",
        "http://a.test/end": "spiders at the end",
        "http://a.test/new": "a new place for spiders",
        "http://a.test/shut": "closed",
        "http://a.test/robots.txt": "User-agent: *\nDisallow: /shut",
    }
    moved = {"/hop": "/hop2", "/hop2": "/end", "/old": "/new"}

    def urls(self):
        return iter([*self.answers, *(f"http://a.test{path}" for path in self.moved), "http://a.test/gone"])

    def response(self, url):
        if url in self.answers:
            kind = "text/plain" if url.endswith(".txt") else "text/html"
            return Raw(200, (("Content-Type", kind),), self.answers[url].encode(), reason="OK")
        if to := self.moved.get(url.removeprefix("http://a.test")):
            return Raw(301, (("Location", to),), b"", reason="Moved")
        return Raw(410, (), b"", reason="Gone") if url.endswith("/gone") else None


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return open_world(str(make_bed(Small(), tmp_path_factory.mktemp("bed") / "small").path))


def test_redirects_count_by_their_page_and_misses_by_their_reason(small):
    track = run_trial(small, job(small, "breadth-first", 10))
    names = [small.corpus.urls[page].removeprefix("http://a.test") for page in track.pages]
    assert names == ["/", "/new", "/end", "/page"]
    root = small.corpus.number("http://a.test/")
    assert track.via.tolist() == [-1, -1, root, root]
    assert (track.missing, track.misses) == (1, 3)
    assert track.ended == "nothing left to fetch"


def test_every_request_counts_with_the_page_it_brought(small):
    track = run_trial(small, job(small, "breadth-first", 10))
    # robots.txt and /; /old and /new; /hop, /hop2 and /end; /page. Then /none, /gone; /shut is closed, so never asked.
    assert track.requests.tolist() == [2, 2, 3, 1]
    assert track.asked == 10
    assert track.requests.dtype == np.int32
    assert track.seconds is None, "without pauses and workers there is no clock"


def test_pages_read_before_the_crawl_cost_requests_too(world):
    told = replace(job(world, examples=world.topics[0].examples), settings={"option": 2})
    plain, studious = run_trial(world, job(world), Nosy), run_trial(world, told, Studious)
    assert studious.pages.tolist() == plain.pages.tolist()
    assert studious.asked - plain.asked == len(world.topics[0].examples)
    assert studious.requests.sum() - plain.requests.sum() == len(world.topics[0].examples)
    assert studious.requests[0] > plain.requests[0]


def test_workers_and_pauses_take_virtual_time(world):
    alone = run_trial(world, job(world))
    slow = run_trial(world, job(world, pace=Pace(1, 1.0)))
    many = run_trial(world, job(world, pace=Pace(16, 1.0)))
    for track in (slow, many):
        assert track.seconds is not None
        assert len(track.seconds) == len(track.pages) == 60
        assert (np.diff(track.seconds) >= 0).all()
        assert polite(world, track, 1.0)
    assert many.seconds is not None and slow.seconds is not None
    assert many.seconds[-1] < slow.seconds[-1] / 2
    again = run_trial(world, job(world, pace=Pace(16, 1.0)))
    assert (again.pages.tolist(), again.seconds.tolist()) == (many.pages.tolist(), many.seconds.tolist())
    assert run_trial(world, job(world, pace=Pace())).pages.tolist() == alone.pages.tolist()


def polite(world, track, delay):
    """Whether the pages of each host came at least a pause apart."""
    by_host = {}
    for page, at in zip(track.pages.tolist(), track.seconds.tolist(), strict=True):
        by_host.setdefault(int(world.corpus.hosts[page]), []).append(at)
    return all((np.diff(times) >= delay - 1e-9).all() for times in by_host.values())


def test_robots_txt_costs_time_at_the_first_request_to_a_host(small):
    track = run_trial(small, job(small, "breadth-first", 10, pace=Pace(1, 1.0)))
    # robots.txt .1, a pause of 1, the page .1; from then on a pause of 1 and .1 for each request.
    first = 0.1 + 1.0 + 0.1
    requests_before = [0, 2, 5, 6]
    assert track.seconds == pytest.approx([first + 1.1 * before for before in requests_before])


class Told(Strategy):
    """Keeps its brief where the test finds it."""

    briefs: list = []

    def begin(self, brief):
        self.briefs.append(brief)
        return [Ticket(url) for url in brief.seeds]

    def learn(self, visit):
        return ()


def test_a_strategy_is_told_keywords_and_start_pages_and_nothing_else(world):
    topic = world.topics[0]
    Told.briefs.clear()
    for examples in ((), topic.examples[:2]):
        run_trial(world, job(world, examples=examples), Told)
    first, second = Told.briefs
    assert first.topic == Topic(topic.keywords)
    assert second.topic == Topic(topic.keywords, examples=topic.examples[:2])
    assert first.seeds == topic.examples
    assert first.priors == Priors()


class Thrower(Strategy):
    """Does something with its dice, or not."""

    touch = staticmethod(lambda rng: None)

    def begin(self, brief):
        self._kept = self.touch(brief.rng)
        return [Ticket(url) for url in brief.seeds]

    def learn(self, visit):
        return ()


TOUCHES = [
    Random.getstate,
    copy.copy,
    copy.deepcopy,
    pickle.dumps,
    vars,
    Random.random,
    lambda rng: rng.random(),
    lambda rng: rng.shuffle,
    lambda rng: Random().setstate(rng.getstate()),
    lambda rng: [rng.random() for _ in range(9)],
]


@pytest.mark.parametrize("touch", TOUCHES)
def test_whoever_touches_the_dice_may_have_thrown_them(world, touch):
    kind = type("Touching", (Thrower,), {"touch": staticmethod(touch)})
    assert run_trial(world, job(world, "thrower", 5), kind).drew_random


def test_dice_that_lie_still_were_not_thrown(world):
    assert not run_trial(world, job(world, "thrower", 5), Thrower).drew_random
    assert not run_trial(world, job(world)).drew_random
    assert run_trial(world, job(world, "random")).drew_random


def test_touched_dice_fall_as_they_would_have(world):
    plain, thrown = Random(7), []

    class Throwing(Thrower):
        def touch(self, rng):
            thrown.extend((rng.random(), rng.gauss(0, 1), rng.sample(range(9), 3), rng.getstate()))

    run_trial(world, job(world, "thrower", 5, random_seed=7), Throwing)
    assert thrown == [plain.random(), plain.gauss(0, 1), plain.sample(range(9), 3), plain.getstate()]


def test_halves_are_disjoint_and_together_everything():
    for count in (2, 9, 10):
        seeds = tuple(f"http://{n}.test/" for n in range(count))
        first, second = (half_of(seeds, half, 1) for half in (1, 2))
        assert half_of(seeds, 0, 1) == seeds
        assert not set(first) & set(second)
        assert set(first) | set(second) == set(seeds)
        assert len(first) - len(second) in (0, 1)
    assert half_of(seeds, 1, 1) == half_of(seeds, 1, 1) != half_of(seeds, 1, 2)


def test_further_halves_are_of_other_splits():
    seeds = tuple(f"http://{n}.test/" for n in range(10))
    halves = [half_of(seeds, half, 1) for half in range(1, 7)]
    for first, second in zip(halves[::2], halves[1::2], strict=True):
        assert set(first) | set(second) == set(seeds)
        assert not set(first) & set(second)
    assert len({frozenset(half) for half in halves}) == 6


def test_arrays_are_small(world):
    track = run_trial(world, job(world))
    assert (track.pages.dtype, track.via.dtype, track.relevance.dtype) == (np.int32, np.int32, np.float64)


class Nosy(Strategy):
    """Would like to sense what it has learned."""

    learned = 0

    def sense(self, page, topic):
        return self.learned

    def learn(self, visit):
        self.learned += 1
        assert visit.sense == 0
        return [Ticket(url) for url in visit.links]


def test_a_scout_senses_without_what_was_learned(world):
    assert len(run_trial(world, job(world), Nosy).pages) == 60


@dataclass
class Studious(Nosy):
    """Reads the start pages first; its options and its sense are not those of whoever reads for it."""

    option: int = 1

    def study(self, topic, priors):
        return [ReadPages(url) for url in topic.examples]

    def prepare(self, topic, priors):
        assert all(priors.text(url) for url in topic.examples)


def test_what_is_to_be_read_first_is_read_from_the_world_whatever_the_options(world):
    told = replace(job(world, examples=world.topics[0].examples), settings={"option": 2})
    assert len(run_trial(world, told, Studious).pages) == 60


def test_a_crawl_with_a_page_model_says_how_likely_each_page_was_relevant(world):
    track = run_trial(world, job(world, "apprentice", examples=world.topics[0].examples))
    assert len(track.chance) == len(track.chance_then) == len(track.pages)
    seeds = np.isin(track.pages, [world.corpus.number(url) for url in world.topics[0].examples])
    assert (track.chance[seeds] == 1.0).all() and (track.chance[~seeds] < 1.0).all()
    assert np.isfinite(track.chance).all() and np.isnan(track.chance_then).any() == (not seeds[:5].all())
    relevant = np.isin(track.pages, [world.corpus.number(url) for url in world.topics[0].targets])
    assert track.chance[relevant].mean() > track.chance[~relevant & ~seeds].mean()


def test_a_crawl_without_a_page_model_says_nothing_of_the_kind(world):
    track = run_trial(world, job(world, "best-first", pages=5))
    assert track.chance is track.chance_then is None


class Illustrated(Small):
    """A page with links to files that cannot be read, by their names, and which are not there."""

    answers = {
        "http://a.test/": "".join(f'<a href="/{name}">spiders</a>' for name in ("a.jpg", "b.zip", "c.html")),
        "http://a.test/end": "spiders at the end",
    }
    moved = {}


def test_links_to_files_without_text_are_requests_as_they_always_were(tmp_path):
    world = open_world(str(make_bed(Illustrated(), tmp_path / "bed").path))
    track = run_trial(world, Trial("breadth-first", "breadth-first", {}, "spiders", ("http://a.test/",), 10))
    assert track.missing == 3
