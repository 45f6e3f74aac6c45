"""An experiment makes every crawl once, the same in any number of processes, and ends cleanly whatever happens."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time

import msgspec
import numpy as np
import psutil
import pytest

from lycosa.lab.comparison import Configuration, Pace, Track
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.experiment import TrackKey, run
from lycosa.lab.size_warnings import unequal_frontiers
from lycosa.lab.studies.augmented import AugmentedWorld
from lycosa.lab.traits import traits_of
from lycosa.lab.trial import half_of
from lycosa.lab.world import open_world
from lycosa.system.errors import Refused
from lycosa.web.source_names import open_made
from lycosa.web.testbed import TOPICS, make_bed

MADE = "made:pages=400,topics=4,seed=3,page_bytes=1500"
STRATEGIES = """
import copy, os, signal, time
from lycosa import Strategy, Ticket

class Forgetful(Strategy):
    '''Remembers other crawls in its class, and thinks in sets.'''
    crawls = []

    def learn(self, visit):
        self.crawls.append(visit.url)
        return [Ticket(url, len(self.crawls) % 7, via=visit.url) for url in set(visit.links)]

class Failing(Strategy):
    def learn(self, visit):
        return 1 / 0

class Dying(Strategy):
    def learn(self, visit):
        signal.raise_signal(9)

class Leaving(Strategy):
    def learn(self, visit):
        os._exit(0)

class Clocked(Strategy):
    def learn(self, visit):
        return [Ticket(url, time.time()) for url in visit.links]

class Trusting(Strategy):
    '''Fetches what it was told to be about the topic.'''
    def begin(self, brief):
        return [Ticket(url) for url in brief.topic.examples]

    def learn(self, visit):
        return ()

class Copying(Strategy):
    '''Draws from a copy of its random generator.'''
    def begin(self, brief):
        self.rng = copy.deepcopy(brief.rng)
        return super().begin(brief)

    def learn(self, visit):
        return [Ticket(url, self.rng.random()) for url in visit.links]

class Slow(Strategy):
    def learn(self, visit):
        time.sleep(0.02)
        return [Ticket(url) for url in visit.links]

class Loud(Strategy):
    def learn(self, visit):
        print("LOUD")
        return ()
"""


@pytest.fixture(scope="module", autouse=True)
def surroundings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("strategies")
    (folder / "tried.py").write_text(STRATEGIES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("PYTHONPATH", str(folder))
        patch.syspath_prepend(folder)
        yield


@pytest.fixture(scope="module")
def world():
    return open_world(MADE)


def way_of(strategy):
    """A way without options; to have it parsed would start a process to ask what the strategy is."""
    return Configuration(strategy, strategy)


def same(one, other):
    fields = [name for name in Track.__struct_fields__ if name != "cpu"]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in fields)


def kept(folder):
    return sorted(file.name for file in (folder / "crawls").glob("*.track"))


WAYS = ("best-first", "best-n-first:n=1|8", "oracle")


@pytest.fixture(scope="module")
def hunted(world, tmp_path_factory):
    """Some ways that hunted every topic for 40 pages, what was told meanwhile, and the folder of the crawls."""
    told, folder = [], tmp_path_factory.mktemp("hunted")
    progress = lambda *counts: told.append(counts)  # noqa: E731
    found = run(world, parse_configurations(WAYS), "examples", 40, folder=folder, processes=1, progress=progress)
    return found, told, folder


def test_every_way_hunts_every_topic_and_the_oracle_too(world, hunted):
    found, told, folder = hunted
    assert [way.label for way in found.configurations] == ["best-first", "best-n-first:n=1", "best-n-first:n=8"]
    assert found.topics == [topic.id for topic in world.topics]
    assert len(found.tracks) == 4 * 4
    assert all(len(track.pages) == 40 for track in found.tracks.values())
    assert found.oracle(found.topics[0]).relevance.sum() > found.of("best-first", found.topics[0]).pages.size / 2
    assert found.warnings == ["best-first keeps at most 1,000,000 links, the others 256"]
    assert told == [("crawling from the examples", done, 16) for done in range(17)]
    assert len(kept(folder)) == 16


def test_what_was_done_before_is_not_done_again(world, hunted, tmp_path, monkeypatch):
    first, _, folder = hunted
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    told = []
    asked = {"folder": tmp_path, "processes": 1, "progress": lambda *counts: told.append(counts)}
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nonexistent")
        again = run(world, parse_configurations(WAYS), "examples", 40, **asked)
    assert told == [("crawling from the examples", 16, 16)]
    assert again.tracks.keys() == first.tracks.keys()
    assert all(same(again.tracks[name], track) for name, track in first.tracks.items())
    told.clear()
    for file in kept(tmp_path)[:2]:
        (tmp_path / "crawls" / file).write_bytes(b"damaged")
    run(world, parse_configurations([*WAYS, "breadth-first"]), "examples", 40, **asked)
    assert told == [("crawling from the examples", done, 20) for done in range(14, 21)]


def test_same_seed_same_result_in_any_number_of_processes(world, tmp_path):
    ways = [way_of("tried:Forgetful"), *parse_configurations(["random", "best-n-first:n=4"])]
    asked = {"topics": [topic.id for topic in world.topics[:2]], "repeats": 2}
    alone = run(world, ways, "neighbors", 40, folder=tmp_path / "1", processes=1, **asked)
    others = run(world, ways[::-1], "neighbors", 40, folder=tmp_path / "2", processes=2, **asked)
    assert alone.tracks.keys() == others.tracks.keys()
    assert all(same(others.tracks[name], track) for name, track in alone.tracks.items())
    topic = alone.topics[0]
    assert not same(alone.of("random", topic, repeat=1), alone.of("random", topic, repeat=2))


def test_robustness_is_crawls_from_either_half_of_the_seeds(world, tmp_path):
    found = run(
        world, parse_configurations(["best-first"]), "examples", 30, folder=tmp_path, robustness=True, processes=1
    )
    for topic in world.topics:
        seeds = [set(found.of("best-first", topic.id, half=half).pages[:1].tolist()) for half in (1, 2)]
        known = set(world.corpus.numbers(topic.examples).tolist())
        assert seeds[0] | seeds[1] <= known
        assert not seeds[0] & seeds[1]
    assert TrackKey("oracle", world.topics[0].id) in found.tracks


def test_subsets_are_all_start_pages_and_halves_of_them_each_with_its_oracle(world, hunted, tmp_path):
    _, _, before = hunted
    shutil.copytree(before, tmp_path, dirs_exist_ok=True)
    ways, chosen = parse_configurations(["best-first", "random"]), [world.topics[0].id]
    asked = {"folder": tmp_path, "topics": chosen, "processes": 1, "repeats": 2, "subsets": 4}
    found = run(world, ways, "examples", 40, **asked)
    assert (found.subsets, {name.half for name in found.tracks}) == (4, {0, 1, 2, 3})
    topic = world.topics[0]
    for repeat in (1, 2):
        for half in (1, 2, 3):
            seeds = world.corpus.numbers(half_of(topic.examples, half, repeat)).tolist()
            for label in ("oracle", "best-first", "random"):
                track = found.of(label, topic.id, repeat, half)
                assert set(track.pages[track.via < 0].tolist()) <= set(seeds)
    assert same(found.of("best-first", topic.id), hunted[0].of("best-first", topic.id)), "all start pages as before"
    # Best-first: all and three halves of two splits each; random: each twice; the oracle likewise, all pages once.
    assert sum(name.label == "oracle" for name in found.tracks) == 1 + 2 * 3


def test_a_topic_with_one_start_page_has_no_subsets(odd_bed, tmp_path):
    there = open_made(MADE).topics[0].examples[0]
    world = odd_bed(t0={"examples": (there,)})
    found = run(world, [way_of("best-first")], "examples", 20, folder=tmp_path, subsets=3, processes=1)
    assert found.warnings == [f"topic {world.topics[0].id} has one start page, which has no subsets"]
    assert {name.half for name in found.tracks} == {0}


def test_workers_and_pauses_are_another_crawl_and_the_default_is_as_before(world, hunted, tmp_path):
    _, _, before = hunted
    shutil.copytree(before, tmp_path, dirs_exist_ok=True)
    ways, made = parse_configurations(["best-first"]), len(kept(tmp_path))
    asked = {"folder": tmp_path, "processes": 1}
    run(world, ways, "examples", 40, pace=Pace(), **asked)
    assert len(kept(tmp_path)) == made
    polite = run(world, ways, "examples", 40, pace=Pace(8, 1.0), **asked)
    assert len(kept(tmp_path)) == made + len(world.topics)
    assert all(polite.of("best-first", topic).seconds is not None for topic in polite.topics)


def test_some_topics_and_a_small_frontier_can_be_asked_for(world, hunted, tmp_path):
    chosen = [world.topics[2].id, world.topics[0].id, world.topics[2].id]
    ways = parse_configurations(["best-first", "best-n-first"])
    asked = {"folder": tmp_path, "topics": chosen, "processes": 1}
    narrow = run(MADE, ways, "examples", 40, capacity=3, **asked)
    assert narrow.topics == [world.topics[0].id, world.topics[2].id]
    assert not same(narrow.of("best-first", chosen[0]), hunted[0].of("best-first", chosen[0]))
    assert narrow.warnings == [
        "best-first keeps at most 3 links, best-n-first 256",
        "best-n-first takes 256 links at a time: a crawl of 40 pages is only 0.2 such batches, too few to compare it "
        "with others",
    ]


def test_only_a_topic_s_own_examples_are_told_to_be_about_it(world, tmp_path):
    topic, hub = world.topics[0], world.topics[1].examples[0]
    augmented = AugmentedWorld(world, {topic.id: [hub]})
    ways, chosen = [way_of("tried:Trusting"), way_of("breadth-first")], [topic.id]
    asked = {"folder": tmp_path, "topics": chosen, "processes": 1}
    found = run(augmented, ways, "examples", 40, robustness=True, **asked)
    examples = set(world.corpus.numbers(topic.examples).tolist())
    assert set(found.of("tried:Trusting", topic.id).pages.tolist()) == examples
    assert world.corpus.number(hub) in found.of("breadth-first", topic.id).pages[: len(examples) + 1]
    halves = [found.of("tried:Trusting", topic.id, half=half).pages.tolist() for half in (1, 2)]
    assert sorted(halves[0] + halves[1]) == sorted(examples)
    assert halves[0]
    assert halves[1]
    neighbors = run(world, ways[:1], "neighbors", 40, **asked)
    assert len(neighbors.of("tried:Trusting", topic.id).pages) == 0


@pytest.mark.parametrize(
    ("ways", "capacity", "told"),
    [
        (["best-first", "random"], None, []),
        (["best-first", "best-n-first"], 256, []),
        (["best-first", "best-n-first"], None, ["best-n-first keeps at most 256 links, best-first 1,000,000"]),
        (
            ["best-first", "best-n-first", "random"],
            5000,
            ["best-n-first keeps at most 256 links, the others 5,000"],
        ),
        (
            ["best-first", "best-n-first:n=1|2", "random", "breadth-first", "best-n-first:buffer=9"],
            None,
            [
                "best-n-first:buffer=9 keeps at most 9 links, best-n-first:n=1, best-n-first:n=2 256, "
                "the others 1,000,000"
            ],
        ),
    ],
)
def test_frontiers_of_different_sizes_are_told(ways, capacity, told):
    parsed = parse_configurations(ways)
    known = {way.label: entrant for way, entrant in zip(parsed, traits_of(parsed), strict=True)}
    assert list(unequal_frontiers(known, capacity)) == told


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"topics": ["nothing-at-all"]}, "no topic 'nothing-at-all'"),
        ({"topics": []}, "no topic"),
        ({"task": "guessing"}, "unknown task 'guessing'"),
        ({"pages": 0}, "0 is out of range for pages"),
        ({"repeats": 0}, "0 is out of range for seeds"),
        ({"processes": -1}, "-1 is out of range for processes"),
        ({"capacity": 0}, "0 is out of range for capacity"),
        ({"subsets": 0}, "0 is out of range for subsets"),
        ({"pace": Pace(0)}, "0 is out of range for workers"),
        ({"pace": Pace(1, -1.0)}, "delay"),
        ({"pace": Pace(1, float("nan"))}, "delay"),
        ({"ways": ["tried:Failing"]}, r"strategy tried:Failing failed \(ZeroDivisionError: .*tried.py:\d+\)"),
        ({"ways": ["tried:Leaving"]}, "strategy tried:Leaving ended with code 0"),
        ({"ways": ["tried:Clocked"]}, r"strategy tried:Clocked tried to look at the clock \(time.time\)"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line(world, tmp_path, change, problem):
    asked = {"ways": ["best-first"], "task": "examples", "pages": 20, "processes": 1} | change
    ways = [*map(way_of, asked.pop("ways"))]
    with pytest.raises(Refused, match=problem) as refused:
        run(world, ways, asked.pop("task"), asked.pop("pages"), folder=tmp_path, **asked)
    assert "\n" not in str(refused.value)


def test_finished_crawls_are_kept_when_a_later_one_fails(world, tmp_path):
    ways = [way_of("best-first"), way_of("tried:Dying")]
    with pytest.raises(Refused, match="strategy tried:Dying was killed by signal 9") as refused:
        run(world, ways, "examples", 20, folder=tmp_path, processes=1)
    assert "\n" not in str(refused.value)
    assert kept(tmp_path)


@pytest.fixture
def odd_bed(tmp_path):
    """Make a bed whose topics are changed a little."""

    def make(**changes):
        bed = make_bed(open_made(MADE), tmp_path / "odd")
        topics = [msgspec.structs.replace(bed.topics[int(n[1:])], **change) for n, change in changes.items()]
        (bed.path / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in topics))
        return open_world(str(bed.path))

    return make


def test_what_is_not_in_the_world_is_told_and_left_out(odd_bed, tmp_path):
    there = open_made(MADE).topics[0].examples[0]
    gone = "http://gone.test/"
    world = odd_bed(
        t0={"examples": (gone, there), "targets": (there, gone)},
        t1={"examples": (gone,)},
        t2={"targets": ()},
        t3={"examples": ()},
    )
    names = [topic.id for topic in world.topics]
    found = run(world, parse_configurations(["best-first"]), "examples", 20, folder=tmp_path, robustness=True)
    assert found.topics == names[:1]
    assert found.warnings == [
        f"topic {names[0]}: 1 of 2 examples are not in odd, such as {gone}",
        f"topic {names[0]}: 1 of 2 targets are not in odd, such as {gone}",
        f"topic {names[0]} has one start page, too few to halve: its robustness stays unknown",
        f"topic {names[1]} is left out: none of its 1 examples are in odd",
        f"topic {names[2]} is left out: it has no targets",
        f"topic {names[3]} is left out: it has no examples",
    ]
    assert found.of("best-first", names[0]).missing == 0
    with pytest.raises(Refused, match="no topic of odd can be hunted from its examples: topic"):
        run(world, parse_configurations(["best-first"]), "examples", 20, folder=tmp_path, topics=names[1:])


def script(tmp_path, strategy, pages, processes):
    return [
        sys.executable,
        "-c",
        "from lycosa.lab.experiment import run; from lycosa.lab.comparison import Configuration\n"
        f"run({MADE!r}, [Configuration({strategy!r}, {strategy!r})], 'examples', {pages}, folder={str(tmp_path)!r},"
        f" processes={processes}, progress=lambda *counts: print(*counts, flush=True))",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process outlives its parent's sudden end")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_end_ends_everything_at_once_and_keeps_what_is_finished(tmp_path, world, end):
    assert len(world.corpus)
    command = script(tmp_path, "tried:Slow", 60, processes=2)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line.split()[-2]) > 5:  # the oracle's four, and two crawls
                break
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(end)
        process.wait(timeout=20)
    assert len(family) >= 3
    until = time.monotonic() + 60
    while any(map(alive, family)) and time.monotonic() < until:
        time.sleep(0.05)
    assert [process for process in family if alive(process)] == []
    # Of four crawls two were over; the others had a second to go.
    assert 5 < len(kept(tmp_path)) < 8


def alive(process):
    """Who has ended but was not buried yet by the system's first process is no longer alive."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_whatever_a_strategy_prints_goes_to_standard_error(tmp_path, world, capfd):
    run(world, [way_of("tried:Loud")], "examples", 5, folder=tmp_path, topics=[world.topics[0].id], processes=1)
    said = capfd.readouterr()
    assert "LOUD" not in said.out
    assert "LOUD" in said.err


def test_a_strategy_s_helper_that_changes_is_noticed(world, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "helped_one.py").write_text(
        "from lycosa import Strategy, Ticket\nfrom weighing import weigh\nclass Helped(Strategy):\n"
        "    def learn(self, visit):\n        return [Ticket(url, weigh(visit)) for url in visit.links]\n"
    )
    pages = []
    for sign in "+-":
        (tmp_path / "weighing.py").write_text(f"def weigh(visit): return {sign}visit.relevance\n")
        asked = {"folder": tmp_path, "topics": [world.topics[0].id], "processes": 1}
        found = run(world, [way_of("helped_one:Helped")], "examples", 60, **asked)
        pages.append(found.of("helped_one:Helped", found.topics[0]).pages.tolist())
    assert pages[0] != pages[1]


@pytest.fixture(scope="module")
def thrown(world, tmp_path_factory):
    """Crawls of two topics with three random seeds, what was told meanwhile, and their folder."""
    told, folder = [], tmp_path_factory.mktemp("thrown")
    tracks = run(
        world,
        [*map(way_of, ("best-first", "random", "tried:Copying"))],
        "examples",
        40,
        folder=folder,
        topics=[topic.id for topic in world.topics[:2]],
        repeats=3,
        processes=1,
        progress=lambda step, done, total: told.append((done, total)),
    )
    return tracks, told, folder


def test_a_copied_random_generator_counts_as_drawn_from(thrown):
    found, _, _ = thrown
    one, other = (found.of("tried:Copying", found.topics[0], repeat).pages.tolist() for repeat in (1, 2))
    assert one != other


def test_what_draws_no_random_numbers_is_crawled_once(thrown):
    tracks, told, folder = thrown
    assert told[-1][0] == told[-1][1]
    for topic in tracks.topics:
        best, one, other = (
            tracks.of(*name).pages.tolist()
            for name in (("best-first", topic, 3), ("random", topic, 1), ("random", topic, 2))
        )
        assert best == tracks.of("best-first", topic).pages.tolist()
        assert one != other
    made = 1 + 1 + 3 + 3
    assert len(kept(folder)) == len(tracks.topics) * made, "oracle and best-first once, both others three times"
