"""Distinct relevant hosts: on how many hosts a crawl found relevant pages, for hunters of entities, not of pages.

|{host(p) : p in R ∩ C_N}|

R are the pages labelled as relevant (targets, examples, those the description was made from), C_N the first N fetched
pages. (The papers count pages only; that related entities live on different hosts is the point of the hub score in
Topical Crawling for Business Intelligence, 4.5.)
"""

from __future__ import annotations

import numpy as np

from lycosa.lab.comparison import Floats, Ids, Track
from lycosa.lab.metrics.curves import count_so_far
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import OURS, Metric


def relevant_hosts(evidence: Evidence, track: Track, points: Ids) -> Floats:
    """The number of hosts of the relevant pages among the first N."""
    steps = np.flatnonzero(np.isin(track.pages, evidence.relevant))
    _, first = np.unique(evidence.corpus.hosts[track.pages[steps]], return_index=True)
    return count_so_far(np.sort(steps[first] + 1).astype(np.int32), points)


METRIC = Metric(
    key="relevant_hosts",
    title="Distinct relevant hosts",
    unit="hosts",
    meaning="The number of hosts on which relevant pages were found among the first N pages",
    paper=OURS,
    measure=relevant_hosts,
)
