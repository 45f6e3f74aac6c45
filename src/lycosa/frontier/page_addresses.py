"""Addresses: pages that name a canonical URL, or other versions of themselves, are not shown or fetched twice.

What a page says is a hint. A canonical URL is believed if the two texts are alike: many sites name their home page, or
the first page of a list, on every page. So no page is lost by a wrong hint, and the first address that was fetched
stands for all. Versions in other languages, for telephones and as AMP are left out once a version is on topic: if it is
not, another one may be.
"""

from __future__ import annotations

from struct import unpack

from lycosa.core.keys import key64
from lycosa.core.nouns import COPY, Plain, Ticket, Visit
from lycosa.frontier.seen import Seen

REASON = "another version"
ON_TOPIC = 0.5
_PARTS = 4
"""Hashes of a sketch that are kept of each page."""


class PageAddresses:
    """Knows which texts were seen under which names; a fold over visits."""

    def __init__(self) -> None:
        self._texts = Seen()
        """Keys of canonical URLs together with parts of the texts that were found there."""
        self._versions = Seen()

    def is_copy(self, visit: Visit) -> bool:
        """Whether a page with this text and the same canonical URL was visited before."""
        parts = _parts(visit)
        return len(parts) > 1 and 4 * len(self._texts.among(parts)) >= 3 * len(parts)

    def visited(self, visit: Visit, relevance: float | None) -> None:
        """Take in a page, and how likely it is on topic."""
        if visit.withheld in ("", COPY):  # no page may be withheld as a copy of one that is not shown
            self._texts.update(_parts(visit))
        if visit.versions and not visit.withheld and relevance is not None and relevance >= ON_TOPIC:
            self._versions.update([key64(url) for url in visit.versions])

    def __call__(self, ticket: Ticket) -> str | None:
        """The reason to refuse a ticket, or None; a person's seeds are never refused."""
        if not len(self._versions) or ticket.via is None:
            return None
        return REASON if key64(ticket.url) in self._versions else None

    def save(self) -> Plain:
        """Everything as plain data."""
        return [self._texts.save(), self._versions.save()]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._texts, self._versions = map(Seen, state)


def _parts(visit: Visit) -> list[int]:
    name, sketch = visit.canonical or visit.url, visit.sketch
    numbers = unpack(f"<{len(sketch) // 4}I", sketch)[1 : 1 + _PARTS]
    return [key64(f"{name} {number}") for number in numbers]
