"""Focused Crawling Based Upon Tf-Idf Semantics and Hub Score Learning (Kumar & Vig 2013): learning from the last crawl.

Four consecutive crawls of each topic, each from the best hubs among the relevant pages of the one before. The paper's
precision is the share of pages whose similarity to the TIDS score table exceeds 1.0. Its scale is not ours, so here a
page is relevant if it is at least as similar to the table of the topic's examples as each of these, on average, is to
the table of the others. That measure uses what the crawler uses; beside it stands the share of pages with a label.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from lycosa.lab.comparison import Configuration, Floats, Ids
from lycosa.lab.corpus import Corpus
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.metric_names import metric_name
from lycosa.lab.metrics.curves import mean_so_far
from lycosa.lab.metrics.metric import Metric
from lycosa.lab.report.figures import Figure, line_numbers, mean_panel
from lycosa.lab.studies.claim import Claim, ClaimPart
from lycosa.lab.studies.study import Scale, Study, StudyRound
from lycosa.lab.studies.topic_tests import leads_at_end, leads_mostly
from lycosa.lab.world import World

PAPER = "Kumar & Vig 2013, Focused Crawling Based Upon Tf-Idf Semantics and Hub Score Learning"
EXAMPLES = "examples"
LABELS = tuple(f"crawl {number}" for number in range(1, 5))
CRAWLS = tuple(Configuration(label, "tids", after=before) for before, label in pairwise(("", *LABELS)))
PRECISION, BY_LABELS = "tids_precision", "harvest_rate"
LEVELS = {PRECISION: 1.0, "tids_precision_low": 0.5, "tids_precision_high": 1.5}
"""The least similarity of a page that counts, as a multiple of the examples' own."""
SHOWN = tuple(range(0, 101, 2))
"""Similarities at which figure 3 is drawn, in percent."""


def similarities(corpus: Corpus, examples: Ids, pages: Ids) -> tuple[Floats, float]:
    """The similarity of pages to the TIDS score table of examples, and how similar one example is to the others'."""
    held = corpus.terms[examples].toarray()
    weights = np.log1p(held)
    total, df, count = weights.sum(axis=0), (held > 0).sum(axis=0), len(examples)
    others = [
        _cosine(_table(total - weights[each], df - (held[each] > 0), count - 1), weights[each]) for each in range(count)
    ]
    rows = corpus.terms[pages].astype(np.float64)
    rows.data = np.log1p(rows.data)
    table = _table(total, df, count)
    lengths = np.sqrt(rows.multiply(rows).sum(axis=1)) * np.linalg.norm(table)
    found = np.divide(rows @ table, lengths, out=np.zeros(len(pages)), where=lengths > 0)
    return found, float(np.mean(others)) if others else np.nan


def _table(total: Floats, df: Floats, count: int) -> Floats:
    """Equations 1 to 3, with one page more than there are, as in the crawler's default."""
    return np.asarray(total * (np.log(count + 1) - np.log(np.maximum(df, 1))))


def _cosine(table: Floats, weights: Floats) -> float:
    length = np.linalg.norm(table) * np.linalg.norm(weights)
    return float(table @ weights / length) if length else 0.0


def add_precision(world: World, inquiries: Mapping[str, Inquiry]) -> None:
    """The paper's precision at each level, and its figures: four crawls in one plot."""
    if EXAMPLES not in inquiries:
        return
    inquiry = inquiries[EXAMPLES]
    comparison, tracks, corpus = inquiry.comparison, inquiry.tracks, world.corpus
    points = np.array(comparison.points)
    shares: dict[str, list[Floats]] = {label: [] for label in comparison.arms}
    for label, arm in comparison.arms.items():
        rows: dict[str, list[Floats]] = {level: [] for level in LEVELS}
        for topic in comparison.topics:
            track = tracks.of(label, topic)
            found, own = similarities(corpus, corpus.numbers(world.topic(topic).examples), track.pages)
            for level, times in LEVELS.items():
                rows[level].append(mean_so_far((found >= times * own).astype(np.float64), points))
            shares[label].append(np.array([(found >= value / 100).sum() / comparison.pages for value in SHOWN]))
        arm.curves.update({level: np.array(table) for level, table in rows.items()})
    curves = {metric: {label: arm.curves[metric] for label, arm in comparison.arms.items()} for metric in LEVELS}
    inquiry.metrics = [_metric(level, times) for level, times in LEVELS.items()]
    labels = {label: arm.curves[BY_LABELS] for label, arm in comparison.arms.items()}
    numbers = line_numbers(comparison.arms)
    held = {label: np.array(rows) for label, rows in shares.items()}
    inquiry.figures = [
        Figure(
            "rounds",
            "Precision of consecutive crawls",
            "The share of relevant pages among those fetched so far: on the left by similarity to the table of the "
            "examples, as in the paper's figures 2 and 4; on the right by the bed's labels, which no crawler sees.",
            [
                mean_panel("Precision, by similarity", comparison.points, curves[PRECISION], numbers),
                mean_panel("Precision, by labels", comparison.points, labels, numbers),
            ],
        ),
        Figure(
            "similarities",
            "Pages by relevancy value",
            "The share of a crawl's pages that are at least so similar to the table of the examples, as in the paper's "
            "figure 3.",
            [mean_panel("Share of pages", list(SHOWN), held, numbers, x_title="similarity, in percent")],
        ),
    ]


def _metric(level: str, times: float) -> Metric:
    """A level of the paper's precision, as the report defines it."""
    own = "as similar" if times == 1 else f"{times:g} times as similar"
    return Metric(
        key=level,
        title=metric_name(level).capitalize(),
        unit="share",
        meaning=f"The share of the first N pages that are at least {own} to the TIDS table of the examples as one of "
        "these is to the table of the others, on average",
        paper=PAPER,
        measure=similarities,
    )


def _later(metric: str) -> tuple[ClaimPart, ...]:
    return tuple(
        ClaimPart(metric, ((EXAMPLES, later), (EXAMPLES, earlier)), leads_mostly) for earlier, later in pairwise(LABELS)
    )


def _last(metric: str) -> ClaimPart:
    return ClaimPart(metric, ((EXAMPLES, LABELS[-1]), (EXAMPLES, LABELS[0])), leads_mostly)


_SAME_AGAIN = (
    "Later crawls begin with hubs that are known to be good and then fetch nearly the same pages as the one before: "
    "on a finite web a further crawl has little left to gain."
)

CLAIMS = (
    Claim(
        "Precision rises from crawl to crawl, for almost any number of downloaded pages.",
        "section IV, figures 2 and 4",
        _later(PRECISION),
        reason=_SAME_AGAIN,
    ),
    Claim(
        "The average precision of the fourth crawl is much better than that of the first.",
        "section V",
        (_last(PRECISION),),
        reason=_SAME_AGAIN,
    ),
    Claim(
        "The share of pages above any relevancy value rises with the number of crawls.",
        "section IV, figure 3",
        tuple(ClaimPart(level, ((EXAMPLES, LABELS[-1]), (EXAMPLES, LABELS[0])), leads_at_end) for level in LEVELS),
        reason=_SAME_AGAIN,
    ),
    Claim(
        "Precision rises from crawl to crawl, also where pages are relevant by their label.",
        "section IV, figures 2 and 4; the paper has no labels",
        _later(BY_LABELS),
        reason=_SAME_AGAIN,
    ),
    Claim(
        "The average precision of the fourth crawl is better than that of the first, also by labels.",
        "section V; the paper has no labels",
        (_last(BY_LABELS),),
        reason=_SAME_AGAIN,
    ),
)


STUDY = Study(
    name="tids",
    paper=PAPER,
    published=Scale(6_000, 1, "the Web of 2012"),
    default=Scale(1_000, 12, "made:pages=20000,topics=12,page_bytes=3000"),
    full=Scale(6_000, 24, "made:pages=200000,topics=24,page_bytes=3000"),
    differs="There, the topic was sports, the first crawl started from 200 pages of a directory, and all pages of a "
    "crawl counted as relevant for the next one's hubs; here those at least as relevant as its mean, by the cosine of "
    "keywords and page. Both start a consecutive crawl from 200 hubs at most, a larger part of a shorter crawl, "
    "and may fetch pages again.",
    statistics="The paper shows curves and reports no tests; here these are t-tests, one-tailed in the direction of "
    "each statement and paired over topics, and p is uncorrected.",
    rounds=(StudyRound(EXAMPLES, EXAMPLES, CRAWLS),),
    metrics=(*LEVELS, BY_LABELS),
    claims=CLAIMS,
    capacity=1_000_000,
    also=add_precision,
)
