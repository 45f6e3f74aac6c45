"""The tree of paths, cut to a size: the most relevant pages stay, with the path to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

_IN_VAIN = 1000
"""Pages tried whose path no longer fits, before the search ends."""


def kept(parents: Sequence[int], relevance: Sequence[float], limit: int) -> list[int]:
    """The pages that stay, in order: seeds first, then the most relevant, each with all pages on the path to it."""
    if len(parents) <= limit:
        return list(range(len(parents)))
    stay = set([at for at, parent in enumerate(parents) if parent < 0][: limit // 2])
    vain = 0
    for best in np.argsort(-np.nan_to_num(np.array(relevance), nan=-1.0), kind="stable").tolist():
        path: list[int] = []
        at = best
        while at >= 0 and at not in stay and len(stay) + len(path) < limit:
            path.append(at)
            at = parents[at]
        if at < 0 or at in stay:
            stay.update(path)
        else:
            vain += 1
        if len(stay) >= limit or vain >= _IN_VAIN:
            break
    return sorted(stay)


def hidden(parents: Sequence[int], stay: Sequence[int]) -> Counter[int]:
    """How many hidden pages are below each page that stays; -1 counts those below none."""
    found: Counter[int] = Counter()
    if len(stay) == len(parents):
        return found
    staying = set(stay)
    nearest = list(parents)
    for at, parent in enumerate(parents):
        if at in staying:
            nearest[at] = at
        else:
            # A parent is always an earlier page, so its own nearest is known by now.
            nearest[at] = nearest[parent] if parent >= 0 else -1
            found[nearest[at]] += 1
    return found
