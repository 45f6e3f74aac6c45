"""How good a day was (section 4.3): the precision of its results, and the similarity of collection and queries.

    P = relevant pages among the first ten / 10            S(C, q) = 1/|C| Σ_{p in C} (v_q · v_p) / (‖v_q‖ ‖v_p‖)

A page is relevant if it is labelled with the topic from which the query came. v are vectors of tf · ln(N / df) over all
pages of the world, so that a page has the same similarity in every collection; q is all queries of the day together.
Pages that the world does not list, the endless ones of a made web's traps, have similarity 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import Floats, Ids
from lycosa.lab.corpus import Corpus, labelled
from lycosa.lab.metrics.vectors import Vectors
from lycosa.lab.symbiosis.days import ANSWERS, Simulated
from lycosa.lab.symbiosis.query_pool import PoolQuery
from lycosa.lab.world import World


class Repeated(Struct, frozen=True):
    """A query that was asked on more than one day."""

    text: str
    topic: str
    week: int
    days: tuple[int, ...]
    precision: tuple[float, ...]
    """On each of these days."""


class Measures(Struct):
    """The measures of a system: a row for each week, a column for each day."""

    precision: Floats
    """Of each query: weeks, days, queries."""
    alone: Floats
    """The same for day one's collection, never refreshed."""
    size: Floats
    """Pages of the collection."""
    cost: Floats
    """The size as a share of MAX_IN_INDEX."""
    similarity: Floats
    """S of the day's collection to the day's queries."""
    similarity_error: Floats
    """Its standard error over the pages of the collection."""
    similarity_alone: Floats
    """S of day one's collection to the day's queries."""
    similarity_alone_error: Floats
    """Its standard error."""
    fetched: Floats
    """Pages that the refresh before it fetched."""
    repeated: list[Repeated]

    @property
    def per_cost(self) -> Floats:
        """Precision divided by cost, of each query."""
        return self.precision / self.cost[:, :, None]

    @property
    def per_cost_alone(self) -> Floats:
        """The same for day one's collection, never refreshed."""
        return self.alone / self.cost[:, :1, None]


def precision_at_ten(answer: Ids, relevant: frozenset[int]) -> float:
    """The relevant results among the first ten, divided by ten: a missing result is not relevant."""
    return sum(page in relevant for page in answer[:ANSWERS].tolist()) / ANSWERS


class Similarity:
    """S(C, q) for any collection of a world's pages."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._vectors = Vectors(corpus.terms.astype(np.float64))

    def of_pages(self, questions: Sequence[str]) -> Floats:
        """The similarity of every page of the world to all queries together."""
        return self._vectors.cosine(self._corpus.row(" ".join(questions)))

    @staticmethod
    def mean(similarities: Floats, collection: Ids) -> tuple[float, float]:
        """The mean over the pages of a collection, with its standard error."""
        found = np.zeros(len(collection))
        known = collection >= 0
        found[known] = similarities[collection[known]]
        error = found.std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.nan
        return float(found.mean()) if len(found) else 0.0, float(error)


def measure(world: World, simulated: Simulated) -> dict[str, Measures]:
    """The measures of each system."""
    relevant = {topic.id: frozenset(world.corpus.numbers(labelled(topic)).tolist()) for topic in simulated.topics}
    similarity = Similarity(world.corpus)
    similar = [[similarity.of_pages([each.text for each in asked]) for asked in week.asked] for week in simulated.weeks]
    return {
        system.label: _measures(simulated, system.label, relevant, similar) for system in simulated.simulation.systems
    }


def _measures(
    simulated: Simulated, label: str, relevant: Mapping[str, frozenset[int]], similar: Sequence[Sequence[Floats]]
) -> Measures:
    weeks = [(week.asked, week.systems[label]) for week in simulated.weeks]
    answered = [[_precision(asked, day.answers, relevant) for asked, day in zip(*week, strict=True)] for week in weeks]
    alone = [[_precision(asked, day.alone, relevant) for asked, day in zip(*week, strict=True)] for week in weeks]
    size = np.array([[len(day.collection) for day in days] for _, days in weeks], np.float64)
    every = [list(zip(found, days, strict=True)) for found, (_, days) in zip(similar, weeks, strict=True)]
    mean = Similarity.mean
    own = np.array([[mean(found, day.collection) for found, day in week] for week in every])
    first = np.array([[mean(found, week[0][1].collection) for found, _ in week] for week in every])
    return Measures(
        precision=np.array(answered),
        alone=np.array(alone),
        size=size,
        cost=size / simulated.simulation.max_in_index,
        similarity=own[:, :, 0],
        similarity_error=own[:, :, 1],
        similarity_alone=first[:, :, 0],
        similarity_alone_error=first[:, :, 1],
        fetched=np.array([[day.fetched for day in days] for _, days in weeks], np.float64),
        repeated=[
            each
            for number, ((asked, _), found) in enumerate(zip(weeks, answered, strict=True), 1)
            for each in repeated(asked, found, number)
        ],
    )


def _precision(
    asked: Sequence[PoolQuery], answers: Sequence[Ids], relevant: Mapping[str, frozenset[int]]
) -> list[float]:
    return [precision_at_ten(answer, relevant[each.topic]) for each, answer in zip(asked, answers, strict=True)]


def repeated(asked: Sequence[Sequence[PoolQuery]], precision: Sequence[Sequence[float]], week: int) -> list[Repeated]:
    """The queries of a week that were asked on more than one day."""
    found: dict[PoolQuery, dict[int, float]] = {}
    for day, (questions, values) in enumerate(zip(asked, precision, strict=True), 1):
        for each, value in zip(questions, values, strict=True):
            found.setdefault(each, {})[day] = value
    return [
        Repeated(each.text, each.topic, week, tuple(days), tuple(days.values()))
        for each, days in found.items()
        if len(days) > 1
    ]
