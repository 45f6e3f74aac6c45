"""A crawl's path through the link graph: the fetched pages as a tree, drawn around its seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import Comparison, Ids, Track
from lycosa.lab.corpus import Corpus, labelled
from lycosa.lab.phrasing import counted
from lycosa.lab.report.colours import INK, MUTED, PAPER, printable
from lycosa.lab.statistics.difficulty import difficulties, discriminating
from lycosa.web.source import BedTopic

SIDE = 720
LIMIT = 1000
"""Most pages that are drawn, the first ones: more cannot be told apart, and are slow in a browser."""
BINS = 8
"""Steps of colour from pages fetched early to pages fetched late."""
ORDER_LIGHT = ("#3b1c8c", "#5a1ea0", "#7d24a5", "#9f2f97", "#bd4080", "#d45766", "#e5714b", "#e08a1e")
ORDER_DARK = ("#8d7bf2", "#a57bf0", "#bd7be6", "#d27fd3", "#e386b8", "#f09398", "#f9a577", "#fdbe55")


class Crawled(Struct):
    """A crawl to draw: its track with what is known about its pages."""

    label: str
    topic: str
    track: Track
    urls: Sequence[str]
    """By page number, as a corpus has them."""
    targets: Ids
    relevant: Ids


class GraphSpot(Struct, frozen=True):
    """A fetched page in the picture."""

    order: int
    """1 for the first page that was fetched."""
    url: str
    depth: int
    """Links from a seed; 0 for a seed."""
    parent: int
    """The index in the list of spots of the page that led here; -1 for a seed."""
    x: float
    y: float
    relevance: float
    kind: str
    """target, relevant or other."""


def crawled(label: str, topic: BedTopic, track: Track, corpus: Corpus) -> Crawled:
    """The crawl of a configuration on a topic, with the pages that the metrics count as relevant."""
    return Crawled(label, topic.id, track, corpus.urls, corpus.numbers(topic.targets), corpus.numbers(labelled(topic)))


def telling(comparison: Comparison) -> tuple[str, list[str]]:
    """Which paths to show: the best and the worst configuration's on the topic on which they are furthest apart."""
    found = discriminating(difficulties(comparison))
    if not found:
        return comparison.topics[0], list(comparison.arms)[:2]
    return found[0].topic, list(dict.fromkeys((found[0].best, found[0].worst)))


def spots(hunt: Crawled, limit: int = LIMIT) -> list[GraphSpot]:
    """The positions of the first pages: seeds on the innermost ring, one ring further out for each link.

    A ring with many pages has more room around it than one with few, so that a single long branch takes little room.
    """
    track = hunt.track
    pages, via = track.pages[:limit].tolist(), track.via[:limit].tolist()
    place: dict[int, int] = {}
    parents: list[int] = []
    for number, (page, from_) in enumerate(zip(pages, via, strict=True)):
        parents.append(place.get(from_, -1))  # a page whose parent is not in the track starts its own tree
        place.setdefault(page, number)
    depths: list[int] = []
    for parent in parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    angles = _angles(parents)
    room = np.sqrt(np.bincount(depths)) if depths else np.ones(1)
    rings = (SIDE / 2 - 10) * np.cumsum(room) / room.sum()
    targets, relevant = set(hunt.targets.tolist()), set(hunt.relevant.tolist())
    return [
        GraphSpot(
            order=number + 1,
            url=hunt.urls[page],
            depth=depths[number],
            parent=parents[number],
            x=SIDE / 2 + rings[depths[number]] * math.cos(angles[number]),
            y=SIDE / 2 + rings[depths[number]] * math.sin(angles[number]),
            relevance=float(track.relevance[number]) if number < len(track.relevance) else math.nan,
            kind="target" if page in targets else "relevant" if page in relevant else "other",
        )
        for number, page in enumerate(pages)
    ]


def svg(hunt: Crawled, *, alone: bool = False, limit: int = LIMIT) -> str:
    """The picture as SVG; alone it has its own colours, on the page those of the style sheet."""
    found = spots(hunt, limit)
    trail = _trail(found)
    total = max(1, len(found))
    dots = {"other": 1.9, "relevant": 3.6, "target": 4.6}
    nodes = [
        f'<circle class="o{(spot.order - 1) * BINS // total} {spot.kind}" cx="{spot.x:.1f}" cy="{spot.y:.1f}" '
        f'r="{dots[spot.kind]}"><title>{escape(_tooltip(spot))}</title></circle>'
        for spot in sorted(found, key=lambda spot: list(dots).index(spot.kind))
    ]
    edges = {
        "branch": (spot for number, spot in enumerate(found) if number not in trail),
        "trail": (found[number] for number in sorted(trail)),
    }
    paths = [
        f'<path class="{name}" d="{"".join(_edge(spot, found) for spot in some)}"/>' for name, some in edges.items()
    ]
    space = f'xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" ' if alone else ""
    style = f'<style>{styles()}</style><rect width="100%" height="100%" fill="{PAPER}"/>' if alone else ""
    name = escape(f"The path of {hunt.label} on {hunt.topic}")
    opening = f'<svg class="path" {space}viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{name}">'
    return printable("".join([opening, style, *paths, *nodes, "</svg>"]))


def styles(order: Sequence[str] = ORDER_LIGHT, ink: str = INK, muted: str = MUTED, paper: str = PAPER) -> str:
    """The style rules of such a picture."""
    steps = "".join(f".path .o{step}{{fill:{colour}}}" for step, colour in enumerate(order))
    return (
        f"{steps}.path .other{{fill-opacity:.6}}.path .relevant{{stroke:{paper};stroke-width:.8}}"
        f".path .target{{stroke:{ink};stroke-width:1.6}}"
        f".path .branch{{fill:none;stroke:{muted};stroke-width:.5;stroke-opacity:.35}}"
        f".path .trail{{fill:none;stroke:{ink};stroke-width:.9;stroke-opacity:.6}}"
    )


def told(hunt: Crawled, limit: int = LIMIT) -> tuple[str, list[GraphSpot]]:
    """The picture in words, and the targets in the order in which they were found."""
    found, fetched = spots(hunt, limit), len(hunt.track.pages)
    shown = (
        f"The first {len(found):,} of {counted(fetched, 'page')}" if len(found) < fetched else counted(fetched, "page")
    )
    targets = [spot for spot in found if spot.kind == "target"]
    relevant = sum(spot.kind != "other" for spot in found)
    deepest = counted(max((spot.depth for spot in found), default=0), "link")
    words = (
        f"{shown}, up to {deepest} from a seed; {relevant:,} relevant, among them {counted(len(targets), 'target')}."
    )
    return words, targets


def _angles(parents: list[int]) -> list[float]:
    """An angle for each page: the middle of its sector, whose width is proportional to the leaves of its subtree."""
    size = len(parents)
    children: list[list[int]] = [[] for _ in range(size)]
    seeds: list[int] = []
    for number, parent in enumerate(parents):
        (children[parent] if parent >= 0 else seeds).append(number)
    leaves = np.zeros(size)
    for number in range(size - 1, -1, -1):  # a page comes after its parent
        leaves[number] = sum(leaves[child] for child in children[number]) or 1
    starts = np.zeros(size)
    for siblings, start in [(seeds, -1), *((each, number) for number, each in enumerate(children))]:
        widths = leaves[siblings]
        starts[siblings] = np.cumsum(widths) - widths + (starts[start] if start >= 0 else 0)
    around = 2 * math.pi / max(1.0, float(leaves[seeds].sum()))
    return [float(angle) for angle in (starts + leaves / 2) * around - math.pi / 2]


def _trail(found: list[GraphSpot]) -> set[int]:
    """The pages on a path to any target."""
    trail: set[int] = set()
    for number, spot in enumerate(found):
        step = number if spot.kind == "target" else -1
        while step >= 0 and step not in trail:
            trail.add(step)
            step = found[step].parent
    return trail


def _edge(spot: GraphSpot, found: list[GraphSpot]) -> str:
    """A curve from the parent page to this one; it leaves and arrives radially."""
    if spot.parent < 0:
        return ""
    parent, middle = found[spot.parent], SIDE / 2
    away = math.hypot(parent.x - middle, parent.y - middle), math.hypot(spot.x - middle, spot.y - middle)
    half = sum(away) / 2
    bends = [
        (middle + (each.x - middle) * half / length, middle + (each.y - middle) * half / length)
        for each, length in zip((parent, spot), away, strict=True)
    ]
    (ax, ay), (bx, by) = bends
    return f"M{parent.x:.1f} {parent.y:.1f}C{ax:.1f} {ay:.1f} {bx:.1f} {by:.1f} {spot.x:.1f} {spot.y:.1f}"


def _tooltip(spot: GraphSpot) -> str:
    kind = "" if spot.kind == "other" else f" ({spot.kind})"
    relevance = "" if math.isnan(spot.relevance) else f", judged {spot.relevance:.2f}"
    return f"{spot.order:,}. {spot.url}{kind}{relevance}"
