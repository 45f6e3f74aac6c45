"""Tree layouts: from left to right, or in rings around the front page.

The tidy tree follows Reingold and Tilford (1981), as later accounts describe it: a page is centred on its children,
subtrees are moved together until their outlines are one row apart, and the same subtree looks the same everywhere. In
the radial tree a page has the share of the circle that its leaves have of all leaves, and each ring is as far out as
its pages need. Both take a tree in which every page comes after its parent; the parent of the root is -1.
"""

from __future__ import annotations

import numpy as np

from lycosa.app.maps.map_data import Floats, Ids

_STEP = 0.08
"""The least distance between rings, as a share of the widest ring."""


def tidy(parent: Ids) -> Floats:
    """The row of each page: two pages of the same depth are at least one row apart, and the first row is 0."""
    below = _children(parent)
    beside_parent = np.zeros(len(below))
    outlines: dict[int, tuple[Floats, Floats]] = {}
    for page in range(len(below) - 1, -1, -1):
        # The first and last row at each depth, relative to the first child.
        first = last = np.zeros(0)
        rows = []
        for child in below[page]:
            theirs_first, theirs_last = outlines.pop(child)
            shared = min(len(last), len(theirs_first))
            row = float((last[:shared] - theirs_first[:shared]).max()) + 1.0 if shared else 0.0
            first = np.concatenate([first, theirs_first[len(first) :] + row])
            last = np.concatenate([theirs_last + row, last[len(theirs_last) :]])
            rows.append(row)
        middle = (rows[0] + rows[-1]) / 2 if rows else 0.0
        outlines[page] = np.append(0.0, first - middle), np.append(0.0, last - middle)
        beside_parent[below[page]] = np.array(rows) - middle
    found = beside_parent
    for page in range(1, len(below)):
        found[page] += found[parent[page]]
    return np.asarray(found - found.min(initial=0.0))


def radial(parent: Ids, depth: Ids, gap: float, step: float) -> tuple[Floats, Floats, float]:
    """Angle and distance of each page: neighbours in a ring are at least `gap` apart, rings at least `step`.

    The third value is the actual distance of the closest neighbours in any ring.
    """
    below = _children(parent)
    leaves = np.ones(len(below))
    for page in range(len(below) - 1, -1, -1):
        if below[page]:
            leaves[page] = leaves[below[page]].sum()
    angles, begins = np.zeros(len(below)), np.zeros(len(below))
    turn = 2 * np.pi / leaves[0] if len(below) else 0.0
    for page, children in enumerate(below):
        if children:
            begins[children] = begins[page] + np.cumsum(leaves[children]) - leaves[children]
            angles[children] = (begins[children] + leaves[children] / 2) * turn
    order = np.argsort(depth, kind="stable")
    nearest = [_nearest(ring) for ring in np.split(angles[order], np.cumsum(np.bincount(depth))[:-1])]
    needed = [gap / angle for angle in nearest]
    step = max(step, _STEP * max(needed))
    rings = np.zeros(len(needed))
    for ring in range(1, len(rings)):
        rings[ring] = max(rings[ring - 1] + step, needed[ring])
    # If an outer ring is far out, the inner rings are spread proportionally.
    for ring in range(len(rings) - 2, 0, -1):
        rings[ring] = max(rings[ring], rings[ring + 1] * ring / (ring + 1))
    closest = min((far * angle for far, angle in zip(rings[1:].tolist(), nearest[1:], strict=True)), default=gap)
    return angles, rings[depth], closest


def _nearest(angles: Floats) -> float:
    """The smallest angle between two neighbours in a ring."""
    around = np.sort(angles)
    return float(np.diff(around, append=around[0] + 2 * np.pi).min()) if len(around) > 1 else np.pi


def _children(parent: Ids) -> list[list[int]]:
    below: list[list[int]] = [[] for _ in parent]
    for page, above in enumerate(parent.tolist()):
        if above >= 0:
            below[above].append(page)
    return below
