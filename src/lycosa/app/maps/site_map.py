"""What is on the map of a site: its pages as a tree.

The parent of a page is a page one link nearer to the front page: its depth is the length of the shortest path of links
from there. If several pages are equally near, the parent is the one whose address shares most folders with its own,
then the more relevant one; so a menu that is on every page does not decide alone. A page that no path of links leads to
is placed by its address: under the page of the nearest folder above it, or else under the front page. Mapuccino draws
the paths that its crawl took; our tree does not depend on the strategy (our choice).

If there are more pages than may be shown, the most relevant ones are shown, with all pages on the path to them. The
remaining room goes to URLs of the site that are linked but were not fetched, those first that most relevant pages link
to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import takewhile

import numpy as np

from lycosa.app.maps.labels import bare
from lycosa.app.maps.map_data import Flags, Ids, MapCounts, Sheet
from lycosa.app.maps.survey import Survey, sites
from lycosa.core.hubs import hubs_and_authorities
from lycosa.core.urls import host_of
from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.system.errors import Code, Refused

_LEAVES = 8
"""URLs that were not fetched, under one page, at most."""
_FAINT = 0.5
"""URLs that were not fetched, for each page of the map, at most."""
LINKS = 20_000
"""Links that a graph shows, at most."""


def site_map(found: Survey, site: str, limit: int) -> Sheet:
    """The map of a host, or of `.host` and all its subdomains, with at most `limit` pages."""
    outside = Politeness(PolitenessRules(within=(site,))).outside
    inside = np.array([not outside(host_of(url)) for url in found.urls], bool)
    pages = np.flatnonzero(inside & found.fetched).tolist()
    if not pages:
        some = ", ".join(each.host for each in sites(found)[:4])
        raise Refused(f"no page of {site} was fetched", f"choose one of: {some}", code=Code.NOT_FOUND, field="site")
    tree = Tree(found, pages, _front_page(found, inside, pages))
    kept = tree.best(limit)
    linked = _linked(found, inside)
    tree.hang(linked, kept, min(limit - len(kept), int(len(kept) * _FAINT)))
    return _sheet(found, site, tree, len(pages), len(linked))


def _front_page(found: Survey, inside: Flags, pages: Sequence[int]) -> int:
    """The page at / of the host, or the target of its redirect; else the page with the shortest path."""
    ours = set(pages)
    fronts = [
        (len(found.urls[number]), int(found.ends[number]))
        for number in np.flatnonzero(inside).tolist()
        if found.urls[number].count("/") == 3 and found.urls[number].endswith("/") and found.ends[number] in ours
    ]
    if fronts:
        return min(fronts)[1]
    return min(pages, key=lambda number: ("?" in found.urls[number], len(_folders(found.urls[number])), number))


def _folders(url: str) -> list[str]:
    """The host of a URL and the folders of its path."""
    return url.partition("?")[0].split("/")[2:-1]


def _linked(found: Survey, inside: Flags) -> dict[int, list[int]]:
    """The URLs of a site that were not fetched, each with the pages of the site that link to it."""
    return _grouped(found.heads, found.tails, inside[found.tails] & inside[found.heads] & ~found.fetched[found.heads])


def _grouped(keys: Ids, values: Ids, wanted: Flags) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for key, value in zip(keys[wanted].tolist(), values[wanted].tolist(), strict=True):
        groups[key].append(value)
    return groups


class Tree:
    """The pages of a site as a tree; its root is the front page."""

    def __init__(self, found: Survey, pages: Sequence[int], root: int) -> None:
        self.found = found
        self.root = root
        self.parent: dict[int, int] = {root: -1}
        self.depth: dict[int, int] = {root: 0}
        self.guessed: set[int] = set()
        self.shown: list[int] = []
        self._folders = {number: _folders(found.urls[number]) for number in pages}
        ours = np.zeros(len(found.urls), bool)
        ours[pages] = True
        self._links = _grouped(found.tails, found.heads, ours[found.tails] & ours[found.heads])
        self._grow([root])
        homes = {"/".join(self._folders[number]): number for number in reversed(pages) if found.urls[number][-1] == "/"}
        for stray in sorted(pages, key=lambda page: (len(self._folders[page]), found.urls[page][-1] != "/", page)):
            if stray not in self.parent:
                self._put(stray, self._home(stray, homes))
                self.guessed.add(stray)
                self._grow([stray])

    def _put(self, number: int, parent: int) -> None:
        self.parent[number], self.depth[number] = parent, self.depth[parent] + 1

    def _grow(self, level: list[int]) -> None:
        """Add all pages that links lead to from here, level by level."""
        while level:
            offers: dict[int, tuple[int, float, int]] = {}
            for tail in level:
                for head in self._links.get(tail, ()):
                    if head not in self.parent:
                        offer = self._nearness(tail, head)
                        if head not in offers or offer > offers[head]:
                            offers[head] = offer
            for head, offer in offers.items():
                self._put(head, -offer[-1])
            level = list(offers)

    def _nearness(self, tail: int, head: int) -> tuple[int, float, int]:
        """How well a page suits another as its parent; ties go to the page seen first."""
        theirs = self._folders.get(head) or _folders(self.found.urls[head])
        pairs = zip(self._folders[tail], theirs, strict=False)
        shared = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        return shared, float(self.found.relevance[tail]), -tail

    def _home(self, stray: int, homes: dict[str, int]) -> int:
        """The page of the nearest folder above that is already in the tree; else the front page."""
        folders = self._folders[stray]
        for length in range(len(folders), 0, -1):
            home = homes.get("/".join(folders[:length]), stray)
            if home in self.parent:
                return home
        return self.root

    def best(self, limit: int) -> list[int]:
        """Show at most `limit` pages, the most relevant ones with their ancestors; returns them."""
        found, shown = self.found, {self.root: None}
        for number in sorted(self.parent, key=lambda number: (-found.relevance[number], self.depth[number], number)):
            path = []
            while number not in shown:
                path.append(number)
                number = self.parent[number]
            if len(shown) + len(path) <= limit:
                shown.update(dict.fromkeys(path))
        self.shown = list(shown)
        return self.shown

    def hang(self, linked: dict[int, list[int]], kept: Iterable[int], room: int) -> None:
        """Add URLs that were not fetched, each under the page nearest to the root that links to it, as room allows."""
        pages, below = set(kept), defaultdict[int, int](int)
        worth = {url: sum(self.found.relevance[tail] for tail in tails) for url, tails in linked.items()}
        for url in sorted(linked, key=lambda url: (-worth[url], url)):
            if room <= 0:
                break
            tails = [tail for tail in linked[url] if tail in pages and below[tail] < _LEAVES]
            if tails:
                nearest = min(self.depth[tail] for tail in tails)
                parent = -max(self._nearness(tail, url) for tail in tails if self.depth[tail] == nearest)[-1]
                self._put(url, parent)
                self.shown.append(url)
                below[parent] += 1
                room -= 1

    def from_the_top(self) -> list[int]:
        """The pages shown, parents before children; siblings by the best relevance in their subtrees."""
        relevance, below = self.found.relevance, defaultdict[int, list[int]](list)
        best = {number: (bool(self.found.fetched[number]), float(relevance[number])) for number in self.shown}
        for number in sorted(self.shown, key=lambda number: -self.depth[number]):
            if number != self.root:
                parent = self.parent[number]
                below[parent].append(number)
                best[parent] = max(best[parent], best[number])
        order, waiting = [], [self.root]
        while waiting:
            number = waiting.pop()
            order.append(number)
            waiting += sorted(below[number], key=lambda child: (best[child], -child))
        return order


def _sheet(found: Survey, site: str, tree: Tree, pages: int, linked: int) -> Sheet:
    order = tree.from_the_top()
    place = {number: at for at, number in enumerate(order)}
    chosen = np.array(order)
    tails, heads = found.among(chosen)
    hub, authority = hubs_and_authorities(tails, heads, len(order))
    columns = found.columns(chosen)
    shown = int(columns["fetched"].sum())
    return Sheet(
        **columns,
        kind="site",
        site=site,
        names=bare(columns["titles"]),
        weight=columns["shade"],
        hub=hub,
        authority=authority,
        parent=np.array([place.get(tree.parent[number], -1) for number in order]),
        depth=np.array([tree.depth[number] for number in order]),
        guessed=np.array([number in tree.guessed for number in order]),
        tails=tails[:LINKS],
        heads=heads[:LINKS],
        counts=MapCounts(
            pages=pages,
            shown=shown,
            linked=linked,
            linked_shown=len(order) - shown,
            links=len(tails),
            links_shown=min(LINKS, len(tails)),
            hosts=len(set(map(host_of, columns["urls"]))),
        ),
    )
