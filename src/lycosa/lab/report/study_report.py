"""The report of a study that is not a comparison of crawls, with the same page layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from lycosa.lab.report.chapter import Statements
from lycosa.lab.report.figures import Figure, line_numbers
from lycosa.lab.report.page import CONTENTS, figure_view, render
from lycosa.lab.report.pictures import file_svg
from lycosa.lab.report.write import write_page, write_pictures, writing

_SECTIONS = ("statements", "findings", "figures", "tables", "measured", "reproduce", "warnings")


class ReportTable(Struct, frozen=True):
    """Rows of text under headings; a row that begins with the name of a line in the figures has its colour."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


class StudyReport(Struct):
    """The content of a report."""

    title: str
    facts: list[tuple[str, str]]
    """Names and values of facts, a word or two each."""
    findings: list[str]
    """Paragraphs, the most important first."""
    lines: list[str]
    """The names of all lines in the figures, each with a colour of its own."""
    figures: list[Figure]
    tables: list[ReportTable]
    measured: list[str]
    """How it was measured, in paragraphs."""


def write_account(
    folder: Path,
    account: StudyReport,
    statements: Statements,
    *,
    warnings: Sequence[str] = (),
    command: str = "",
    also: Sequence[Path] = (),
) -> Path:
    """Write report.html and figures/*.svg and *.png into a folder; returns the path of the page.

    `also` are tables of this report that are there already.
    """
    numbers = line_numbers(account.lines)
    pictures = {figure.name: file_svg(figure.panels, figure.columns) for figure in account.figures}
    with writing(folder):
        return write_page(
            folder,
            [*also, *write_pictures(folder, pictures)],
            lambda names: render(
                numbers,
                has={section: section in _SECTIONS for section in CONTENTS},
                title=account.title,
                facts=account.facts,
                account={
                    "findings": account.findings,
                    "figures": [figure_view(figure, "account", numbers) for figure in account.figures],
                    "tables": account.tables,
                    "measured": account.measured,
                },
                statements=statements,
                warnings=warnings,
                command=command,
                files=names,
            ),
        )
