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
from lycosa.lab.tables import Cell, Column, Row, columns, summary_rows
from lycosa.system.errors import Code, Refused

SHOWN = {
    "target_recall": "",
    "target_recall_auc": "AUC",
    "precision": "precision",
    "harvest_rate": "harvest",
    "oracle_share": "of oracle",
    "oracle_share_requests": "by requests",
    "target_recall_hours_auc": "by time",
    "calibration_error": "calibration",
}
"""Metrics shown in the terminal, with short labels; the report has the rest."""
DROPPED = ("calibration_error", "harvest_rate", "precision")
"""Metrics that a narrow terminal does not show, in this order."""
WARNINGS = 10
POINTS = 4
LABEL = 20
"""Letters of a label that must not be broken."""


def show(inquiry: Inquiry, console: Console) -> None:
    """Print an inquiry."""
    comparison = inquiry.comparison
    rows = summary_rows(comparison, inquiry.tests)
    told = [(place, column) for place, column in enumerate(columns(comparison)) if column.metric in SHOWN]
    cells = {place: _cells(rows, place, column) for place, column in told}
    widths = {place: max(len(_heading(column)), *map(len, cells[place])) + 1 for place, column in told}
    told = _fitting(told, widths, console.width - min(LABEL, max(len(row.label) for row in rows)) - 1)
    title = f"{printable(comparison.bed)}, starting from {comparison.task}, means over {len(comparison.topics)} topics"
    console.print(Text(title, style="italic"), soft_wrap=True)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("target recall", overflow="fold")
    for _, column in told:
        table.add_column(_heading(column), justify="right", no_wrap=True)
    for nth, row in enumerate(rows):
        style = "dim" if row.label == ORACLE else ""
        table.add_row(Text(row.label, style=style), *(cells[place][nth] for place, _ in told))
    console.print(table)
    if inquiry.tests:
        console.print(
            f"* ** ***: differs from {comparison.baseline} (corrected p below 0.05, 0.01, 0.001)", style="dim"
        )
    console.print()
    for sentence in inquiry.findings:
        console.print(printable(sentence))
    console.print(_missing(inquiry))
    for warning in inquiry.warnings[:WARNINGS]:
        console.print(Text(f"warning: {printable(warning)}", style="yellow"), soft_wrap=True)
    if (more := len(inquiry.warnings) - WARNINGS) > 0:
        console.print(Text(f"and {more} more warnings; the report has them all", style="yellow"))
    console.print()


def _fitting(told: list[tuple[int, Column]], widths: dict[int, int], room: int) -> list[tuple[int, Column]]:
    """The columns that fit beside the labels: fewer points of target recall if there are many, then without others."""
    recall = [each for each in told if each[1].metric == "target_recall"]
    dropped = recall[-2::-2] if len(recall) > POINTS else []
    told = [each for each in told if each not in dropped]
    for metric in DROPPED:
        if sum(widths[place] for place, _ in told) > room:
            told = [each for each in told if each[1].metric != metric]
    return told


def _heading(column: Column) -> str:
    return SHOWN[column.metric] or f"@{column.at}"


def refuse_ranking(inquiry: Inquiry) -> None:
    """Refuse if the recording does not allow a ranking; the results are kept."""
    if not inquiry.ranked:
        raise Refused(
            f"no ranking: {_missing(inquiry)}",
            f"record more, or allow it with --missing {min(1.0, most_missing(inquiry.comparison)[1] + 0.01):.2f}",
            code=Code.EMPTY,
        )


def _cells(rows: list[Row], place: int, column: Column) -> list[Text]:
    """A column as it is shown, with room for the stars of all rows."""
    room = max(len(row.cells[place].stars) for row in rows)
    return [_cell(row.cells[place], unit(column.metric), room) for row in rows]


def _cell(cell: Cell, unit: str, room: int) -> Text:
    told = number(cell.mean, unit).removeprefix("0")
    return Text(told + cell.stars.ljust(room), style="bold" if cell.best else "")


def _missing(inquiry: Inquiry) -> str:
    comparison = inquiry.comparison
    label, share = most_missing(comparison)
    why = "" if comparison.complete else f" (limit {comparison.limit:.0%}: it is a recorded crawl)"
    return f"up to {share:.1%} of the wanted pages ({label}) are not in {printable(comparison.bed)}{why}"
