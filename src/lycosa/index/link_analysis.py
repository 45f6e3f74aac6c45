"""Link analysis: PageRank, hubs and authorities over arrays of links.

A link within a host says less: most of them are menus and «next page», and the author of a page can make a thousand
others that praise it. Links within a host have INSIDE times the weight of a link from another host (our choice;
Kleinberg 1999 leaves them out, but a collection of one site would then have no popularity at all).
"""

from __future__ import annotations

import numpy as np

from lycosa.index.numbers import Floats, Ids

DAMPING = 0.85
TOLERANCE = 1e-10
ROUNDS = 500  # enough for any damping up to .95, as .95 ** 449 is the tolerance; .85 needs 142 at most
INSIDE = 0.25
"""The weight of a link within a host, relative to one from another host."""


def pagerank(
    tails: Ids,
    heads: Ids,
    pages: int,
    weights: Floats | None = None,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
) -> Floats:
    """PageRank (Brin & Page 1998; Haveliwala 1999): how often a surfer who follows random links visits a page.

    x_q = (1 - d) / n + d * (sum over p -> q of x_p * w_pq / out_p  +  sum over pages p without links of x_p / n)

    d is the damping, n the number of pages, w_pq a link's weight and out_p the sum of the weights of p's links. The
    iteration starts at 1 / n and ends when the sum of changes is below `tolerance`; the values add up to 1.
    """
    ranks = np.full(pages, 1 / max(pages, 1))
    if not len(tails):
        return ranks
    if weights is None:
        weights = np.ones(len(tails))
    share = damping * weights / np.bincount(tails, weights, pages)[tails]
    for _ in range(ROUNDS):
        before = ranks
        ranks = np.bincount(heads, before[tails] * share, pages)
        # The rank of pages without links, and what the damping removes, is distributed equally over all pages.
        ranks += (1 - ranks.sum()) / pages
        if np.abs(ranks - before).sum() < tolerance:
            break
    return ranks


def apart(tails: Ids, heads: Ids, hosts: Ids) -> Floats:
    """The weight of each link, given a number for the host of each page."""
    return np.where(hosts[tails] == hosts[heads], INSIDE, 1.0)
