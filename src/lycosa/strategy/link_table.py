"""The URLs that a strategy knows, each with the words of the first link to it, and how far fetched ones turned out.

The level of a fetched page is its distance, along known links, from the nearest relevant page that was fetched: 0 for a
relevant page, 1 for a page that links to one, and so on, up to the number of levels, which means further away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.strategy.link_words import COLUMNS, Words

WAITING, RELEVANT, IRRELEVANT, GONE = range(4)
"""The states of a URL."""
_FIRST = 1024

Rows = NDArray[np.int64]


class LinkTable:
    """URLs by row, with parallel arrays; when there are too many, the older half is forgotten."""

    def __init__(self, most: int, levels: int) -> None:
        self.most = most
        self.levels = levels
        self.urls: list[str] = []
        self.rows: dict[str, int] = {}
        self.parents: list[list[int]] = []
        """The fetched pages that link to a URL."""
        self.children: dict[int, list[int]] = {}
        """The links of a fetched page, each URL once."""
        self._allocate(_FIRST)

    def _allocate(self, size: int) -> None:
        self.words = np.zeros((size, COLUMNS), np.uint16)
        self.state = np.zeros(size, np.int8)
        self.level = np.zeros(size, np.int8)
        self.found_on = np.full(size, -1, np.int64)
        """The page of the first link to a URL; -1 for those that were not found by a link."""
        self.score = np.zeros(size)
        self.told = np.full(size, np.nan)
        """The score that the frontier has; NaN if it has none."""
        self.parts = np.zeros((size, self.levels))

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.words, self.state, self.level, self.found_on, self.score, self.told, self.parts

    def row(self, url: str) -> int:
        """The row of a URL, which is new if it is not known."""
        row = self.rows.get(url)
        if row is None:
            row = self.rows[url] = len(self.urls)
            self.urls.append(url)
            self.parents.append([])
            if row >= len(self.state):
                self._grow()
            self.state[row] = WAITING
        return row

    def visited(self, url: str, state: int) -> int:
        """Note that a page was fetched and whether it is relevant; returns its row."""
        if len(self.urls) >= self.most:
            self._forget()
        page = self.row(url)
        self.state[page] = state
        self._lower(page, 0 if state == RELEVANT else self.levels, first=True)
        return page

    def add_links(self, page: int, links: Sequence[str], words: Words) -> Rows:
        """Note the links of a page; returns the rows of URLs that were not known."""
        fresh = []
        children: dict[int, None] = {}
        for url, row_words in zip(links, words, strict=True):
            known = len(self.urls)
            row = self.row(url)
            if row == known:
                self.words[row] = row_words
                self.found_on[row] = page
                fresh.append(row)
            if row not in children:
                children[row] = None
                self.parents[row].append(page)
        self.children[page] = list(children)
        near = [int(self.level[row]) for row in children if self.state[row] in (RELEVANT, IRRELEVANT)]
        self._lower(page, min(near, default=self.levels) + 1)
        return np.array(fresh, np.int64)

    def waits(self, url: str | None) -> bool:
        """Whether a URL is known and was neither fetched nor given up."""
        row = self.rows.get(url or "")
        return row is not None and bool(self.state[row] == WAITING)

    def set_state(self, url: str, state: int) -> None:
        """Change the state of a URL, if it is known."""
        row = self.rows.get(url)
        if row is not None:
            self.state[row] = state

    def outcomes(self, most: int) -> tuple[Rows, NDArray[np.int8]]:
        """The fetched pages that a link with words led to, with their levels: the latest `most` of each level."""
        count = len(self.urls)
        done = (self.state[:count] == RELEVANT) | (self.state[:count] == IRRELEVANT)
        rows = np.flatnonzero(done & self.words[:count].any(axis=1))
        kept = [rows[self.level[rows] == level][-most:] for level in range(self.levels + 1)]
        rows = np.sort(np.concatenate(kept))
        return rows, self.level[rows]

    def pages_with(self, links: int) -> Iterator[int]:
        """The fetched pages with more links than this."""
        return (page for page, children in self.children.items() if len(children) > links)

    def yield_of(self, page: int) -> float:
        """The share of a page's links that lead to relevant pages; those not followed yet count by their score."""
        children = np.array(self.children[page])
        state = self.state[children]
        worth = np.where(state == RELEVANT, 1.0, np.where(state == WAITING, self.score[children] / self.levels, 0.0))
        return round(float(worth.mean()), 6)

    def save(self) -> Plain:
        """Everything as plain data."""
        count = len(self.urls)
        # Parents are found again from children.
        children = [[page, *rows] for page, rows in self.children.items()]
        return {
            "urls": self.urls,
            "arrays": [array[:count].tobytes() for array in self._arrays()],
            "children": children,
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.urls = list(state["urls"])
        self.rows = {url: row for row, url in enumerate(self.urls)}
        count = len(self.urls)
        self._allocate(max(_FIRST, count))
        for array, data in zip(self._arrays(), state["arrays"], strict=True):
            array[:count] = np.frombuffer(data, array.dtype).reshape(count, *array.shape[1:])
        self.children = {page: rows for page, *rows in state["children"]}
        self.parents = [[] for _ in self.urls]
        for page, rows in self.children.items():
            for row in rows:
                self.parents[row].append(page)

    def _lower(self, page: int, level: int, *, first: bool = False) -> None:
        """Set a page's level if it is lower than before, and the levels of the pages that lead to it."""
        if not first and level >= self.level[page]:
            return
        self.level[page] = level
        waiting = [page]
        while waiting:
            row = waiting.pop()
            above = int(self.level[row]) + 1
            for parent in self.parents[row] if above < self.levels else ():
                if above < self.level[parent] and self.state[parent] in (RELEVANT, IRRELEVANT):
                    self.level[parent] = above
                    waiting.append(parent)

    def _grow(self) -> None:
        before = self._arrays()
        self._allocate(2 * len(self.state))
        for array, values in zip(self._arrays(), before, strict=True):
            array[: len(values)] = values

    def _forget(self) -> None:
        """Forget the older half of the URLs; links of forgotten pages stay in the frontier as they are."""
        gone = len(self.urls) // 2
        count = len(self.urls) - gone
        before = self._arrays()
        self._allocate(max(_FIRST, count))
        for array, values in zip(self._arrays(), before, strict=True):
            array[:count] = values[gone : gone + count]
        self.found_on[:count] = np.maximum(self.found_on[:count] - gone, -1)
        self.state[:count][(self.state[:count] == WAITING) & (self.found_on[:count] < 0)] = GONE
        self.urls = self.urls[gone:]
        self.rows = {url: row for row, url in enumerate(self.urls)}
        self.parents = [[page - gone for page in pages if page >= gone] for pages in self.parents[gone:]]
        self.children = {
            page - gone: [row - gone for row in rows if row >= gone]
            for page, rows in self.children.items()
            if page >= gone
        }
