"""Force-directed layout of a graph: pages repel each other, links attract.

Forces as in ForceAtlas2 (Jacomy et al. 2014), from memory: repulsion falls with the distance and grows with the number
of links at both ends, so that leaves come near to their hubs; attraction grows with the distance; a little gravity
holds the parts together. Our choices:

- Hosts are laid out first, as one page each; then every page starts near its host, and the pages are laid out.
- All pages repel all others, computed as two matrix products. If there are more than `_SAMPLE` pages, a sample of
  them, a new one each turn, repels for all.
- No page moves further in a turn than a bound that falls to 0; in the end, pages that overlap are moved apart.

The random numbers have a fixed seed, so the same graph always has the same layout.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.app.maps.map_data import Floats, Ids

_SAMPLE = 800
_BLOCK = 1 << 16
_TURNS = 60
_GOING_ON = 25
"""Turns if places are known from before."""
_GRAVITY = 1.0
_FAR = 0.5
"""Distance, as a share of the map's size, beyond which pages repel each other much less."""
_TOUCHING = np.float32(0.05)
"""The square of the distance below which the repulsion no longer grows."""
_GOLDEN = np.pi * (3 - 5**0.5)

_Places = NDArray[np.float32]


def forces(tails: Ids, heads: Ids, groups: Ids, radius: Floats, gap: float, start: Floats | None = None) -> Floats:
    """The place of each page, about `gap` from its neighbours; `groups` are the hosts.

    `start` has places from before, NaN for new pages; with it, known pages stay about where they were.
    """
    pages = len(groups)
    if pages == 0:
        return np.zeros((0, 2))
    if start is None or np.isnan(start[:, 0]).all():
        hosts = int(groups.max()) + 1
        between = groups[tails] != groups[heads]
        middles = _settle(groups[tails[between]], groups[heads[between]], _around(np.arange(hosts)), _TURNS)
        members = np.bincount(groups, minlength=hosts)
        nth = np.argsort(np.argsort(groups, kind="stable"), kind="stable") - (np.cumsum(members) - members)[groups]
        # Large hosts need room: move their centres apart before their pages are added.
        places = middles[groups] * np.sqrt(pages / hosts) + 0.5 * _around(nth)
        places = _settle(tails, heads, places.astype(np.float32), _TURNS)
    else:
        places = _settle(tails, heads, _filled(start / gap, tails, heads), _GOING_ON)
    found = places.astype(np.float64)
    return apart(_scaled(_wide(found) if start is None else found) * gap, radius)


def _settle(tails: Ids, heads: Ids, places: _Places, turns: int) -> _Places:
    """Apply the forces for some turns."""
    pages = len(places)
    if pages < 2:
        return places
    random = np.random.default_rng(1)
    degree = np.bincount(tails, minlength=pages) + np.bincount(heads, minlength=pages)
    mass = np.sqrt(1.0 + degree).astype(np.float32)
    pull = 1.0 / np.sqrt(mass[tails] * mass[heads])
    size = np.float32(np.sqrt(pages))
    for turn in range(turns):
        push = _push(places, mass, size, random)
        along = (places[heads] - places[tails]) * pull[:, None]
        push += _sums(tails, along, pages) - _sums(heads, along, pages)
        push -= (_GRAVITY / size) * mass[:, None] * places
        length = np.sqrt((push * push).sum(1)) + np.float32(1e-9)
        bound = np.float32(0.25 * size * (1 - turn / turns) ** 2)
        places = places + push * (np.minimum(length / mass, bound) / length)[:, None]
    return places


def _push(places: _Places, mass: _Places, size: np.float32, random: np.random.Generator) -> _Places:
    """The repulsion of each page by all others: (a - b) * mass / (d² + (d²/r)²), where d² = |a|² + |b|² - 2ab."""
    pages = len(places)
    some, weights = places, mass
    if pages > _SAMPLE:
        chosen = random.choice(pages, _SAMPLE, replace=False)
        some, weights = places[chosen], mass[chosen] * np.float32(pages / _SAMPLE)
    ones = np.ones((pages, 1), np.float32)
    left = np.concatenate([places, (places * places).sum(1, keepdims=True), ones], 1)
    right = np.concatenate([-2 * some, ones[: len(some)], (some * some).sum(1, keepdims=True)], 1)
    weighted = np.concatenate([some, ones[: len(some)]], 1) * weights[:, None]
    pushed = np.empty((pages, 3), np.float32)
    # Blocks fit into the cache and are too small for threads, which on a busy machine only wait for each other.
    rows = max(1, _BLOCK // len(some))
    for begin in range(0, pages, rows):
        squares = left[begin : begin + rows] @ right.T
        np.maximum(squares, _TOUCHING, out=squares)
        squares += squares * squares * (1 / (_FAR * size) ** 2)
        np.reciprocal(squares, out=squares)
        pushed[begin : begin + rows] = squares @ weighted
    return np.asarray((places * pushed[:, 2:] - pushed[:, :2]) * mass[:, None], np.float32)


def _sums(at: Ids, vectors: NDArray[np.floating], count: int) -> Floats:
    """The sum of the vectors of each page, where `at` has the page of each vector."""
    return np.stack([np.bincount(at, vectors[:, axis], count) for axis in (0, 1)], 1)


def _around(nth: Ids) -> _Places:
    """Places like the seeds of a sunflower, one unit apart."""
    return (np.sqrt(nth / np.pi)[:, None] * _directions(nth)).astype(np.float32)


def _directions(nth: Ids) -> Floats:
    return np.stack([np.cos(nth * _GOLDEN), np.sin(nth * _GOLDEN)], 1)


def _filled(start: Floats, tails: Ids, heads: Ids) -> _Places:
    """Known places; a new page starts amid the pages it is linked with, or at the edge if there are none."""
    new = np.isnan(start[:, 0])
    places = np.where(new[:, None], 0.0, start)
    known = ~new
    count = np.zeros(len(start))
    total = np.zeros_like(places)
    for one, other in ((tails, heads), (heads, tails)):
        count += np.bincount(one, known[other], len(start))
        total += _sums(one, places[other] * known[other, None], len(start))
    amid = total / np.maximum(count, 1)[:, None]
    edge = np.abs(start[known]).max(initial=1.0)
    rim = edge * _directions(np.arange(len(start)))
    jitter = 0.3 * _around(np.arange(len(start)) % 37)
    found = np.where(new[:, None], np.where(count[:, None] > 0, amid + jitter, rim), places)
    return found.astype(np.float32)


def _wide(places: Floats) -> Floats:
    """Places rotated so that the map is widest from left to right, the heavier side on the left and below."""
    centred = places - places.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turned = centred @ axes[:, ::-1]
    skew = np.sign((turned**3).sum(0))
    return np.asarray(turned * np.where(skew == 0, 1.0, skew))


def _scaled(places: Floats) -> Floats:
    """Places scaled so that every page has about one unit of room in each direction."""
    centred = places - places.mean(0)
    spread = np.sqrt((centred**2).mean())
    return np.asarray(centred * (np.sqrt(len(places) / np.pi) / 2 / spread) if spread > 0 else centred)


def apart(places: Floats, radius: Floats, turns: int = 30) -> Floats:
    """Places at which no two pages overlap, as near as possible to where they were."""
    places = places.copy()
    for _ in range(turns):
        one, other = _neighbours(places, 2 * radius.max(initial=1.0))
        offset = places[other] - places[one]
        far = np.sqrt((offset**2).sum(1))
        wanted = (radius[one] + radius[other]) * 1.15 - far
        close = wanted > 0.01
        if not close.any():
            break
        one, other, offset, far = one[close], other[close], offset[close], far[close]
        # Two pages at the same place have no direction between them: use the number of one.
        same = far < 1e-6
        offset[same] = _directions(other[same])
        move = offset * (wanted[close] / np.where(same, 1.0, far) / 2)[:, None]
        places += _sums(other, move, len(places)) - _sums(one, move, len(places))
    return places


def _neighbours(places: Floats, size: float) -> tuple[Ids, Ids]:
    """All pairs of pages in the same or adjacent squares of this size, each once."""
    cells = np.floor((places - places.min(0)) / size).astype(np.int64) + 1
    wide = int(cells[:, 0].max()) + 2
    keys = cells[:, 1] * wide + cells[:, 0]
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    ones, others = [], []
    for step in (0, 1, wide - 1, wide, wide + 1):
        begin = np.searchsorted(sorted_keys, sorted_keys + step, "left")
        end = np.searchsorted(sorted_keys, sorted_keys + step, "right")
        if step == 0:
            begin = np.arange(1, len(order) + 1)
        counts = np.maximum(end - begin, 0)
        first = np.repeat(np.arange(len(order)), counts)
        nth = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        ones.append(order[first])
        others.append(order[begin[first] + nth])
    return np.concatenate(ones), np.concatenate(others)
