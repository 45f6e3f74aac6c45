"""The focused crawler's relevance («Crawling the Web» 3.3, equation 6; Chakrabarti et al. 1999).

    R(p) = Σ_{c good} Pr(c | p)

by naive Bayes down a taxonomy whose categories have example pages: Pr(c | p) = Pr(parent | p) Pr(c | parent, p), and 1
for the root (core/bayes.py). A good category below another good one is not counted again. `words` tempers the
posteriors, as for the judge naive-bayes. The labels of a verdict are the most probable categories.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from lycosa.core.bayes import CategoryBayes
from lycosa.core.judge import Judge, register
from lycosa.core.nouns import Page, Topic, Verdict
from lycosa.core.priors import Priors, ReadPages, Want
from lycosa.system.errors import Code, Refused

_LABELS = 5
_LEAST = 0.01
"""Categories that are less probable are left out of the labels."""


@register("taxonomy")
@dataclass
class TaxonomyJudge(Judge):
    """Judge a page by the probability that it belongs to the good categories of a taxonomy."""

    taxonomy = True
    words: int = 0
    """A page counts as if it had at most this many words; 0 = no limit."""

    def __post_init__(self) -> None:
        if self.words < 0:
            raise self.bad_option("words", fix="give 0 or more")

    def study(self, topic: Topic, priors: Priors) -> Iterable[Want]:
        """Every example of every category."""
        assert priors.taxonomy
        examples = [url for category in priors.taxonomy.categories for url in category.examples]
        if all(url in priors.readings for url in examples):
            self._model_of(topic, priors)
        return map(ReadPages, examples)

    def prepare(self, topic: Topic, priors: Priors) -> None:
        """Count their words."""
        super().prepare(topic, priors)
        self._model = self._model_of(topic, priors)

    def _model_of(self, topic: Topic, priors: Priors) -> CategoryBayes:
        """The classifier; raises Refused if it could not distinguish anything."""
        assert priors.taxonomy
        terms = topic.analysis.terms
        model = CategoryBayes(priors.taxonomy, lambda url: terms(priors.text(url)), self.words or inf)
        if not model.good:
            raise Refused(
                "no category of the taxonomy is marked as good",
                "mark the categories to hunt for as good",
                code=Code.MISSING,
                field="good",
            )
        for path in model.good:
            if not model.trained[path]:
                raise Refused(
                    f"no example of the good category {path} could be read",
                    "give it other examples",
                    code=Code.NEEDS_KNOWLEDGE,
                    field="taxonomy",
                )
        trained = {path: count for path, count in model.trained.items() if count}
        if all(model.is_good(path) for path in trained if not any(other.startswith(f"{path}/") for other in trained)):
            raise Refused(
                "only good categories of the taxonomy have examples that could be read",
                "add other categories with examples, to show what is not hunted",
                code=Code.NEEDS_KNOWLEDGE,
                field="taxonomy",
            )
        return model

    def __call__(self, page: Page) -> Verdict:
        bag, _ = self.bag(page)
        if not bag:
            return Verdict(0.0)
        found = self._model.posteriors(bag)
        probable = sorted((path for path in found if found[path] >= _LEAST), key=lambda path: (-found[path], path))
        return Verdict(self._model.relevance(found), {path: found[path] for path in probable[:_LABELS]})
