"""Shows an inquiry in a terminal: first the table, then the text."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lycosa.app.wording import printable
from lycosa.lab.comparison import ORACLE
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.phrasing import number
from lycosa.lab.statistics.standings import most_missing
from lycosa.lab.statistics.summary import unit
from lycosa.lab.tables import Cell, Column, columns, summary_rows
from lycosa.system.errors import Code, Refused

SHOWN = {
    "target_recall": "",
    "target_recall_auc": "AUC",
    "precision": "precision",
    "harvest_rate": "harvest",
    "oracle_share": "of oracle",
}
"""Metrics shown in the terminal, with short labels; the report has the rest."""
WARNINGS = 10
POINTS = 4


def show(inquiry: Inquiry, console: Console) -> None:
    """Print an inquiry."""
    comparison = inquiry.comparison
    told = _fitting([(place, column) for place, column in enumerate(columns(comparison)) if column.metric in SHOWN])
    title = f"{printable(comparison.bed)}, starting from {comparison.task}, means over {len(comparison.topics)} topics"
    console.print(Text(title, style="italic"), soft_wrap=True)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("target recall", overflow="fold")
    for _, column in told:
        table.add_column(SHOWN[column.metric] or f"@{column.at}", justify="right", no_wrap=True)
    rows = summary_rows(comparison, inquiry.tests)
    room = {place: max(len(row.cells[place].stars) for row in rows) for place, _ in told}
    for row in rows:
        cells = [_cell(row.cells[place], unit(column.metric), room[place]) for place, column in told]
        table.add_row(Text(row.label, style="dim" if row.label == ORACLE else ""), *cells)
    console.print(table)
    baseline = next(iter(comparison.arms), "")
    if inquiry.tests:
        console.print(f"* ** ***: differs from {baseline} (corrected p below 0.05, 0.01, 0.001)", style="dim")
    console.print()
    for sentence in inquiry.findings:
        console.print(printable(sentence))
    console.print(_missing(inquiry))
    for warning in inquiry.warnings[:WARNINGS]:
        console.print(Text(f"warning: {printable(warning)}", style="yellow"), soft_wrap=True)
    if (more := len(inquiry.warnings) - WARNINGS) > 0:
        console.print(Text(f"and {more} more warnings; the report has them all", style="yellow"))
    console.print()


def _fitting(told: list[tuple[int, Column]]) -> list[tuple[int, Column]]:
    """The columns, with fewer points of target recall if there are many: a terminal is narrow."""
    recall = [each for each in told if each[1].metric == "target_recall"]
    dropped = recall[-2::-2] if len(recall) > POINTS else []
    return [each for each in told if each not in dropped]


def refuse_ranking(inquiry: Inquiry) -> None:
    """Refuse if the recording does not allow a ranking; the results are kept."""
    if not inquiry.ranked:
        raise Refused(
            f"no ranking: {_missing(inquiry)}",
            f"record more, or allow it with --missing {min(1.0, most_missing(inquiry.comparison)[1] + 0.01):.2f}",
            code=Code.EMPTY,
        )


def _cell(cell: Cell, unit: str, room: int) -> Text:
    told = number(cell.mean, unit).removeprefix("0")
    return Text(told + cell.stars.ljust(room), style="bold" if cell.best else "")


def _missing(inquiry: Inquiry) -> str:
    comparison = inquiry.comparison
    label, share = most_missing(comparison)
    why = "" if comparison.complete else f" (limit {comparison.limit:.0%}: it is a recorded crawl)"
    return f"up to {share:.1%} of the wanted pages ({label}) are not in {printable(comparison.bed)}{why}"
