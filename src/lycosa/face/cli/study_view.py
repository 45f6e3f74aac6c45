"""Shows a study in a terminal: what the paper says, and what was measured here."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lycosa.app.wording import printable
from lycosa.lab.report.study_report import ReportTable as Told
from lycosa.lab.studies import studies
from lycosa.lab.studies.study import StudyOutcome
from lycosa.lab.studies.table import statements_of

MEASUREMENTS = 4
"""Lines of a claim that are shown; the rest is only counted, and the report has them all."""
_STYLES = {"agrees": "green", "disagrees": "red"}


def show(result: StudyOutcome, console: Console) -> None:
    """Print the outcome of a study."""
    console.print(Text(result.study.paper, style="bold"))
    console.print(printable(result.scale))
    console.print()
    for told in result.tables:
        console.print(_table(told))
        console.print()
    for number, row in enumerate(statements_of(result.claims), 1):
        console.print(Text(f"{number}. {row.says}"))
        style = _STYLES.get(row.verdict, "yellow")
        console.print(Padding(Text(f"here: {row.agrees}", style=style), (0, 0, 0, 3)))
        shown = [
            *row.here[:MEASUREMENTS],
            *([f"and {len(row.here) - MEASUREMENTS} more"] * (len(row.here) > MEASUREMENTS)),
        ]
        for line in shown:
            console.print(Padding(Text(f"- {printable(line)}"), (0, 0, 0, 3)))
        for line in row.why:
            console.print(Padding(Text(f"why: {printable(line)}", style="dim"), (0, 0, 0, 3)))
        console.print()
    for line in result.missing:
        console.print(Text(f"missing: {printable(line)}", style="yellow"), soft_wrap=True)
    for line in result.warnings:
        console.print(Text(f"warning: {printable(line)}", style="yellow"), soft_wrap=True)
    console.print(f"{result.seconds:.0f} seconds")


def _table(told: Told) -> Table:
    """A table with the same rows as in the report."""
    table = Table(title=told.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for place, heading in enumerate(told.head):
        table.add_column(heading, justify="left" if place == 0 else "right")
    for row in told.rows:
        table.add_row(*map(printable, row))
    return table


def show_list(console: Console) -> None:
    """Print the list of studies."""
    for name, study in studies().items():
        console.print(f"{name}: {study.paper}")
