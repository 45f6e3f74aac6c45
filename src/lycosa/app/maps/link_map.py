"""What is on the link map of a collection: the pages that matter most, and the links between them.

A page matters as a hub or as an authority (core/hubs.py), whichever score is higher. A link of the collection is
weighted by the relevance of the pages at both ends. A link within a host weighs less than one from elsewhere, and what
a template repeats on every page weighs as one link (index/link_analysis): our choice, so that the menu of one large
site does not fill the map.
"""

from __future__ import annotations

import numpy as np

from lycosa.app.maps.labels import once
from lycosa.app.maps.map_data import Floats, Ids, MapCounts, Sheet, host_numbers
from lycosa.app.maps.survey import Survey
from lycosa.core.hubs import hubs_and_authorities
from lycosa.index.link_analysis import chosen as chosen_links

_LEAST = 0.02
"""The weight of an irrelevant page, relative to a most relevant one."""
_RELEVANCE = 0.05
"""The weight of relevance relative to the scores, so that among pages without links the relevant are chosen."""


def link_map(found: Survey, limit: int, links: int) -> Sheet:
    """The map of the most important pages of a collection, at most `limit`, with at most `links` links."""
    pages = np.flatnonzero(found.fetched)
    tails, heads = found.among(pages)
    shade, urls = found.shade[pages], [found.urls[page] for page in pages.tolist()]
    weights = (shade[tails] + _LEAST) * (shade[heads] + _LEAST) * chosen_links(urls, tails, heads)
    hub, authority = hubs_and_authorities(tails, heads, len(pages), weights)
    weight = np.maximum(_share(hub), _share(authority))
    chosen = _linked(np.argsort(-(weight + _RELEVANCE * shade), kind="stable")[:limit], tails, heads, len(pages))
    place = np.full(len(pages), -1)
    place[chosen] = np.arange(len(chosen))
    between = np.flatnonzero((place[tails] >= 0) & (place[heads] >= 0))
    strength = (_share(hub)[tails] + _LEAST) * (_share(authority)[heads] + _LEAST) * weights
    shown = np.sort(between[np.argsort(-strength[between], kind="stable")[:links]])
    columns = found.columns(pages[chosen])
    return Sheet(
        **columns,
        kind="links",
        site="",
        names=list(map(once, columns["titles"])),
        weight=weight[chosen],
        hub=hub[chosen],
        authority=authority[chosen],
        parent=np.full(len(chosen), -1),
        depth=np.zeros(len(chosen), np.int64),
        guessed=np.zeros(len(chosen), bool),
        tails=place[tails[shown]],
        heads=place[heads[shown]],
        counts=MapCounts(
            pages=len(pages),
            shown=len(chosen),
            linked=0,
            linked_shown=0,
            links=len(between),
            links_shown=len(shown),
            hosts=len(np.unique(host_numbers(urls)[chosen])),
        ),
    )


def _linked(chosen: Ids, tails: Ids, heads: Ids, pages: int) -> Ids:
    """The pages that have links among each other, because others say nothing here; all pages if none has."""
    there = np.zeros(pages, bool)
    there[chosen] = True
    between = there[tails] & there[heads]
    touched = np.zeros(pages, bool)
    touched[tails[between]] = touched[heads[between]] = True
    return chosen[touched[chosen]] if touched.any() else chosen


def _share(scores: Floats) -> Floats:
    """Scores relative to the best one."""
    return scores / (scores.max() or 1.0)
