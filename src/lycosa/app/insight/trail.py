"""The trail of a crawl, built from the log: which page each page was reached from, its host, and how relevant it is.

For 100,000 pages it takes some 20 MB and one second to read; after that only new events are read. Titles and URLs stay
in the log and are looked up for the pages that are shown.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field
from math import isnan, nan
from pathlib import Path

from lycosa.core.events import Estimated, Judged, Leased, Missed, Rejudged
from lycosa.core.keys import key64
from lycosa.core.nouns import Estimate
from lycosa.core.urls import host_of
from lycosa.store.collection import Collection
from lycosa.store.rows import PageRow

_EXAMPLES = 5
"""The latest URLs remembered for each reason of a miss, at most."""
_HOPS = 64
"""Redirects in a row that are followed back to a page, at most."""


@dataclass
class HostSum:
    """The totals of a host."""

    pages: int = 0
    known: int = 0
    """Pages whose relevance is known."""
    relevance: float = 0.0
    """The sum of the known relevances."""
    best: float | None = None
    misses: int = 0

    def add(self, relevance: float) -> None:
        """Count a page with this relevance; not a number if it is not known."""
        if not isnan(relevance):
            self.known += 1
            self.relevance += relevance
            self.best = max(self.best or 0.0, relevance)


@dataclass
class Reason:
    """How often pages could not be fetched for a reason, and the latest of them."""

    final: int = 0
    again: int = 0
    """Misses after which the URL was tried again."""
    urls: deque[str] = field(default_factory=lambda: deque(maxlen=_EXAMPLES))


class Trail:
    """The pages of a crawl in the order they were fetched, as columns; a page is identified by its place in them."""

    def __init__(self, folder: Path) -> None:
        self.collection = Collection.open(folder)
        self.seq = 0
        """The number of the last event that is included."""
        self.seqs = array("q")
        self.times = array("d")
        self.relevance = array("d")
        """How likely each page is on topic, as the log says by now; not a number if it is not known."""
        self.sums = array("d", [0.0])
        """Cumulative relevance: entry n is the sum over the first n pages."""
        self.known = array("q", [0])
        """Entry n is how many of the first n pages have a known relevance."""
        self.of_host: list[HostSum] = []
        """The totals of each page's host."""
        self.parents = array("q")
        """The place of the page by whose link each page was fetched, always an earlier one; -1 for a seed."""
        self.lanes: dict[str, array[int]] = {}
        """The places of the pages by the lane of their tickets."""
        self.hosts: dict[str, HostSum] = {}
        self.reasons: dict[str, Reason] = {}
        self.estimates: list[tuple[int, float, Estimate]] = []
        """The estimates, each with the number and time of its event."""
        self.words: dict[str, str] = {}
        """Words by stem, as far as they were looked up (agents.py)."""
        self._places: dict[int, int] = {}
        self._leases: dict[int, tuple[int, str]] = {}
        """By key of a URL: the key of the URL where it was found, and its lane; removed once the page was fetched."""

    def __len__(self) -> int:
        return len(self.seqs)

    def catch_up(self) -> None:
        """Read the new events of the log."""
        log = self.collection.log
        end, again = log.last_seq(), False
        for entry in log.read(self.seq, kinds=(Leased, Missed, Estimated, Judged, Rejudged)):
            if entry.seq > end:
                break
            match entry.event:
                case Leased(ticket=ticket):
                    self._leases[key64(ticket.url)] = (key64(ticket.via) if ticket.via else 0, ticket.lane)
                case Missed():
                    self._missed(entry.event)
                case Estimated(estimate=estimate):
                    self.estimates.append((entry.seq, entry.at, estimate))
                case Judged() | Rejudged():
                    again = True
        before = self.seq
        for row in log.pages_after(before, end):
            self._visited(row)
        self.seq = end
        if again and before:
            self._judge_again()

    def place(self, url: str) -> int | None:
        """The place of the page at a URL."""
        return self._places.get(key64(url))

    def count_at(self, seq: int) -> int:
        """How many pages were fetched up to an event."""
        return bisect_right(self.seqs, seq)

    def close(self) -> None:
        """Close the collection."""
        self.collection.close()

    def _visited(self, row: PageRow) -> None:
        key = key64(row.url)
        via, lane = self._leases.pop(key, (0, ""))
        at = len(self.seqs)
        self.seqs.append(row.seq)
        self.times.append(row.at)
        self.parents.append(self._page_at(via))
        self.lanes.setdefault(lane, array("q")).append(at)
        self._places[key] = at
        host = self.hosts.setdefault(row.host, HostSum())
        host.pages += 1
        self.of_host.append(host)
        self._add(nan if row.relevance is None else row.relevance)

    def _add(self, relevance: float) -> None:
        """Add the relevance of the next page."""
        self.of_host[len(self.relevance)].add(relevance)
        self.relevance.append(relevance)
        known = not isnan(relevance)
        self.sums.append(self.sums[-1] + (relevance if known else 0.0))
        self.known.append(self.known[-1] + known)

    def _judge_again(self) -> None:
        """Read the relevance of all pages again, because the crawl has said it again."""
        now = {row.seq: row.relevance for row in self.collection.log.pages_after(0, self.seq)}
        # A page that was fetched again in the meantime has another number now, and its old relevance stays.
        found = [now.get(seq, before) for seq, before in zip(self.seqs, self.relevance, strict=True)]
        for host in self.hosts.values():
            host.known, host.relevance, host.best = 0, 0.0, None
        del self.relevance[:], self.sums[1:], self.known[1:]
        for relevance in found:
            self._add(nan if relevance is None else relevance)

    def mean(self, first: int, last: int) -> float | None:
        """The mean relevance of the pages from one place up to another; None if nothing is known of them."""
        known = self.known[last] - self.known[first]
        return (self.sums[last] - self.sums[first]) / known if known else None

    def _page_at(self, key: int) -> int:
        """The place of the page with this key, or, if it was a redirect, of the nearest page on the path to it."""
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
