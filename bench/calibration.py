"""How far the shown relevance can be believed: fit the weights of core/calibration.py, and measure them.

    python bench/calibration.py            the reliability of the present weights, on every bed
    python bench/calibration.py --fit      the weights fitted to all beds, and what they are worth on a bed left out

The default strategy crawls every bed from examples, from neighbours, and from one example with keywords that say only
half of the topic. What its page model sees after 50 to 1,000 pages is compared with the bed's labels: pages are on
topic that are targets, examples or described. The expected calibration error has ten bins of equal width, over the
pages of all topics of a bed and task together.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lycosa.core.calibration import WEIGHTS
from lycosa.core.page_model import Floats, PageModel
from lycosa.engine.crawl import Crawl
from lycosa.lab.trial import Trial, run_trial
from lycosa.lab.world import open_world

BEDS = Path(__file__).resolve().parents[2] / "shared" / "testbeds"
MADE = "made:shape={},pages=10000,topics=12,seed=7,page_bytes=3000"
"""Webs for tuning: those of docs/reference/results.md have another random seed."""
ONE = "one example"
AT = (50, 100, 200, 500, 1000)
SOFT = np.full(len(WEIGHTS), 30.0)
SOFT[0] = 0.01
"""How strongly weights are held near 0. Held less, they fit the beds better, and a bed left out worse."""
EACH = 50.0
"""What a crawl counts at each point, in pages, however many it has."""


class Sample(NamedTuple):
    """The pages of a crawl at one point that are not known: features, truth, and the shown relevance."""

    bed: str
    task: str
    pages: int
    features: Floats
    truth: Floats
    shown: Floats
    known: int


def beds() -> list[tuple[str, str]]:
    """Names and worlds; recorded ones if they are there."""
    made = [(shape, MADE.format(shape)) for shape in ("communities", "business", "encyclopedia")]
    return [(name, str(BEDS / name)) for name in ("schools", "rweb") if (BEDS / name).exists()] + made


def samples(order: tuple[str, str, str, str, str]) -> list[Sample]:
    """Crawl one topic, and look at its page model on the way."""
    name, text, task, topic_id, strategy = order
    threadpool_limits(1)
    world = open_world(text)
    topic = world.topic(topic_id)
    seeds = world.seeds(topic, "examples")[:1] if task == ONE else world.seeds(topic, task)
    relevant = {*topic.targets, *topic.examples, *topic.described}
    found: list[Sample] = []

    def watch(crawl: Crawl) -> Callable[[], None]:
        waiting = list(AT)

        def look() -> None:
            if waiting and crawl.tally.pages >= waiting[0] and crawl.relevance:
                waiting.pop(0)
                found.append(_sample(name, task, crawl.relevance.pages, relevant))

        return look

    keywords = _half_said(topic.keywords, seeds[0]) if task == ONE else topic.keywords
    examples = () if task == "neighbors" else seeds
    order_of = Trial("apprentice", strategy, {}, keywords, seeds, max(AT), examples)
    run_trial(world, order_of, beside=watch)
    return found


def _half_said(keywords: str, example: str) -> str:
    """What a person might type who has one example: a word of the topic, and the name of the example."""
    name = re.findall("[a-z]{3,}", urlsplit(example).path.rpartition("/")[2].partition(".")[0].lower())
    return " ".join([keywords.split()[-1], *name])


def _sample(bed: str, task: str, pages: PageModel, relevant: set[str]) -> Sample:
    pages.fit()
    rows = np.arange(len(pages))
    text = np.einsum("ij,ij->i", pages.vectors(rows), pages.weights.take(pages.terms[rows]))
    keyness, share, density = pages._keywords_in(rows)
    seen = pages._evidence(text / pages.spread + keyness, pages._kind(rows), share, density)
    unknown = pages.sure[rows] == 0
    by_name = pages.calibration.features(seen)
    columns = [np.broadcast_to(np.asarray(by_name[weight], np.float64), len(rows)) for weight in WEIGHTS]
    truth = np.array([url in relevant for url in pages.urls], np.float64)
    return Sample(
        bed,
        task,
        pages.seen,
        np.stack(columns, 1)[unknown],
        truth[unknown],
        pages.current[rows][unknown],
        int((~unknown).sum()),
    )


def fitted(chosen: Sequence[Sample]) -> Floats:
    """Logistic regression by Newton's method; every crawl has the same weight at every point."""
    features = np.concatenate([one.features for one in chosen])
    truth = np.concatenate([one.truth for one in chosen])
    weight = np.concatenate([np.full(len(one.truth), EACH / max(1, len(one.truth))) for one in chosen])
    found = np.zeros(features.shape[1])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-features @ found))
        slope = features.T @ (weight * (truth - chance)) - SOFT * found
        curve = (features.T * (weight * chance * (1 - chance))) @ features + np.diag(SOFT)
        found = found + np.linalg.solve(curve, slope)
    return found


def error(chances: Floats, truth: Floats) -> float:
    """The expected calibration error."""
    bins = np.minimum((chances * 10).astype(int), 9)
    return float(np.abs(np.bincount(bins, chances - truth, 10)).sum() / len(truth))


def lines(chosen: Sequence[Sample], chances: Sequence[Floats]) -> Iterator[str]:
    """A table in Markdown: a row for each bed and task; known pages are certain, and right."""
    yield "| bed | task | " + " | ".join(f"{pages} pages" for pages in AT) + " |"
    yield "|---|---|" + "---|" * len(AT)
    for bed, task in dict.fromkeys((one.bed, one.task) for one in chosen):
        cells = []
        for pages in AT:
            rows = [k for k, one in enumerate(chosen) if (one.bed, one.task, one.pages) == (bed, task, pages)]
            if not rows:
                cells.append("")
                continue
            known = sum(chosen[k].known for k in rows)
            chance = np.concatenate([chances[k] for k in rows])
            truth = np.concatenate([chosen[k].truth for k in rows])
            share = len(truth) / (len(truth) + known)
            cells.append(f"{share * error(chance, truth):.3f} ({chance.mean():.2f}, {truth.mean():.2f})")
        yield f"| {bed} | {task} | {' | '.join(cells)} |"


def main() -> None:
    """Crawl, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="only every N-th topic of a bed")
    parser.add_argument("--strategy", default="apprentice")
    options = parser.parse_args()
    orders = [
        (name, text, task, topic.id, options.strategy)
        for name, text in beds()
        for task in ("examples", "neighbors", ONE)
        for topic in open_world(text).topics[:: options.every]
    ]
    with get_context("fork").Pool(options.processes) as pool:
        chosen = [one for each in pool.imap(samples, orders) for one in each]
    print("Expected calibration error (mean of the shown relevance, share on topic):\n")
    print("\n".join(lines(chosen, [one.shown for one in chosen])))
    if options.fit:
        weights = fitted(chosen)
        print("\nFitted to all beds:\n")
        print("\n".join(lines(chosen, [_chances(one, weights) for one in chosen])))
        without = {bed: fitted([one for one in chosen if one.bed != bed]) for bed in {one.bed for one in chosen}}
        print("\nFitted to the other beds:\n")
        print("\n".join(lines(chosen, [_chances(one, without[one.bed]) for one in chosen])))
        print("\n" + "\n".join(f'    "{name}": {weight:.2f},' for name, weight in zip(WEIGHTS, weights, strict=True)))


def _chances(one: Sample, weights: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-one.features @ weights)))


if __name__ == "__main__":
    main()
