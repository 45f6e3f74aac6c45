"""The functions of insight: each takes a folder and returns plain data of bounded size."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lycosa.app.insight import agents, path_tree
from lycosa.app.insight.anchors import Anchors
from lycosa.app.insight.reader_pool import Readers
from lycosa.app.insight.shapes import (
    Curve,
    FrontierView,
    HarvestCurve,
    Host,
    Hosts,
    Misses,
    MissReason,
    PathNode,
    Paths,
    Recall,
    SpiderPath,
    Spiders,
    WaitingLink,
)
from lycosa.app.insight.trail import Trail
from lycosa.app.jobs.job_errors import Conflict, Unknown
from lycosa.app.miss_reasons import explained
from lycosa.core.strategy import Strategy
from lycosa.core.urls import host_of
from lycosa.engine.crawl_reader import CrawlReader
from lycosa.engine.crawl_recovery import must_be_one_crawl, plan_of
from lycosa.store.collection import Collection
from lycosa.store.known_pages import KnownPages
from lycosa.web.tls_reasons import ADVICE

_WINDOW = 100
"""The last pages whose mean relevance is the recent harvest."""
_PATIENCE = 60.0
"""Default seconds to wait until a crawl is read from its log."""


class _Watch(CrawlReader):
    """A copy of the crawl, and the anchor texts of the links it would follow."""

    def __init__(self, folder: Path) -> None:
        with Collection.open(folder) as collection:
            must_be_one_crawl(collection)
        super().__init__(folder)
        self.anchors = Anchors(self.collection)


class _Portraits(NamedTuple):
    """The portraits of the agents, how many were ever born, the energy of a birth, and the query."""

    spiders: list[agents.Portrait]
    born: int
    theta: float
    query: str


_trails = Readers(Trail, most=8)
_watches = Readers(_Watch, most=3)


def close() -> None:
    """Close every collection that is kept open."""
    _trails.close()
    _watches.close()


def frontier(folder: str | Path, limit: int = 30, *, patience: float = _PATIENCE) -> FrontierView:
    """The best waiting links, best first; not `ready` if reading the crawl takes longer than `patience` seconds."""

    def look(watch: _Watch) -> FrontierView:
        tickets = watch.best(limit)
        words = watch.anchors.of(tickets)
        links = [
            WaitingLink(ticket.url, host_of(ticket.url), ticket.score, ticket.lane, ticket.via, words.get(ticket.url))
            for ticket in tickets
        ]
        return FrontierView(True, watch.collection.log.last_seq(), len(watch.crawl.frontier), links)

    try:
        return _watches.ask(Path(folder), look, patience)
    except TimeoutError:
        return FrontierView(False, 0, 0, [])


def hosts(folder: str | Path, limit: int = 100) -> Hosts:
    """The hosts with most pages; equal ones by the relevance of their pages."""

    def look(trail: Trail) -> Hosts:
        ranked = sorted(trail.hosts.items(), key=lambda item: (-item[1].pages, -item[1].relevance, -item[1].misses))
        shown = [
            Host(name, host.pages, host.relevance / host.known if host.known else None, host.best, host.misses)
            for name, host in ranked[:limit]
        ]
        return Hosts(trail.seq, len(trail.hosts), shown)

    return _trails.ask(Path(folder), look)


def misses(folder: str | Path, limit: int = 100) -> Misses:
    """Why pages could not be fetched, the most frequent reasons first."""

    def look(trail: Trail) -> Misses:
        ranked = sorted(trail.reasons.items(), key=lambda item: (-item[1].final, -item[1].again, item[0]))
        shown = [
            MissReason(name, explained(name).problem, why.final, why.again, list(why.urls)[::-1], *ADVICE.get(name, ()))
            for name, why in ranked[:limit]
        ]
        return Misses(trail.seq, sum(why.final for why in trail.reasons.values()), shown)

    return _trails.ask(Path(folder), look)


def curve(folder: str | Path, points: int = 300) -> Curve:
    """Harvest and estimated recall over the crawl, at `points` places at most."""

    def look(trail: Trail) -> Curve:
        chosen = _spread(len(trail), points)
        harvest = [_harvest(trail, at + 1) for at in chosen]
        recall = [
            Recall(trail.count_at(seq), at, *estimate)
            for seq, at, estimate in (trail.estimates[one] for one in _spread(len(trail.estimates), points))
        ]
        return Curve(trail.seq, len(trail), _WINDOW, trail.known[-1], harvest, recall)

    return _trails.ask(Path(folder), look)


def spiders(folder: str | Path, *, patience: float = _PATIENCE) -> Spiders:
    """The agents of an InfoSpiders crawl; none for any other strategy."""
    portraits = _portraits(Path(folder), patience)
    if portraits is None:
        return Spiders(False, 0, 0, 0, 0.0, [])

    def look(trail: Trail) -> Spiders:
        found = agents.spiders_of(portraits.spiders, trail, portraits.query)
        return Spiders(True, trail.seq, len(trail), portraits.born, portraits.theta, found)

    return _trails.ask(Path(folder), look)


def spider(folder: str | Path, number: int, limit: int = 500, *, patience: float = _PATIENCE) -> SpiderPath:
    """One agent of an InfoSpiders crawl, with the pages it went through."""
    portraits = _portraits(Path(folder), patience)
    if portraits is None:
        raise Conflict("the crawl is still being read", "ask again in a few seconds")
    if all(kin["number"] != number for kin in portraits.spiders):
        raise Unknown(f"there is no spider {number}", "ask for the list of spiders", field="number")

    def look(trail: Trail) -> SpiderPath:
        known = {one.number: one for one in agents.spiders_of(portraits.spiders, trail, portraits.query)}
        return SpiderPath(known[number], *agents.path_of(number, portraits.spiders, trail, limit))

    return _trails.ask(Path(folder), look)


def paths(folder: str | Path, limit: int = 1000) -> Paths:
    """The pages as a tree, each below the page by whose link it was fetched; of too many, only the most relevant."""

    def look(trail: Trail) -> Paths:
        stay = path_tree.kept(trail.parents, trail.relevance, limit)
        below = path_tree.hidden(trail.parents, stay)
        known = KnownPages(trail.collection.log, trail.collection.inbox.in_force())
        rows = {row.seq: row for row in trail.collection.log.pages_at([trail.seqs[at] for at in stay])}
        nodes = []
        for at in stay:
            row = rows.get(trail.seqs[at])
            if row is None:
                continue
            parent = trail.parents[at]
            above = trail.seqs[parent] if parent >= 0 and trail.seqs[parent] in rows else None
            page = (row.seq, row.url, row.title, row.host, known.of(row).relevance, row.at)
            nodes.append(PathNode(*page, above, below.get(at, 0)))
        threshold = trail.estimates[-1][2].threshold if trail.estimates else None
        return Paths(trail.seq, len(trail), threshold, len(trail) - len(nodes), nodes)

    return _trails.ask(Path(folder), look)


def _portraits(folder: Path, patience: float) -> _Portraits | None:
    """What the strategy shows of its agents; None if there was no time to read it."""
    with Collection.open(folder) as collection:
        plan = plan_of(collection)
    none = _Portraits([], 0, 0.0, plan.topic.keywords)
    # A strategy without agents is known without reading the whole crawl.
    if type(plan.make_strategy()).portrait is Strategy.portrait:
        return none
    try:
        shown = _watches.ask(folder, lambda watch: watch.crawl.strategy.portrait(), patience)
    except TimeoutError:
        return None
    if not isinstance(shown, dict) or "spiders" not in shown:
        return none
    return none._replace(spiders=shown["spiders"], born=shown["born"], theta=shown["theta"])


def _harvest(trail: Trail, count: int) -> HarvestCurve:
    recent = trail.mean(max(0, count - _WINDOW), count)
    return HarvestCurve(count, trail.times[count - 1], trail.mean(0, count), recent)


def _spread(count: int, most: int) -> list[int]:
    """At most `most` places from the first to the last, evenly spread."""
    if count <= most:
        return list(range(count))
    return sorted({round(nth * (count - 1) / max(1, most - 1)) for nth in range(most)})
