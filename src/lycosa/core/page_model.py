"""The page model of a crawl: how likely each page is on topic, learned from the best pages of the crawl itself.

It begins with the keywords, and with the pages that are known to be relevant. Whenever it is fitted, the pages with the
best scores are assumed to be relevant and all others irrelevant, and the difference of the two centroids (Rocchio's
rule) is added to the keywords and to the mean of the known pages, each of unit length. This is done twice, so that a
better model chooses better pages. The known pages keep it from drifting: if there are any, fewer others are assumed to
be relevant. Pages are TF-IDF vectors of unit length, with the document frequencies of the crawl itself.

To this is added how important the keywords are in a page, by BM25 (Robertson et al.), which is not diluted in a long
page with many topics, as a cosine is. Both are measured in standard deviations over the crawl. A page's relevance is a
logistic function of the sum, and is one half at the score of the last page that was assumed to be relevant.

The model learns in lessons: a new one follows whenever there are a fortieth (later a sixth) more pages than at the last
one. Between lessons new pages are judged by what was learned so far. The same pages in the same order always give the
same model (`core` knows neither clocks nor chance).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.calibration import Calibration, Evidence
from lycosa.core.nouns import Plain
from lycosa.core.page_kinds import KINDS, PageKinds, kinds_of, packed
from lycosa.core.page_terms import PAGE, TERMS, Counts, Terms

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]

MEMORY = 50_000
"""Pages that are remembered: the latest."""
FEW, FEW_WITHOUT = 5, 20
"""Pages that are needed before an estimate means anything: if a page is known to be relevant, and if none is."""
OFTEN, SELDOM = 40, 6
"""A lesson follows when the crawl has grown by one page in this many: often at first, less often in a large crawl."""
SOURCE = -2
"""A list, or a page out of the scope: not wanted, so not relevant; but it may lead to what is, so its text counts."""
SHARE, FEWEST, MOST, MOST_BESIDE_KNOWN = 0.3, 3, 120, 50
"""The share of pages assumed to be relevant, and their smallest and largest number (and at most half)."""
KEYNESS = 0.7
"""The weight of the keywords, in standard deviations, relative to that of the text."""
_SATURATION, _LENGTH = 1.2, 0.75
"""BM25's usual k1 and b."""
ROUNDS = 2
KIND = 3.0
"""The weight of a page's kind, relative to a standard deviation of the text."""
SHARPNESS = 1.0
"""How many standard deviations of score change even odds to e : 1."""
LESSON = 1000
"""Most pages that it is fitted to: half of them the best, the others from all of the crawl."""

_LOG = np.zeros(256)
_LOG[1:] = 1 + np.log(np.arange(1, 256))


class PageModel:
    """Keeps the terms of the latest pages in rows, and estimates their relevance.

    Pages are numbered from 0 in the order in which they were added; page n is in row n % memory.
    """

    def __init__(self, keywords: Iterable[int], memory: int = MEMORY, sites: bool = False) -> None:
        self.keywords = np.array(sorted(set(keywords)), np.int64)
        self.memory = memory
        self.seen = 0
        """Pages so far."""
        self.lessons = 0
        """Lessons so far: who follows the model looks whether there was another one."""
        self.interval = 1
        """How many pages there are between the last lesson and the next one."""
        self._due = 1
        self.urls: list[str] = []
        self._numbers: dict[str, int] = {}
        self.terms = np.zeros((64, PAGE), np.uint16)
        self.counts = np.zeros((64, PAGE), np.uint8)
        self.kinds = np.zeros((64, KINDS), np.uint16)
        self.page_kinds = PageKinds(sites)
        self.calibration = Calibration(sites)
        self.sure = np.zeros(64, np.int8)
        """1 for a page that is known to be relevant, -1 for one that is known not to be, else 0; or SOURCE."""
        self.current = np.zeros(64)
        """How relevant each page is by the latest lesson, by row."""
        self.contrast = np.zeros(64)
        """How good each page is compared with the others, one half at the last page assumed to be relevant.

        It ranks pages as `current` does. A strategy learns from it, because it tells good from bad even where hardly
        anything is relevant, or nearly everything.
        """
        self.topical = np.zeros(64)
        """The same by the text alone, whatever the kind: what leads to relevant pages need not be one."""
        self.liked = 0
        """How many remembered pages are known to be relevant."""
        self.arrived = 0.0
        """How good the latest page seemed when it was added, before the lesson that may have followed."""
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

    def add(self, url: str, terms: Terms, counts: Counts, known: int) -> int:
        """Add a page and return its number; `known` is as in `sure`."""
        page, row = self.seen, self.seen % self.memory
        if row >= len(self.terms):
            for name in ("terms", "counts", "kinds", "sure", "current", "contrast", "topical"):
                setattr(self, name, grown(getattr(self, name), min(self.memory, max(64, 2 * row))))
        if page >= self.memory:
            self.frequency[self.terms[row]] -= 1
            self.liked -= int(self.sure[row] > 0)
            if self._numbers.get(self.urls[row]) == page - self.memory:
                del self._numbers[self.urls[row]]
            self.urls[row] = url
        else:
            self.urls.append(url)
        self._numbers[url] = page
        self.terms[row] = 0
        self.counts[row] = 0
        self.terms[row, : len(terms)] = terms
        self.counts[row, : len(counts)] = counts
        kinds = kinds_of(url)
        self.kinds[row] = 0
        self.kinds[row, : len(kinds)] = kinds
        self.sure[row] = known
        self.liked += known > 0
        self.frequency[self.terms[row]] += 1
        self.seen += 1
        self._judge_rows(slice(row, row + 1))
        self.arrived = float(self.contrast[row])
        return page

    def study(self) -> bool:
        """A lesson, if there are enough new pages; returns whether there was one."""
        if self.seen < self._due:
            return False
        self.fit()
        return True

    def number(self, url: str) -> int | None:
        """The number of the latest page with this URL; None if none is remembered."""
        return self._numbers.get(url)

    def relevance(self, page: int) -> float:
        """How relevant a remembered page is."""
        return float(self.current[page % self.memory])

    def relevances(self) -> Floats:
        """How relevant all remembered pages are, by row."""
        return self.current[: len(self)]

    @property
    def ready(self) -> bool:
        """Whether there are enough pages for estimates; what is known is known before."""
        return self.seen >= (FEW if self.liked else FEW_WITHOUT)

    def in_order(self) -> Ids:
        """The rows of all remembered pages, in the order in which they were added."""
        return np.arange(self.seen - len(self), self.seen) % self.memory

    def _judge_rows(self, rows: slice) -> None:
        """Judge some pages by what was learned."""
        text = np.einsum("ij,ij->i", self.vectors(rows), self.weights.take(self.terms[rows]))
        keyness, share, density = self._keywords_in(rows)
        self._judge_scores(rows, text / self.spread + keyness, self._kind(rows), share, density)

    def _judge_scores(self, rows: slice, topical: Floats, kind: Floats, share: Floats, density: Floats) -> None:
        sure = self.sure[rows]
        seen = self._evidence(topical, kind, share, density)
        self.topical[rows] = np.where(sure > 0, 1.0, self._odds(topical))
        self.contrast[rows] = np.where(sure > 0, 1.0, np.where(sure == -1, 0.0, self._odds(topical + kind)))
        self.current[rows] = np.where(sure > 0, 1.0, np.where(sure < 0, 0.0, self.calibration.chances(seen)))

    def _evidence(self, topical: Floats, kind: Floats, share: Floats, density: Floats) -> Evidence:
        scores = topical + kind
        return Evidence(scores, (scores - self.middle) / self.width, share, density, kind)

    def _odds(self, scores: Floats) -> Floats:
        return np.asarray(sigmoid((scores - self.middle) / self.width))

    def _kind(self, rows: Any) -> Floats:
        return np.asarray(KIND * self.page_kinds.scores(self.kinds[rows]))

    def _judge_all(self) -> None:
        for start in range(0, len(self), LESSON):
            self._judge_rows(slice(start, min(start + LESSON, len(self))))

    def _keywords_in(self, rows: Any) -> tuple[Floats, Floats, Floats]:
        """How important the keywords are in these pages, which share of them is there, and how dense they are."""
        terms, counts = self.terms[rows], self.counts[rows]
        size = counts.sum(1, dtype=np.float64)
        room = _SATURATION * (1 - _LENGTH + _LENGTH * size / self.length)
        keyness, share, density = np.zeros((3, len(terms)))
        for keyword, worth in zip(self.keywords.tolist(), self.keyness.tolist(), strict=True):
            times = np.einsum("ij,ij->i", terms == keyword, counts, dtype=np.float64, casting="unsafe")
            keyness += worth * times / (times + room)
            share += times > 0
            density += times
        return keyness, share / max(1, len(self.keywords)), density / np.maximum(size, 1.0)

    def correct(self, page: int, known: int) -> bool:
        """Set what is known about a page, as in `sure`; False if the page is no longer remembered.

        A lesson follows.
        """
        if page < self.seen - len(self):
            return False
        row = page % self.memory
        self.liked += int(known > 0) - int(self.sure[row] > 0)
        self.sure[row] = known
        self.fit()
        return True

    def unsure(self, page: int) -> bool:
        """Whether a page is remembered and its relevance is only estimated."""
        return page >= self.seen - len(self) and not self.sure[page % self.memory]

    def vectors(self, rows: Any) -> Floats:
        """TF-IDF vectors of unit length, term by term as the rows have them."""
        found = _LOG.take(self.counts[rows]) * self.idf.take(self.terms[rows])
        norms = np.sqrt(np.einsum("ij,ij->i", found, found))
        return np.asarray(found / np.where(norms > 0, norms, 1.0)[:, None])

    def fit(self) -> None:
        """A lesson: learn from the remembered pages, and judge all of them again."""
        self.lessons += 1
        self.interval = max(2, self.seen // OFTEN, self.seen // SELDOM - 150)
        self._due = self.seen + self.interval
        self._learn()

    def _learn(self) -> None:
        """Learn from the remembered pages, and judge them."""
        known = len(self)
        self.idf = np.maximum(np.log((known + 1) / (self.frequency + 0.5)), 0.0)
        self.idf[self.frequency < 2] = 0.0
        self.idf[0] = 0.0
        rows = self._lesson()
        vectors, terms, sure = self.vectors(rows), self.terms[rows], self.sure[rows]
        query = np.zeros(TERMS)
        query[self.keywords] = np.maximum(self.idf[self.keywords], 0.1)
        query /= max(_length(query), 1e-9)
        sure_ones = (sure > 0).astype(np.float64)
        if sure_ones.any():
            middle = _sum(vectors, terms, sure_ones)
            query += middle / max(_length(middle), 1e-9)
        self.weights = query
        most = MOST_BESIDE_KNOWN if sure_ones.any() else MOST
        count = min(max(FEWEST, min(most, int(SHARE * known))), max(1, known // 2))
        self.page_kinds.fit(self.kinds[:known], self.sure[:known])
        kind = self._kind(rows)
        keyness, share, density = self._weigh_keywords(rows)
        everything = _sum(vectors, terms, np.ones(len(rows)))
        for _ in range(ROUNDS):
            scores = self._scores(vectors, terms, keyness) + kind
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
        topical = self._scores(vectors, terms, keyness)
        scores = topical + kind
        self.middle = float(np.sort(scores)[-count])
        self.width = SHARPNESS * float(scores.std()) + 1e-9
        # A known page is part of the mean of the known pages, and of that of the pages assumed to be relevant.
        taught = 2 / max(_length(middle), 1.0) / self.spread if sure_ones.any() else 0.0
        self.calibration.learn(self._evidence(topical, kind, share, density), sure > 0, taught)
        if len(rows) == known:
            self._judge_scores(slice(0, known), topical, kind, share, density)
        else:
            self._judge_all()

    def _weigh_keywords(self, rows: Ids) -> tuple[Floats, Floats, Floats]:
        """Compute what the keywords are worth among these pages; returns what `_keywords_in` says of each."""
        self.length = max(1.0, float(self.counts[rows].sum(1).mean()))
        holding = self.frequency[self.keywords]
        self.keyness = np.log(1 + (len(self) - holding + 0.5) / (holding + 0.5))
        found, share, density = self._keywords_in(rows)
        scale = KEYNESS / max(float(found.std()), 1e-9)
        self.keyness *= scale
        return found * scale, share, density

    def _scores(self, vectors: Floats, terms: Terms, keyness: Floats) -> Floats:
        text = np.einsum("ij,ij->i", vectors, self.weights.take(terms))
        self.spread = max(float(text.std()), 1e-9)
        return np.asarray(text / self.spread + keyness)

    def _lesson(self) -> Ids:
        known = len(self)
        if known <= LESSON:
            return np.arange(known)
        self._judge_all()
        best = np.argsort(-self.contrast[:known], kind="stable")[: LESSON // 2]
        others = np.linspace(0, known - 1, LESSON // 2).astype(np.int64)
        return np.union1d(best, others)

    def save(self) -> Plain:
        """Everything as plain data."""
        return {
            "seen": self.seen,
            "lessons": [self.lessons, self.interval, self._due],
            "urls": self.urls,
            "terms": self.terms[: len(self)].tobytes(),
            "counts": self.counts[: len(self)].tobytes(),
            "kinds": self.page_kinds.save(),
            "calibration": self.calibration.save(),
            "sure": self.sure[: len(self)].tobytes(),
            "current": self.current[: len(self)].tobytes(),
            "contrast": self.contrast[: len(self)].tobytes(),
            "topical": self.topical[: len(self)].tobytes(),
            "idf": self.idf.tobytes(),
            "weights": self.weights.tobytes(),
            "keyness": self.keyness.tobytes(),
            "line": [self.middle, self.width, self.spread, self.length],
        }

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.seen, self.urls = state["seen"], state["urls"]
        self.lessons, self.interval, self._due = state["lessons"]
        first = self.seen - len(self)
        self._numbers = {self.urls[page % self.memory]: page for page in range(first, self.seen)}
        self.terms = np.frombuffer(state["terms"], np.uint16).reshape(-1, PAGE).copy()
        self.counts = np.frombuffer(state["counts"], np.uint8).reshape(-1, PAGE).copy()
        self.kinds = packed(self.urls)
        self.page_kinds.load(state["kinds"])
        self.calibration.load(state["calibration"])
        self.sure = np.frombuffer(state["sure"], np.int8).copy()
        self.liked = int((self.sure > 0).sum())
        self.current = np.frombuffer(state["current"], np.float64).copy()
        self.contrast = np.frombuffer(state["contrast"], np.float64).copy()
        self.topical = np.frombuffer(state["topical"], np.float64).copy()
        self.frequency = np.bincount(self.terms.ravel(), minlength=TERMS).astype(np.float64)
        self.idf = np.frombuffer(state["idf"], np.float64).copy()
        self.weights = np.frombuffer(state["weights"], np.float64).copy()
        self.keyness = np.frombuffer(state["keyness"], np.float64).copy()
        self.middle, self.width, self.spread, self.length = state["line"]


def sigmoid(x: Floats | float) -> Any:
    """The logistic function."""
    return 1 / (1 + np.exp(-np.minimum(np.maximum(x, -30.0), 30.0)))


def log_odds(share: Floats | float) -> Floats:
    """The logarithm of the odds of a probability, which is kept away from 0 and 1."""
    kept = np.minimum(np.maximum(share, 1e-3), 1 - 1e-3)
    return np.asarray(np.log(kept / (1 - kept)))


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
