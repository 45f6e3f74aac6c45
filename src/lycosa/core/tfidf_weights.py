"""TF-IDF: terms that occur in few pages weigh more.

    w(t, p) = ln(1 + tf(t, p)) · ln((N + 1) / (df(t) + ½))

of term t in page p, where df of the N pages of a background contain the term. It is the weight of the TF-IDF paper (its
equation 2), except for the 1 and the ½: they give a weight to terms that no page or every page of the background has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from math import log, sqrt

import numpy as np

from lycosa.core.bayes import Bag
from lycosa.core.priors import Background


class TfIdf:
    """Turns bags of terms into vectors of length 1."""

    def __init__(self, pages: int, holding: Mapping[str, int]) -> None:
        of_df = {df: log((pages + 1) / (df + 0.5)) for df in {*holding.values()}}
        self._idf = {term: of_df[df] for term, df in holding.items()}
        self._unseen = log((pages + 1) / 0.5)

    @classmethod
    def of(cls, background: Background) -> TfIdf:
        """With the document frequencies of a background."""
        return cls(background.pages, background.holding)

    @classmethod
    def among(cls, bags: Iterable[Bag]) -> TfIdf:
        """With the document frequencies of these pages themselves."""
        pages, holding = 0, dict[str, int]()
        for bag in bags:
            pages += 1
            for term in bag:
                holding[term] = holding.get(term, 0) + 1
        return cls(pages, holding)

    def idf(self, term: str) -> float:
        """The inverse document frequency of a term."""
        return self._idf.get(term, self._unseen)

    def vector(self, bag: Bag) -> dict[str, float]:
        """A page's vector, of length 1; empty if the page is."""
        weights = {term: log(1 + count) * self.idf(term) for term, count in bag.items()}
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()} if length else {}

    def product(self, vector: Mapping[str, float]) -> Callable[[Bag], float]:
        """A function that multiplies this vector with a page's vector, faster than making the latter first."""
        idf = {term: self.idf(term) for term in vector} | self._idf
        row_of = {term: row for row, term in enumerate(idf)}.get
        # The last row is for all other terms.
        rarity = np.array([*idf.values(), self._unseen])
        values = np.array([*(vector.get(term, 0.0) for term in idf), 0.0])

        def multiplied(bag: Bag) -> float:
            rows = np.fromiter(map(row_of, bag, repeat(-1)), np.intp, len(bag))
            weights = np.log1p(np.fromiter(bag.values(), np.float64, len(bag))) * rarity[rows]
            product = float(weights @ values[rows])
            return product / sqrt(float(weights @ weights)) if product else 0.0

        return multiplied
