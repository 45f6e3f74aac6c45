"""Exploration versus Exploitation in Topic Driven Crawlers (Pant, Srinivasan & Menczer 2002): how greedy to be.

Best-N-First for five N with a buffer of 256 links, from examples (task 1) and from their neighbours (task 2), there
with a breadth-first crawler whose frontier is as small; judged by static coverage and dynamic mean rank, lexical and
linkage, and in task 2 by the recall of the examples. In task 2 the paper left the middle N out; here they all run.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lycosa.lab.comparison import Configuration, Floats, Ids, Track
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.metrics.curves import count_so_far, steps_to
from lycosa.lab.metrics.metric import EXPLORATION, Metric
from lycosa.lab.studies.claim import Claim, ClaimPart, Method
from lycosa.lab.studies.study import Scale, Study, StudyRound
from lycosa.lab.studies.topic_tests import (
    leads_early,
    leads_more_on_few,
    leads_mostly,
    leads_on_few,
    leads_on_many,
    lies_between,
    recovers,
)
from lycosa.lab.world import World

BUFFER = 256
GREEDY, *MIDDLE, EXPLORING = LABELS = tuple(f"best-n-first:n={n}" for n in (1, 16, 64, 128, 256))
BREADTH_FIRST = "breadth-first"
BEST_N = tuple(
    Configuration(label, "best-n-first", {"n": int(label.partition("=")[2]), "buffer": BUFFER}) for label in LABELS
)
EXAMPLES, NEIGHBORS = "examples", "neighbors"
STATIC = ("coverage_lexical", "coverage_linkage")
DYNAMIC = ("rank_lexical", "rank_linkage")
EXAMPLE_RECALL = "example_recall"


def _part(metric: str, task: str, method: Method, *labels: str) -> ClaimPart:
    return ClaimPart(metric, tuple((task, label) for label in labels), method)


def _dynamic(metric: str, task: str) -> tuple[ClaimPart, ...]:
    """An early penalty for exploring, made good later."""
    return (
        _part(metric, task, leads_early, GREEDY, EXPLORING),
        _part(metric, task, recovers, EXPLORING, GREEDY),
    )


_SCATTERED = (
    "Exploring pays where the best pages are scattered over many sites; where a trade or a field holds together, "
    "nothing is lost by following the best page at once."
)
_LATE = (
    "From the neighbours, a first batch of 256 links is a large part of the crawl before any page of the topic is "
    "followed up, and the pages of the topic then differ little from each other."
)

CLAIMS = (
    Claim(
        "From the examples, N = 256 covers significantly more of the best pages than N = 1, by both measures of "
        "quality and for few or many best pages.",
        "section 5.1, figure 2 a and c",
        tuple(
            _part(metric, EXAMPLES, method, EXPLORING, GREEDY)
            for metric in STATIC
            for method in (leads_on_few, leads_on_many)
        ),
        reason=_SCATTERED,
    ),
    Claim(
        "Its lead is the larger, the fewer best pages are asked for.",
        "section 5.1, figure 2 a and c",
        tuple(_part(metric, EXAMPLES, leads_more_on_few, EXPLORING, GREEDY) for metric in STATIC),
        reason=_SCATTERED,
    ),
    Claim(
        "N = 16, 64 and 128 lie between N = 1 and N = 256.",
        "section 5.1",
        tuple(
            _part(metric, EXAMPLES, lies_between, label, GREEDY, EXPLORING)
            for metric in STATIC + DYNAMIC
            for label in MIDDLE
        ),
        reason="Neighbouring N differ by less than the noise of a few dozen topics; the paper had 100.",
    ),
    Claim(
        "While crawling from the examples, N = 256 has a significantly better mean lexical rank than the others.",
        "section 5.1, figure 2 b",
        tuple(_part("rank_lexical", EXAMPLES, leads_mostly, EXPLORING, label) for label in (GREEDY, *MIDDLE)),
        reason=_SCATTERED,
    ),
    Claim(
        "By linkage it pays for exploring early in the crawl and makes up for it later.",
        "section 5.1, figure 2 d",
        _dynamic("rank_linkage", EXAMPLES),
        reason="A crawl of 2,000 pages has only eight batches of 256 links, so there is little time to make up for "
        "anything.",
    ),
    Claim(
        "From the neighbours, too, N = 256 covers significantly more of the best pages than N = 1 by both measures.",
        "section 5.2, figure 3 a and c",
        tuple(_part(metric, NEIGHBORS, leads_mostly, EXPLORING, GREEDY) for metric in STATIC),
        reason=_LATE,
    ),
    Claim(
        "There N = 256 pays for exploring at first and makes up for it in the long run, by both measures.",
        "section 5.2, figure 3 b and d",
        _dynamic("rank_lexical", NEIGHBORS) + _dynamic("rank_linkage", NEIGHBORS),
        reason=_LATE,
    ),
    Claim(
        "Breadth-first with the same small frontier is worse than both by every measure.",
        "section 5.2, figure 3",
        tuple(
            _part(metric, NEIGHBORS, leads_mostly, label, BREADTH_FIRST)
            for metric in STATIC + DYNAMIC
            for label in (EXPLORING, GREEDY)
        ),
    ),
    Claim(
        "From the neighbours N = 256 finds more of the examples than N = 1, and that more than breadth-first.",
        "section 5.2, figure 4",
        (
            _part(EXAMPLE_RECALL, NEIGHBORS, leads_mostly, EXPLORING, GREEDY),
            _part(EXAMPLE_RECALL, NEIGHBORS, leads_mostly, GREEDY, BREADTH_FIRST),
        ),
        reason=_LATE,
    ),
)


def add_example_recall(world: World, inquiries: Mapping[str, Inquiry]) -> None:
    """From the neighbours: the share of a topic's examples among the first N pages, as if they were its targets.

    As with targets, examples that the world does not hold count: they were not found.
    """
    if NEIGHBORS not in inquiries:
        return
    inquiry = inquiries[NEIGHBORS]
    comparison, tracks = inquiry.comparison, inquiry.tracks
    inquiry.metrics = [EXAMPLE_RECALL_METRIC]
    points = np.array(comparison.points)
    for label, arm in comparison.arms.items():
        rows = [
            [_example_recall(world, topic, track, points) for track in tracks.repeated(label, topic)]
            for topic in comparison.topics
        ]
        arm.curves[EXAMPLE_RECALL] = np.array([np.mean(curves, axis=0) for curves in rows])


def _example_recall(world: World, topic: str, track: Track, points: Ids) -> Floats:
    examples = world.topic(topic).examples
    held = world.corpus.numbers(examples)
    count = len(held) + sum(world.corpus.number(url) < 0 for url in set(examples))
    return count_so_far(steps_to(held, track), points) / (count or np.nan)


EXAMPLE_RECALL_METRIC = Metric(
    key=EXAMPLE_RECALL,
    title="Example recall",
    unit="share",
    meaning="The share of the topic's examples that are among the first N pages of a crawl from their neighbours",
    paper=EXPLORATION,
    measure=_example_recall,
)


STUDY = Study(
    name="exploration",
    paper=EXPLORATION,
    published=Scale(2_000, 100, "the Web of 2002"),
    default=Scale(2_000, 24, "made:pages=60000,topics=24,page_bytes=3000"),
    full=Scale(2_000, 100, "made:pages=1000000,topics=100,page_bytes=3000"),
    differs="There, pages were cut after 100 KB, and from the neighbours only N = 1, N = 256 and breadth-first were "
    "run, so that their pages alone made the pool.",
    statistics="The paper says «significantly» and shows error bars of one standard error, but reports no tests; here "
    "they are t-tests, one-tailed in the direction of each statement and paired over topics, and p is uncorrected.",
    rounds=(
        StudyRound(EXAMPLES, "examples", BEST_N),
        StudyRound(NEIGHBORS, "neighbors", (*BEST_N, Configuration(BREADTH_FIRST, BREADTH_FIRST))),
    ),
    metrics=(*STATIC, *DYNAMIC, EXAMPLE_RECALL),
    claims=CLAIMS,
    capacity=BUFFER,
    also=add_example_recall,
)
