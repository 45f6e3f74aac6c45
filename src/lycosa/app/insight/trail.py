"""The trail of a crawl: which page was fetched by whose link, where and how relevant it is, folded from the log.

Of 100,000 pages this is some 20 MB and a second of reading; then only what is new is read. Titles and URLs stay in the
log, where they are looked up for what is shown.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from lycosa.core.events import Estimated, Leased, Missed
from lycosa.core.keys import key64
from lycosa.core.nouns import Estimate
from lycosa.core.urls import host_of
from lycosa.store.collection import Collection
from lycosa.store.rows import PageRow

_EXAMPLES = 5
"""URLs remembered of each reason for a miss, the last ones."""
_HOPS = 64
"""Redirects in a row through which a page is followed back."""


@dataclass
class HostSum:
    """What a host has given."""

    pages: int = 0
    relevance: float = 0.0
    best: float = 0.0
    misses: int = 0


@dataclass
class Reason:
    """How often pages could not be had for a reason, and which ones lately."""

    final: int = 0
    again: int = 0
    """Those that were asked for again."""
    urls: deque[str] = field(default_factory=lambda: deque(maxlen=_EXAMPLES))


class Trail:
    """The pages of a crawl in the order in which they came, as columns; a page is known by its place in them."""

    def __init__(self, folder: Path) -> None:
        self.collection = Collection.open(folder)
        self.seq = 0
        """The last event that is in here."""
        self.seqs = array("q")
        self.times = array("d")
        self.relevance = array("d")
        self.sums = array("d", [0.0])
        """The relevance of all pages before each, and of all."""
        self.parents = array("q")
        """The place of the page by whose link it was fetched, always an earlier one; -1 for a seed."""
        self.lanes: dict[str, array[int]] = {}
        """The places of the pages by the lane of their tickets."""
        self.hosts: dict[str, HostSum] = {}
        self.reasons: dict[str, Reason] = {}
        self.estimates: list[tuple[int, float, Estimate]] = []
        """What was estimated after which event, and when."""
        self.words: dict[str, str] = {}
        """Words by their stems, as far as they were looked for (wording.py)."""
        self._places: dict[int, int] = {}
        self._leases: dict[int, tuple[int, str]] = {}
        """By URL the lane, and the URL on which it was found; of pages that came it is forgotten."""

    def __len__(self) -> int:
        return len(self.seqs)

    def catch_up(self) -> None:
        """Take in what has happened since."""
        log = self.collection.log
        end = log.last_seq()
        for entry in log.read(self.seq, kinds=(Leased, Missed, Estimated)):
            if entry.seq > end:
                break
            match entry.event:
                case Leased(ticket=ticket):
                    self._leases[key64(ticket.url)] = (key64(ticket.via) if ticket.via else 0, ticket.lane)
                case Missed():
                    self._missed(entry.event)
                case Estimated(estimate=estimate):
                    self.estimates.append((entry.seq, entry.at, estimate))
        for row in log.pages_after(self.seq, end):
            self._visited(row)
        self.seq = end

    def place(self, url: str) -> int | None:
        """The place of the page at a URL."""
        return self._places.get(key64(url))

    def count_at(self, seq: int) -> int:
        """How many pages there were after an event."""
        return bisect_right(self.seqs, seq)

    def close(self) -> None:
        """Let go of the collection."""
        self.collection.close()

    def _visited(self, row: PageRow) -> None:
        key = key64(row.url)
        via, lane = self._leases.pop(key, (0, ""))
        at = len(self.seqs)
        self.seqs.append(row.seq)
        self.times.append(row.at)
        self.relevance.append(row.relevance)
        self.sums.append(self.sums[-1] + row.relevance)
        self.parents.append(self._page_at(via))
        self.lanes.setdefault(lane, array("q")).append(at)
        self._places[key] = at
        host = self.hosts.setdefault(row.host, HostSum())
        host.pages += 1
        host.relevance += row.relevance
        host.best = max(host.best, row.relevance)

    def _page_at(self, key: int) -> int:
        """The place of the page with this key, or of the nearest page on the way to it where it was a redirect."""
        for _ in range(_HOPS):
            if key in self._places:
                return self._places[key]
            if key not in self._leases:
                break
            key = self._leases[key][0]
        return -1

    def _missed(self, missed: Missed) -> None:
        url = missed.miss.ticket.url
        reason = self.reasons.setdefault(missed.miss.reason, Reason())
        reason.urls.append(url)
        if missed.final:
            reason.final += 1
            self.hosts.setdefault(host_of(url), HostSum()).misses += 1
            self._leases.pop(key64(url), None)
        else:
            reason.again += 1
