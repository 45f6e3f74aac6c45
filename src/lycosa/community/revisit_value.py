"""The value of a revisit of a page: the freshness that it brings, times what the page is worth, for what it costs.

    value = relevance x (1 + hub) x gain x per_second / 2^faults

Gain is days of freshness: those that the check itself brings at the page's age, and those that later checks bring
because of what it teaches of the page's rate (`change_rates`). Hub is 0 to 1, the page's hub score as a share of the
best one's. Faults are the failed attempts since the last check, so that a dead host does not use up the budget of every
revisit. What a check costs is the time it is expected to take: a request, the bytes that are sent if the page has
changed or cannot be asked for conditionally, and rendering.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lycosa.community.page_history import DAY, INTERVALS, History
from lycosa.core.brief import Brief
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.strategy import Strategy
from lycosa.core.urls import site_of, without_index_page
from lycosa.store.rows import PageRow
from lycosa.web.readers.media_types import HTML

if TYPE_CHECKING:
    from lycosa.community.change_rates import Evidence, Groups, Numbers

LEAST_RELEVANCE = 0.01
"""The least relevance in a value, so that irrelevant pages are checked once in a while, too."""
REQUEST, BYTES_PER_SECOND = 1.0, 500_000
"""What a check costs: seconds for a request with its pause, and for the bytes that are sent."""
_UNSEEN = History("", 0.0, 0.0, 0.0, 0.0, "")


class Due(NamedTuple):
    """A page, the value of checking it, and the factors of that value."""

    url: str
    value: float
    parts: dict[str, float]
    age: float
    """Days since the last check."""
    rate: float
    """Changes per day."""
    changed: float
    """The probability that it has changed since the last check."""


def due_pages(
    rows: Sequence[PageRow], known: Mapping[str, History], hubs: Mapping[str, float], pages: int, now: float
) -> list[Due]:
    """The pages that are most worth checking, best first; all rows take part in estimating how often pages change."""
    # Imported here, because a community is more often asked than revisited.
    import numpy as np

    from lycosa.community.change_rates import beliefs, lessons, prospects

    if not rows:
        return []
    histories = [known.get(row.url, _UNSEEN) for row in rows]
    sites = [site_of(row.host) for row in rows]
    belief = beliefs(_evidence(histories), *_groups(rows, sites))
    age = np.array([_age(row, history, now) for row, history in zip(rows, histories, strict=True)])
    prospect = prospects(belief, age, _told(rows, sites, histories))
    relevance = np.array([max(row.relevance or 0.0, LEAST_RELEVANCE) for row in rows])
    hub = np.array([1.0 + hubs.get(row.url, 0.0) for row in rows])
    faults = np.array([0.5**history.faults for history in histories])
    worth = relevance * hub * faults
    cost = _cost(rows, histories, prospect.changed)
    value = worth * prospect.gain / cost
    # The last page that is checked says what a check must bring.
    price = np.partition(value, -pages)[-pages] if pages < len(rows) else 0.0
    gain = prospect.gain + lessons(belief, age, price * cost / worth)
    value = worth * gain / cost
    order = sorted(range(len(rows)), key=lambda i: (-value[i], -age[i], rows[i].url))[:pages]
    parts = {"relevance": relevance, "gain": gain, "hub": hub, "faults": faults, "per_second": 1.0 / cost}
    return [
        Due(
            rows[i].url,
            float(value[i]),
            {name: float(part[i]) for name, part in parts.items()},
            float(age[i]),
            float(prospect.rate[i]),
            float(prospect.changed[i]),
        )
        for i in order
    ]


def _evidence(histories: Sequence[History]) -> Evidence:
    import numpy as np

    from lycosa.community.change_rates import Evidence

    none = bytes(len(INTERVALS))
    counts = np.frombuffer(b"".join([each.blurred or none for each in histories]), np.uint8)
    return Evidence(
        np.array([each.dated for each in histories], np.float64),
        counts.reshape(len(histories), -1).astype(np.float64),
        np.array([each.quiet / DAY for each in histories]),
    )


def _groups(rows: Sequence[PageRow], sites: Sequence[str]) -> tuple[Groups, Groups]:
    """The number of the kind of each page, and that of its kind and site."""
    import numpy as np

    kinds: defaultdict[str, int] = defaultdict(lambda: len(kinds))
    groups: defaultdict[tuple[str, int], int] = defaultdict(lambda: len(groups))
    of_page = [kinds[page_kind(row.url, row.mime)] for row in rows]
    of_site = [groups[site, kind] for site, kind in zip(sites, of_page, strict=True)]
    return np.array(of_page, np.intp), np.array(of_site, np.intp)


def page_kind(url: str, mime: str) -> str:
    """The kind of a page, as far as it says how often pages change: front pages and lists do more often."""
    if mime != HTML:
        return "document"
    address, _, query = url.partition("?")
    path = without_index_page(address[address.index("/", 8) :])
    return "query" if query else "front page" if path == "/" else "list" if path.endswith("/") else "page"


def _age(row: PageRow, history: History, now: float) -> float:
    """Days since the page was last seen."""
    return max(0.0, now - (history.seen if history is not _UNSEEN else row.at)) / DAY


def _told(rows: Sequence[PageRow], sites: Sequence[str], histories: Sequence[History]) -> Numbers:
    """How likely each page has changed by what others say, whatever its age.

    Sitemaps and feeds are believed as far as those of the site have been right so far.
    """
    import numpy as np

    right: defaultdict[str, list[int]] = defaultdict(lambda: [1, 2])
    for site, history in zip(sites, histories, strict=True):
        if history.heeded:
            right[site][0] += history.confirmed
            right[site][1] += history.heeded
    told = np.zeros(len(rows))
    for i, (row, history) in enumerate(zip(rows, histories, strict=True)):
        if history.changed > row.at and history.digest != row.digest:
            # Another crawl has seen a newer version than our copy.
            told[i] = 1.0
        elif history.told:
            confirmed, heeded = right[sites[i]]
            told[i] = confirmed / heeded
    return told


def _cost(rows: Sequence[PageRow], histories: Sequence[History], changed: Numbers) -> Numbers:
    """How many seconds a check of each page is expected to take."""
    import numpy as np

    size = np.array([row.size for row in rows], np.float64)
    conditional = np.array([bool(row.etag or row.modified) for row in rows])
    browser = np.array([history.browser for history in histories])
    return np.asarray(REQUEST + np.where(conditional, changed, 1.0) * size / BYTES_PER_SECOND + browser)


@dataclass
class ByValue(Strategy):
    """Looks at the seeds, which come in the order of their value, and follows no link."""

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The first seed has the highest score."""
        return [Ticket(url, 1.0 / rank) for rank, url in enumerate(brief.seeds, 1)]

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Follow no links."""
        return ()
