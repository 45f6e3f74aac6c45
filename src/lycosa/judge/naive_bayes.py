"""Naive Bayes («Crawling the Web» 4.1, classifier score): the probability that a page is like the examples.

    Pr(relevant | p) = prior Π_t Pr(t | relevant)^n / (prior Π_t Pr(t | relevant)^n + (1 - prior) Π_t Pr(t | other)^n)

with Pr(t | c) by Laplace's rule (core/bayes.py), from the examples and from other pages: those in other categories of
the taxonomy or, without one, pages of the background. The latter is our choice; the papers do not say.

The posteriors are extreme, nearly all 0 or 1, because every word counts as independent evidence. So they hardly order
pages, and Pant and Srinivasan found naive Bayes weak for that reason (according to the TF-IDF paper, section II).
`words` tempers them: with `words=10` a page counts as if it had ten words, in the same proportions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from lycosa.core.bayes import NaiveBayes
from lycosa.core.judge import Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors, Want
from lycosa.core.training import training, wanted

_RELEVANT, _OTHER = "relevant", "other"


@register("naive-bayes")
@dataclass
class NaiveBayesJudge(Judge):
    """Judge a page by the probability that its words come from the example pages and not from others."""

    words: int = 0
    """A page counts as if it had at most this many words; 0 = no limit."""
    prior: float = 0.5
    """The probability that a page is relevant, before its words are seen."""
    smoothing: float = 1.0
    """What is added to the count of every term."""

    def __post_init__(self) -> None:
        if self.words < 0:
            raise self.bad_option("words", fix="give 0 or more")
        if not 0 < self.prior < 1:
            raise self.bad_option("prior", fix="give a number between 0 and 1")
        if not 0 < self.smoothing < inf:
            raise self.bad_option("smoothing", fix="give a number above 0")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """The training pages."""
        return wanted(self.name, topic, priors)

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Count their words."""
        super().prepare(topic, priors)
        relevant, others = training(self.name, topic, priors)
        counted = NaiveBayes.fit({_RELEVANT: relevant, _OTHER: others}).counts
        self._model = NaiveBayes(counted, {_RELEVANT: self.prior, _OTHER: 1 - self.prior}, self.smoothing)

    def __call__(self, page: Page) -> Verdict:
        bag, _ = self.bag(page)
        if not bag:
            return Verdict(0.0)
        return Verdict(min(1.0, self._model.posteriors(bag, self.words or inf)[_RELEVANT]))
