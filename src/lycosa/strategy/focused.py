"""Focused crawler (Chakrabarti, van den Berg & Dom 1999; described by Pant, Srinivasan & Menczer 2004, section 3.3).

The hunt is for some categories of a taxonomy, which the user has marked as good. Naive Bayes, trained with the
taxonomy's example pages, gives the probability Pr(c | p) that a page belongs to a category. The page's relevance is

    R(p) = Σ Pr(c | p) over the good categories c                                        (equation 6)

Soft focus: the links of a page have the score R(p). Hard focus: a page's links are followed only if its most probable
leaf category is good or lies below a good one. The paper says no more about their order; here they have the score R(p)
as well.

A distiller (see distiller.py) looks for hubs during the crawl. The paper adds the top hubs to the frontier, to be
visited again. Our crawls fetch no page twice, so this strategy does what the original does in addition: it promotes the
unvisited links of the top hubs. Which links, when and how far is our choice: after `every` pages, and then whenever
there are a tenth more (so that the cost per page does not grow with the crawl), the links of the best `hubs` hubs to
other sites get the score

    R(p) + boost * h(p) / h(the best hub)

if they are queued or were never queued. In hard focus, that can reopen links that were pruned, if the hub belongs to
another category.

The posteriors of a page with a few hundred words are nearly 0 or 1 and hardly order pages. Therefore a page counts as
if it had at most `words` words (our choice: 30 was the best of 30, 100, 300 and all on six topics of the schools bed; 0
lets all words count, as in the original). All example pages are read before the crawl, at most `examples` per category.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf

from lycosa.core.bayes import CategoryBayes
from lycosa.core.brief import Brief
from lycosa.core.nouns import Page, Plain, Ticket, Topic, Visit
from lycosa.core.priors import Priors, ReadPages, Want
from lycosa.core.strategy import Strategy, register
from lycosa.core.taxonomy import Taxonomy
from lycosa.strategy.distiller import Distiller
from lycosa.system.errors import Code, Refused

_GROWTH = 10
"""The distiller runs again when the crawl has grown by one page in this many."""


@register("focused")
@dataclass
class Focused(Strategy):
    """Follow the links of pages in good categories of a taxonomy, and first those of topical hubs."""

    taxonomy = True
    focus: str = "soft"
    """soft orders links by the relevance of their page; hard follows only those of pages in good categories."""
    distiller: bool = True
    """Whether to look for hubs."""
    every: int = 50
    """Pages before the first run of the distiller, and at least between two runs."""
    hubs: int = 10
    """Number of hubs whose links are promoted."""
    boost: float = 1.0
    """How much is added to the scores of the best hub's links; other hubs get their share by hub score."""
    rho: float = 0.5
    """An authority must be more relevant than this."""
    apart: str = "site"
    """The distiller ignores links within a site, or only within a host: `site` or `host`."""
    words: int = 30
    """A page counts as if it had at most this many words; 0 = no limit."""
    examples: int = 100
    """Most example pages of a category that are read."""

    def __post_init__(self) -> None:
        for name, choices in (("focus", ("soft", "hard")), ("apart", ("site", "host"))):
            if getattr(self, name) not in choices:
                raise self.bad_option(name, fix=f"choose one of: {', '.join(choices)}")
        for name, least in (("every", 1), ("hubs", 1), ("words", 0), ("examples", 1), ("boost", 0)):
            if not least <= getattr(self, name) < inf:
                raise self.bad_option(name, fix=f"give at least {least}")
        if not 0 <= self.rho < 1:
            raise self.bad_option("rho", fix="give a number from 0 to less than 1")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """The example pages of the taxonomy; refuses if no good category, or no other one, can be read."""
        assert priors.taxonomy
        wanted = [url for category in priors.taxonomy.categories for url in category.examples[: self.examples]]
        if all(url in priors.readings for url in wanted):
            _check_readable(priors.taxonomy, priors)
        return map(ReadPages, wanted)

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Train the classifier."""
        assert priors.taxonomy
        terms = topic.analysis.terms
        self._bayes = CategoryBayes(priors.taxonomy, lambda url: terms(priors.text(url)), self.words or inf)

    def begin(self, brief: Brief) -> Iterable[Ticket]:
        """The seeds."""
        self._graph = Distiller(self.rho, self.apart)
        self._pages = 0
        self._due = self.every
        return super().begin(brief)

    def sense(self, page: Page, topic: Topic) -> Plain:
        """R(p), and the most probable leaf category."""
        posteriors = self._bayes.posteriors(topic.analysis.terms(page.text))
        return [self._bayes.relevance(posteriors), self._bayes.leaf(posteriors)]

    def learn(self, visit: Visit) -> Iterable[Ticket]:
        """Tickets for the page's links, and at intervals for those of the top hubs."""
        relevance, leaf = visit.sense
        if self.focus == "soft" or self._bayes.is_good(leaf):
            yield from [Ticket(url, relevance, via=visit.url, memo=[relevance, 0.0]) for url in visit.links]
        if self.distiller:
            self._graph.add(visit.url, relevance, visit.links)
            self._pages += 1
            if self._pages >= self._due:
                self._due = self._pages + max(self.every, self._pages // _GROWTH)
                yield from self._promoted()

    def explain(self, ticket: Ticket) -> Mapping[str, float]:
        """The page's relevance, and what was added for a hub."""
        if not ticket.memo:
            return {}
        relevance, hub = ticket.memo
        return {"relevance of the linking page, R(p)": relevance} | ({"linked by a top hub": hub} if hub else {})

    def save(self) -> Plain:
        """The link graph, and when the distiller runs next."""
        return [self._pages, self._due, self._graph.save()]

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._pages, self._due, graph = state
        self._graph.load(graph)

    def _promoted(self) -> Iterator[Ticket]:
        best = 0.0
        for hub in self._graph.top(self.hubs):
            best = best or hub.score
            worth = self.boost * hub.score / best
            for url in hub.unvisited:
                yield Ticket(url, hub.relevance + worth, via=hub.url, memo=[hub.relevance, worth])


def _check_readable(taxonomy: Taxonomy, priors: Priors) -> None:
    good = [category.path for category in taxonomy.categories if taxonomy.is_good(category.path)]
    read = {category.path for category in taxonomy.categories if any(map(priors.text, category.examples))}
    for kind, found in (("good", read.intersection(good)), ("other", read.difference(good))):
        if not found:
            raise Refused(
                f"no example page of the {kind} categories could be read",
                "name examples that can be read; a check of the taxonomy shows which cannot",
                code=Code.NEEDS_KNOWLEDGE,
                field="taxonomy",
            )
