"""Context focused crawler (Diligenti et al. 2000, as told by Pant et al. 2004, section 3.4): how far are the targets?

The examples are layer 0, the pages that link to them layer 1, those that link to these layer 2, and so on; the layers
of all examples are merged. The terms of the innermost layers with the highest TF-IDF are the vocabulary,

    weight(t, p) = n(t, p) ln(N / N(t))        N pages, N(t) of them with term t

and naive Bayes with equal priors tells to which layer a page belongs by those of its words. If the probability of that
layer is below the layer's threshold, the page is one of the «other» pages. There is a queue for each layer and one for
the others; the next link is the best of the lowest queue that is not empty, and in a queue those of the pages with the
highest probability come first. All links of a page wait in its queue with its probability p, here with the score

    (N + 1 - layer + p) / (N + 2)        N layers around the examples; «other» is layer N + 1

which orders all queues at once: a link that is found on several pages waits where it is best, and a full frontier
drops what is furthest away.

The survey has all of this but the figures. We know the original by its abstract, by accounts of it and from memory, not
by its full text. From there: a sample of a layer where it grows too large, a master document of the examples and, if
one likes, of layer 1, a page's 40 terms of highest TF-IDF, and with `threshold=0` its thresholds: the lowest likelihood
that a page of the layer itself has. Four layers are from memory. There the queues hold pages that were fetched already,
and all links of a page are followed at once; here a page's links are the tickets, and better ones may come in between.
There examples that are found can be added to the graph during the crawl; not here.

Ours: 20 in-links a page and a sample of 100 a layer; a page that is found in several layers belongs to the lowest;
a vocabulary of 1,000 terms; N(t) is counted among the pages of the graph itself unless `reference` asks for others;
seeds come before everything else; and a threshold of .5, for a layer recognises the pages it learned from so surely
that their lowest likelihood can shut out what is just as good. It was chosen on a made web with seed 7; with seed 11,
500 of 3,000 pages have .77 of the targets with the original's thresholds and .84 with .5 (best-first: .65). On made
webs of other shapes it hardly matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import chain
from math import log
from typing import ClassVar

from lycosa.core.bayes import Bag, NaiveBayes
from lycosa.core.brief import Brief
from lycosa.core.keys import key64
from lycosa.core.nouns import Page, Plain, Ticket, Topic, Visit
from lycosa.core.priors import Background, LinksTo, Priors, ReadPages, Usual, Want
from lycosa.core.strategy import Strategy, register
from lycosa.core.words import terms
from lycosa.system.errors import Code, Refused

OTHER = "other"
"""The lane of the links on pages that belong to no layer; the lane of a layer is its number."""


@register("context-graph")
@dataclass
class ContextGraph(Strategy):
    """Follow links of pages that look like those from which the examples can be reached in the fewest steps."""

    by_example: ClassVar[bool] = True
    layers: int = 4
    """How many links before the examples the context begins."""
    inlinks: int = 20
    """In-links of a page that are asked for."""
    sample: int = 100
    """Pages of one layer that are read at most."""
    master: int = 2
    """Innermost layers whose terms may be in the vocabulary: 1, the examples, or 2."""
    vocabulary: int = 1000
    """Terms that tell layers apart."""
    features: int = 40
    """Terms of a page that count at most."""
    threshold: float = 0.5
    """Probability that a page's layer must have; 0 takes the lowest that the layer's own pages have."""
    reference: bool = False
    """Whether a background tells how usual terms are, and not the pages of the graph."""

    def __post_init__(self) -> None:
        for name in ("layers", "inlinks", "sample", "master", "vocabulary", "features"):
            if getattr(self, name) < 1:
                raise self.bad_option(name, fix="give a number from 1 on")
        if not 0 <= self.threshold <= 1:
            raise self.bad_option("threshold", fix="give a number from 0 to 1")

    def study(self, topic: Topic, priors: Priors) -> Iterator[Want]:
        """The pages of the graph, layer after layer, and what links to them."""
        if self.reference:
            yield Usual()
        graph = self.graph(topic, priors)
        _refuse_the_unreadable(graph, priors)
        for depth, layer in enumerate(graph):
            yield from map(ReadPages, layer)
            if depth < self.layers:
                yield from (LinksTo(url, self.inlinks) for url in layer)

    def graph(self, topic: Topic, priors: Priors) -> list[list[str]]:
        """The merged context graph, as far as its in-links are known."""
        graph = [list(dict.fromkeys(topic.examples))]
        known = set(graph[0])
        while len(graph) <= self.layers and all(url in priors.inlinks for url in graph[-1]):
            parents = set(chain.from_iterable(priors.inlinks[url][: self.inlinks] for url in graph[-1])) - known
            if not parents:
                break
            # Pages that the sample leaves out of this layer do not go into another one, either.
            known |= parents
            graph.append(sorted(parents, key=key64)[: self.sample])
        return graph

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Learn to tell the layers apart."""
        layers = [[bag for url in layer if (bag := terms(priors.text(url)))] for layer in self.graph(topic, priors)]
        usage = (priors.background if self.reference else None) or _usage(layers)
        rarity = vocabulary_of(chain.from_iterable(layers[: self.master]), usage, self.vocabulary)
        self._classifier = LayerClassifier(layers, rarity, self.features, self.threshold)

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds, in the lowest queue."""
        return [Ticket(url, 1.0, lane="0") for url in brief.seeds]

    def sense(self, page: Page, topic: Topic) -> Plain:
        """The lane of the page's links, and how likely its layer is."""
        return list(self._classifier(terms(page.text)))

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """All links wait in the queue of their page's layer."""
        lane, likelihood = visit.sense
        score = self._nearness(lane) + likelihood / (self.layers + 2)
        return [Ticket(url, score, lane, visit.url, likelihood) for url in visit.links]

    def choose(self, lanes: Mapping[str, Ticket]) -> str:
        """The lowest layer, the others last."""
        return max(lanes, key=self._nearness)

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """What the layer and its likelihood contribute."""
        if ticket.memo is None:
            return {}
        layer = ticket.lane if ticket.lane == OTHER else f"layer {ticket.lane}"
        return {layer: self._nearness(ticket.lane), "likelihood": ticket.memo / (self.layers + 2)}

    def _nearness(self, lane: str) -> float:
        return 0.0 if lane == OTHER else (self.layers + 1 - int(lane)) / (self.layers + 2)


class LayerClassifier:
    """To which layer does a page belong?"""

    def __init__(
        self, layers: Sequence[Sequence[Bag]], rarity: Mapping[str, float], features: int, threshold: float = 0.0
    ) -> None:
        """`layers` are the pages of each; `rarity` tells ln(N / N(t)) of the terms of the vocabulary."""
        self.rarity = rarity
        self.features = features
        reduced = {str(depth): list(map(self.reduced, layer)) for depth, layer in enumerate(layers) if layer}
        self.model = NaiveBayes.fit(reduced, uniform=True)
        self.thresholds = {
            lane: threshold or min([self.model.posteriors(bag)[lane] for bag in bags if bag], default=0.0)
            for lane, bags in reduced.items()
        }

    def reduced(self, bag: Bag) -> dict[str, float]:
        """How often its terms of highest weight occur in a page."""
        rarity = self.rarity
        weights = {term: count * rarity[term] for term, count in bag.items() if term in rarity}
        return {term: bag[term] for term in nlargest(self.features, weights, key=weights.__getitem__)}

    def __call__(self, bag: Bag) -> tuple[str, float]:
        """The lane of a page and the probability of its likeliest layer; a page without known words is no layer's."""
        reduced = self.reduced(bag)
        if not reduced:
            return OTHER, 0.0
        posteriors = self.model.posteriors(reduced)
        lane = max(posteriors, key=posteriors.__getitem__)
        likelihood = posteriors[lane]
        return (lane if likelihood >= self.thresholds[lane] else OTHER), likelihood


def vocabulary_of(pages: Iterable[Bag], usage: Background, size: int) -> dict[str, float]:
    """The terms with the highest TF-IDF in these pages as one document, the best first, with their ln(N / N(t))."""
    master: Counter[str] = Counter()
    for bag in pages:
        master.update(bag)
    rarity = {term: log(usage.pages / max(1, usage.holding.get(term, 0))) for term in master}
    weights = {term: count * rarity[term] for term, count in master.items() if rarity[term] > 0}
    return {term: rarity[term] for term in nlargest(size, weights, key=weights.__getitem__)}


def _usage(layers: Sequence[Sequence[Bag]]) -> Background:
    """Document frequencies of terms among the pages of the graph."""
    return Background(sum(map(len, layers)), Counter(chain.from_iterable(chain.from_iterable(layers))))


def _refuse_the_unreadable(graph: Sequence[Sequence[str]], priors: Priors) -> None:
    """Refuse a graph without two layers that can be read and told apart."""
    if len(graph) == 1 and all(url in priors.inlinks for url in graph[0]):
        raise Refused(
            "no page is known that links to an example",
            "name other sources with --inlinks",
            code=Code.NEEDS_KNOWLEDGE,
            field="inlinks",
        )
    for layer, who in zip(graph, ("examples", "pages that link to the examples"), strict=False):
        if all(url in priors.readings for url in layer) and not any(map(priors.text, layer)):
            raise Refused(
                f"none of the {who} can be read",
                "give others, or other sources with --inlinks",
                code=Code.NEEDS_KNOWLEDGE,
            )
