"""Hubs and authorities of an index: of all of it, or of a topic.

For a topic they are looked for as Kleinberg (1999) does, as later accounts give it: the best results are the root set;
what they link to and what links to them is added to it; and over the links among all these the scores are computed. A
link counts as much as the pages at both its ends are about the topic: a page of the root set by its score beside the
best one's, a neighbour NEIGHBOUR. So a page that is in everybody's menu does not become an authority on everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lycosa.index.nouns import Question, Ranked
from lycosa.index.popularity import Floats, Ids, hubs_and_authorities
from lycosa.index.standing import linked

if TYPE_CHECKING:
    from lycosa.index.index import Index

ROOT = 200
"""Results in the root set: Kleinberg's number."""
NEIGHBOUR = 0.1
"""How much a page is about the topic that is only next to one that is: our choice."""


def hubs(index: Index, topic: str, limit: int) -> tuple[list[Ranked], list[Ranked]]:
    """The best hubs and authorities: among all pages, or among those about a topic and their neighbours."""
    urls, tails, heads, weights = linked(index.references)
    if topic:
        relevance = np.zeros(len(urls))
        answer = index.search(Question(topic, limit=ROOT, twins=True))
        scores = {hit.url: hit.score for hit in answer.hits}
        for number, url in enumerate(urls):
            if url in scores:
                relevance[number] = scores[url] / answer.hits[0].score
        root = relevance > 0
        next_to = np.zeros(len(urls), bool)
        next_to[tails[root[heads]]] = next_to[heads[root[tails]]] = True
        relevance[next_to & ~root] = NEIGHBOUR
        weights = weights * relevance[tails] * relevance[heads]
        about = weights > 0
        tails, heads, weights = tails[about], heads[about], weights[about]
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
