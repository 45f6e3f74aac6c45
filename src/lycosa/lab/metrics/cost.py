"""What a crawl cost: pages |C|, requests, body bytes of the first N pages, processor time 1000 * cpu / |C| in ms/page.

Requests are all URLs that were asked for, whatever came back: pages, redirects, dead links, one robots.txt for each
host, and pages that were read before the crawl began.

(The papers compare crawlers at an equal number of pages; Exploration versus Exploitation, section 7, leaves what the
decisions cost to later work.)
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import sum_so_far
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import OURS, Metric


def pages(evidence: Evidence, track: Track) -> float:
    """The number of pages fetched."""
    return float(len(track.pages))


def requests(evidence: Evidence, track: Track) -> float:
    """The number of requests; nan if they were not counted."""
    return np.nan if track.requests is None else float(track.asked)


def body_bytes(evidence: Evidence, track: Track, points: Ids) -> Floats:
    """The body bytes of the first N pages."""
    return sum_so_far(evidence.corpus.sizes[track.pages].astype(np.float64), points)


def cpu_per_page(evidence: Evidence, track: Track) -> float:
    """Milliseconds of processor time a page; nan for a crawl without pages."""
    return 1000 * track.cpu / (len(track.pages) or np.nan)


PAGES = Metric(
    key="pages",
    title="Pages fetched",
    kind="value",
    unit="pages",
    better="",
    meaning="The number of pages fetched, fewer than allowed where a crawl ran out of links",
    paper=OURS,
    measure=pages,
)

REQUESTS = Metric(
    key="requests",
    title="Requests",
    kind="value",
    unit="requests",
    better="lower",
    meaning="The number of requests: pages, redirects, dead links, and one robots.txt for each host",
    paper=OURS,
    measure=requests,
)

BYTES = Metric(
    key="bytes",
    title="Bytes fetched",
    unit="bytes",
    better="lower",
    meaning="The body bytes of the first N pages",
    paper=OURS,
    measure=body_bytes,
)

CPU = Metric(
    key="cpu_per_page",
    title="Processor time a page",
    kind="value",
    unit="ms",
    better="lower",
    meaning="Milliseconds of processor time a page, for fetching from the world, judging and deciding",
    paper=OURS,
    measure=cpu_per_page,
)
