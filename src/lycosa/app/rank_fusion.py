"""One order from several: reciprocal rank fusion (Cormack, Clarke & Buettcher 2009, from memory), spread over hosts.

Sources rank by scores that cannot be compared, so only places count: a page has the sum of 1 / (K + place) over all
rankings that name it. A page that several sources name comes before one that only one of them does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple, Protocol, TypeVar

from lycosa.core.urls import canonical, host_of, identity

K = 60
SHARE = 4
"""At most one seed in so many is from the same host, so that a hunt starts in several places (our choice)."""


class Addressed(Protocol):
    """Something with a URL."""

    @property
    def url(self) -> str:
        """Its canonical URL."""
        ...


A = TypeVar("A", bound=Addressed)


class FusedPage(NamedTuple):
    """A page, its sum, and where it was named: the number of the ranking and the place in it, best first."""

    url: str
    score: float
    named: tuple[tuple[int, int], ...]


def fused(rankings: Sequence[tuple[float, Sequence[str]]]) -> list[FusedPage]:
    """URLs in one order; each ranking has a weight. The same page under two addresses counts once."""
    scores: Counter[str] = Counter()
    named: defaultdict[str, dict[int, int]] = defaultdict(dict)
    shown: dict[str, str] = {}
    for number, (weight, urls) in enumerate(rankings):
        for place, given in enumerate(urls, 1):
            url = canonical(given)
            if url is None or number in named[identity(url)]:
                continue
            known = identity(url)
            shown.setdefault(known, url)
            named[known][number] = place
            scores[known] += weight / (K + place)  # type: ignore[assignment]
    # Equal sums keep the order of the rankings.
    order = sorted(shown, key=lambda known: -scores[known])
    return [
        FusedPage(shown[known], scores[known], tuple(sorted(named[known].items(), key=lambda at: at[1])))
        for known in order
    ]


def spread(seeds: Iterable[A], limit: int) -> list[A]:
    """Each page once, and not too many of one host unless there are no others."""
    chosen: dict[str, A] = {}
    left: dict[str, A] = {}
    of_host: Counter[str] = Counter()
    for seed in seeds:
        host = host_of(seed.url)
        if seed.url in chosen or len(chosen) >= limit:
            continue
        if of_host[host] * SHARE >= limit:
            left.setdefault(seed.url, seed)
            continue
        of_host[host] += 1
        chosen[seed.url] = seed
    return list(islice([*chosen.values(), *left.values()], limit))
