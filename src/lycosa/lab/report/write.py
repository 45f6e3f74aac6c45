"""A report in a folder: the page, and its figures and tables as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from lycosa.lab.report import crawl_graph
from lycosa.lab.report.chapter import Chapter, Statements
from lycosa.lab.report.figures import Numbers, figures
from lycosa.lab.report.page import html, names_of, numbers_of
from lycosa.lab.report.pictures import file_svg, png
from lycosa.lab.tables import write_tables
from lycosa.system.errors import Code, Refused

LIST = "report.files.json"

_ours = re.compile(r"figures/[\w-]+\.(svg|png)|tables/([\w-]+/)?[\w-]+\.(csv|tex)")


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

    `also` are tables of this report that are there already.
    """
    with writing(folder):
        files = [*also]
        for name, chapter in zip(names_of(chapters), chapters, strict=True):
            files += write_pictures(folder, _pictures(chapter, name, numbers_of(chapters)))
            files += write_tables(chapter.comparison, chapter.tests, folder / "tables" / name)
        return write_page(
            folder,
            files,
            lambda names: html(chapters, statements=statements, warnings=warnings, command=command, files=names),
        )


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Refuse if the folder of a report cannot be written."""
    try:
        yield
    except OSError as problem:
        raise Refused(
            f"the report cannot be written to {folder}",
            problem.strerror or str(problem),
            code=Code.UNWRITABLE,
            field="out",
        ) from None


def write_pictures(folder: Path, pictures: Mapping[str, str]) -> list[Path]:
    """Write pictures, given as SVG by name, as figures/*.svg and *.png."""
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    files = []
    for name, svg in pictures.items():
        files += [folder / "figures" / f"{name}.{kind}" for kind in ("svg", "png")]
        files[-2].write_text(svg, encoding="utf-8")
        files[-1].write_bytes(png(svg))
    return files


def write_page(folder: Path, files: Sequence[Path], html: Callable[[list[str]], str]) -> Path:
    """Write report.html, which is made with the names of the files beside it; returns its path.

    Files of an earlier report that this one does not have are removed.
    """
    names = [file.relative_to(folder).as_posix() for file in files]
    page = folder / "report.html"
    page.write_text(html(names), encoding="utf-8")
    replace_files(folder, names)
    return page


def replace_files(folder: Path, names: Sequence[str]) -> None:
    """Write a list of this report's files; remove those that are on the last report's list and not on this one."""
    for name in sorted(_listed(folder) - {*names}):
        file = folder / name
        # The list is not trusted, since the folder may come from anywhere: nothing outside of it is removed.
        if file.is_file() and file.resolve() == folder.resolve() / name:
            file.unlink()
            with suppress(OSError):  # not empty
                file.parent.rmdir()
    (folder / LIST).write_bytes(msgspec.json.format(msgspec.json.encode(names), indent=1) + b"\n")


def _listed(folder: Path) -> set[str]:
    try:
        names = msgspec.json.decode((folder / LIST).read_bytes(), type=list[str])
    except (OSError, ValueError, msgspec.DecodeError):
        return set()
    return {*filter(_ours.fullmatch, names)}


def _pictures(chapter: Chapter, name: str, numbers: Numbers) -> dict[str, str]:
    """Each figure of a chapter by the name of its file, as SVG on white."""
    all_figures = [*chapter.figures, *figures(chapter.comparison, numbers)]
    found = {f"{name}-{each.name}": file_svg(each.panels, each.columns) for each in all_figures}
    return found | {
        f"{name}-path-{number}": crawl_graph.svg(crawled, alone=True) for number, crawled in enumerate(chapter.paths, 1)
    }
