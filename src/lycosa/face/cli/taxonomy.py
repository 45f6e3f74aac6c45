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
from lycosa.face.cli.crawl import read_refile
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.app.taxonomies import Checked, Filed
    from lycosa.core.taxonomy import Taxonomy

app = typer.Typer(help="Taxonomies: categories with example pages, for the focused crawler.", no_args_is_help=True)

Good = Annotated[list[str] | None, Option(help="A category that is hunted; repeatable.")]


@app.command()
def check(
    file: Annotated[str, Argument(help="A taxonomy: JSON, JSON Lines, tab-separated, a test bed, or made:...")],
    good: Good = None,
    refile: Annotated[list[str] | None, Option(help="An example's right category, as URL=CATEGORY.")] = None,
    inspect: Annotated[
        list[str] | None, Option(help="Where to read the examples: a collection, test bed or recording.")
    ] = None,
    page: Annotated[list[str] | None, Option(help="Another page there: where would it be filed?")] = None,
    out: Annotated[Path | None, Option(help="Write the corrected taxonomy; as .tsv tab-separated.")] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show a taxonomy, say what is wrong with it, and which of its examples look misfiled."""
    from lycosa.app.taxonomies import check as look_through

    refiled = dict(map(read_refile, refile or []))
    checked = look_through(file, good=good or (), refiled=refiled, inspect=inspect or (), pages=page or (), out=out)
    if json:
        print(json_format.dumps(checked.as_dict()))
        return
    _print([*_tree(checked.taxonomy), *_findings(checked), *([f"written to {out}"] if out else [])])


@app.command("from-bed")
def from_bed(
    bed: Annotated[str, Argument(help="A test bed, or a made web such as made:pages=2000,seed=1.")],
    out: Annotated[Path, Option(help="The new file; as .tsv tab-separated.")],
    good: Good = None,
) -> None:
    """Write the categories of a test bed's topics, with their examples, as a taxonomy."""
    from lycosa.engine.taxonomy_files import read_taxonomy, write_taxonomy

    taxonomy = read_taxonomy(bed, good or ())
    write_taxonomy(taxonomy, out)
    _print([_summary(taxonomy), f"written to {out}"])


@app.command("from-odp")
def from_odp(
    content: Annotated[Path, Argument(help="The Open Directory's content.rdf.u8, packed or not.")],
    out: Annotated[Path, Option(help="The new file; as .tsv tab-separated.")],
    under: Annotated[str, Option(help="Only this category and those below it.")] = "Top",
    depth: Annotated[int, Option(help="Steps of a path that are kept: what lies deeper is filed there.")] = 3,
    examples: Annotated[int, Option(help="Examples of a category at most.")] = 20,
    good: Good = None,
) -> None:
    """Write the categories of an Open Directory dump, with the pages it lists, as a taxonomy."""
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
