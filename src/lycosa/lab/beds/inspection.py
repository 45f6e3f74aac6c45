"""Checking a test bed: what is in it, whether its targets can be found, and what is wrong with it.

What makes every run impossible is refused, with file and line: no folder, no recording, a line that is not a topic.
What spoils only a topic or a figure is a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from lycosa.core.keys import key64
from lycosa.lab.beds.web_shape import Locality, Spread, WebShape, spread
from lycosa.lab.comparison import Ids
from lycosa.lab.corpus import Corpus, labelled
from lycosa.lab.oracle import closed_pages
from lycosa.lab.world import World, open_world
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.parsed_pages import ParsedPages
from lycosa.web.replay import WarcSource
from lycosa.web.source import BedTopic
from lycosa.web.source_names import is_made
from lycosa.web.testbed import PAGES, TASKS, TOPICS

LOOKED_AT = 20_000
"""Most pages whose links are counted; of a larger web this many are sampled."""
NEAR = (1, 2, 3)
NAMED = 3
"""URLs that a topic's warnings name for each kind of problem."""


class Reach(Struct):
    """How far the targets are from the start pages, in links."""

    share: float
    """The share of the targets that a crawl can reach."""
    median: float
    """Of the distances of reachable targets, as `furthest`."""
    furthest: int
    within: dict[int, float]
    """The share of all targets within so many links."""


class BedHub(Struct):
    """A page and how many targets it links to."""

    url: str
    targets: int


class TopicReport(Struct):
    """What a check found about a topic."""

    id: str
    line: int
    """The line in topics.jsonl; 0 in a made web."""
    described: bool
    targets: int
    missing_targets: list[str]
    seeds: dict[str, int]
    """Start pages by task."""
    missing_seeds: dict[str, list[str]]
    closed_seeds: dict[str, list[str]]
    closed_targets: list[str]
    """Targets that a robots.txt forbids to all crawlers."""
    seeds_among_targets: list[str]
    repeated: list[str]
    """URLs that are in a list twice."""
    reach: dict[str, Reach]
    """By task, if the task has a start page in the bed."""
    in_links: Spread
    """In-links of the targets."""
    relevant_links: float
    """The probability that a link from a known relevant page leads to another one ..."""
    relevant_links_anywhere: float
    """... and that any link of the bed does."""
    hubs: list[BedHub]
    """The pages that link to the most targets."""

    @property
    def runs(self) -> bool:
        """Whether it has a target and a start page in the bed."""
        return bool(self.reach) and self.targets > len(self.missing_targets)


class BedReport(Struct):
    """What a check found about a test bed."""

    bed: str
    made_from: str
    complete: bool
    """Whether a page that is not in it does not exist."""
    pages: int
    hosts: int
    closed: int
    """Pages that a robots.txt forbids to all crawlers."""
    links: int
    """Links to distinct URLs, summed over pages; estimated from a sample if the web is large."""
    links_inside: int
    """Links that lead to an answer in the bed."""
    redirects: int
    failures: int
    """URLs that are known not to be pages."""
    robots: int
    """URLs of robots.txt files."""
    repeats: int
    """Pages with exactly the words of another one."""
    out_links: Spread
    in_links: Spread
    """In-links of pages from other pages."""
    locality: Locality
    topics: list[TopicReport]
    warnings: list[str]

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return plain


def check(bed: str | Path, *, seed: int = 1, progress: StageProgress = no_progress) -> BedReport:
    """Read a test bed, or a made web such as «made:pages=2000», from end to end and describe it."""
    world = open_world(str(bed), progress)
    topics, damage = world.topics, _damage(world)
    corpus, shape = world.corpus, WebShape(world.corpus, seed, closed_pages(world))
    links, inside = _links(world.parsed, seed)
    others = Counter(_kind(world.parsed, row) for row in range(world.parsed.pages, len(world.parsed)))
    reports = _topic_reports(world, shape, topics)
    if not any(report.runs for report in reports):
        raise Refused(
            f"{world.name}: no topic can be run",
            "one needs a start page and a target in the bed",
            code=Code.EMPTY,
            field="bed",
        )
    return BedReport(
        bed=str(bed),
        made_from=world.about.made_from,
        complete=world.complete,
        pages=len(corpus),
        hosts=len(np.unique(corpus.hosts)),
        closed=int(shape.closed.sum()),
        links=links,
        links_inside=inside,
        redirects=others["redirect"],
        failures=others["failure"],
        robots=others["robots.txt"],
        repeats=shape.repeats(),
        out_links=spread(shape.out_links),
        in_links=spread(shape.in_links),
        locality=shape.locality(),
        topics=reports,
        warnings=[*damage, *world.about.warnings, *(line for report in reports for line in _warnings(report))],
    )


def _damage(world: World) -> list[str]:
    """Where the recording cannot be read; pages parsed earlier would not tell."""
    return [] if is_made(world.text) else WarcSource(Path(world.text) / PAGES).damage


def _links(parsed: ParsedPages, seed: int) -> tuple[int, int]:
    """How many links there are, and how many of them lead to an answer in the bed."""
    rng = np.random.default_rng(seed)
    sampled = parsed.pages > LOOKED_AT
    rows = rng.choice(parsed.pages, LOOKED_AT, replace=False) if sampled else np.arange(parsed.pages)
    keys = [key64(url) for row in rows.tolist() for url in set(parsed.head(row).urls)]
    inside = int((parsed.rows_of(np.array(keys, np.uint64)) >= 0).sum()) if keys else 0
    scale = parsed.pages / max(1, len(rows))
    return round(len(keys) * scale), round(inside * scale)


def _kind(parsed: ParsedPages, row: int) -> str:
    other = parsed.other(row)
    return "redirect" if other.moved else "failure" if other.failure else "robots.txt"


class _Known(NamedTuple):
    """The pages of a topic that are in the bed, by number."""

    goals: Ids
    """The targets, one for each URL: two may lead to the same page."""
    targets: Ids
    relevant: Ids
    seeds: dict[str, Ids]


def _topic_reports(world: World, shape: WebShape, topics: list[BedTopic]) -> list[TopicReport]:
    lines = {} if is_made(world.text) else _lines(Path(world.text) / TOPICS)
    known = [_known(world.corpus, topic) for topic in topics]
    searches = [(place, task) for place, pages in enumerate(known) for task in TASKS if len(pages.seeds[task])]
    distances = shape.distances(
        [known[place].seeds[task] for place, task in searches], [known[place].goals for place, _ in searches]
    )
    reach: list[dict[str, Reach]] = [{} for _ in topics]
    for (place, task), hops in zip(searches, distances, strict=True):
        reach[place][task] = _reach(hops, len(set(topics[place].targets)))
    return [
        _topic_report(topic, lines.get(topic.id, 0), shape, pages, reached)
        for topic, pages, reached in zip(topics, known, reach, strict=True)
    ]


def _known(corpus: Corpus, topic: BedTopic) -> _Known:
    goals = [number for url in dict.fromkeys(topic.targets) if (number := corpus.number(url)) >= 0]
    return _Known(
        np.array(goals, np.int32),
        corpus.numbers(topic.targets),
        corpus.numbers(labelled(topic)),
        {task: corpus.numbers(getattr(topic, task)) for task in TASKS},
    )


def _topic_report(topic: BedTopic, line: int, shape: WebShape, known: _Known, reach: dict[str, Reach]) -> TopicReport:
    corpus = shape.corpus
    named = {name: dict.fromkeys(getattr(topic, name)) for name in (*TASKS, "targets")}
    missing = {name: [url for url in urls if corpus.number(url) < 0] for name, urls in named.items()}
    closed = {
        name: [url for url in urls if (page := corpus.number(url)) >= 0 and shape.closed[page]]
        for name, urls in named.items()
    }
    seeds = {*topic.examples, *topic.neighbors}
    lists = (topic.examples, topic.neighbors, topic.targets, topic.described)
    from_relevant, from_any = shape.follows(known.relevant)
    return TopicReport(
        id=topic.id,
        line=line,
        described=bool(topic.description.strip()),
        targets=len(set(topic.targets)),
        missing_targets=missing.pop("targets"),
        seeds={task: len(getattr(topic, task)) for task in TASKS},
        missing_seeds=missing,
        closed_targets=closed.pop("targets"),
        closed_seeds=closed,
        seeds_among_targets=[url for url in dict.fromkeys(topic.targets) if url in seeds],
        repeated=[url for urls in lists for url, times in Counter(urls).items() if times > 1],
        reach=reach,
        in_links=spread(shape.in_links[known.targets]),
        relevant_links=from_relevant,
        relevant_links_anywhere=from_any,
        hubs=[BedHub(corpus.urls[page], count) for page, count in shape.hubs(known.targets)],
    )


def _reach(hops: Ids, targets: int) -> Reach:
    found = hops[hops >= 0]
    return Reach(
        share=len(found) / targets if targets else 0.0,
        median=float(np.median(found)) if len(found) else 0.0,
        furthest=int(found.max(initial=0)),
        within={near: int((found <= near).sum()) / targets if targets else 0.0 for near in NEAR},
    )


def _lines(path: Path) -> dict[str, int]:
    """The line number of each topic."""
    with path.open("rb") as file:
        return {msgspec.json.decode(line)["id"]: number for number, line in enumerate(file, 1) if line.strip()}


def _warnings(topic: TopicReport) -> Iterator[str]:
    where = f"{TOPICS}, line {topic.line}, {topic.id}" if topic.line else topic.id
    for task, lost in topic.missing_seeds.items():
        yield from _each(where, lost, f"in {task} is not a page of the bed")
    yield from _each(where, topic.missing_targets, "in targets is not a page of the bed")
    for name, shut in (*topic.closed_seeds.items(), ("targets", topic.closed_targets)):
        yield from _each(where, shut, f"in {name} is closed by robots.txt, so no crawl fetches it")
    yield from _each(where, topic.seeds_among_targets, "is a start page and a target")
    yield from _each(where, topic.repeated, "is listed twice")
    if not any(topic.seeds.values()):
        yield f"{where}: it has no start pages"
    if not topic.targets:
        yield f"{where}: it has no targets, so there is nothing to recall"
    if not topic.described:
        yield f"{where}: it has no description, so precision cannot be measured"
    there = topic.targets - len(topic.missing_targets) - len(topic.closed_targets)
    lonely = {task: there - round(reach.share * topic.targets) for task, reach in topic.reach.items()}
    if any(lonely.values()):
        told = ", ".join(f"{count} from its {task}" for task, count in lonely.items())
        yield f"{where}: some of its {topic.targets} targets are beyond reach: {told}"


def _each(where: str, urls: list[str], what: str) -> Iterator[str]:
    for url in urls[:NAMED]:
        yield f"{where}: {url} {what}"
    if len(urls) > NAMED:
        yield f"{where}: the same is true of {len(urls) - NAMED} more"
