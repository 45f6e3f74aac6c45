"""An experiment: every configuration on every topic, in parallel, without crawls that were made before."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, wait
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from lycosa.core.hubs import mean_relevance
from lycosa.core.keys import key64
from lycosa.core.taxonomy import Taxonomy
from lycosa.engine.hub_rounds import hubs_of
from lycosa.lab.comparison import ORACLE, Configuration, Pace, Track
from lycosa.lab.crawler import crawl, open_in_worker
from lycosa.lab.crawls import Crawls, Keys
from lycosa.lab.forked_call import CallTrouble
from lycosa.lab.grounds import Ground, grounds_of
from lycosa.lab.oracle import Oracle, closed_pages
from lycosa.lab.size_warnings import meaningless_sizes, unequal_frontiers
from lycosa.lab.traits import traits_of
from lycosa.lab.trial import Trial, half_of, visits_of
from lycosa.lab.world import World, category_of, open_world
from lycosa.system.errors import Code, Refused, check_range
from lycosa.system.process_pool import cores, pool
from lycosa.system.progress import StageProgress, no_progress


class TrackKey(NamedTuple):
    """What identifies a track in an experiment."""

    label: str
    """Of a configuration, or ORACLE."""
    topic: str
    repeat: int = 1
    half: int = 0
    """The start pages: 0 for all of them, otherwise a random half, as in `half_of`."""


class Tracks(Struct):
    """The tracks of an experiment, and its warnings."""

    task: str
    pages: int
    repeats: int
    configurations: list[Configuration]
    """In the order they were named; without the oracle, whose tracks are always there."""
    topics: list[str]
    """The ids of the topics that were hunted, in the order of the world."""
    tracks: dict[TrackKey, Track]
    warnings: list[str]
    subsets: int = 1
    """From how many sets of start pages each topic was hunted: all of them (half 0), then halves 1, 2, ..."""
    pace: Pace = Pace()

    def of(self, label: str, topic: str, repeat: int = 1, half: int = 0) -> Track:
        """The track of a configuration on a topic; only topics with several start pages have halves."""
        return self.tracks[TrackKey(label, topic, repeat, half)]

    def repeated(self, label: str, topic: str) -> list[Track]:
        """The tracks of all repeats of a configuration on a topic."""
        return [self.of(label, topic, repeat) for repeat in range(1, self.repeats + 1)]

    def oracle(self, topic: str) -> Track:
        """The oracle's track on a topic, from all start pages."""
        return self.tracks[TrackKey(ORACLE, topic)]


def run(
    world: World | str,
    configurations: Sequence[Configuration],
    task: str,
    pages: int,
    *,
    folder: str | Path,
    topics: Sequence[str] | None = None,
    repeats: int = 1,
    subsets: int = 1,
    robustness: bool = False,
    processes: int | None = None,
    capacity: int | None = None,
    pace: Pace = Pace(),  # noqa: B008 frozen
    progress: StageProgress = no_progress,
) -> Tracks:
    """Make the crawls that are not in the folder yet, and return the tracks of all.

    Each configuration crawls `repeats` times, with different random seeds, from all start pages of a topic; one that
    draws no random numbers crawls once. With `subsets` above 1 it also crawls from `subsets` - 1 random halves of them,
    with `robustness` from either half of one split. `capacity` is the most tickets that a frontier holds.
    """
    counts = {"pages": pages, "seeds": repeats, "subsets": subsets, "processes": processes, "capacity": capacity}
    _check(counts | {"workers": pace.workers})
    check_range("delay", pace.delay, 0, below=math.inf)
    world = open_world(world) if isinstance(world, str) else world
    grounds, warnings = grounds_of(world, task, topics, robustness)
    hunted = [each for each in configurations if each.strategy != ORACLE]
    known = dict(zip((each.label for each in hunted), traits_of(hunted), strict=True))
    # A strategy that learns from examples cannot work on some tasks; if all do, their own refusal says so.
    lost = [label for label, traits in known.items() if traits.by_example] if task != "examples" else []
    if len(lost) < len(hunted):
        hunted = [each for each in hunted if each.label not in lost]
        warnings += [f"{label} is left out: it cannot hunt without examples" for label in lost]
    marked = {
        ground.topic.id: world.taxonomy.marked(category_of(ground.topic))
        for ground in grounds
        if any(traits.taxonomy for traits in known.values())
    }
    # Only several start pages have halves.
    halves = {False: [0], True: sorted({*range(subsets), *((1, 2) if robustness else ())})}
    if subsets > 1:
        alone = [ground.topic.id for ground in grounds if len(ground.seeds) < 2]
        warnings += [f"topic {name} has one start page, which has no subsets" for name in alone]
    trials = {
        TrackKey(each.label, ground.topic.id, repeat, half): _trial(
            each,
            ground,
            task,
            pages,
            repeat,
            half,
            capacity,
            marked[ground.topic.id] if known[each.label].taxonomy else None,
            pace,
        )
        for ground in grounds
        for repeat in range(1, repeats + 1)
        for half in halves[len(ground.seeds) > 1]
        for each in hunted
    }
    oracles = {
        TrackKey(ORACLE, ground.topic.id, repeat, half): ground._replace(seeds=half_of(ground.seeds, half, repeat))
        for ground in grounds
        for repeat in range(1, repeats + 1)
        for half in range(subsets if len(ground.seeds) > 1 else 1)
        if half or repeat == 1  # it draws no random numbers
    }
    warnings += [*unequal_frontiers(known, capacity), *meaningless_sizes(world, grounds, known, pages)]
    hashes = Keys(world.digest)
    keys = {name: hashes.oracle(ground.seeds, ground.targets, pages) for name, ground in oracles.items()}
    step, total = f"crawling from the {task}", len(trials) + len(oracles)

    crawls = Crawls(Path(folder) / "crawls")
    tracks: dict[TrackKey, Track] = {}
    workers: Executor | None = None

    def make(names: Sequence[TrackKey]) -> None:
        nonlocal workers
        tracks.update({name: track for name in names if (track := crawls.get(keys[name]))})
        progress(step, len(tracks), total)
        missing = [name for name in names if name not in tracks]
        own = _oracles(world, {name: oracles[name] for name in missing if name in oracles}, pages)
        todo = {name: trials[name] for name in missing if name in trials}
        if todo and not workers:
            # Parsed once here, not by every worker.
            if any(known[name.label].context for name in trials):
                world.parsed_with(context=True)
            count = min(processes or cores(), len(trials))
            workers = stack.enter_context(pool(count, open_in_worker, (world.text, world.segments)))
        with closing(_made(workers, todo, own)) as made:
            for name, track in made:
                crawls.put(keys[name], track)
                tracks[name] = track
                progress(step, len(tracks), total)

    # The processes serve all stages, and end at once if anything goes wrong in here.
    with ExitStack() as stack:
        for stage in _stages(hunted):
            names = {name: stage[name.label] for name in trials if name.label in stage}
            for name, configuration in names.items():
                if configuration.after:
                    before = tracks[name._replace(label=configuration.after)]
                    trials[name] = _following(world, trials[name], before)
                keys[name] = hashes.crawl(trials[name], known[name.label])
            make([name for name in keys if name.repeat == 1 and name not in tracks])
            # A crawl that drew no random numbers would only repeat itself.
            again = {name: name._replace(repeat=1) for name in names if name.repeat > 1}
            once = {name for name, first in again.items() if not (name.half or tracks[first].drew_random)}
            tracks.update({name: tracks[again[name]] for name in once})
            if rest := [name for name in again if name not in tracks]:
                make(rest)
        # Other random seeds choose other halves of the start pages.
        if rest := [name for name in oracles if name not in tracks]:
            make(rest)
    topic_ids = [ground.topic.id for ground in grounds]
    return Tracks(task, pages, repeats, hunted, topic_ids, tracks, warnings, subsets, pace)


def _stages(configurations: Sequence[Configuration]) -> Iterator[dict[str, Configuration]]:
    """The configurations by label: first those that follow no other, then those that follow these, and so on."""
    rest, done = list(configurations), {""}
    yield {each.label: each for each in rest if not each.after}  # even without any, the oracle crawls
    while rest := [each for each in rest if each.after not in done]:
        done |= {each.label for each in configurations if each.after in done}
        ready = {each.label: each for each in rest if each.after in done}
        if not ready:
            raise Refused(
                f"{rest[0].label} is to follow {rest[0].after}, which never crawls",
                "name that as well",
                code=Code.MISSING,
                field="strategy",
            )
        yield ready


def _following(world: World, trial: Trial, before: Track) -> Trial:
    """A crawl that follows another: it gets the pages of that one, and starts from its best hubs."""
    urls = [world.corpus.urls[page] for page in before.pages]
    past = tuple(zip(urls, before.relevance.tolist(), strict=True))
    visits = visits_of(world, past)
    hubs = hubs_of(visits, mean_relevance(visits))
    return msgspec.structs.replace(trial, past=past, seeds=tuple(hub.url for hub in hubs) or trial.seeds)


def _check(numbers: Mapping[str, int | None]) -> None:
    for name, value in numbers.items():
        if value is not None and not 0 < value < 2**31:
            raise Refused(
                f"{value:,} is out of range for {name}",
                f"give a number from 1 to {2**31 - 1:,}",
                code=Code.OUT_OF_RANGE,
                field=name,
            )


def _trial(
    configuration: Configuration,
    ground: Ground,
    task: str,
    pages: int,
    repeat: int,
    half: int,
    capacity: int | None,
    taxonomy: Taxonomy | None,
    pace: Pace,
) -> Trial:
    seeds = half_of(ground.seeds, half, repeat)
    return Trial(
        configuration.label,
        configuration.strategy,
        configuration.settings,
        ground.topic.keywords,
        seeds,
        pages,
        # A world may have start pages that are not known to be about the topic.
        examples=tuple(url for url in seeds if url in ground.topic.examples) if task == "examples" else (),
        # Every topic has its own random seed, so that a lucky one is not lucky everywhere.
        random_seed=key64(f"{repeat} {ground.topic.id}") >> 33,
        capacity=capacity,
        judge=configuration.judge,
        judge_settings=configuration.judge_settings,
        taxonomy=taxonomy,
        pace=pace,
    )


def _oracles(world: World, grounds: Mapping[TrackKey, Ground], pages: int) -> Iterator[tuple[TrackKey, Track]]:
    if not grounds:
        return
    oracle = Oracle(world.corpus, closed_pages(world))
    for name, ground in grounds.items():
        seeds = world.corpus.numbers(ground.seeds)
        yield name, oracle.crawl(seeds, world.corpus.numbers(ground.targets), pages)


def _made(
    workers: Executor | None, trials: Mapping[TrackKey, Trial], own: Iterator[tuple[TrackKey, Track]]
) -> Generator[tuple[TrackKey, Track], None, None]:
    """The tracks as they are finished; this process makes the oracle's crawls while it waits for the others."""
    names = {workers.submit(crawl, trial): name for name, trial in trials.items()} if workers else {}
    mine = next(own, None)
    while names:
        done, _ = wait(names, 0 if mine else None, FIRST_COMPLETED)
        for future in done:
            track = future.result()
            name = names.pop(future)
            if isinstance(track, CallTrouble):
                raise Refused(f"{track.problem} (topic {name.topic})", track.fix, code=Code.BAD_VALUE, field="strategy")
            yield name, track
        if mine and not done:
            yield mine
            mine = next(own, None)
    if mine:
        yield mine
    yield from own
