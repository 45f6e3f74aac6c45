"""`lycosa bed ...`: test beds to measure strategies on. Each command imports what it needs when it is called."""

from __future__ import annotations

import json as json_format
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
    help="Test beds: recorded or made webs with topics, to practise and measure on.", no_args_is_help=True
)


@app.command()
def make(
    folder: Annotated[Path, Argument(help="Where to put the new test bed.")],
    pages: Annotated[int, Option(help="How many pages the web has.")] = 2000,
    topics: Annotated[int, Option(help="How many topics.")] = 12,
    seed: Annotated[int, Option(help="Another number makes another web.")] = 1,
    page_bytes: Annotated[int, Option(help="Mean size of a page.")] = 8000,
    shape: Annotated[str, Option(help="communities, business or encyclopedia.")] = "communities",
) -> None:
    """Make a web with topical communities, hubs, competitors, mirrors, noise and traps, as a test bed."""
    from lycosa.web import testbed
    from lycosa.web.made import Made

    made = testbed.make_bed(Made(pages=pages, topics=topics, seed=seed, page_bytes=page_bytes, shape=shape), folder)
    print(f"{folder}: {', '.join(topic.id for topic in made.topics)}")


@app.command("from-odp")
def from_odp(
    content: Annotated[Path, Argument(help="The Open Directory's content.rdf.u8, packed or not.")],
    out: Annotated[Path, Option(help="Where to put the new test bed.")],
    select: Annotated[
        str, Option(help="business: companies, consultants and manufacturers; leaves: any category without children.")
    ] = "business",
    structure: Annotated[Path | None, Option(help="Its structure.rdf.u8, which knows children better.")] = None,
    pages: Annotated[list[str] | None, Option(help="A WARC, WACZ or folder with the pages; repeatable.")] = None,
    topics: Annotated[int | None, Option(help="How many topics at most, drawn at random.")] = None,
    examples: Annotated[int, Option(help="Start pages a topic.")] = 10,
    links: Annotated[int | None, Option(help="Links that a category has at least.  [default: 21; leaves: 5]")] = None,
    least_targets: Annotated[int, Option(help="Recorded targets a topic has at least.")] = 5,
    complete: Annotated[bool, Option("--complete", help="What was not recorded does not exist.")] = False,
    seed: Annotated[int, Option(help="Of the dice.")] = 1,
    json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make a test bed of an Open Directory dump as the papers did; without --pages only its topics, to be crawled."""
    needs_lab()
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
    _tell(built, json)


@app.command("from-warc")
def from_warc(
    pages: Annotated[list[str], Argument(help="WARC or WACZ files, or folders of them.")],
    labels: Annotated[Path, Option(help="A CSV or JSONL file with url and topic.")],
    out: Annotated[Path, Option(help="Where to put the new test bed.")],
    topics: Annotated[Path | None, Option(help="A CSV or JSONL file with keywords for each topic.")] = None,
    examples: Annotated[int, Option(help="Start pages a topic at most.")] = 10,
    least_targets: Annotated[int, Option(help="Recorded targets a topic has at least.")] = 5,
    complete: Annotated[bool, Option("--complete", help="What was not recorded does not exist.")] = False,
    seed: Annotated[int, Option(help="Of the dice.")] = 1,
    json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make a test bed of recordings and a file that says which of their pages are about which topic."""
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
    collections: Annotated[list[Path], Argument(help="Finished crawls; those for the same keywords become one topic.")],
    out: Annotated[Path, Option(help="Where to put the new test bed.")],
    relevant: Annotated[
        float | None, Option(help="Targets: pages that the judge found at least this relevant.")
    ] = None,
    top: Annotated[int | None, Option(help="Targets: so many of the most relevant pages.")] = None,
    targets: Annotated[Path | None, Option(help="Targets: a file with one URL a line.")] = None,
    seed: Annotated[int, Option(help="Of the dice.")] = 1,
    json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make a test bed of your own crawls, to replay any other strategy on what they recorded."""
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
            progress=stages.counting("copying pages"),
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
    source: Annotated[str, Argument(help="A test bed, a WARC, a collection, or made:pages=2000,seed=1.")],
    port: Annotated[int, Option(help="0 for any free one.")] = 8100,
    latency: Annotated[float, Option(help="Seconds to wait before each answer.")] = 0.0,
    fault: Annotated[
        list[str] | None, Option(help="host=fault, such as bad-*.test=reset or slow.test=503:times=2.")
    ] = None,
    gzip: Annotated[bool, Option(help="Compress for clients that accept it.")] = False,
    log: Annotated[Path | None, Option(help="Append every request to this file.")] = None,
) -> None:
    """Serve a web over HTTP on loopback, as a forward proxy and by Host header, until Ctrl-C."""
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
        told="serving {source}; use it as a proxy: lycosa crawl ... --proxy {proxy}",
    )


@app.command()
def check(
    bed: Annotated[str, Argument(help="A test bed, or made:pages=2000,seed=1.")],
    strict: Annotated[bool, Option("--strict", help="End with code 1 if there is any warning.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Read a test bed from end to end, describe it and say what is wrong with it."""
    needs_lab()
    from lycosa.face.cli.bed_view import show
    from lycosa.lab.beds.inspection import check as check_bed

    with Stages() as stages:
        report = check_bed(bed, progress=stages.counting("reading the pages"))
    if json:
        print(json_format.dumps(report.as_dict()))
    else:
        show(report, Terminal())
    if strict and report.warnings:
        raise typer.Exit(1)
