"""Hubs and authorities of an index: of all of it, or of a topic.

For a topic the method is Kleinberg's (1999), as later accounts describe it: the best results are the root set; the
pages that they link to and that link to them are added; and the scores are computed over the links among all these. A
link is weighted by how much the pages at both ends are about the topic: for a page of the root set, its score relative
to the best one; for any other page, the share of its links that lead to the root set or come from it (our choice). So a
page that is in every menu does not become an authority on everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lycosa.core.hubs import hubs_and_authorities
from lycosa.index.link_analysis import chosen
from lycosa.index.numbers import Floats, Ids
from lycosa.index.search_types import Question, Ranked

if TYPE_CHECKING:
    from lycosa.index.index import Index

ROOT = 50
"""Results in the root set. Kleinberg took 200 of the whole Web; for a collection of thousands that is too many."""
DOUBT = 10
"""Links outside the root set added to the count of every other page, so that a single link is not a share of 1."""


def hubs(index: Index, topic: str, limit: int) -> tuple[list[Ranked], list[Ranked]]:
    """The best hubs and authorities: among all pages, or among those about a topic and their neighbours."""
    urls, tails, heads = index.references.links()
    weights = chosen(urls, tails, heads)
    if topic:
        about = _about(index, topic, urls, tails, heads)
        weights = weights * about[tails] * about[heads]
        counted = weights > 0
        tails, heads, weights = tails[counted], heads[counted], weights[counted]
    hub, authority = hubs_and_authorities(tails, heads, len(urls), weights)

    def best(scores: Floats, ends: Ids) -> list[Ranked]:
        counts = np.bincount(ends, minlength=len(urls))
        numbers = [number for number in np.argsort(-scores, kind="stable")[:limit].tolist() if scores[number] > 0]
        titles = index.content.titles([urls[number] for number in numbers])
        return [
            Ranked(urls[number], float(scores[number]), titles.get(urls[number], ""), int(counts[number]))
            for number in numbers
        ]

    return best(hub, tails), best(authority, heads)


def _about(index: Index, topic: str, urls: Sequence[str], tails: Ids, heads: Ids) -> Floats:
    """How much each URL is about a topic, from 0 to 1."""
    hits = index.search(Question(topic, limit=ROOT, twins=True, verbatim=True)).hits
    scores = {hit.url: hit.score / hits[0].score for hit in hits if hit.score > 0}
    about = np.array([scores.get(url, 0.0) for url in urls])
    root = about > 0
    touching = np.bincount(tails, root[heads], len(urls)) + np.bincount(heads, root[tails], len(urls))
    links = np.bincount(tails, minlength=len(urls)) + np.bincount(heads, minlength=len(urls))
    return np.where(root, about, touching / (links + DOUBT))
