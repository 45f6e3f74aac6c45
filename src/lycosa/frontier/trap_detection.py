"""Spider traps: URLs that a server generates without end, recognised by their form.

`canonical` refuses long URLs (crawling-the-web 2.4) and `identity` removes session ids; this module does the rest.
"""

from __future__ import annotations

import re
from collections import Counter

from lycosa.core.nouns import Plain
from lycosa.core.urls import host_of

_DEEP = 16
"""Path segments at most; the deepest honest page of the schools bed has 3."""

_SEGMENT = re.compile(r"/([^/?]+)")
_DATE = re.compile(
    r"(?:/|[?&;][\w.-]*=)(?:19|20|21)\d\d[-/_]?(?:0?[1-9]|1[0-2])(?:[-/_]?(?:0?[1-9]|[12]\d|3[01]))?/?(?=$|[?&;])"
    r"|[?&;](?:year|y|jahr|annee)=\d{1,4}\b.*[?&;](?:month|m|mo|monat|mois|week|w)=\d{1,2}\b"
    r"|[?&;](?:month|m|mo|monat|mois|week|w)=\d{1,2}\b.*[?&;](?:year|y|jahr|annee)=\d{1,4}\b"
)


class TrapDetector:
    """Says why a URL is not worth queueing; its only state is the number of dated URLs of each host."""

    def __init__(self, dates_per_host: int = 48) -> None:
        self.dates_per_host = dates_per_host
        """Dated URLs per host at most: four years of months are enough for an archive, and stop an endless calendar."""
        self._dates: Counter[str] = Counter()

    def __call__(self, url: str) -> str | None:
        """The reason to refuse the URL, or None."""
        start = url.find("/", 8)
        if url.count("/", start) > 3 and (reason := _repeats(url[start:])):
            return reason
        if _DATE.search(url, start):
            host = host_of(url)
            self._dates[host] += 1
            if self._dates[host] > self.dates_per_host:
                return "calendar"
        return None

    def save(self) -> Plain:
        """Everything as plain data."""
        return dict(self._dates)

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._dates = Counter(state)


def _repeats(path: str) -> str | None:
    """The reason to refuse a path, if it is too deep or has a run of segments three times in a row."""
    segments = _SEGMENT.findall(path)
    if len(segments) > _DEEP:
        return "deep path"
    for length in range(1, len(segments) // 3 + 1):
        for start in range(len(segments) - 3 * length + 1):
            run = segments[start : start + length]
            if (
                run
                == segments[start + length : start + 2 * length]
                == segments[start + 2 * length : start + 3 * length]
            ):
                return "repeating path"
    return None
