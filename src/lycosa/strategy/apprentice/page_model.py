"""The apprentice's page judge: a model that teaches itself from the best pages of the crawl.

It begins with the keywords, and with the pages that are known to be relevant. Whenever it is fitted, the pages with the
best scores are assumed to be relevant and all others irrelevant, and the difference of the two centroids (Rocchio's
rule) is added to the keywords and to the mean of the known pages, each of unit length. This is done twice, so that a
better model chooses better pages. The known pages keep it from drifting: if there are any, fewer others are assumed to
be relevant. Pages are TF-IDF vectors of unit length, with the document frequencies of the crawl itself.

To this is added how important the keywords are in a page, by BM25 (Robertson et al.), which is not diluted in a long
page with many topics, as a cosine is. Both are measured in standard deviations over the crawl. A page's relevance is a
logistic function of the sum, and is one half at the score of the last page that was assumed to be relevant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain
from lycosa.strategy.apprentice.sense import PAGE, TERMS, Counts, Terms

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

SHARE, FEWEST, MOST, MOST_BESIDE_KNOWN = 0.1, 3, 60, 25
"""The share of pages assumed to be relevant, and their smallest and largest number (and at most half)."""
KEYNESS = 0.7
"""The weight of the keywords, in standard deviations, relative to that of the text."""
_SATURATION, _LENGTH = 1.2, 0.75
"""BM25's usual k1 and b."""
ROUNDS = 2
SHARPNESS = 1.0
"""How many standard deviations of score change even odds to e : 1."""
LESSON = 1000
"""Most pages that it is fitted to: half of them the best, the others from all of the crawl."""

_LOG = np.zeros(256)
_LOG[1:] = 1 + np.log(np.arange(1, 256))


class PageJudge:
    """Keeps the terms of the latest pages in rows, and estimates their relevance."""

    def __init__(self, keywords: list[int], memory: int) -> None:
        self.keywords = np.array(sorted(set(keywords)), np.int64)
        self.memory = memory
        self.seen = 0
        """Pages so far; page n is in row n % memory."""
        self.terms = np.zeros((64, PAGE), np.uint16)
        self.counts = np.zeros((64, PAGE), np.uint8)
        self.sure = np.zeros(64, np.int8)
        """1 for a page that is known to be relevant, -1 for one that is known not to be, else 0."""
        self.frequency = np.zeros(TERMS)
        self.idf = np.zeros(TERMS)
        self.weights = np.zeros(TERMS)
        self.keyness = np.zeros(len(self.keywords))
        """What each keyword is worth in a page that is full of it."""
        self.spread, self.length = 1.0, 1.0
        """The standard deviation of the text's scores, and the mean number of terms of a page."""
        self.middle, self.width = 0.0, 1.0

    def __len__(self) -> int:
        return min(self.seen, self.memory)

    def add(self, terms: Terms, counts: Counts, sure: int) -> int:
        """Add a page and return its row."""
        row = self.seen % self.memory
        if row >= len(self.terms):
            for name in ("terms", "counts", "sure"):
                setattr(self, name, grown(getattr(self, name), min(self.memory, max(64, 2 * row))))
        if self.seen >= self.memory:
            self.frequency[self.terms[row]] -= 1
        self.terms[row] = 0
        self.counts[row] = 0
        self.terms[row, : len(terms)] = terms
        self.counts[row, : len(counts)] = counts
        self.sure[row] = sure
        self.frequency[self.terms[row]] += 1
        self.seen += 1
        return row

    def relevance(self, row: int) -> float:
        """How relevant the page in a row is."""
        return float(self._relevance(slice(row, row + 1), self.vectors(slice(row, row + 1)))[0])

    def relevances(self) -> Floats:
        """How relevant all remembered pages are, by row."""
        found = np.zeros(len(self))
        for start in range(0, len(self), LESSON):
            rows = slice(start, min(start + LESSON, len(self)))
            found[rows] = self._relevance(rows, self.vectors(rows))
        return found

    def _relevance(self, rows: Any, vectors: Floats) -> Floats:
        text = np.einsum("ij,ij->i", vectors, self.weights.take(self.terms[rows]))
        return self._verdicts(text / self.spread + self._keyness(rows), self.sure[rows])

    def _keyness(self, rows: Any) -> Floats:
        """How important the keywords are in these pages."""
        terms, counts = self.terms[rows], self.counts[rows]
        room = _SATURATION * (1 - _LENGTH + _LENGTH * counts.sum(1, dtype=np.float64) / self.length)
        found = np.zeros(len(terms))
        for keyword, worth in zip(self.keywords.tolist(), self.keyness.tolist(), strict=True):
            times = np.einsum("ij,ij->i", terms == keyword, counts, dtype=np.float64, casting="unsafe")
            found += worth * times / (times + room)
        return found

    def _verdicts(self, scores: Floats, sure: NDArray[np.int8]) -> Floats:
        found = sigmoid((scores - self.middle) / self.width)
        return np.where(sure > 0, 1.0, np.where(sure < 0, 0.0, found))

    def correct(self, page: int, sure: int) -> bool:
        """Set what is known about a page, as in `sure`; False if the page is no longer remembered."""
        if page < self.seen - len(self):
            return False
        self.sure[page % self.memory] = sure
        return True

    def unsure(self, page: int) -> bool:
        """Whether a page is remembered and its relevance is only estimated."""
        return page >= self.seen - len(self) and not self.sure[page % self.memory]

    def vectors(self, rows: Any) -> Floats:
        """TF-IDF vectors of unit length, term by term as the rows have them."""
        found = _LOG.take(self.counts[rows]) * self.idf.take(self.terms[rows])
        norms = np.sqrt(np.einsum("ij,ij->i", found, found))
        return np.asarray(found / np.where(norms > 0, norms, 1.0)[:, None])

    def fit(self) -> Floats:
        """Learn from the remembered pages, and return their new relevance by row."""
        known = len(self)
        self.idf = np.maximum(np.log((known + 1) / (self.frequency + 0.5)), 0.0)
        self.idf[self.frequency < 2] = 0.0
        self.idf[0] = 0.0
        rows = self._lesson()
        vectors, terms, sure = self.vectors(rows), self.terms[rows], self.sure[rows]
        query = np.zeros(TERMS)
        query[self.keywords] = np.maximum(self.idf[self.keywords], 0.1)
        query /= _length(query)
        sure_ones = (sure > 0).astype(np.float64)
        if sure_ones.any():
            middle = _sum(vectors, terms, sure_ones)
            query += middle / max(_length(middle), 1e-9)
        self.weights = query
        most = MOST_BESIDE_KNOWN if sure_ones.any() else MOST
        count = min(max(FEWEST, min(most, int(SHARE * known))), max(1, known // 2))
        keyness = self._weigh_keywords(rows)
        everything = _sum(vectors, terms, np.ones(len(rows)))
        for _ in range(ROUNDS):
            scores = self._scores(vectors, terms, keyness)
            liked = np.argsort(-scores, kind="stable")[:count]
            trust = np.zeros(len(rows))
            worst = float(scores.min())
            trust[liked] = (scores[liked] - worst) / max(float(scores.max()) - worst, 1e-9)
            trust[sure > 0] = 1.0
            trust[sure < 0] = 0.0
            if not trust.any():
                break
            relevant = sure > 0
            relevant[liked] = sure[liked] >= 0
            others = max(1, len(rows) - int(relevant.sum()))
            step = _sum(vectors, terms, trust) / trust.sum() - (everything - _sum(vectors, terms, relevant)) / others
            length = _length(step)
            self.weights = query + (step / length if length else 0.0)
        scores = self._scores(vectors, terms, keyness)
        self.middle = float(np.sort(scores)[-count])
        self.width = SHARPNESS * float(scores.std()) + 1e-9
        return self._verdicts(scores, sure) if len(rows) == known else self.relevances()

    def _weigh_keywords(self, rows: Ids) -> Floats:
        """Compute what the keywords are worth among these pages; returns how much they matter in each."""
        self.length = max(1.0, float(self.counts[rows].sum(1).mean()))
        holding = self.frequency[self.keywords]
        self.keyness = np.log(1 + (len(self) - holding + 0.5) / (holding + 0.5))
        found = self._keyness(rows)
        scale = KEYNESS / max(float(found.std()), 1e-9)
        self.keyness *= scale
        return found * scale

    def _scores(self, vectors: Floats, terms: Terms, keyness: Floats) -> Floats:
        text = np.einsum("ij,ij->i", vectors, self.weights.take(terms))
        self.spread = max(float(text.std()), 1e-9)
        return np.asarray(text / self.spread + keyness)

    def _lesson(self) -> Ids:
        known = len(self)
        if known <= LESSON:
            return np.arange(known)
        best = np.argsort(-self.relevances(), kind="stable")[: LESSON // 2]
        others = np.linspace(0, known - 1, LESSON // 2).astype(np.int64)
        return np.union1d(best, others)

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "seen": self.seen,
            "terms": self.terms[: len(self)].tobytes(),
            "counts": self.counts[: len(self)].tobytes(),
            "sure": self.sure[: len(self)].tobytes(),
            "idf": self.idf.tobytes(),
            "weights": self.weights.tobytes(),
            "keyness": self.keyness.tobytes(),
            "line": [self.middle, self.width, self.spread, self.length],
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.seen = state["seen"]
        self.terms = np.frombuffer(state["terms"], np.uint16).reshape(-1, PAGE).copy()
        self.counts = np.frombuffer(state["counts"], np.uint8).reshape(-1, PAGE).copy()
        self.sure = np.frombuffer(state["sure"], np.int8).copy()
        self.frequency = np.bincount(self.terms.ravel(), minlength=TERMS).astype(np.float64)
        self.idf = np.frombuffer(state["idf"], np.float64).copy()
        self.weights = np.frombuffer(state["weights"], np.float64).copy()
        self.keyness = np.frombuffer(state["keyness"], np.float64).copy()
        self.middle, self.width, self.spread, self.length = state["line"]


def sigmoid(x: Floats | float) -> Any:
    """The logistic function."""
    return 1 / (1 + np.exp(-np.minimum(np.maximum(x, -30.0), 30.0)))


def grown(array: NDArray[Any], rows: int) -> NDArray[Any]:
    """A copy of an array with this many rows; the new ones are zero."""
    larger = np.zeros((rows, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def _sum(vectors: Floats, terms: Terms, weights: NDArray[Any]) -> Floats:
    """The weighted sum of some vectors, by term."""
    there = np.flatnonzero(weights)
    amounts = vectors[there] * weights[there, None]
    return np.bincount(terms[there].ravel(), amounts.ravel(), minlength=TERMS).astype(np.float64)


def _length(vector: Floats) -> float:
    # Without BLAS, whose threads would wait for each other longer than this takes.
    return float(np.sqrt(np.einsum("i,i->", vector, vector)))
