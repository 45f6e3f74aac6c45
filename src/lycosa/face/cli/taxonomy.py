"""`lycosa taxonomy ...`: makes and checks categories with example pages before they are used in a hunt."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text
from typer import Argument, Option

from lycosa.app.wording import printable
from lycosa.face.cli.request_options import read_pair
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.app.taxonomies import Checked, Filed
    from lycosa.core.taxonomy import Taxonomy

app = typer.Typer(help="Taxonomies: categories with example pages, for focused crawling.", no_args_is_help=True)

Good = Annotated[list[str] | None, Option(help="Category to hunt, or `*sports`: all whose names end so; repeatable.")]


@app.command()
def check(
    file: Annotated[str, Argument(help="Taxonomy: a JSON, JSON Lines or tab-separated file, a test bed, or made:...")],
    good: Good = None,
    refile: Annotated[
        list[str] | None, Option(help="Move an example to another category, as URL=CATEGORY; repeatable.")
    ] = None,
    inspect: Annotated[
        list[str] | None, Option(help="Collection, test bed or recording to read the examples from; repeatable.")
    ] = None,
    page: Annotated[
        list[str] | None, Option(help="URL of another page there, to see where it would be filed; repeatable.")
    ] = None,
    out: Annotated[
        Path | None, Option(help="File for the corrected taxonomy: .tsv = tab-separated, otherwise JSON Lines.")
    ] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Show a taxonomy, its problems, and which of its examples look misfiled."""
    from lycosa.app.taxonomies import check as look_through

    refiled = dict(read_pair("refile", text) for text in refile or ())
    checked = look_through(file, good=good or (), refiled=refiled, inspect=inspect or (), pages=page or (), out=out)
    if json:
        print(json_format.dumps(checked.as_dict()))
        return
    _print([*_tree(checked.taxonomy), *_findings(checked), *([f"written to {out}"] if out else [])])


@app.command("from-bed")
def from_bed(
    bed: Annotated[str, Argument(help="Test bed, or made web such as made:pages=2000,seed=1.")],
    out: Annotated[Path, Option(help="File to write: .tsv = tab-separated, otherwise JSON Lines.")],
    good: Good = None,
) -> None:
    """Write a taxonomy of a test bed's topics and their examples."""
    from lycosa.engine.taxonomy_files import read_taxonomy, write_taxonomy

    taxonomy = read_taxonomy(bed, good or ())
    write_taxonomy(taxonomy, out)
    _print([_summary(taxonomy), f"written to {out}"])


@app.command("from-odp")
def from_odp(
    content: Annotated[Path, Argument(help="The Open Directory's content.rdf.u8, compressed or not.")],
    out: Annotated[Path, Option(help="File to write: .tsv = tab-separated, otherwise JSON Lines.")],
    under: Annotated[str, Option(help="Use only this category and those below it.")] = "Top",
    depth: Annotated[int, Option(help="Levels of categories to keep; deeper pages are filed at the last one.")] = 3,
    examples: Annotated[int, Option(help="Maximum examples per category.")] = 20,
    good: Good = None,
) -> None:
    """Write a taxonomy of an Open Directory dump's categories and the pages they list."""
    from lycosa.app.taxonomies import from_odp as taken_from
    from lycosa.engine.taxonomy_files import mark_good, write_taxonomy
    from lycosa.face.cli.lab import needs_lab
    from lycosa.face.cli.stages import Stages

    needs_lab()
    with Stages() as stages:
        taxonomy, left_out = taken_from(content, under=under, depth=depth, examples=examples, progress=stages)
    taxonomy = mark_good(str(content), taxonomy, good or ())
    write_taxonomy(taxonomy, out)
    lost = [f"{count:,} pages left out: {reason}" for reason, count in left_out.most_common()]
    _print([_summary(taxonomy), *lost, f"written to {out}"])


def _print(lines: list[str]) -> None:
    console = Terminal()
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)


def _tree(taxonomy: Taxonomy) -> Iterator[str]:
    rows = [
        ("  " * category.path.count("/") + category.path.rpartition("/")[2], len(category.examples), category.good)
        for category in sorted(taxonomy.categories, key=lambda category: category.path.split("/"))
    ]
    width = max(len(name) for name, _, _ in rows)
    for name, count, good in rows:
        yield f"{name:<{width}}  {count or '':>5}{'  good' if good else ''}".rstrip()
    yield ""
    yield _summary(taxonomy)


def _summary(taxonomy: Taxonomy) -> str:
    told = f"{len(taxonomy.categories):,} categories, {sum(1 for _ in taxonomy.filed()):,} examples"
    good = f"good: {', '.join(taxonomy.good)}" if taxonomy.good else "none is marked as good yet: --good PATH does"
    return f"{told}; {good}"


def _findings(checked: Checked) -> Iterator[str]:
    if checked.unread:
        yield f"{len(checked.unread):,} examples could not be read, such as {checked.unread[0]}"
    if checked.read:
        yield f"{len(checked.misfiled):,} of {len(checked.read):,} examples look like those of another category"
    for one in checked.misfiled:
        yield f"  {one.url} is filed in {one.filed}, looks like {_likeness(one)}"
    if checked.misfiled:
        yield "where one is right, add --refile URL=CATEGORY, and keep it with --out"
    for one in checked.pages:
        yield f"{one.url} looks like {_likeness(one)}"


def _likeness(one: Filed) -> str:
    return f"{one.looks_like} ({one.probability:.0%})"
