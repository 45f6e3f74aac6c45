"""Calibration: whether pages that are said to be relevant with a probability p are relevant in that share of cases.

expected calibration error = sum over bins b of (|b| / n) * |mean p of b - share of relevant pages in b|
Brier score = (1 / n) * sum over pages of (p - r)^2

p is the probability that a crawl gives a page when it is over, r is 1 for a page labelled as relevant and 0 for any
other; the ten bins have equal widths (a probability of exactly 1 belongs to the last). Pages that the crawl was told to
be relevant, its example start pages, do not count. Both are 0 at best; a Brier score also falls with better ranking.
(Naeini, Cooper & Hauskrecht 2015, Obtaining Well Calibrated Probabilities Using Bayesian Binning; Brier 1950.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.lab.comparison import Floats, Track
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import Metric

BINS = 10
NAEINI = "Naeini, Cooper & Hauskrecht 2015, Obtaining Well Calibrated Probabilities Using Bayesian Binning"
BRIER = "Brier 1950, Verification of Forecasts Expressed in Terms of Probability"

Truth = NDArray[np.bool_]


class Reliability(NamedTuple):
    """A reliability diagram: an entry for each bin of probabilities, nan in bins without pages."""

    said: Floats
    """The mean probability."""
    seen: Floats
    """The share of relevant pages."""
    pages: Floats
    """How many pages are in it."""


def bin_sums(chance: Floats, truth: Truth, bins: int = BINS) -> Floats:
    """For each bin: pages, sum of probabilities, relevant pages. Sums of several crawls can be added up."""
    places = np.clip((chance * bins).astype(np.int64), 0, bins - 1)
    weights = (None, chance, truth.astype(np.float64))
    return np.array([np.bincount(places, each, bins) for each in weights], np.float64).T


def reliability(sums: Floats) -> Reliability:
    """The diagram of summed bins."""
    pages, said, relevant = sums.T
    filled = np.where(pages > 0, pages, np.nan)
    return Reliability(said / filled, relevant / filled, pages)


def error_of(sums: Floats) -> float:
    """The expected calibration error of summed bins; nan if there is no page."""
    pages, said, relevant = sums.T
    return float(np.abs(said - relevant).sum() / (pages.sum() or np.nan))


def expected_calibration_error(chance: Floats | None, truth: Truth, bins: int = BINS) -> float:
    """The expected calibration error of probabilities; nan if there are none."""
    return np.nan if chance is None else error_of(bin_sums(chance, truth, bins))


def brier_score(chance: Floats | None, truth: Truth) -> float:
    """The mean squared difference of probability and truth; nan if there are none."""
    return float(np.mean((chance - truth) ** 2)) if chance is not None and len(chance) else np.nan


def predictions(evidence: Evidence, track: Track) -> tuple[Floats, Truth] | None:
    """The probabilities of a crawl's pages and whether they are relevant, without pages it was told about.

    Pages without a probability (nan) are left out. None if the crawl gives no probabilities.
    """
    if track.chance is None:
        return None
    told = (track.via < 0) & np.isin(track.pages, evidence.corpus.numbers(evidence.topic.examples))
    counted = ~told & np.isfinite(track.chance)
    return track.chance[counted], np.isin(track.pages, evidence.relevant)[counted]


def _error(evidence: Evidence, track: Track) -> float:
    found = predictions(evidence, track)
    return np.nan if found is None else expected_calibration_error(*found)


def _brier(evidence: Evidence, track: Track) -> float:
    found = predictions(evidence, track)
    return np.nan if found is None else brier_score(*found)


ERROR = Metric(
    key="calibration_error",
    title="Calibration error",
    kind="value",
    unit="score",
    better="lower",
    meaning="How far the probabilities of the fetched pages are from the shares of relevant pages, on average",
    paper=NAEINI,
    measure=_error,
)

SCORE = Metric(
    key="brier_score",
    title="Brier score",
    kind="value",
    unit="score",
    better="lower",
    meaning="The mean squared difference between the probability of a fetched page and the truth",
    paper=BRIER,
    measure=_brier,
)
