"""Similarity to seed pages («Crawling the Web» 4.1, third measure): the cosine of a page and the mean of the examples.

    relevance = (1 - keywords) · cos(c, p) + keywords · cos(q, p)        c = Σ_e v_e / ‖v_e‖

over the example pages e, each of which has the same weight, whatever its length. The text combines the examples into a
single document instead, c = Σ_e v_e, in which long pages outweigh short ones: `combine=one` does that. Vectors are term
frequencies as in the cosine judge; with `idf` they are TF-IDF weights (see the judge tfidf), which need a background.
`keywords` is our addition: the weight of the similarity to the keywords themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lycosa.core.judge import Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors, ReadPages, Usual, Want
from lycosa.core.tfidf_weights import TfIdf
from lycosa.core.training import examples
from lycosa.core.words import norm


@register("centroid")
@dataclass
class Centroid(Judge):
    """Judge a page by its similarity to the example pages."""

    keywords: float = 0.0
    """The weight of the similarity to the keywords, from 0 to 1."""
    idf: bool = False
    """Whether unusual words weigh more; this needs a background."""
    combine: str = "mean"
    """`mean`: every example has the same weight; `one`: the examples are one document."""

    def __post_init__(self) -> None:
        if not 0 <= self.keywords <= 1:
            raise self.bad_option("keywords", fix="give a number from 0 to 1")
        if self.combine not in ("mean", "one"):
            raise self.bad_option("combine", fix="choose mean or one")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """The examples."""
        yield from map(ReadPages, examples(self.name, topic, priors))
        if self.idf:
            yield Usual()

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Compute the mean of the examples."""
        super().prepare(topic, priors)
        weights = TfIdf.of(priors.background) if self.idf and priors.background else None
        vector = weights.vector if weights else _unit
        terms = self.analysis.terms
        bags: list[Mapping[str, float]] = [terms(priors.text(url)) for url in examples(self.name, topic, priors)]
        if self.combine == "one":
            bags = [_sum(bags)]
        middle = _unit(_sum([vector(bag) for bag in bags]))
        query = vector(terms(topic.keywords))
        share = self.keywords
        # Both cosines are dot products with the same page, so their mixture is one dot product.
        self._against = _sum([_times(middle, 1 - share), _times(query, share)]) if share else middle
        self._weighted = weights.product(self._against) if weights else None

    def __call__(self, page: Page) -> Verdict:
        bag, length = self.bag(page)
        if self._weighted:
            return Verdict(min(1.0, self._weighted(bag)))
        known = self._against
        product = sum([count * known[term] for term, count in bag.items() if term in known])
        return Verdict(min(1.0, product / length) if product else 0.0)


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    length = norm(vector)
    return _times(vector, 1 / length) if length else {}


def _times(vector: Mapping[str, float], factor: float) -> dict[str, float]:
    return {term: weight * factor for term, weight in vector.items()}


def _sum(vectors: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for vector in vectors:
        for term, weight in vector.items():
            total[term] = total.get(term, 0.0) + weight
    return total
