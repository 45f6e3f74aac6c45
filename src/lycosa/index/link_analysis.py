"""Link analysis: PageRank, hubs and authorities over arrays of links.

A link within a host says less: most of them are menus and «next page», and the author of a page can make a thousand
others that praise it. Links within a host have INSIDE times the weight of a link from another host (our choice;
Kleinberg 1999 leaves them out, but a collection of one site would then have no popularity at all).

Menus and footers lead out of a host as well: to a licence, to the maker of the software, to the author. What most pages
of a place link to, nobody has chosen anew on each of them, so for hubs and authorities these links together weigh as
much as one link. A place is a host, or a folder at the top of one: many hosts have a site in each of these. PageRank
counts them as they are, for the front page in every menu is what people look for; with less, search was not better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from lycosa.core.urls import host_of
from lycosa.index.numbers import Floats, Ids
from lycosa.index.places import FEWEST, top_folder

DAMPING = 0.85
TOLERANCE = 1e-10
ROUNDS = 500  # enough for any damping up to .95, as .95 ** 449 is the tolerance; .85 needs 142 at most
INSIDE = 0.25
"""The weight of a link within a host, relative to one from another host."""
TEMPLATE = 0.5
"""A link is part of a place's template if this share of its pages have it, of at least FEWEST."""


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


def apart(urls: Sequence[str], tails: Ids, heads: Ids) -> Floats:
    """The weight of each link between two of these URLs, by whether it leads to another host."""
    return _apart(_numbered(map(host_of, urls)), tails, heads)


def chosen(urls: Sequence[str], tails: Ids, heads: Ids) -> Floats:
    """The same, less for what a template repeats; each link must be there once."""
    hosts, folders = _numbered(map(host_of, urls)), _numbered(map(top_folder, urls))
    repeated = np.maximum(_repeated(tails, heads, hosts), _repeated(tails, heads, folders))
    return _apart(hosts, tails, heads) / repeated


def _apart(hosts: Ids, tails: Ids, heads: Ids) -> Floats:
    return np.where(hosts[tails] == hosts[heads], INSIDE, 1.0)


def _repeated(tails: Ids, heads: Ids, places: Ids) -> Floats:
    """How often the template of its page's place repeats each link; 1 if it is not part of one."""
    pages = np.bincount(places[np.unique(tails)], minlength=len(places))
    _, link, times = np.unique(places[tails] << 32 | heads, return_inverse=True, return_counts=True)
    times, size = times[link], pages[places[tails]]
    return np.where((size >= FEWEST) & (times >= TEMPLATE * size), times, 1).astype(np.float64)


def _numbered(names: Iterable[str]) -> Ids:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
