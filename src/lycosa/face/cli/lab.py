"""`lycosa lab run|study`: compares configurations. Each command imports what it needs when it is called."""

from __future__ import annotations

import json as json_format
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from lycosa.face.cli.stages import Stages
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.lab.world import World

app = typer.Typer(
    help="Laboratory: which configuration is better, by how much, and how certain is that?", no_args_is_help=True
)


@app.command()
def run(
    bed: Annotated[str, Argument(help="Test bed, or made web such as made:pages=2000,topics=12,seed=1.")],
    strategy: Annotated[
        list[str] | None,
        Option(
            help="Configuration: NAME, NAME:option=value, or a grid NAME:option=a|b|c; repeatable.  "
            "[default: all strategies]"
        ),
    ] = None,
    task: Annotated[
        list[str] | None, Option(help="Start pages: examples or neighbors; repeatable for both.  [default: examples]")
    ] = None,
    pages: Annotated[int, Option(help="Maximum pages per crawl.")] = 1000,
    topics: Annotated[
        list[str] | None,
        Option(help="Topic ids, separated by commas or repeated, or a number of topics.  [default: all]"),
    ] = None,
    seeds: Annotated[
        int, Option(help="Repeats with other random seeds, averaged; crawls without randomness run once.")
    ] = 1,
    out: Annotated[Path | None, Option(help="Folder for finished crawls and the report.  [default: lab-BED]")] = None,
    robustness: Annotated[
        bool, Option("--robustness", help="Also crawl from each half of the start pages and compare the two crawls.")
    ] = False,
    capacity: Annotated[int | None, Option(help="Maximum links in a frontier.")] = None,
    processes: Annotated[int | None, Option(help="Worker processes.  [default: one per CPU core]")] = None,
    missing: Annotated[
        float,
        Option(help="Maximum share of requested pages missing from a recorded crawl; above it, nothing is ranked."),
    ] = 0.2,
    report: Annotated[bool, Option(help="Write a report with figures and tables.")] = True,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Compare configurations on the topics of a test bed, with metrics, significance tests and a report."""
    needs_lab()
    from lycosa.core.strategy import strategies
    from lycosa.lab.configurations import parse_configurations
    from lycosa.lab.grounds import grounds_of
    from lycosa.lab.world import open_world

    _check_share(missing)
    configurations = parse_configurations(strategy or list(strategies()))
    console = Terminal()
    with Stages() as stages:
        world = open_world(bed, stages)
        chosen = _chosen(world, topics)
        folder = out or Path(f"lab-{Path(world.name).name.partition(':')[0]}")
        stages.note_in(folder, _command())
        tasks = list(dict.fromkeys(task or ["examples"]))
        for each in tasks:
            grounds_of(world, each, chosen)  # refuses a bad one before hours of crawling from another
        # Statistics, classifiers and charts take two seconds to import, so bad requests are refused before that.
        from lycosa.face.cli import lab_view
        from lycosa.lab.inquiry import inquire, write

        inquiries = [
            inquire(
                world,
                configurations,
                each,
                pages,
                folder=folder,
                topics=chosen,
                repeats=seeds,
                robustness=robustness,
                capacity=capacity,
                processes=processes,
                limit=missing,
                progress=stages,
            )
            for each in tasks
        ]
        if report:
            stages("writing the report", 0, 0)
            page = write(inquiries, world, folder, _command())
    if json:
        found = [inquiry.as_dict() for inquiry in inquiries]
        several = {"bed": world.name, "pages": pages, "tasks": {each["task"]: each for each in found}}
        print(json_format.dumps(found[0] if len(found) == 1 else several, allow_nan=False))
    else:
        for inquiry in inquiries:
            lab_view.show(inquiry, console)
        if report:
            console.print(f"report: {page}", soft_wrap=True)
    for inquiry in inquiries:
        lab_view.refuse_ranking(inquiry)


@app.command()
def study(
    name: Annotated[str | None, Argument(help="Study to run; without a name, the studies are listed.")] = None,
    bed: Annotated[str | None, Option(help="Test bed or made web to use instead of the study's own made web.")] = None,
    pages: Annotated[
        int | None, Option(help="Maximum pages per crawl; for symbiosis, per collection (MAX_IN_INDEX).")
    ] = None,
    topics: Annotated[
        list[str] | None,
        Option(help="Topic ids, separated by commas or repeated, or a number of topics.  [default: all]"),
    ] = None,
    seeds: Annotated[int | None, Option(help="Repeats with other random seeds, averaged.")] = None,
    full: Annotated[bool, Option("--full", help="Use the size of the published experiment; may take an hour.")] = False,
    out: Annotated[
        Path | None, Option(help="Folder for finished crawls and the report.  [default: study-NAME]")
    ] = None,
    processes: Annotated[int | None, Option(help="Worker processes.  [default: one per CPU core]")] = None,
    missing: Annotated[
        float,
        Option(help="Maximum share of requested pages missing from a recorded crawl; above it, nothing is ranked."),
    ] = 0.2,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Repeat a paper's experiment and compare its published claims with the measurements."""
    needs_lab()
    from lycosa.face.cli import study_view
    from lycosa.lab.studies import study_named
    from lycosa.lab.studies.run import run_study
    from lycosa.lab.world import open_world

    if name is None:
        study_view.show_list(Terminal())
        return
    _check_share(missing)
    chosen = study_named(name)
    folder = out or Path(f"study-{name}")
    with Stages() as stages:
        scale = chosen.full if full else chosen.default
        world = open_world(bed or scale.world, stages)
        stages.note_in(folder, _command())
        result = run_study(
            name,
            world,
            folder=folder,
            pages=pages,
            topics=_chosen(world, topics),
            repeats=seeds,
            full=full,
            processes=processes,
            limit=missing,
            progress=stages,
        )
        stages("writing the report", 0, 0)
        page = result.write(folder, _command())
    if json:
        print(json_format.dumps(result.as_dict(), allow_nan=False))
    else:
        console = Terminal()
        study_view.show(result, console)
        console.print(f"report: {page}", soft_wrap=True)


def _check_share(missing: float) -> None:
    if not 0 <= missing <= 1:
        raise Refused(
            f"--missing {missing} is no share", "give a number between 0 and 1", code=Code.OUT_OF_RANGE, field="missing"
        )


def needs_lab() -> None:
    """Refuse if the packages of the laboratory are not installed."""
    for name in ("altair", "jinja2", "scipy", "sklearn", "vl_convert"):
        if find_spec(name) is None:
            raise Refused(
                f"the laboratory needs {name}, which is not installed",
                "pip install 'lycosa[lab]'",
                code=Code.NEEDS_PACKAGE,
            )


def _chosen(world: World, topics: list[str] | None) -> list[str] | None:
    """The ids that --topics selects; a number that is not an id selects that many topics, evenly from the bed."""
    if not topics:
        return None
    known = [topic.id for topic in world.topics]
    # An id may contain commas.
    parts = [part for text in topics for part in ([text] if text in known else map(str.strip, text.split(",")))]
    names = list(filter(None, parts))
    if not names:
        raise Refused(
            f"--topics {','.join(topics)!r} names no topic",
            f"give ids, or a number up to {len(known)}",
            code=Code.MISSING,
            field="topics",
        )
    if len(names) == 1 and names[0].isdecimal() and names[0] not in known:
        count = int(names[0][:20])  # Python refuses to read a number with thousands of digits
        if not 0 < count <= len(known):
            raise Refused(
                f"--topics {names[0]} is not possible",
                f"{world.name} has {len(known)}",
                code=Code.OUT_OF_RANGE,
                field="topics",
            )
        return [known[place * len(known) // count] for place in range(count)]
    return [world.topic(name).id for name in names]


def _command() -> str:
    """The command line that was typed, quoted so that it can be typed again."""
    return shlex.join(["lycosa", *sys.argv[1:]])
