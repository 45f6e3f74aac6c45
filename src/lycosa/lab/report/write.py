"""A report in a folder: the page, and its figures and tables as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lycosa.lab.report import crawl_graph
from lycosa.lab.report.figures import Ways, figures
from lycosa.lab.report.page import Chapter, Statements, html, names_of, ways_of
from lycosa.lab.report.pictures import file_svg, png
from lycosa.lab.report.replace_files import replace_files
from lycosa.lab.tables import write_tables


def write_report(
    folder: Path,
    chapters: Sequence[Chapter],
    *,
    statements: Statements | None = None,
    warnings: Sequence[str] = (),
    command: str = "",
    also: Sequence[Path] = (),
) -> Path:
    """Write report.html, figures/*.svg and *.png and tables/ into a folder; returns the path of the page.

    Files of an earlier report that this one does not write are removed. `also` are tables of this report that are there
    already.
    """
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    files = [*also]
    for name, chapter in zip(names_of(chapters), chapters, strict=True):
        for figure, svg in _pictures(chapter, ways_of(chapters)).items():
            files += [folder / "figures" / f"{name}-{figure}.{kind}" for kind in ("svg", "png")]
            files[-2].write_text(svg, encoding="utf-8")
            files[-1].write_bytes(png(svg))
        files += write_tables(chapter.comparison, chapter.tests, folder / "tables" / name)
    page = folder / "report.html"
    beside = [file.relative_to(folder).as_posix() for file in files]
    told = html(chapters, statements=statements, warnings=warnings, command=command, files=beside)
    page.write_text(told, encoding="utf-8")
    replace_files(folder, beside)
    return page


def _pictures(chapter: Chapter, ways: Ways) -> dict[str, str]:
    """Each figure of a chapter by its name, as SVG on white."""
    all_figures = [*chapter.figures, *figures(chapter.comparison, ways)]
    found = {each.name: file_svg(each.panels, each.columns) for each in all_figures}
    return found | {
        f"path-{number}": crawl_graph.svg(crawled, alone=True) for number, crawled in enumerate(chapter.paths, 1)
    }
