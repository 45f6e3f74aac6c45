"""What the apprentice remembers of URLs and of the links to them, in arrays, so that every question is a few lookups.

A URL has a row, and a link has a place. The links of a page lie side by side in document order, and each URL has a list
of the links that lead to it. A page is identified by the URL at which it was fetched. When there are too many links,
the oldest ones that do not lead to a promising URL are forgotten.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.core.page_kinds import KINDS
from lycosa.core.page_model import Floats, Ids, grown
from lycosa.core.page_terms import Terms
from lycosa.core.urls import host_of
from lycosa.strategy.apprentice.sense import WORDS

QUEUED, FETCHED, GONE = 0, 1, 2
PARENTS = 32
"""How many of the links to a URL are used: the latest."""
PARTS, SAID = 9, 5
"""Numbers that the link model keeps with a URL and with a link."""
FAR, UNTOLD = 99, -99.0
"""A distance and a score that mean «none yet»."""

_OF_URL: dict[str, tuple[Any, ...]] = {
    "state": (np.int8,),
    "relevance": (np.float64,),
    "topical": (np.float64,),  # its relevance by its text alone
    "page": (np.int64,),  # the number of its page in the page model
    "degree": (np.int32,),  # how many links lead to it
    "host": (np.int32,),
    "distance": (np.int32,),  # steps since the last relevant page
    "links": (np.int32,),  # how many links it has
    "paid": (np.float64,),  # the relevance that its links have led to
    "tried": (np.float64,),
    "appeal": (np.float64,),  # of the best link to it (hedge.py)
    "told": (np.float64,),  # the score that the frontier knows
    "kinds": (np.uint16, KINDS),  # of its address
    "parts": (np.float32, PARTS),  # the parts of that score
}
_OF_LINK: dict[str, tuple[Any, ...]] = {
    "source": (np.int64,),
    "target": (np.int64,),
    "words": (np.uint16, WORDS),
    "said": (np.float32, SAID),  # what the words say, by the latest model that read them
}


class Links:
    """URLs by row and links by place."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.urls: list[str] = []
        self.rows: dict[str, int] = {}
        self.hosts: dict[str, int] = {}
        self.count = 0
        """Links remembered."""
        self._tried_links = array("q")
        self._leading_to: list[array[int]] = []
        self.columns: dict[str, NDArray[Any]] = {
            name: np.zeros((64, *shape), kind) for name, (kind, *shape) in (_OF_URL | _OF_LINK).items()
        }
        self._name_columns()

    def _name_columns(self) -> None:
        column = self.columns
        self.state, self.relevance, self.page = column["state"], column["relevance"], column["page"]
        self.topical = column["topical"]
        self.degree, self.host = column["degree"], column["host"]
        self.distance, self.links = column["distance"], column["links"]
        self.paid, self.tried, self.told = column["paid"], column["tried"], column["told"]
        self.appeal = column["appeal"]
        self.kinds, self.parts = column["kinds"], column["parts"]
        self.source, self.target = column["source"], column["target"]
        self.words, self.said = column["words"], column["said"]

    def _make_room(self, kinds: dict[str, tuple[Any, ...]], rows: int) -> None:
        room = len(self.columns[next(iter(kinds))])
        if rows > room:
            for name in kinds:
                self.columns[name] = grown(self.columns[name], max(rows, 2 * room))
            self._name_columns()

    def row(self, url: str) -> int:
        """The row of a URL, a new one if it is not known."""
        return self._rows([url])[0]

    def _rows(self, urls: Sequence[str]) -> list[int]:
        rows, first = self.rows, len(self.urls)
        found = [rows.setdefault(url, len(rows)) for url in urls]
        if len(rows) > first:
            new = list(islice(reversed(rows), len(rows) - first))[::-1]
            self.urls += new
            self._leading_to += [array("q") for _ in new]
            self._make_room(_OF_URL, len(rows))
            hosts = self.hosts
            self.host[first : len(rows)] = [hosts.setdefault(host_of(url), len(hosts)) for url in new]
            self.distance[first : len(rows)] = FAR
            self.told[first : len(rows)] = UNTOLD
        return found

    def add(self, source: int, urls: Sequence[str], words: Terms) -> Ids:
        """Remember the links of a page, and return the rows of their targets."""
        rows = self._rows(urls)
        targets = np.array(rows, np.int64)
        start, self.count = self.count, self.count + len(targets)
        self._make_room(_OF_LINK, self.count)
        self.links[source] = len(targets)
        self.source[start : self.count] = source
        self.target[start : self.count] = targets
        self.words[start : self.count] = words[:, :WORDS]
        self.kinds[targets] = words[:, WORDS:]
        for place, target in enumerate(rows, start):
            self._leading_to[target].append(place)
        np.add.at(self.degree, targets, 1)
        known = np.flatnonzero(self.state[targets] == FETCHED)
        if len(known):
            self._tried_links.extend((start + known).tolist())
            self.tried[source] += len(known)
            self.paid[source] += self.relevance[targets[known]].sum()
        return targets

    def fetched(self, row: int, page: int, relevance: float, topical: float) -> Ids:
        """A URL was fetched: credit the pages whose links led there, and return the places of these links."""
        places = np.array(self._leading_to[row][-PARENTS:], np.int64)
        self.state[row] = FETCHED
        self.page[row] = page
        self.relevance[row] = relevance
        self.topical[row] = topical
        self._tried_links.extend(places.tolist())
        np.add.at(self.tried, self.source[places], 1.0)
        np.add.at(self.paid, self.source[places], relevance)
        return places

    def links_to(self, rows: Ids) -> tuple[Ids, Ids]:
        """The places of the latest links to these URLs, by URL, and their number for each URL."""
        places, counts = array("q"), []
        for row in rows.tolist():
            leading = self._leading_to[row][-PARENTS:]
            places += leading
            counts.append(len(leading))
        return np.array(places, np.int64), np.array(counts, np.int64)

    def latest(self, row: int) -> str:
        """The page that contains the latest link to a URL."""
        return self.urls[int(self.source[self._leading_to[row][-1]])]

    def outcomes(self) -> Ids:
        """The places of all links whose pages were fetched, in the order in which that became known."""
        return np.array(self._tried_links, np.int64)

    def judge_again(self, pages: Floats, topical: Floats, seen: int) -> None:
        """Store the new relevance of all pages that the page model remembers, and what links to them have paid."""
        size = len(self.urls)
        fetched = np.flatnonzero(self.state[:size] == FETCHED)
        remembered = fetched[self.page[fetched] >= seen - len(pages)]
        rows = self.page[remembered] % max(1, len(pages))
        self.relevance[remembered] = pages[rows]
        self.topical[remembered] = topical[rows]
        tried = self.outcomes()
        self.paid[:size] = np.bincount(self.source[tried], self.relevance[self.target[tried]], minlength=size)

    def queued(self) -> Ids:
        """The rows of all queued URLs that have a link to them."""
        size = len(self.urls)
        return np.flatnonzero((self.state[:size] == QUEUED) & (self.degree[:size] > 0))

    def full(self) -> bool:
        """Whether there are too many links."""
        return self.count > self.memory

    def forget(self) -> None:
        """Keep the later half of the links, and of the others those to the best quarter of the queued URLs."""
        size = len(self.urls)
        waiting = self.queued()
        bar = np.sort(self.told[waiting])[-max(1, len(waiting) // 4)] if len(waiting) else 0.0
        promising = (self.state[:size] == QUEUED) & (self.told[:size] >= bar)
        kept = promising[self.target[: self.count]]
        kept[self.count // 2 :] = True
        if kept.sum() > 3 * self.memory // 4:  # all of them have the same score
            kept[: self.count // 2] = False
        places = np.flatnonzero(kept)
        alive = self.state[:size] == FETCHED
        alive[self.target[places]] = True
        self._renumber(np.flatnonzero(alive), places)

    def _renumber(self, rows: Ids, places: Ids) -> None:
        """Keep only these URLs and links."""
        new_row = np.full(len(self.urls), -1)
        new_row[rows] = np.arange(len(rows))
        new_place = np.full(self.count, -1)
        new_place[places] = np.arange(len(places))
        tried = new_place[self.outcomes()]
        self._tried_links = array("q", tried[tried >= 0].tobytes())
        self.urls = [self.urls[row] for row in rows.tolist()]
        self.rows = {url: row for row, url in enumerate(self.urls)}
        self.count = len(places)
        kept = dict.fromkeys(_OF_URL, rows) | dict.fromkeys(_OF_LINK, places)
        self.columns = {name: self.columns[name][which] for name, which in kept.items()}
        self._name_columns()
        self.source[:], self.target[:] = new_row[self.source], new_row[self.target]
        self._chain()

    def _chain(self) -> None:
        """Compute again everything that follows from the links themselves."""
        source, target = self.source[: self.count], self.target[: self.count]
        size = len(self.urls)
        self._leading_to = [array("q") for _ in self.urls]
        for place, row in enumerate(target.tolist()):
            self._leading_to[row].append(place)
        self.degree[:size] = np.bincount(target, minlength=size)
        self.links[:size] = np.bincount(source, minlength=size)

    def save(self) -> Plain:
        """Everything as plain data."""
        sizes = {name: len(self.urls) for name in _OF_URL} | dict.fromkeys(_OF_LINK, self.count)
        return {
            "urls": self.urls,
            "tried": self._tried_links.tobytes(),
            "columns": {name: self.columns[name][:size].tobytes() for name, size in sizes.items()},
            "hosts": list(self.hosts),
            "count": self.count,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.urls, self.count = state["urls"], state["count"]
        self.rows = {url: row for row, url in enumerate(self.urls)}
        self.hosts = {host: number for number, host in enumerate(state["hosts"])}
        self._tried_links = array("q", state["tried"])
        for name, (kind, *shape) in (_OF_URL | _OF_LINK).items():
            data = np.frombuffer(state["columns"][name], kind).reshape(-1, *shape)
            self.columns[name] = grown(data, max(64, len(data)))
        self._name_columns()
        self._chain()
