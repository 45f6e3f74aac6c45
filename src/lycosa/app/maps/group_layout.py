"""The layout of a graph in groups: each group is a disc of its pages, and discs with many links are neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lycosa.app.maps.force_layout import apart, forces
from lycosa.app.maps.map_data import Floats, Ids

_MARGIN = 0.7
"""The distance between a group's outermost pages and its rim, in units of the gap between pages."""


class GroupPlaces(NamedTuple):
    """Where pages and groups are."""

    pages: Floats
    groups: Floats
    radius: Floats
    """The radius of each group."""


def in_groups(
    tails: Ids, heads: Ids, groups: Ids, radius: Floats, gap: float, start: Floats | None = None
) -> GroupPlaces:
    """The places of pages and groups; no two groups overlap.

    `start` has places from before, NaN for new pages; with it, known pages stay about where they were.
    """
    count = int(groups.max(initial=-1)) + 1
    places, size = np.zeros((len(groups), 2)), np.zeros(count)
    before = np.full((count, 2), np.nan)
    alike = groups[tails] == groups[heads]
    number = np.zeros(len(groups), np.int64)
    for group in range(count):
        members = np.flatnonzero(groups == group)
        number[members] = np.arange(len(members))
        inner = alike & (groups[tails] == group)
        one = np.zeros(len(members), np.int64)
        known = None if start is None else start[members]
        if known is not None and not np.isnan(known).all():
            before[group] = np.nanmean(known, 0)
        found = forces(number[tails[inner]], number[heads[inner]], one, radius[members], gap, known)
        places[members] = found - found.mean(0) if len(found) else found
        reach = np.sqrt((places[members] ** 2).sum(1)) + radius[members]
        size[group] = reach.max(initial=0.0) + _MARGIN * gap
    between = ~alike
    known = None if np.isnan(before).all() else before
    ends = groups[tails[between]], groups[heads[between]]
    middles = forces(*ends, np.arange(count), size, 2 * float(size.mean()), known)
    middles = apart(middles, size, turns=300)
    return GroupPlaces(places + middles[groups], middles, size)
