"""TF-IDF cosine: sim(q, p) of keywords and page, where a word weighs more if fewer pages of a background contain it.

    relevance = Σ_t w(t, q) w(t, p) / (‖q‖ ‖p‖)        w(t, p) = ln(1 + tf(t, p)) · ln((N + 1) / (df(t) + ½))

This is the vector space model of «Crawling the Web» (section 3.1, equation 1, and 4.1, «similarity to a query») with
the weights of the TF-IDF paper (equations 1 and 2; core/tfidf_weights.py explains the 1 and the ½). The background, of
whose N pages df contain a term, is whatever the user names, or the collections of earlier crawls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lycosa.core.judge import Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Background, Priors, Usual, Want
from lycosa.core.query import Query
from lycosa.core.tfidf_weights import TfIdf


@register("tfidf")
@dataclass
class Tfidf(Judge):
    """Judge a page by its similarity to the keywords; rare words count more."""

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """Word frequencies."""
        return (Usual(),)

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Compute the weights of the keywords."""
        super().prepare(topic, priors)
        self._query = Query(topic.keywords, self.analysis)
        weights = TfIdf.of(priors.background or Background(0, {}))
        self._similarity = weights.product(weights.vector(self.analysis.terms(topic.keywords)))

    def __call__(self, page: Page) -> Verdict:
        # Most pages contain no keyword at all, which can be seen without counting their words.
        if not self.bags and not self._query.occurs_in(page.text):
            return Verdict(0.0)
        bag, _ = self.bag(page)
        return Verdict(min(1.0, self._similarity(bag)))
