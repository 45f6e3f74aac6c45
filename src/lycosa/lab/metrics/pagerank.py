"""PageRank (Brin & Page 1998; Haveliwala 1999): how often somebody who follows links at random comes by a page.

x_q = (1 - d) / n + d * (sum over p -> q of x_p / out_p  +  sum over pages p without links of x_p / n)

d is the damping, n the number of pages, out_p the number of links from p to pages of the graph. It is iterated from
1 / n until the values change by less than `tolerance` in sum; they add up to 1.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from lycosa.lab.nouns import Floats, Ids

DAMPING = 0.85
TOLERANCE = 1e-10
ROUNDS = 500  # enough for any damping up to .95, as .95 ** 449 is the tolerance; .85 needs 142 at most


def pagerank(links: csr_array, damping: float = DAMPING, tolerance: float = TOLERANCE) -> Floats:
    """The PageRank of each page of a graph with a row of out-links for each page."""
    size = links.shape[0]
    if not size:
        return np.zeros(0)
    out = np.diff(links.indptr)
    dangling = out == 0
    share = np.divide(damping, out, out=np.zeros(size), where=~dangling)
    arriving = csr_array((np.ones(links.nnz), links.indices, links.indptr), shape=links.shape).T.tocsr()
    ranks = np.full(size, 1 / size)
    for _ in range(ROUNDS):
        before = ranks
        ranks = arriving @ (before * share)
        # What the pages without links hold, and what the damping takes, goes to everybody in equal parts.
        ranks += (1 - ranks.sum()) / size
        if np.abs(ranks - before).sum() < tolerance:
            break
    return np.asarray(ranks)


def within(links: csr_array, pages: Ids) -> csr_array:
    """The graph of some pages, numbered in their order, with only the links among them."""
    place = np.full(links.shape[1], -1, np.int32)
    place[pages] = np.arange(len(pages))
    rows = links[pages]
    columns = place[rows.indices]
    held = columns >= 0
    ends = np.concatenate(([0], np.cumsum(held)))[rows.indptr]
    return csr_array((rows.data[held], columns[held], ends), shape=(len(pages), len(pages)))
