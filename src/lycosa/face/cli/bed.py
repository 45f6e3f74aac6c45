"""`lycosa bed ...`: test beds to measure strategies on. Each command imports what it needs when it is called."""

from __future__ import annotations

import json as json_format
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from typer import Argument, Option

from lycosa.app.wording import printable
from lycosa.face.cli.lab import needs_lab
from lycosa.face.cli.stages import Stages
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.lab.beds.from_collection import Collected
    from lycosa.lab.beds.from_recording import Built

app = typer.Typer(
    help="Test beds: recorded or made webs with labelled topics, to practise and measure on.", no_args_is_help=True
)


@app.command()
def make(
    folder: Annotated[Path, Argument(help="Folder of the new test bed.")],
    pages: Annotated[int, Option(help="Number of pages.")] = 2000,
    topics: Annotated[int, Option(help="Number of topics.")] = 12,
    seed: Annotated[int, Option(help="Random seed; another number makes another web.")] = 1,
    page_bytes: Annotated[int, Option(help="Mean size of a page, in bytes.")] = 8000,
    shape: Annotated[str, Option(help="Shape of the web: communities, business or encyclopedia.")] = "communities",
) -> None:
    """Generate a made web as a test bed, with communities, hubs, competitors, mirrors, noise and traps."""
    from lycosa.web import testbed
    from lycosa.web.made import Made

    made = testbed.make_bed(Made(pages=pages, topics=topics, seed=seed, page_bytes=page_bytes, shape=shape), folder)
    print(f"{folder}: {', '.join(topic.id for topic in made.topics)}")


@app.command("from-odp")
def from_odp(
    content: Annotated[Path, Argument(help="The Open Directory's content.rdf.u8, compressed or not.")],
    out: Annotated[Path, Option(help="Folder of the new test bed.")],
    select: Annotated[
        str,
        Option(
            help="Categories: business = companies, consultants and manufacturers; leaves = any without subcategories."
        ),
    ] = "business",
    structure: Annotated[
        Path | None, Option(help="The directory's structure.rdf.u8, which lists subcategories more reliably.")
    ] = None,
    pages: Annotated[list[str] | None, Option(help="WARC, WACZ or folder with the recorded pages; repeatable.")] = None,
    topics: Annotated[int | None, Option(help="Maximum topics, drawn at random.")] = None,
    examples: Annotated[int, Option(help="Start pages per topic.")] = 10,
    links: Annotated[int | None, Option(help="Minimum links per category.  [default: 21; leaves: 5]")] = None,
    least_targets: Annotated[
        int, Option(help="Minimum recorded targets per topic; topics with fewer are left out.")
    ] = 5,
    complete: Annotated[bool, Option("--complete", help="Treat pages that were not recorded as nonexistent.")] = False,
    seed: Annotated[int, Option(help="Random seed.")] = 1,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Build a test bed from an Open Directory dump as the papers did; without --pages, write only its topics."""
    needs_lab()
    from lycosa.lab.beds.folder import URLS
    from lycosa.lab.beds.from_recording import bed_of_directory

    with Stages() as stages:
        built = bed_of_directory(
            content,
            out,
            select=select,  # type: ignore[arg-type]
            structure=structure,
            pages=pages or (),
            topics=topics,
            examples=examples,
            links=links,
            least_targets=least_targets,
            complete=complete,
            seed=seed,
            progress=stages,
        )
    if not built.pages:
        options = f"--seeds-file {shlex.quote(str(out / URLS))} --pages {10 * built.listed} --out RECORDING"
        built.advice = (
            "The bed has topics and no pages yet. Record them, for example with\n"
            f"  lycosa crawl {select} --strategy breadth-first {options}\n"
            "and make the bed again with --pages RECORDING."
        )
    _tell(built, json)


@app.command("from-warc")
def from_warc(
    pages: Annotated[list[str], Argument(help="WARC or WACZ files, or folders of them.")],
    labels: Annotated[Path, Option(help="CSV or JSONL file with the columns url and topic.")],
    out: Annotated[Path, Option(help="Folder of the new test bed.")],
    topics: Annotated[Path | None, Option(help="CSV or JSONL file with the keywords of each topic.")] = None,
    examples: Annotated[int, Option(help="Maximum start pages per topic.")] = 10,
    least_targets: Annotated[
        int, Option(help="Minimum recorded targets per topic; topics with fewer are left out.")
    ] = 5,
    complete: Annotated[bool, Option("--complete", help="Treat pages that were not recorded as nonexistent.")] = False,
    seed: Annotated[int, Option(help="Random seed.")] = 1,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Build a test bed from recordings and a file that assigns pages to topics."""
    needs_lab()
    from lycosa.lab.beds.from_recording import bed_of_labels

    with Stages() as stages:
        built = bed_of_labels(
            pages,
            labels,
            out,
            topics=topics,
            examples=examples,
            least_targets=least_targets,
            complete=complete,
            seed=seed,
            progress=stages,
        )
    _tell(built, json)


@app.command("from-collection")
def from_collection(
    collections: Annotated[
        list[Path], Argument(help="Collections of finished crawls; crawls with the same keywords form one topic.")
    ],
    out: Annotated[Path, Option(help="Folder of the new test bed.")],
    relevant: Annotated[float | None, Option(help="Targets: pages of at least this relevance.")] = None,
    top: Annotated[int | None, Option(help="Targets: this many of the most relevant pages.")] = None,
    targets: Annotated[Path | None, Option(help="Targets: the pages in this file, one URL per line.")] = None,
    seed: Annotated[int, Option(help="Random seed.")] = 1,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Build a test bed from your own crawls, to run other strategies on the pages they recorded."""
    needs_lab()
    from lycosa.lab.beds.from_collection import bed_of_collection

    with Stages() as stages:
        built = bed_of_collection(
            list(collections),
            out,
            relevant=relevant,
            top=top,
            targets=targets,
            seed=seed,
            progress=stages,
        )
    _tell(built, json)


def _tell(built: Built | Collected, as_json: bool) -> None:
    if as_json:
        plain = msgspec.to_builtins(built)
        plain["topics"] = [topic.id for topic in built.topics]
        print(json_format.dumps(plain))
        return
    for line in built.lines():
        print(printable(line))


@app.command()
def serve(
    source: Annotated[str, Argument(help="Test bed, WARC, collection, or made web such as made:pages=2000,seed=1.")],
    port: Annotated[int, Option(help="Port to listen on; 0 = any free port.")] = 8100,
    latency: Annotated[float, Option(help="Seconds to wait before each response.")] = 0.0,
    fault: Annotated[
        list[str] | None,
        Option(help="Fault to inject, as HOST=FAULT, such as bad-*.test=reset or slow.test=503:times=2; repeatable."),
    ] = None,
    gzip: Annotated[bool, Option(help="Compress responses for clients that accept it.")] = False,
    log: Annotated[Path | None, Option(help="Append every request to this file.")] = None,
) -> None:
    """Serve a test bed or recording over HTTP on loopback, as a forward proxy and by Host header, until Ctrl-C."""
    from lycosa.web.serving import Serving
    from lycosa.web.serving import serve as serve_source

    serve_source(
        Serving(
            source,
            port=port,
            latency=(latency, latency),
            faults=tuple(fault or ()),
            gzip=gzip,
            log=str(log) if log else "",
        ),
        announcement="serving {source}; use it as a proxy: lycosa crawl ... --proxy {proxy}",
    )


@app.command()
def check(
    bed: Annotated[str, Argument(help="Test bed, or made web such as made:pages=2000,seed=1.")],
    strict: Annotated[bool, Option("--strict", help="Exit with code 1 if there is any warning.")] = False,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Read a whole test bed, describe it and report its problems."""
    needs_lab()
    from lycosa.face.cli.bed_view import show
    from lycosa.lab.beds.inspection import check as check_bed

    with Stages() as stages:
        report = check_bed(bed, progress=stages)
    if json:
        print(json_format.dumps(report.as_dict()))
    else:
        show(report, Terminal())
    if strict and report.warnings:
        raise typer.Exit(1)
