"""The report of a study that is not a comparison of crawls, with the same page layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from lycosa.lab.report.figures import Figure, Ways
from lycosa.lab.report.page import CONTENTS, Statements, figure_view, render
from lycosa.lab.report.pictures import file_svg, png
from lycosa.lab.report.replace_files import replace_files

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


def ways_of(lines: Sequence[str]) -> Ways:
    """A number for each line: its colour and dashes."""
    return {line: number for number, line in enumerate(lines)}


def write_account(
    folder: Path,
    account: StudyReport,
    statements: Statements | None = None,
    *,
    warnings: Sequence[str] = (),
    command: str = "",
    also: Sequence[Path] = (),
) -> Path:
    """Write report.html and figures/*.svg and *.png into a folder; returns the path of the page.

    `also` are tables of this report that are there already.
    """
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    files = [*also]
    for figure in account.figures:
        svg = file_svg(figure.panels, figure.columns)
        files += [folder / "figures" / f"{figure.name}.{kind}" for kind in ("svg", "png")]
        files[-2].write_text(svg, encoding="utf-8")
        files[-1].write_bytes(png(svg))
    beside = [file.relative_to(folder).as_posix() for file in files]
    page = folder / "report.html"
    page.write_text(_html(account, statements, warnings, command, beside), encoding="utf-8")
    replace_files(folder, beside)
    return page


def _html(
    account: StudyReport, statements: Statements | None, warnings: Sequence[str], command: str, files: Sequence[str]
) -> str:
    ways = ways_of(account.lines)
    return render(
        ways,
        has={section: section in _SECTIONS for section in CONTENTS} | {"statements": statements is not None},
        title=account.title,
        facts=account.facts,
        account={
            "findings": account.findings,
            "figures": [figure_view(figure, "account", ways) for figure in account.figures],
            "tables": account.tables,
            "measured": account.measured,
        },
        chapters=[],
        statements=statements,
        has_oracle=False,
        marked=False,
        metrics=[],
        warnings=list(warnings),
        command=command,
        files=list(files),
    )
