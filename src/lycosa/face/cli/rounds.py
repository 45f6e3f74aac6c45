"""`lycosa rounds`: consecutive crawls, each from the best hubs of the one before."""

from __future__ import annotations

import asyncio
import json as json_format
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from lycosa.app import hunts
from lycosa.app.requests.hunt import GROUPS
from lycosa.app.requests.rounds import RoundsRequest
from lycosa.face.cli.crawl import EXIT, Json, run_to_end, show_ending
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.app.rounds import Rounds


@from_request(RoundsRequest, groups=GROUPS, arguments=["keywords"], leave_out=["bytes", "until", "past"])
def rounds(request: RoundsRequest, json: Json = False) -> None:
    """Hunt in several rounds, each starting from the best hubs of the round before; without keywords, continue."""
    from lycosa.app.rounds import rounds_of

    found = rounds_of(request)
    console = Terminal()
    for hunt in found:
        name = hunt.collection.folder.name
        if not json:
            console.print(f"{name}: {len(hunt.plan.seeds):,} start pages", soft_wrap=True)
        with hunt:
            asyncio.run(run_to_end(hunt, console, quiet=json))
            stopped = hunt.crawl.stopped
        if not json and stopped:
            console.print(f"{name}: {stopped.reason}; {hunt.crawl.tally.pages:,} pages", soft_wrap=True)
            show_ending(hunts.status(hunt.collection.folder), hunt.plan, console, resume=False)
    told = found.as_dict()
    if json:
        print(json_format.dumps(told))
    else:
        _show(found, console)
        if told["state"] != "finished":
            console.print(f"go on with: lycosa rounds --out {found.folder} --rounds {request.rounds}", soft_wrap=True)
    if told["state"] != "finished":
        raise typer.Exit(EXIT["failed" if told["state"] == "failed" else "stopped"])


def _show(found: Rounds, console: Console) -> None:
    """The rounds as a table."""
    console.print(f"relevant: a score by the judge of {found.threshold:.3f} or more")
    console.print("round    pages  precision  mean score      new  new and relevant")
    for each in found.results():
        console.print(
            f"{each.number:>5}  {each.pages:>7,}  {each.precision:>9.3f}  {each.harvest:>10.3f}  {each.new:>7,}  "
            f"{each.new_relevant:>16,}"
        )
