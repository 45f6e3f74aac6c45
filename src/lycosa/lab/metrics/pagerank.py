"""PageRank over a corpus' links: index/link_analysis.py has the formula."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from lycosa.index import link_analysis
from lycosa.index.link_analysis import DAMPING
from lycosa.lab.comparison import Floats, Ids


def pagerank(links: csr_array, damping: float = DAMPING) -> Floats:
    """The PageRank of each page of a graph with a row of out-links for each page."""
    tails = np.repeat(np.arange(links.shape[0], dtype=np.int32), np.diff(links.indptr))
    return link_analysis.pagerank(tails, links.indices, links.shape[0], damping=damping)


def within(links: csr_array, pages: Ids) -> csr_array:
    """The graph of some pages, numbered in their order, with only the links among them."""
    place = np.full(links.shape[1], -1, np.int32)
    place[pages] = np.arange(len(pages))
    rows = links[pages]
    columns = place[rows.indices]
    held = columns >= 0
    ends = np.concatenate(([0], np.cumsum(held)))[rows.indptr]
    return csr_array((rows.data[held], columns[held], ends), shape=(len(pages), len(pages)))
