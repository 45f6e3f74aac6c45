"""`lycosa crawl` and `lycosa resume`."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec import to_builtins
from rich.console import Console
from rich.text import Text
from typer import Option

from lycosa.app import hunts
from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.answers.page import FoundSeeds
from lycosa.app.hunt_ending import problem_of
from lycosa.app.requests.hunt import GROUPS, OUTPUT, START, HuntRequest, ResumeRequest
from lycosa.app.requests.hunt_plan import all_of_them, folder_name, make_plan
from lycosa.app.wording import printable
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Plan
from lycosa.face.cli.found_seeds import choose
from lycosa.face.cli.live_view import watch
from lycosa.face.cli.remedies import remedy_lines
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Interrupted

EXIT = {"finished": 0, "failed": 1, "stopped": 130}
"""The exit code for each state in which a hunt can end."""
_LISTED = 20
"""Failed seeds that are listed one by one."""


Yes = Annotated[
    bool, Option("--yes", "-y", help="Begin without asking which of the found seeds to use.", rich_help_panel=START)
]
Json = Annotated[bool, Option("--json", help="Print only one JSON object, at the end.", rich_help_panel=OUTPUT)]


@from_request(HuntRequest, groups=GROUPS, arguments=["keywords"])
def crawl(request: HuntRequest, json: Json = False, yes: Yes = False) -> None:
    """Hunt for pages about KEYWORDS, starting from seeds, and keep them in a collection."""

    def chosen(found: FoundSeeds) -> Sequence[str]:
        return all_of_them(found) if json else choose(found, Terminal(), ask=not yes)

    run(Hunt.begin(make_plan(request, choose=chosen), request.out or Path(folder_name(request))), json)


@from_request(ResumeRequest, groups=GROUPS, arguments=["folder"])
def resume(request: ResumeRequest, json: Json = False) -> None:
    """Continue a stopped, killed or finished hunt, with a larger budget if you like."""
    run(hunts.continued(request), json)


def run(hunt: Hunt, as_json: bool) -> None:
    """Watch a hunt to its end; the first Ctrl-C stops it cleanly, the second at once."""
    console = Terminal()
    folder = hunt.collection.folder
    if hunt.remark:
        Terminal(stderr=True).print(hunt.remark, soft_wrap=True, markup=False, highlight=False)
    with hunt:
        asyncio.run(run_to_end(hunt, console, quiet=as_json))
    assert hunt.crawl.stopped
    state, report = hunt.crawl.stopped.state, hunts.status(folder)
    if as_json:
        print(json.dumps(to_builtins(report)))
    else:
        hint = "" if state == "finished" else f"; go on with: lycosa resume {folder}"
        if state != "failed":
            console.print(f"{report.reason}; {report.pages:,} pages in {folder}{hint}", soft_wrap=True)
        show_ending(report, hunt.plan, console)
        if hunt.reader and hunt.reader.problem:
            console.print(Text(printable(hunt.reader.problem), style="yellow"), soft_wrap=True)
        if hunt.index and hunt.index.trouble:
            console.print(hunt.index.trouble, soft_wrap=True, markup=False, highlight=False)
    if code := EXIT[state]:
        raise typer.Exit(code)


def show_ending(report: HuntStatus, plan: Plan, console: Console, *, resume: bool = True) -> None:
    """Say why a hunt failed or ended early, and how to resume it; say nothing if it did neither."""
    if report.early:
        console.print(Text(report.early, style="yellow"), soft_wrap=True)
        for line in remedy_lines(report) if resume else ():
            console.print(line, soft_wrap=True, markup=False, highlight=False)
    if report.state != "failed":
        return
    console.print(Text(f"failed: {problem_of(len(plan.seeds))}", style="bold red"), soft_wrap=True)
    for failure in report.failures[:_LISTED]:
        line = f"{failure.url}  {failure.line}"
        console.print(Text(printable(line), style="red"), soft_wrap=True)
    if (more := len(report.failures) - _LISTED) > 0:
        console.print(f"and {more:,} more; all of them: lycosa status --json {report.folder}", soft_wrap=True)
    if resume:
        console.print(f"to try them again: lycosa resume {report.folder}", soft_wrap=True)


async def run_to_end(hunt: Hunt, console: Console, *, quiet: bool) -> None:
    """Show a hunt while it runs; the first interruption stops it cleanly, the second at once."""
    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    assert running

    def interrupt() -> None:
        if hunt.stopping:
            running.cancel()
        elif not quiet:
            console.print("finishing open requests; press Ctrl-C again to stop at once")
        hunt.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    try:
        async for _ in watch(hunt, console, quiet=quiet):
            pass
    except asyncio.CancelledError:
        running.uncancel()
        if hunt.crawl.stopped is None:
            raise Interrupted from None
