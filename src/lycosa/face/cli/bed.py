"""`lycosa bed make|serve|check`: webs to practise on. What they need is imported when they are called."""

from __future__ import annotations

import json as json_format
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress
from typer import Argument, Option

from lycosa.core.errors import Refused
from lycosa.face.terminal import Terminal

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
) -> None:
    """Make a web with topical communities, hubs, competitors, mirrors, noise and traps, as a test bed."""
    from lycosa.web import bed
    from lycosa.web.made import Made

    made = bed.make_bed(Made(pages=pages, topics=topics, seed=seed, page_bytes=page_bytes), folder)
    print(f"{folder}: {', '.join(topic.id for topic in made.topics)}")


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
    from lycosa.web.serve import Serving
    from lycosa.web.serve import serve as serve_source

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
    try:
        from lycosa.lab.beds.check import check as check_bed
    except ImportError:
        raise Refused("checking a test bed needs the laboratory", "pip install 'lycosa[lab]'") from None
    from lycosa.face.bed_view import show

    with Progress(console=Terminal(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        job = bar.add_task("reading", total=None)
        report = check_bed(bed, progress=lambda done, total: bar.update(job, completed=done, total=total))
    if json:
        print(json_format.dumps(report.as_dict()))
    else:
        show(report, Terminal())
    if strict and report.warnings:
        raise typer.Exit(1)
