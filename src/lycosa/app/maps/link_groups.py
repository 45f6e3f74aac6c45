"""Groups of pages that link to each other more than to others, and names for them.

Groups are found as by Louvain (Blondel et al. 2008): each page moves to the group of its neighbours where it raises
the modularity most; then groups move as single pages do, until nothing changes. A group is named by the words that
the titles of its pages use most, compared with those of other groups; without such words, by its most important page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

from lycosa.app.maps.labels import main_part
from lycosa.app.maps.map_data import Floats, Ids
from lycosa.core.stopwords import STOPWORDS
from lycosa.core.words import spoken, stem

_PASSES = 12
_LEVELS = 6
_SMALLEST = 4
"""Fewest pages of a group; smaller ones are put together."""
_WORDS = 3
"""Words of a name."""
_SPREAD = 0.04
"""The least share of a group's titles that use a word of its name."""


def groups_of(count: int, tails: Ids, heads: Ids) -> Ids:
    """The number of each page's group; 0 is the largest group."""
    found: Ids = np.arange(count)
    ones, others = tails, heads
    weights: Floats = np.ones(len(tails))
    for _ in range(_LEVELS):
        level = _moved(int(found.max(initial=-1)) + 1, ones, others, weights)
        if len(np.unique(level)) == len(level):
            break
        found = level[found]
        ends = np.stack([level[ones], level[others]], 1)
        pairs, which = np.unique(ends, axis=0, return_inverse=True)
        ones, others = pairs[:, 0], pairs[:, 1]
        weights = np.bincount(which.ravel(), weights, len(pairs)).astype(np.float64)
    small = np.bincount(found, minlength=1)[found] < _SMALLEST
    if small.sum() >= _SMALLEST:  # together they are one group of others
        found[small] = found.max() + 1
    found = np.unique(found, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(found)
    rank = np.empty(len(sizes), np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[found]


def _moved(count: int, tails: Ids, heads: Ids, weights: Floats) -> Ids:
    """The group of each node after all have moved to where they raise the modularity most, numbered from 0."""
    near: list[dict[int, float]] = [defaultdict(float) for _ in range(count)]
    degree = np.zeros(count)
    for tail, head, weight in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
        near[tail][head] += weight
        near[head][tail] += weight
        degree[tail] += weight
        degree[head] += weight
    total = degree.sum() or 1.0
    group, size = list(range(count)), degree.tolist()
    for _ in range(_PASSES):
        changed = False
        for node in range(count):
            own = float(degree[node])
            size[group[node]] -= own
            reach: dict[int, float] = defaultdict(float)
            for other, weight in near[node].items():
                if other != node:
                    reach[group[other]] += weight
            here = reach.get(group[node], 0.0) - own * size[group[node]] / total
            best, gain = group[node], here + 1e-9
            for candidate, weight in reach.items():
                if (value := weight - own * size[candidate] / total) > gain:
                    best, gain = candidate, value
            changed |= best != group[node]
            group[node] = best
            size[best] += own
        if not changed:
            break
    return np.unique(group, return_inverse=True)[1].astype(np.int64)


def group_names(groups: Ids, names: Sequence[str], weight: Floats) -> list[str]:
    """A name for each group."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    used: list[Counter[str]] = [Counter() for _ in range(int(groups.max(initial=-1)) + 1)]
    for group, name in zip(groups.tolist(), names, strict=True):
        words = {stem(word): word for word in spoken(main_part(name)) if len(word) > 2 and word not in STOPWORDS}
        used[group].update(words.keys())
        for root, word in words.items():
            written[root][word] += 1
    holding = Counter(root for each in used for root in each)
    sizes = np.bincount(groups, minlength=len(used)).tolist()
    taken: Counter[str] = Counter()
    found = []
    for group, counts in enumerate(used):
        least = max(2, _SPREAD * sizes[group])
        scores = {
            root: count / sizes[group] * log((1 + len(used)) / holding[root]) / (1 + taken[root])
            for root, count in counts.items()
            if count >= least
        }
        best = sorted(scores, key=lambda root: (-scores[root], root))[:_WORDS]
        taken.update(best)
        members = np.flatnonzero(groups == group)
        first = names[int(members[np.argmax(weight[members])])]
        found.append(", ".join(written[root].most_common(1)[0][0] for root in best) or first)
    return found
