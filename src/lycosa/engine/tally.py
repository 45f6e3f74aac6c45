"""What a crawl has fetched so far."""

from __future__ import annotations

from collections import Counter

from lycosa.core.nouns import Plain, Visit
from lycosa.core.rendering import render_counts


class Tally:
    """Counts of pages, bytes, misses and seconds, for display and for budgets."""

    def __init__(self) -> None:
        self.pages = 0
        """Pages that were fetched, also those that are out of the scope: they cost as much as others."""
        self.outside = 0
        """Those of them that are out of the scope, and so are not kept."""
        self.withheld = 0
        """Those that are kept, but must not be found by searches: feeds, placeholders, copies and others."""
        self.bytes = 0
        """Bytes of the bodies that are kept."""
        self.misses: Counter[str] = Counter()
        """Tickets that brought no page, by reason."""
        self.redirects = 0
        self.rendering: Counter[str] = Counter()
        """What rendering has cost (`core.rendering`)."""
        self.answered = ""
        """The URL of the last page: its host can be reached, unless the network is down."""
        self.elapsed = 0.0
        """Seconds of crawling, without the time between a stop and a resume."""

    def count(self, visit: Visit) -> None:
        """Count one more page."""
        self.pages += 1
        self.answered = visit.url
        if visit.out_of_scope:
            self.outside += 1
        else:
            self.bytes += visit.size
            self.withheld += bool(visit.withheld)
        if visit.rendering is not None or visit.shell:
            self.rendering.update(render_counts(visit))

    @property
    def kept(self) -> int:
        """Pages that are kept."""
        return self.pages - self.outside

    def save(self) -> Plain:
        """Everything as plain data."""
        return {**vars(self), "misses": dict(self.misses), "rendering": dict(self.rendering)}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        vars(self).update(state)
        self.misses = Counter(state["misses"])
        self.rendering = Counter(self.rendering)
