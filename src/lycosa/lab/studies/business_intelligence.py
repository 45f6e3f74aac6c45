"""Topical Crawling for Business Intelligence (Pant & Menczer 2003): four crawlers that look for competitors.

Breadth-first, naive best-first, dom and hub-seeking, each from ten companies of a trade (task examples) and once more
from seeds to which hubs were added; judged by precision and target recall. The claim about figure 6 of Crawling the Web
is about the same crawls.
"""

from __future__ import annotations

from itertools import pairwise

from lycosa.lab.metrics.metric import BUSINESS_INTELLIGENCE
from lycosa.lab.nouns import Way
from lycosa.lab.studies.claim import Claim, Method, Part
from lycosa.lab.studies.methods import falls_more, leads_at_end, leads_mostly, leads_slightly
from lycosa.lab.studies.study import Round, Scale, Study

HUB_SEEKING, DOM, BEST_FIRST, BREADTH_FIRST = ORDER = ("hub-seeking", "dom", "best-first", "breadth-first")
"""The best first, as the paper found them."""
WAYS = (
    Way(BREADTH_FIRST, BREADTH_FIRST),
    Way(BEST_FIRST, BEST_FIRST),
    Way(DOM, DOM, {"alpha": 0.25}),
    Way(HUB_SEEKING, HUB_SEEKING),
)
ORIGINAL, AUGMENTED = "original seeds", "augmented seeds"
RECALL, PRECISION = "target_recall", "precision"


def _part(metric: str, first: str, second: str, method: Method, seeds: str = ORIGINAL) -> Part:
    return Part(metric, ((seeds, first), (seeds, second)), method)


def _order(seeds: str) -> tuple[Part, ...]:
    pairs = list(pairwise(ORDER))
    return tuple(
        _part(metric, better, worse, leads_mostly, seeds) for metric in (PRECISION, RECALL) for better, worse in pairs
    )


def _with_hubs(metric: str, method: Method) -> tuple[Part, ...]:
    """Each crawler with augmented seeds against itself with the original ones."""
    return tuple(Part(metric, ((AUGMENTED, way), (ORIGINAL, way)), method) for way in ORDER)


CLAIMS = (
    Claim(
        "From the original seeds hub-seeking is ahead of dom, dom of naive best-first and that of breadth-first, in "
        "precision and in target recall, for most of the crawl.",
        "section 5, figure 4 a and b",
        _order(ORIGINAL),
    ),
    Claim(
        "When the crawl is over, hub-seeking has found significantly more targets than naive best-first.",
        "section 5, figure 4 b",
        (_part(RECALL, HUB_SEEKING, BEST_FIRST, leads_at_end),),
        "p = 0.004",
    ),
    Claim(
        "It is also ahead in precision, but by a lead that is not significant.",
        "section 5, figure 4 a",
        (_part(PRECISION, HUB_SEEKING, BEST_FIRST, leads_slightly),),
        "p = 0.105",
    ),
    Claim(
        "Naive best-first is significantly better than breadth-first at the end, in precision and in target recall.",
        "Crawling the Web, figure 6",
        tuple(_part(metric, BEST_FIRST, BREADTH_FIRST, leads_at_end) for metric in (PRECISION, RECALL)),
        "p < 0.01 for both",
    ),
    Claim(
        "From the augmented seeds the order is the same in both metrics.",
        "section 6, figure 4 c and d",
        _order(AUGMENTED),
    ),
    Claim(
        "From the augmented seeds dom, too, finds significantly more targets than naive best-first.",
        "section 6, figure 4 d",
        (_part(RECALL, DOM, BEST_FIRST, leads_at_end, AUGMENTED),),
        "p = 0.024",
    ),
    Claim(
        "So does hub-seeking.",
        "section 6, figure 4 d",
        (_part(RECALL, HUB_SEEKING, BEST_FIRST, leads_at_end, AUGMENTED),),
        "p = 0.002",
    ),
    Claim(
        "Every crawler does better from the augmented seeds for most of the crawl, in precision and in target recall.",
        "section 6, figure 4",
        _with_hubs(PRECISION, leads_mostly) + _with_hubs(RECALL, leads_mostly),
    ),
    Claim(
        "Every crawler has found significantly more targets from the augmented seeds when the crawl is over.",
        "section 6, figure 4 b and d",
        _with_hubs(RECALL, leads_at_end),
        "p < 0.015 for all",
    ),
    Claim(
        "With augmented seeds precision falls more steeply as the crawl goes on.",
        "section 6, figure 4 a and c",
        _with_hubs(PRECISION, falls_more),
    ),
)

STUDY = Study(
    name="business-intelligence",
    paper=BUSINESS_INTELLIGENCE,
    published=Scale(10_000, 159, "the Web of 2003"),
    default=Scale(2_000, 24, "made:pages=60000,topics=24,page_bytes=3000"),
    full=Scale(10_000, 159, "made:pages=1000000,topics=159,page_bytes=3000"),
    differs="There, 75 threads shared a frontier that kept them from asking one host too often, and pages were cut "
    "after 10 KB; here one worker takes the best link every time.",
    rounds=(Round(ORIGINAL, "examples", WAYS), Round(AUGMENTED, "examples", WAYS, augmented=True)),
    metrics=(RECALL, PRECISION),
    claims=CLAIMS,
    capacity=70_000,
)
