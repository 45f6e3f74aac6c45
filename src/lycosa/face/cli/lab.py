"""`lycosa lab run|study`: compares configurations. Each command imports what it needs when it is called."""

from __future__ import annotations

import json as json_format
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lycosa.app.requests.experiment import ExperimentRequest, StudyRequest
from lycosa.app.requests.option import options_of
from lycosa.face.cli.look import Json
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.stages import Stages
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.lab.world import World

app = typer.Typer(
    help="Laboratory: which configuration is better, by how much, and how certain is that?", no_args_is_help=True
)


@app.command()
@from_request(ExperimentRequest, arguments=["bed"])
def run(request: ExperimentRequest, json: Json = False) -> None:
    """Compare configurations on the topics of a test bed, with metrics, significance tests and a report."""
    needs_lab()
    from lycosa.core.strategy import strategies
    from lycosa.lab.comparison import ORACLE, Pace
    from lycosa.lab.configurations import parse_configurations
    from lycosa.lab.grounds import grounds_of
    from lycosa.lab.world import open_world

    configurations = parse_configurations(request.strategies or _every(list(strategies())))
    reference = _reference(request, [each.label for each in configurations if each.strategy != ORACLE])
    console = Terminal()
    with Stages() as stages:
        world = open_world(request.bed, stages)
        chosen = _chosen(world, request.topics)
        folder = request.out or Path(f"lab-{Path(world.name).name.partition(':')[0]}")
        stages.note_in(folder, _command())
        tasks = list(dict.fromkeys(request.tasks or ["examples"]))
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
                request.pages,
                folder=folder,
                topics=chosen,
                repeats=request.repeats,
                subsets=request.subsets,
                robustness=request.robustness,
                capacity=request.capacity,
                pace=Pace(request.workers, request.delay),
                reference=reference,
                processes=request.processes,
                limit=request.missing,
                progress=stages,
            )
            for each in tasks
        ]
        if request.report:
            stages("writing the report", 0, 0)
            page = write(inquiries, world, folder, _command())
    if json:
        found = [inquiry.as_dict() for inquiry in inquiries]
        several = {"bed": world.name, "pages": request.pages, "tasks": {each["task"]: each for each in found}}
        print(json_format.dumps(found[0] if len(found) == 1 else several, allow_nan=False))
    else:
        for inquiry in inquiries:
            lab_view.show(inquiry, console)
        if request.report:
            console.print(f"report: {page}", soft_wrap=True)
    for inquiry in inquiries:
        lab_view.refuse_ranking(inquiry)


@app.command()
@from_request(StudyRequest, arguments=["name"])
def study(request: StudyRequest, json: Json = False) -> None:
    """Repeat a paper's experiment and compare its published claims with the measurements."""
    needs_lab()
    from lycosa.face.cli import study_view
    from lycosa.lab.studies import study_named
    from lycosa.lab.studies.run import run_study
    from lycosa.lab.world import open_world

    if not request.name:
        study_view.show_list(Terminal())
        return
    chosen = study_named(request.name)
    folder = request.out or Path(f"study-{request.name}")
    with Stages() as stages:
        scale = chosen.full if request.full else chosen.default
        world = open_world(request.bed or scale.world, stages)
        stages.note_in(folder, _command())
        result = run_study(
            request.name,
            world,
            folder=folder,
            pages=request.pages,
            topics=_chosen(world, request.topics),
            repeats=request.repeats,
            full=request.full,
            processes=request.processes,
            limit=request.missing,
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


def needs_lab() -> None:
    """Refuse if the packages of the laboratory are not installed."""
    for name in ("altair", "jinja2", "scipy", "sklearn", "vl_convert"):
        if find_spec(name) is None:
            raise Refused(
                f"the laboratory needs {name}, which is not installed",
                "pip install 'lycosa[lab]'",
                code=Code.NEEDS_PACKAGE,
            )


def _every(names: list[str]) -> list[str]:
    """All strategies, the default one first: it is what the others are compared with."""
    from lycosa.app.requests.hunt import HuntRequest

    default = next(field.default for field in options_of(HuntRequest) if field.name == "strategy")
    return sorted(names, key=lambda name: name != default)


def _reference(request: ExperimentRequest, labels: Sequence[str]) -> str:
    """The label of the configuration that the others are tested against; empty if every pair is."""
    if request.all_pairs and request.reference:
        raise Refused(
            "every pair is tested, so there is no reference",
            "give --reference or --all-pairs",
            code=Code.CONTRADICTION,
            field="reference",
        )
    if request.reference and request.reference not in labels:
        raise Refused(
            f"the reference {request.reference!r} is not among the configurations",
            f"choose one of: {', '.join(labels)}",
            code=Code.UNKNOWN_NAME,
            field="reference",
        )
    return "" if request.all_pairs else request.reference or next(iter(labels), "")


def _chosen(world: World, topics: Sequence[str]) -> list[str] | None:
    """The ids of the chosen topics; a number that is not an id selects that many topics, evenly from the bed."""
    if not topics:
        return None
    known = [topic.id for topic in world.topics]
    # An id may contain commas.
    parts = [part for text in topics for part in ([text] if text in known else map(str.strip, text.split(",")))]
    names = list(filter(None, parts))
    if not names:
        raise Refused(
            f"{','.join(topics)!r} names no topic",
            f"give ids, or a number up to {len(known)}",
            code=Code.MISSING,
            field="topics",
        )
    if len(names) == 1 and names[0].isdecimal() and names[0] not in known:
        count = int(names[0][:20])  # Python refuses to read a number with thousands of digits
        if not 0 < count <= len(known):
            raise Refused(
                f"{names[0]} topics cannot be chosen",
                f"give 1 to {len(known)}: {world.name} has no more",
                code=Code.OUT_OF_RANGE,
                field="topics",
            )
        return [known[place * len(known) // count] for place in range(count)]
    return [world.topic(name).id for name in names]


def _command() -> str:
    """The command line that was typed, quoted so that it can be typed again."""
    return shlex.join(["lycosa", *sys.argv[1:]])
