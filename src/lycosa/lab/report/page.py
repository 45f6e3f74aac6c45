"""The page: one HTML file that contains everything."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files as parts
from typing import Any

import numpy as np
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from msgspec.structs import asdict

from lycosa.lab.comparison import ORACLE, Comparison
from lycosa.lab.metrics import FORMULAS, METRICS
from lycosa.lab.phrasing import capital, listed, number, percent, spelled
from lycosa.lab.report import crawl_graph
from lycosa.lab.report.chapter import Chapter, Statements
from lycosa.lab.report.colours import DARK, LIGHT, colour, dash, printable
from lycosa.lab.report.crawl_graph import ORDER_DARK, ORDER_LIGHT, Crawled
from lycosa.lab.report.figures import Figure, Numbers, figures, line_numbers
from lycosa.lab.report.panels import SMALL, Panel, low_high, place
from lycosa.lab.report.pictures import panel_svg
from lycosa.lab.report.table_views import cost_table, main_table, pairs, topic_rows, wins
from lycosa.lab.statistics.standings import missing_share

CONTENTS = {
    "statements": "What the paper says",
    "findings": "What was found",
    "figures": "Figures",
    "tables": "In numbers",
    "table": "The ways compared",
    "trajectories": "Trajectories",
    "static-dynamic": "Static and dynamic",
    "tests": "Pairwise tests",
    "topics": "Topic by topic",
    "wins": "Wins, ties, losses",
    "path": "A crawl’s path",
    "cost": "What it cost",
    "measured": "How it was measured",
    "reproduce": "Reproduce it",
    "warnings": "Warnings",
}
TASKS = {"examples": "Starting from examples", "neighbors": "Starting from neighbours, a few links away"}

_REFERS_BACK = ("It ", "Its ", "They ", "Their ", "This ", "These ", "Significantly ", "Not ", "A signed-rank ")


def names_of(chapters: Sequence[Chapter]) -> list[str]:
    """The prefix of the files and anchors of each chapter: its task, and a number if another has the same."""
    tasks = [re.sub(r"\W+", "-", chapter.comparison.task) for chapter in chapters]
    return [
        task if tasks.count(task) == 1 else f"{task}-{tasks[: nth + 1].count(task)}" for nth, task in enumerate(tasks)
    ]


def numbers_of(chapters: Sequence[Chapter]) -> Numbers:
    """A number for each configuration, the same in all chapters."""
    return line_numbers(label for chapter in chapters for label in chapter.comparison.arms)


def html(
    chapters: Sequence[Chapter],
    *,
    statements: Statements | None = None,
    warnings: Sequence[str] = (),
    command: str = "",
    files: Sequence[str] = (),
) -> str:
    """The whole page."""
    numbers = numbers_of(chapters)
    views = [_chapter(chapter, name, numbers) for chapter, name in zip(chapters, names_of(chapters), strict=True)]
    has = {
        "statements": statements is not None,
        "figures": False,
        "tables": False,
        "static-dynamic": any(view["figures"]["static-dynamic"] for view in views),
        "topics": any(view["figures"]["topics"] for view in views),
        "wins": any(view["wins"] for view in views),
        "path": any(view["paths"] for view in views),
        "cost": any(view["cost"].columns for view in views),
    }
    return render(
        numbers,
        title=_title(chapters, numbers),
        facts=_facts(chapters),
        chapters=views,
        statements=statements,
        has=has,
        has_oracle=any(chapter.comparison.oracle.curves for chapter in chapters),
        marked=any(cell.letters for view in views for row in view["table"].rows for cell in row.cells),
        metrics=_metrics(chapters),
        warnings=warnings,
        command=command,
        files=files,
    )


def render(numbers: Numbers, *, has: dict[str, bool], **told: Any) -> str:
    """The page of a report of any kind; sections for which `has` is false are not in its table of contents."""
    script = _part("page.js")
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(_part("page.html"))
    page = template.render(
        contents=[(section, name) for section, name in CONTENTS.items() if has.get(section, True)],
        ways=numbers,
        dashes=[dash(number) for number in range(len(numbers))],
        has=has,
        style=Markup(_part("page.css") + _colours(len(numbers))),
        script=Markup(script),
        script_hash=f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        **{"account": None, "chapters": [], "has_oracle": False, "marked": False, "metrics": []} | told,
    )
    return printable(page)


def _chapter(chapter: Chapter, name: str, numbers: Numbers) -> dict[str, Any]:
    comparison = chapter.comparison
    drawn = {figure.name: figure_view(figure, name, numbers) for figure in figures(comparison, numbers)}
    return {
        "title": chapter.title or TASKS.get(comparison.task, f"Task {comparison.task}"),
        "labels": list(comparison.arms),
        "last": comparison.points[-1],
        "findings": _paragraphs(chapter.findings),
        "table": main_table(comparison, chapter.tests),
        "own": [figure_view(figure, name, numbers) for figure in chapter.figures],
        "figures": dict.fromkeys(("trajectories", "importance", "static-dynamic", "reliability", "topics")) | drawn,
        "pairs": pairs(chapter.tests),
        "topics": topic_rows(comparison),
        "wins": wins(comparison, chapter.tests),
        "paths": [_path(crawled) for crawled in chapter.paths],
        "cost": cost_table(comparison),
        "missing": _missing(comparison),
    }


def _paragraphs(sentences: Sequence[str]) -> list[str]:
    """Paragraphs: sentences that refer back stay with the one before; the first says what was done and what won."""
    found: list[list[str]] = []
    for sentence in sentences:
        if found and (sentence.startswith(_REFERS_BACK) or sum(map(len, found)) == 1):
            found[-1].append(sentence)
        else:
            found.append([sentence])
    return [" ".join(each) for each in found]


def figure_view(figure: Figure, name: str, numbers: Numbers) -> dict[str, Any]:
    """A figure as the page shows it."""
    panels = [
        {
            "title": panel.title,
            "note": panel.note,
            "plot": _plot(panel, numbers),
            "svg": Markup(panel_svg(panel, len(numbers), _read_out(panel), f"{name}-{figure.name}-{nth}")),
        }
        for nth, panel in enumerate(figure.panels, 1)
    ]
    return {
        "id": f"{name}-{figure.name}",
        "title": figure.title,
        "caption": figure.caption,
        "panels": panels,
        "many": figure.panels[0].size is SMALL,
    }


def _plot(panel: Panel, numbers: Numbers) -> dict[str, Any]:
    """The numbers of a panel, to be shown at the pointer."""
    size = panel.size
    return {
        "x": [x if isinstance(x, int) else round(x, 3) for x in panel.x],
        "of": panel.x_title,
        "at": [round(place(panel, x), 1) for x in panel.x],
        "box": [size.left, size.top, size.width, size.height],
        "range": low_high(panel),
        "lines": [
            {"way": numbers.get(line.label, -1), "y": _rounded(line.y)}
            | ({} if line.label in (ORACLE, *numbers) else {"name": line.label})
            | ({"e": _rounded(line.error)} if np.isfinite(line.error).any() else {})
            for line in panel.lines
        ],
    }


def _rounded(values: Any) -> list[float | None]:
    return [float(f"{value:.4g}") if np.isfinite(value) else None for value in values.tolist()]


def _read_out(panel: Panel) -> str:
    """A panel in words, for screen readers."""
    ends = [f"{line.label} {number(float(line.y[np.isfinite(line.y)][-1]))}" for line in panel.lines]
    last = panel.x[-1]
    end = f"{last:,}" if isinstance(last, int) else number(last)
    return f"{panel.title} over {panel.x_title}; at {end}: {', '.join(ends)}"


def _path(crawled: Crawled) -> dict[str, Any]:
    words, targets = crawl_graph.told(crawled)
    svg = Markup(crawl_graph.svg(crawled))
    return {"label": crawled.label, "topic": crawled.topic, "words": words, "targets": targets, "svg": svg}


def _title(chapters: Sequence[Chapter], numbers: Numbers) -> str:
    beds = list(dict.fromkeys(chapter.comparison.bed for chapter in chapters))
    beds = ["a made web" if bed.startswith("made:") else bed for bed in beds]  # the facts below have its full name
    return f"{capital(spelled(len(numbers)))} way{'' if len(numbers) == 1 else 's'} of hunting in {listed(beds)}"


def _facts(chapters: Sequence[Chapter]) -> list[tuple[str, str]]:
    comparisons = [chapter.comparison for chapter in chapters]

    def each(values: list[int]) -> str:
        return " and ".join(f"{value:,}" for value in dict.fromkeys(values))

    tasks = list(dict.fromkeys(comparison.task for comparison in comparisons))
    return [
        ("Bed", listed(list(dict.fromkeys(comparison.bed for comparison in comparisons)))),
        ("Task" if len(tasks) == 1 else "Tasks", listed(tasks)),
        ("Pages a crawl", each([comparison.pages for comparison in comparisons])),
        ("Topics", each([len(comparison.topics) for comparison in comparisons])),
        ("Random seeds", each([comparison.repeats for comparison in comparisons])),
        *(
            [("Sets of start pages", each([comparison.subsets for comparison in comparisons]))]
            if any(comparison.subsets > 1 for comparison in comparisons)
            else []
        ),
        *(
            [("Workers", f"{pace.workers:,}"), ("Pause", f"{pace.delay:g} s")]
            if (pace := comparisons[0].pace).timed
            else []
        ),
    ]


def _missing(comparison: Comparison) -> str:
    if not any(arm.wanted for arm in comparison.arms.values()):
        return "How many of the pages wanted are not in the world was not counted."
    shares = [f"{label} {percent(missing_share(arm))}" for label, arm in comparison.arms.items()]
    asked = f"Of the URLs that the crawls asked for these shares are not in the world: {listed(shares)}."
    if comparison.complete:
        return f"{asked} It is complete, so these pages do not exist."
    return f"{asked} It is a recording: what stood there is unknown, and may have favoured any of the ways."


def _metrics(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    """The metrics that were measured, and those of a study, each with its formula."""
    arms = [arm for chapter in chapters for arm in chapter.comparison.arms.values()]
    told = {
        key
        for arm in arms
        for kind in (arm.curves, arm.values)
        for key, all_ in kind.items()
        if np.isfinite(all_).any()
    }
    own = {metric.key: metric for chapter in chapters for metric in chapter.metrics}
    known = {key: metric for key, metric in METRICS.items() if key in told}
    return [asdict(metric) | {"formula": _formula(key)} for key, metric in (known | own).items()]


def _formula(metric: str) -> list[tuple[str, bool]]:
    """The blocks of the text on top of a metric's file, and whether each is a formula; none for a study's own."""
    blocks = FORMULAS[metric].strip().split("\n\n") if metric in FORMULAS else []
    told = [(block, nth == 1 and bool(re.search(r"[=∩·*]", block))) for nth, block in enumerate(blocks)]
    return [(block if formula else " ".join(block.split()), formula) for block, formula in told]


def _part(name: str) -> str:
    return parts(__package__).joinpath(name).read_text(encoding="utf-8")


def _colours(count: int) -> str:
    """The CSS variables for configurations and order, in light and dark mode, and the rules that highlight one."""

    def variables(palette: tuple[str, ...], order: tuple[str, ...]) -> str:
        named = {f"w{nth}": colour(nth, palette) for nth in range(max(count, 3))}
        named |= {f"o{step}": shade for step, shade in enumerate(order)}
        return ":root{" + "".join(f"--{name}:{value};" for name, value in named.items()) + "}"

    lines = ':is([stroke^="var(--w"],[fill^="var(--w"])'
    of_way = ':not([stroke="var(--w{0})"],[fill="var(--w{0})"])'
    others = [f"html:has(#way-{nth}:checked) .panel {lines}{of_way.format(nth)}{{opacity:.13}}" for nth in range(count)]
    dark = f"@media screen and (prefers-color-scheme:dark){{{variables(DARK, ORDER_DARK)}}}"
    path = crawl_graph.styles(
        [f"var(--o{step})" for step in range(len(ORDER_LIGHT))], "var(--ink)", "var(--muted)", "var(--paper)"
    )
    return "\n".join([variables(LIGHT, ORDER_LIGHT), dark, path, *others])
