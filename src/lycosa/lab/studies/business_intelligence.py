"""Topical Crawling for Business Intelligence (Pant & Menczer 2003): four crawlers that look for competitors.

Breadth-first, naive best-first, dom and hub-seeking, each from ten companies of a trade (task examples) and once more
from seeds to which hubs were added; judged by precision and target recall. The claim about figure 6 of Crawling the Web
is about the same crawls.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from lycosa.lab.comparison import ORACLE, Configuration
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.metrics import METRICS
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.metric import BUSINESS_INTELLIGENCE, Metric
from lycosa.lab.studies.claim import Claim, ClaimPart, Method
from lycosa.lab.studies.study import Scale, Study, StudyRound
from lycosa.lab.studies.topic_tests import falls_more, leads_at_end, leads_mostly, leads_slightly
from lycosa.lab.world import World

HUB_SEEKING, DOM, BEST_FIRST, BREADTH_FIRST = ORDER = ("hub-seeking", "dom", "best-first", "breadth-first")
"""The best first, as the paper found them."""
TOPICAL = (HUB_SEEKING, DOM, BEST_FIRST)
CONFIGURATIONS = (
    Configuration(BREADTH_FIRST, BREADTH_FIRST),
    Configuration(BEST_FIRST, BEST_FIRST),
    Configuration(DOM, DOM, {"alpha": 0.25}),
    Configuration(HUB_SEEKING, HUB_SEEKING),
)
ORIGINAL, AUGMENTED = "original seeds", "augmented seeds"
RECALL, PRECISION = "target_recall", "precision"
ONE_POOL = "precision_over_one_pool"
"""Precision for comparing the rounds: its weights come from the pages of both."""
ONE_POOL_METRIC = Metric(
    key=ONE_POOL,
    title="Precision over one pool",
    unit="score",
    meaning="Precision with weights from the pages of both rounds, so that the rounds can be compared",
    paper=BUSINESS_INTELLIGENCE,
    measure=METRICS[PRECISION].measure,
)


def _part(metric: str, first: str, second: str, method: Method, seeds: str = ORIGINAL) -> ClaimPart:
    return ClaimPart(metric, ((seeds, first), (seeds, second)), method)


def _order(seeds: str) -> tuple[ClaimPart, ...]:
    pairs = list(pairwise(ORDER))
    return tuple(
        _part(metric, better, worse, leads_mostly, seeds) for metric in (PRECISION, RECALL) for better, worse in pairs
    )


def _with_hubs(metric: str, method: Method, labels: tuple[str, ...] = ORDER) -> tuple[ClaimPart, ...]:
    """Each crawler with augmented seeds against itself with the original ones."""
    return tuple(ClaimPart(metric, ((AUGMENTED, label), (ORIGINAL, label)), method) for label in labels)


def _without_hubs(metric: str, method: Method, labels: tuple[str, ...]) -> tuple[ClaimPart, ...]:
    """Each crawler with the original seeds against itself with augmented ones."""
    return tuple(ClaimPart(metric, ((ORIGINAL, label), (AUGMENTED, label)), method) for label in labels)


CLAIMS = (
    Claim(
        "From the original seeds hub-seeking is ahead of dom, dom of naive best-first and that of breadth-first, in "
        "precision and in target recall, for most of the crawl.",
        "section 5, figure 4 a and b",
        _order(ORIGINAL),
        reason="Hub-seeking needs hosts that stand for companies and hubs that link to several of them, which not "
        "every web has. And once a crawl has fetched most of a trade, the order in which it did so no longer matters.",
    ),
    Claim(
        "When the crawl is over, hub-seeking has found significantly more targets than naive best-first.",
        "section 5, figure 4 b",
        (_part(RECALL, HUB_SEEKING, BEST_FIRST, leads_at_end),),
        "p = 0.004",
        reason="In a crawl that is long compared with the trade, naive best-first has seen nearly all of it at the "
        "end.",
    ),
    Claim(
        "It is also ahead in precision, but by a lead that is not significant.",
        "section 5, figure 4 a",
        (_part(PRECISION, HUB_SEEKING, BEST_FIRST, leads_slightly),),
        "p = 0.105",
        reason="Whether a small lead is significant hangs on the number of topics, of which the paper had 159.",
    ),
    Claim(
        "Naive best-first is significantly better than breadth-first at the end, in precision and in target recall.",
        "Crawling the Web, figure 6",
        tuple(_part(metric, BEST_FIRST, BREADTH_FIRST, leads_at_end) for metric in (PRECISION, RECALL)),
        "p < 0.01 for both",
        reason="Where most targets lie within two links of the seeds, breadth-first takes them all before it goes "
        "further.",
    ),
    Claim(
        "From the augmented seeds the order is the same in both metrics.",
        "section 6, figure 4 c and d",
        _order(AUGMENTED),
        reason="The hubs of a made trade list most of it within two links, so breadth-first from ten of them is hard "
        "to beat. Hub-seeking first fetches further hubs, which are less similar to the description than companies "
        "are, and is ahead in precision only later.",
    ),
    Claim(
        "From the augmented seeds dom, too, finds significantly more targets than naive best-first.",
        "section 6, figure 4 d",
        (_part(RECALL, DOM, BEST_FIRST, leads_at_end, AUGMENTED),),
        "p = 0.024",
        reason="Dom is ahead earlier in the crawl; a made trade is finite, and at the end best-first has caught up.",
    ),
    Claim(
        "So does hub-seeking.",
        "section 6, figure 4 d",
        (_part(RECALL, HUB_SEEKING, BEST_FIRST, leads_at_end, AUGMENTED),),
        "p = 0.002",
        reason="In a crawl that is long compared with the trade, naive best-first has seen nearly all of it at the "
        "end.",
    ),
    Claim(
        "Every crawler does better from the augmented seeds for most of the crawl, in precision and in target recall.",
        "section 6, figure 4",
        _with_hubs(ONE_POOL, leads_mostly) + _with_hubs(RECALL, leads_mostly),
        reason="Hub-seeking finds the hubs of a trade by itself, so it gains little by being given them.",
    ),
    Claim(
        "Every crawler has found significantly more targets from the augmented seeds when the crawl is over.",
        "section 6, figure 4 b and d",
        _with_hubs(RECALL, leads_at_end),
        "p < 0.015 for all",
        reason="Dom and naive best-first follow what resembles the topic, companies rather than hubs: hubs among the "
        "seeds help them early, and little at the end.",
    ),
    Claim(
        "From the augmented seeds the precision of all but breadth-first falls more steeply, so that it is slightly "
        "poorer than from the original seeds towards the end.",
        "section 6, figure 4 a and c",
        _with_hubs(ONE_POOL, falls_more, TOPICAL) + _without_hubs(ONE_POOL, leads_at_end, TOPICAL),
        reason="The hubs of a made trade link to nothing but the trade; those of the Web led further away as the "
        "crawl went on.",
    ),
)


def add_precision_over_one_pool(world: World, inquiries: Mapping[str, Inquiry]) -> None:
    """Measure precision once more, on the topics that both rounds have, by what was crawled in both.

    In a pool of its own each round has other weights, and the same page another similarity.
    """
    rounds = list(inquiries.values())
    if len(rounds) < 2:
        return
    for found in rounds:
        found.metrics = [ONE_POOL_METRIC]
    for arm in (arm for found in rounds for arm in found.comparison.arms.values()):
        arm.curves[ONE_POOL] = np.full_like(arm.curves[PRECISION], np.nan)
    crawls = [crawl for found in rounds for crawl in found.tracks.tracks.items()]
    for topic in set.intersection(*(set(found.comparison.topics) for found in rounds)):
        pool = [track for name, track in crawls if (name.topic, name.half) == (topic, 0) and name.label != ORACLE]
        evidence = Evidence(world.corpus, world.topic(topic), pool, rounds[0].tracks.pages)
        for comparison, tracks in ((found.comparison, found.tracks) for found in rounds):
            points, row = np.array(comparison.points), comparison.topics.index(topic)
            for label, arm in comparison.arms.items():
                crawled = tracks.repeated(label, topic)
                curves = [ONE_POOL_METRIC.measure(evidence, track, points) for track in crawled]
                arm.curves[ONE_POOL][row] = np.mean(curves, axis=0)


STUDY = Study(
    name="business-intelligence",
    paper=BUSINESS_INTELLIGENCE,
    published=Scale(10_000, 159, "the Web of 2003"),
    # A trade has 1,500 pages here; the paper's crawls were shorter than a trade, too.
    default=Scale(1_000, 24, "made:shape=business,pages=60000,topics=24,page_bytes=3000"),
    full=Scale(10_000, 159, "made:shape=business,pages=1000000,topics=159,page_bytes=3000"),
    differs="There, 75 threads shared a frontier that kept them from asking one host too often, and pages were cut "
    "after 10 KB; here one worker takes the best link every time.",
    statistics="The paper made one-tailed t-tests and does not say whether they were paired; here they are one-tailed "
    "in the direction of each statement and paired over topics, and p is uncorrected.",
    rounds=(
        StudyRound(ORIGINAL, "examples", CONFIGURATIONS),
        StudyRound(AUGMENTED, "examples", CONFIGURATIONS, augmented=True),
    ),
    metrics=(RECALL, PRECISION, ONE_POOL),
    claims=CLAIMS,
    capacity=70_000,
    also=add_precision_over_one_pool,
)
