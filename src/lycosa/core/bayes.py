"""Naive Bayes over terms (multinomial), flat or down a tree of categories.

    Pr(c | p) ∝ Pr(c) Π_t Pr(t | c)^n(t, p)        Pr(t | c) = (s + n(t, c)) / (s |V| + Σ_u n(u, c))

n(t, p) is how often term t occurs in page p, n(t, c) in all training pages of class c, V are the terms of all of them
and s = 1 is Laplace smoothing; terms outside V are ignored. The model assumes that words are independent, which is not
true, so the posteriors of a page of some hundred words are nearly always 0 or 1. `words` tempers them: a longer page
counts as if it had only that many words, in the same proportions.

Down a tree (Chakrabarti et al. 1999, as described by Pant et al. 2004, section 3.3) every inner category has such a
model of its children, each trained with all pages at or below it, and probabilities multiply along the path:
Pr(root | p) = 1 and Pr(c | p) = Pr(parent | p) Pr(c | parent, p). The original also selects terms for each category;
here all count.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import repeat
from math import inf

import numpy as np

from lycosa.core.nouns import Plain
from lycosa.core.taxonomy import Taxonomy, is_within, parent_of

Bag = Mapping[str, float]
"""How often each term occurs."""
NEGLIGIBLE = 1e-6
"""Categories with a smaller posterior than this are not descended into."""


class NaiveBayes:
    """A classifier made of counts: how often each term occurs in the training pages of each class."""

    def __init__(
        self, counts: Mapping[str, Bag], priors: Mapping[str, float] | None = None, smoothing: float = 1.0
    ) -> None:
        """`priors` need not sum to 1; without them all classes are equally likely. A class with prior 0 is left out."""
        self.counts = counts
        self.priors = dict(priors) if priors is not None else dict.fromkeys(counts, 1.0)
        self.smoothing = smoothing
        self.labels = tuple(label for label in counts if self.priors[label] > 0)
        weights = np.array([self.priors[label] for label in self.labels])
        self._log_priors = np.log(weights / weights.sum())
        self._rows: dict[str, int] = {}
        for label in self.labels:
            for term in counts[label]:
                self._rows.setdefault(term, len(self._rows))
        seen = np.zeros((len(self._rows), len(self.labels)))
        for column, label in enumerate(self.labels):
            seen[[self._rows[term] for term in counts[label]], column] = list(counts[label].values())
        seen += smoothing
        # ln Pr(t | c) of each term and class, and a column of ones for known terms; the last row is for unknown terms.
        self._says = np.zeros((len(self._rows) + 1, len(self.labels) + 1))
        self._says[:-1, :-1] = np.log(seen) - np.log(seen.sum(0))
        self._says[:-1, -1] = 1.0

    @classmethod
    def fit(
        cls,
        pages: Mapping[str, Iterable[Bag]],
        *,
        vocabulary: Container[str] | None = None,
        uniform: bool = False,
        smoothing: float = 1.0,
    ) -> NaiveBayes:
        """Train on the pages of each class: priors are the shares of pages, or all equal if `uniform`.

        If a `vocabulary` is given, only its terms count.
        """
        counts: dict[str, Bag] = {}
        priors: dict[str, float] = {}
        for label, bags in pages.items():
            total: dict[str, float] = {}
            number = 0
            for bag in bags:
                number += 1
                for term, count in bag.items():
                    if vocabulary is None or term in vocabulary:
                        total[term] = total.get(term, 0) + count
            counts[label], priors[label] = total, 1.0 if uniform else float(number)
        return cls(counts, priors, smoothing)

    def log_posteriors(self, bag: Bag, words: float = inf) -> dict[str, float]:
        """ln Pr(c | p) of every class."""
        return dict(zip(self.labels, self._log_posteriors(bag, words).tolist(), strict=True))

    def posteriors(self, bag: Bag, words: float = inf) -> dict[str, float]:
        """Pr(c | p) of every class; they sum to 1."""
        found = np.exp(self._log_posteriors(bag, words))
        return dict(zip(self.labels, (found / found.sum()).tolist(), strict=True))

    def _log_posteriors(self, bag: Bag, words: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        rows = np.fromiter(map(self._rows.get, bag, repeat(-1)), np.intp, len(bag))
        counts = np.fromiter(bag.values(), np.float64, len(bag))
        *likelihoods, known = counts @ self._says[rows]
        scores = self._log_priors + np.array(likelihoods) * (words / known if known > words else 1.0)
        scores -= scores.max()
        normal: np.ndarray[tuple[int], np.dtype[np.float64]] = scores - np.log(np.exp(scores).sum())
        return normal

    def save(self) -> Plain:
        """Everything that the classifier was made from, as plain data."""
        counts = {label: dict(bag) for label, bag in self.counts.items()}
        return {"counts": counts, "priors": self.priors, "smoothing": self.smoothing}

    @classmethod
    def load(cls, state: Plain) -> NaiveBayes:
        """The classifier that was saved."""
        return cls(state["counts"], state["priors"], state["smoothing"])


class CategoryBayes:
    """Naive Bayes down a taxonomy: to which categories does a page belong?"""

    def __init__(self, taxonomy: Taxonomy, bag_of: Callable[[str], Bag], words: float = inf) -> None:
        """`bag_of` returns the terms of the example page at a URL; empty if the page could not be read."""
        self.words = words
        self.good = _topmost(category.path for category in taxonomy.categories if category.good)
        """The good categories, without those below another good one, which are part of it."""
        pages: dict[str, list[Bag]] = {category.path: [] for category in taxonomy.categories}
        for category in taxonomy.categories:
            bags = [bag for url in category.examples if (bag := bag_of(url))]
            path = category.path
            while path:
                pages[path] += bags
                path = parent_of(path)
        self.trained = {path: len(bags) for path, bags in pages.items()}
        """How many pages each category was trained with: its own and those of the categories below it."""
        families: dict[str, dict[str, list[Bag]]] = {}
        for path, bags in pages.items():
            if bags:
                families.setdefault(parent_of(path), {})[path] = bags
        self._models = {parent: NaiveBayes.fit(children) for parent, children in families.items()}

    def posteriors(self, bag: Bag) -> dict[str, float]:
        """Pr(c | p) of the categories by their paths; NEGLIGIBLE ones and those below them are left out."""
        found: dict[str, float] = {}
        todo = [("", 1.0)]
        while todo:
            parent, share = todo.pop()
            model = self._models.get(parent)
            if model is None:
                continue
            several = len(model.labels) > 1
            below = model.posteriors(bag, self.words) if several else dict.fromkeys(model.labels, 1.0)
            for path, part in below.items():
                if share * part >= NEGLIGIBLE:
                    found[path] = share * part
                    todo.append((path, share * part))
        return found

    def relevance(self, posteriors: Mapping[str, float]) -> float:
        """R(p) = Σ Pr(c | p) over the good categories (Pant et al. 2004, eq. 6)."""
        return min(1.0, sum(posteriors.get(path, 0.0) for path in self.good))

    def leaf(self, posteriors: Mapping[str, float]) -> str:
        """The most probable category that has none below it, c* of the hard focus; among equals the first path."""
        leaves = sorted(path for path in posteriors if path not in self._models)
        return max(leaves, key=posteriors.__getitem__, default="")

    def is_good(self, path: str) -> bool:
        """Whether a category is good or lies below one that is."""
        return any(is_within(path, good) for good in self.good)


def _topmost(paths: Iterable[str]) -> tuple[str, ...]:
    found: list[str] = []
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not any(is_within(path, above) for above in found):
            found.append(path)
    return tuple(found)
