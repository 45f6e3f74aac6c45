"""Every strategy on the schools bed and on three made webs, as docs/reference/results.md shows them: `make results`.

Crawls are kept in a folder, so that only what has changed is crawled again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from lycosa.core.strategy import strategies
from lycosa.lab.comparison import ORACLE
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.inquiry import Inquiry, inquire
from lycosa.lab.statistics.compare import advantages, holm, t_test
from lycosa.lab.statistics.summary import arm, average, figures
from lycosa.lab.world import open_world
from lycosa.web.testbed import TASKS

ROOT = Path(__file__).resolve().parents[1]
SCHOOLS = ROOT.parent / "shared" / "testbeds" / "schools"
MADE = "made:shape={},pages=10000,topics=12,seed=5,page_bytes=3000"
OURS = "apprentice"
ENTITIES = "apprentice:breadth=1.5"
"""For the business web, where what is hunted are companies: any further page of a site is worth less."""
AREA = "target_recall_auc"


def grounds() -> list[tuple[str, str, Sequence[str], int, Sequence[str]]]:
    """Title, world, tasks, pages per crawl, and ways besides every strategy with its defaults."""
    made: list[tuple[str, str, Sequence[str], int, Sequence[str]]] = [
        (f"Made web: {shape}", MADE.format(shape), ("examples",), 500, (ENTITIES,))
        for shape in ("communities", "business", "encyclopedia")
    ]
    if not SCHOOLS.exists():
        return made
    return [("Schools bed", str(SCHOOLS), TASKS, 1000, ("best-n-first:n=16", "shark-search:d=0")), *made]


def table(inquiry: Inquiry) -> Iterator[str]:
    """One task as Markdown, best first; p is of our strategy's lead, by a one-tailed paired t-test, Holm-corrected."""
    comparison = inquiry.comparison
    ways = sorted(comparison.arms, key=lambda way: -average(arm(comparison, way).values[AREA]))
    ceiling = average(arm(comparison, ORACLE).values[AREA])
    others = [way for way in ways if way != OURS]
    ours = arm(comparison, OURS).values[AREA]
    leads = [t_test(advantages(ours, arm(comparison, way).values[AREA])) for way in others]
    p = dict(zip(others, holm(leads), strict=True))
    points = [point for point in (100, 200, 500, 1000) if point <= comparison.pages]
    recalls = " | ".join(f"recall@{point}" for point in points)
    yield f"| strategy | {recalls} | area | of the oracle's | {OURS} leads, p |"
    yield "|---|" + "---|" * (len(points) + 3)
    for way in [*ways, ORACLE]:
        recall = [average(figures(comparison, way, "target_recall", point)) for point in points]
        area = average(arm(comparison, way).values[AREA])
        cells = [*(f"{value:.3f}" for value in recall), f"{area:.3f}", f"{area / ceiling:.2f}", _p(p.get(way))]
        yield f"| {way} | {' | '.join(cells)} |"


def _p(p: float | None) -> str:
    if p is None:
        return ""
    return "< .001" if p < 0.001 else f"{p:.3f}"


def main() -> None:
    """Crawl, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "lab-results")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "reference/results.md")
    parser.add_argument("--processes", type=int)
    options = parser.parse_args()
    lines = [HEAD]
    for title, text, tasks, pages, more in grounds():
        world = open_world(text)
        for task in tasks:
            configurations = parse_configurations([*strategies(), *more])
            inquiry = inquire(
                world, configurations, task, pages, folder=options.folder, processes=options.processes, progress=_watch
            )
            lines += [
                f"## {title}, from the {task}",
                "",
                f"`{world.name}`, {len(inquiry.comparison.topics)} topics, {pages:,} pages per crawl.",
                "",
            ]
            lines += [*table(inquiry), "", *(f"- {warning}" for warning in inquiry.warnings), ""]
            options.out.write_text("\n".join(lines))
    print(f"written: {options.out}")


def _watch(what: str, done: int, total: int) -> None:
    if done == total or done % 50 == 0:
        print(f"{what}: {done} of {total}", flush=True)


HEAD = f"""# Every strategy, measured

`make results` writes this page. Each crawl has one worker and runs in virtual time. The tables show target recall after
a number of pages, the area under it (its mean over the crawl), and that area as a share of the oracle's. p says how
likely a lead of `{OURS}` over the row's strategy in area would be by chance: a one-tailed paired t-test over topics,
corrected by Holm within the table. [Strategies](strategies.md) describes the strategies and
[test beds](../how-to/testbeds.md) the webs.

The strategies do not all start with the same knowledge. `focused` is given the categories of all topics with their
examples. `context-graph` may ask which pages link to the examples, and reads some hundred pages before it begins, which
do not count. All others have only keywords and start pages. From the neighbours, only `focused` has examples.
"""

if __name__ == "__main__":
    main()
