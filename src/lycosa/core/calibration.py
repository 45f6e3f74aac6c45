"""From a page model's scores to probabilities: how likely a page with such evidence was on topic in known crawls.

    P(on topic) = 1 / (1 + exp(-w · x))

x is what is seen of a page and of the crawl it comes from: the page's contrast to the others, in log-odds; which share
of the keywords it has, and how dense they are in it, both also as means over the crawl; the number of pages; its kind;
whether the topic asks for sites; how many of the crawl's pages are in the upper one of the two groups into which their
scores split best; and, if pages are known to be relevant, how far its score is from theirs, and how many pages score as
high as they do. A known page is compared as if the model had not been taught by it.

The weights w were fitted by bench/calibration.py to crawls of all test beds together, from examples, from neighbours,
and from one example with half of the keywords, with 50 to 1,000 pages. docs/reference/apprentice.md says how well they
hold on beds left out of the fit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lycosa.core.nouns import Plain

Floats = NDArray[np.float64]

WEIGHTS = {
    "always": 3.65,
    "contrast": 0.76,
    "share of the keywords": -0.33,
    "their share in the crawl": 1.11,
    "density of the keywords": 0.79,
    "their density in the crawl": 0.29,
    "number of pages": 0.08,
    "kind": 1.23,
    "sites are wanted": -0.16,
    "kind where sites are wanted": 1.25,
    "some pages are known": 0.34,
    "distance from the known": 0.10,
    "pages like the known": -0.09,
    "share above the split": 0.31,
}
_BY_CRAWL = (
    "their share in the crawl",
    "their density in the crawl",
    "number of pages",
    "sites are wanted",
    "some pages are known",
    "pages like the known",
    "share above the split",
)
_SPARSE = 0.003
"""Added to the density of keywords before its logarithm is taken: one keyword in some 300 words."""
_STEEP = 6.0
"""Contrasts, in log-odds, count up to here."""
_RARE = 0.02
"""Added to shares before their log-odds are taken."""
_QUANTILES = (0.25, 0.5)


class Evidence:
    """What is seen of some pages, in arrays of the same length."""

    def __init__(self, scores: Floats, contrast: Floats, share: Floats, density: Floats, kind: Floats) -> None:
        self.scores = scores
        self.contrast = np.clip(contrast, -_STEEP, _STEEP)
        self.share = share
        self.density = np.log(density + _SPARSE)
        self.kind = kind


class Calibration:
    """What a crawl as a whole says about its pages, and the probabilities that follow."""

    def __init__(self, sites: bool = False) -> None:
        self.sites = sites
        self._crawl = dict.fromkeys(_BY_CRAWL, 0.0)
        self._middle, self._spread = 0.0, 1.0
        """The scores of the pages that are known to be relevant: mean and standard deviation."""

    def learn(self, seen: Evidence, known: NDArray[np.bool_], taught: float) -> None:
        """Look at the pages of a crawl; `taught` is how much a known page's score owes to having been taught."""
        others = ~known
        if not others.any():
            return
        self._crawl = {
            "their share in the crawl": float(seen.share[others].mean()),
            "their density in the crawl": float(seen.density[others].mean()),
            "number of pages": float(np.log(len(known))) / 5,
            "sites are wanted": float(self.sites),
            "some pages are known": float(known.any()),
            "pages like the known": 0.0,
            "share above the split": _log_odds(above_split(seen.scores[others])),
        }
        if known.any():
            own = seen.scores[known] - taught
            self._middle = float(own.mean())
            self._spread = max(float(own.std()), float(seen.scores.std()) / 2, 1e-3)
            alike = [
                float((seen.scores[others] >= np.quantile(own, share)).mean()) / (1 - share) for share in _QUANTILES
            ]
            self._crawl["pages like the known"] = float(np.log(np.clip(np.mean(alike), 0.003, 1.0)))

    def features(self, seen: Evidence) -> dict[str, Floats | float]:
        """The features of some pages, by the names in WEIGHTS."""
        known = self._crawl["some pages are known"]
        return {
            "always": 1.0,
            "contrast": seen.contrast,
            "share of the keywords": seen.share,
            "density of the keywords": seen.density,
            "kind": seen.kind,
            "kind where sites are wanted": self.sites * seen.kind,
            "distance from the known": known * (seen.scores - self._middle) / self._spread,
            **self._crawl,
        }

    def chances(self, seen: Evidence) -> Floats:
        """How likely pages with this evidence are on topic."""
        total = np.zeros(len(seen.scores))
        for name, value in self.features(seen).items():
            total = total + WEIGHTS[name] * value
        return np.asarray(1 / (1 + np.exp(-np.clip(total, -30.0, 30.0))))

    def save(self) -> Plain:
        """Everything as plain data."""
        return {"crawl": self._crawl, "line": [self._middle, self._spread]}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._crawl = state["crawl"]
        self._middle, self._spread = state["line"]


def above_split(scores: Floats) -> float:
    """The share of pages in the upper one of the two groups into which their scores split best (Otsu 1979)."""
    ordered = np.sort(scores)
    count = len(ordered)
    if count < 2 or ordered[0] == ordered[-1]:
        return 0.0
    below = np.arange(1, count)
    sums = np.cumsum(ordered)
    apart = (sums[-1] - sums[:-1]) / (count - below) - sums[:-1] / below
    return float(1 - below[np.argmax(below * (count - below) * apart**2)] / count)


def _log_odds(share: float) -> float:
    return float(np.log((share + _RARE) / (1 - share + _RARE)))
