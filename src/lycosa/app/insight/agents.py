"""Spiders and their paths: the strategy's portrait of its agents, with their pages according to the log.

An agent looks for stems. People prefer to read words: «changes», not «chang».
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from lycosa.app.insight.shapes import Keyword, Moment, Spider, Step
from lycosa.app.insight.trail import Trail
from lycosa.core.words import separated, stem, terms
from lycosa.engine.archived import archived
from lycosa.system.errors import Damaged

_SECONDS = 0.1
"""Seconds for reading pages again in one call; the next call continues."""
Portrait = Mapping[str, Any]
"""What `InfoSpiders.portrait` returns for one agent."""


def spiders_of(portraits: Sequence[Portrait], trail: Trail, query: str) -> list[Spider]:
    """All agents, alive and dead, with their pages."""
    owners = _owners(portraits, trail)
    words = _words(portraits, trail, query)
    return [_spider(kin, _places_of(kin, trail, owners), trail, words) for kin in portraits]


def path_of(number: int, portraits: Sequence[Portrait], trail: Trail, limit: int) -> tuple[int, list[Step]]:
    """How many pages of a spider are left out, and its last `limit` pages in order."""
    kin = next(kin for kin in portraits if kin["number"] == number)
    places = _places_of(kin, trail, _owners(portraits, trail))
    shown = places[-limit:]
    rows = trail.collection.log.pages_at([trail.seqs[place] for place in shown])
    numbers = {trail.seqs[place]: place + 1 for place in shown}
    steps = [Step(row.seq, row.url, row.title, row.host, row.relevance, row.at, numbers[row.seq]) for row in rows]
    return len(places) - len(shown), steps


def _places_of(kin: Portrait, trail: Trail, owners: Mapping[int, int]) -> list[int]:
    """The pages of a spider: those it reached by its own links, and those it was given."""
    number = kin["number"]
    followed = [at for at in trail.lanes.get(f"agent {number}", ()) if owners.get(at, number) == number]
    given = [at for at, owner in owners.items() if owner == number]
    return sorted({*followed, *given})


def _owners(portraits: Sequence[Portrait], trail: Trail) -> dict[int, int]:
    """The agents that were given pages: those that no agent's own link led to, or whose owner had died."""
    given = ((trail.place(url), kin["number"]) for kin in portraits for url in kin["given"])
    return {place: number for place, number in given if place is not None}


def _spider(kin: Portrait, places: Sequence[int], trail: Trail, words: Mapping[str, str]) -> Spider:
    keywords = [Keyword(words.get(term, term), weight) for term, weight in kin["keywords"].items()]
    return Spider(
        number=kin["number"],
        parent=kin["parent"],
        alive=not kin["why"],
        energy=kin["energy"],
        keywords=keywords,
        pages=len(places),
        relevance=_mean([trail.relevance[at] for at in places]),
        born=_moment(kin["born"], trail),
        died=_moment(kin["died"], trail) if kin["why"] else None,
        why=kin["why"],
    )


def _mean(relevance: Sequence[float]) -> float | None:
    known = [each for each in relevance if not isnan(each)]
    return sum(known) / len(known) if known else None


def _moment(url: str, trail: Trail) -> Moment:
    place = trail.place(url) if url else None
    return Moment(0, url, 0.0) if place is None else Moment(place + 1, url, trail.times[place])


def _words(portraits: Sequence[Portrait], trail: Trail, query: str) -> dict[str, str]:
    """A word for each stem, from the query or from the page where an agent picked it up, as far as time allows."""
    of_query = {term: word for word in reversed(query.lower().split()) for term in terms(word)}
    until = time.monotonic() + _SECONDS
    for kin in portraits:
        for term in kin["keywords"]:
            known = term in trail.words or term in of_query
            if not known and kin["born"] and time.monotonic() < until:
                trail.words[term] = _usual(term, kin["born"], trail)
    return trail.words | of_query


def _usual(term: str, url: str, trail: Trail) -> str:
    """The most frequent word with this stem on a page; the stem itself if there is none."""
    row = trail.collection.log.page(url)
    if row is None or row.where is None:
        return term
    try:
        page = archived(trail.collection.repository, url, row.where)
    except Damaged:
        return term
    words = Counter(separated(page.text).decode("utf-8", "replace").split())
    return max((word for word in words if stem(word) == term), key=lambda word: words[word], default=term)
