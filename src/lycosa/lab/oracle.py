"""The oracle: the crawler that knows how far every page is from the nearest target, so the ceiling for all others.

It sees targets, so it runs in the process of the metrics and never in that of a crawl.
"""

from __future__ import annotations

import asyncio
import time
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from lycosa.lab.comparison import Ids, Track
from lycosa.lab.corpus import Corpus, rows_of
from lycosa.lab.world import World
from lycosa.web.offline import SourceWeb
from lycosa.web.parsed_pages import OnlyRobots

FAR = np.iinfo(np.int32).max
"""The distance of a page from which no target can be reached."""


class Oracle:
    """Follows the links of a corpus like any crawler, but takes the link with the fewest hops to a target first."""

    def __init__(self, corpus: Corpus, closed: NDArray[np.bool_] | None = None) -> None:
        self._corpus = corpus
        self._closed = np.zeros(len(corpus), bool) if closed is None else closed
        """By page: whether no crawler may fetch it."""

    def hops(self, targets: Ids) -> Ids:
        """The number of links from every page to the nearest target; FAR if there is no path."""
        level, depth = targets[~self._closed[targets]].astype(np.int64), 0
        hops = np.where(self._closed, -1, FAR).astype(np.int32)
        place = np.empty(len(hops), np.int64)
        hops[level] = 0
        while len(level):
            depth += 1
            found = rows_of(*self._corpus.in_links, level)
            found = found[hops[found] == FAR]
            hops[found] = depth
            # Each page once: of several positions in `found`, the one written last.
            order = np.arange(len(found))
            place[found] = order
            level = found[place[found] == order]
        hops[self._closed] = FAR
        return hops

    def crawl(self, seeds: Ids, targets: Ids, pages: int) -> Track:
        """The track from the seeds: fewest hops first, on a tie the link found first."""
        started = time.process_time()
        hops = self.hops(targets)
        starts, heads = self._corpus.links.indptr, self._corpus.links.indices
        known = self._closed.copy()
        queue = [(-1, turn, page, -1) for turn, page in enumerate(dict.fromkeys(seeds[~known[seeds]].tolist()))]
        known[seeds] = True
        turn = len(queue)
        fetched: list[int] = []
        via: list[int] = []
        while queue and len(fetched) < pages:
            _, _, page, linker = heappop(queue)
            fetched.append(page)
            via.append(linker)
            links = heads[starts[page] : starts[page + 1]]
            links = links[~known[links]]
            known[links] = True
            for link, far in zip(links.tolist(), hops[links].tolist(), strict=True):
                turn += 1
                heappush(queue, (far, turn, link, page))
        track = np.array(fetched, np.int32)
        requests = self._requests(track)
        return Track(
            track,
            np.array(via, np.int32),
            (hops[track] == 0).astype(np.float64),
            requests,
            asked=int(requests.sum()),
            cpu=time.process_time() - started,
            ended="nothing left to fetch" if len(fetched) < pages else "budget spent: pages",
        )

    def _requests(self, pages: Ids) -> Ids:
        """The requests for each page: its own, and one for robots.txt if it is the first of its host.

        The oracle knows which links are dead and where redirects lead, so neither costs it anything.
        """
        _, first = np.unique(self._corpus.hosts[pages], return_index=True)
        requests = np.ones(len(pages), np.int32)
        requests[first] += 1
        return requests


def closed_pages(world: World) -> NDArray[np.bool_]:
    """For each page of a world, whether its host's robots.txt forbids it to all crawlers."""
    robots = OnlyRobots(world.parsed)
    closed = np.zeros(len(world.corpus), bool)
    if any(robots.urls()):
        asyncio.run(_ask(SourceWeb(robots, raw=False), world, closed))
    return closed


async def _ask(web: SourceWeb, world: World, closed: NDArray[np.bool_]) -> None:
    for number, url in enumerate(world.corpus.urls):
        closed[number] = await web.closed(url) is not None
