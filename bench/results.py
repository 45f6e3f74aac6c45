"""Every strategy on the real test beds and on three made webs, as docs/reference/results.md shows them: `make results`.

Crawls are kept in a folder, so that only what has changed is crawled again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lycosa.core.strategy import strategies
from lycosa.lab.comparison import ORACLE
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.inquiry import Inquiry, inquire
from lycosa.lab.statistics.pairwise_tests import Test
from lycosa.lab.statistics.summary import arm, average, figures
from lycosa.lab.world import open_world
from lycosa.web.testbed import TASKS

ROOT = Path(__file__).resolve().parents[1]
BEDS = ROOT.parent / "shared" / "testbeds"
MADE = "made:shape={},pages=10000,topics=12,seed=5,page_bytes=3000"
PAGES = 1000
OURS = "apprentice"
ENTITIES = "apprentice:breadth=1.5"
"""For the business web, where what is hunted are companies: any further page of a site is worth less."""
AREA, BY_REQUESTS = "target_recall_auc", "target_recall_requests_auc"


class Ground(NamedTuple):
    """A web on which every strategy is measured."""

    title: str
    world: str
    tasks: Sequence[str]
    more: Sequence[str]
    """Configurations besides every strategy with its defaults."""
    subsets: int = 1
    """Sets of start pages for each topic."""


def grounds() -> list[Ground]:
    """The beds that are there, and the made webs."""
    found = [
        Ground("Schools bed", str(BEDS / "schools"), TASKS, ("best-n-first:n=16", "shark-search:d=0")),
        # From the neighbours a crawl hangs on its start pages here: one topic swings between .03 and .96.
        Ground("R packages", str(BEDS / "rweb"), TASKS, (), subsets=3),
    ]
    made = [
        Ground(f"Made web: {shape}", MADE.format(shape), ("examples",), (ENTITIES,))
        for shape in ("communities", "business", "encyclopedia")
    ]
    return [*(ground for ground in found if Path(ground.world).exists()), *made]


def table(inquiry: Inquiry) -> Iterator[str]:
    """One task as Markdown, best first; p is of the difference in area to our strategy, corrected within the table."""
    comparison = inquiry.comparison
    ways = sorted(comparison.arms, key=lambda way: -average(arm(comparison, way).values[AREA]))
    ceilings = {metric: average(arm(comparison, ORACLE).values[metric]) for metric in (AREA, BY_REQUESTS)}
    tests = {test.worse if test.better == OURS else test.better: test for test in inquiry.tests if test.metric == AREA}
    points = [point for point in (100, 200, 500, 1000) if point <= comparison.pages]
    recalls = " | ".join(f"recall@{point}" for point in points)
    yield f"| strategy | {recalls} | area | of the oracle's | of the oracle's, requests counted | {OURS} is |"
    yield "|---|" + "---|" * (len(points) + 4)
    for way in [*ways, ORACLE]:
        recall = [average(figures(comparison, way, "target_recall", point)) for point in points]
        areas = {metric: average(arm(comparison, way).values[metric]) for metric in ceilings}
        shares = [f"{areas[metric] / ceiling:.2f}" for metric, ceiling in ceilings.items()]
        cells = [*(f"{value:.3f}" for value in recall), f"{areas[AREA]:.3f}", *shares, _against(tests.get(way))]
        yield f"| {way} | {' | '.join(cells)} |"


def _against(test: Test | None) -> str:
    """Whether our strategy is ahead of or behind another, and how likely that is by chance."""
    if test is None:
        return ""
    if not test.difference:
        return "level"
    p = test.p_corrected
    return f"{'ahead' if test.better == OURS else 'behind'}, p {'< .001' if p < 0.001 else f'= {p:.3f}'}"


def main() -> None:
    """Crawl, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "lab-results")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "reference/results.md")
    parser.add_argument("--processes", type=int)
    parser.add_argument("--strategies", help="only these, separated by commas; the page says so")
    options = parser.parse_args()
    chosen = options.strategies.split(",") if options.strategies else [*strategies()]
    lines = [HEAD, *_left_out(chosen)]
    for ground in grounds():
        world = open_world(ground.world)
        for task in ground.tasks:
            inquiry = inquire(
                world,
                parse_configurations([*chosen, *ground.more]),
                task,
                PAGES,
                folder=options.folder,
                subsets=ground.subsets,
                reference=OURS,
                processes=options.processes,
                progress=_watch,
            )
            several = f", means of {ground.subsets} sets of start pages" if ground.subsets > 1 else ""
            lines += [
                f"## {ground.title}, from the {task}",
                "",
                f"`{world.name}`, {len(inquiry.comparison.topics)} topics, {PAGES:,} pages per crawl{several}.",
                "",
            ]
            lines += [*table(inquiry), "", *(f"- {warning}" for warning in inquiry.warnings), ""]
            options.out.write_text("\n".join(lines))
    print(f"written: {options.out}")


def _left_out(chosen: Sequence[str]) -> Iterator[str]:
    if missing := sorted(set(strategies()) - set(chosen)):
        yield f"Not measured this time: {', '.join(f'`{name}`' for name in missing)}.\n"


def _watch(what: str, done: int, total: int) -> None:
    if done == total or done % 50 == 0:
        print(f"{what}: {done} of {total}", flush=True)


HEAD = f"""# Every strategy, measured

`make results` writes this page. Each crawl has one worker and runs in virtual time. The tables show target recall after
a number of pages, the area under it (its mean over the crawl), and that area as a share of the oracle's. The share with
requests counted is of the area over the first {PAGES:,} requests: dead links, redirects, robots.txt and pages read
before the crawl cost as much there as pages do. The last column says whether `{OURS}` is ahead of or behind the row's
strategy in area, and how likely that difference would be by chance: a paired t-test over topics, corrected by Holm for
all comparisons of the table in both directions. [Strategies](strategies.md) describes the strategies and
[test beds](../how-to/testbeds.md) the webs.

The strategies do not all start with the same knowledge. `focused` is given the categories of all topics with their
examples. `context-graph` may ask which pages link to the examples. Both read some hundred pages before they begin,
which count as requests and not as pages. All others have only keywords and start pages. From the neighbours, only
`focused` has examples.
"""

if __name__ == "__main__":
    main()
