"""`lycosa community ...`: a search engine for a group of people, whose collection adapts to their queries."""

from __future__ import annotations

import asyncio
import json as json_format
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text
from typer import Argument, Option

from lycosa.app import hunts
from lycosa.app.requests.community import GROUPS, CommunityRequest
from lycosa.app.requests.hunt import OUTPUT
from lycosa.app.wording import printable
from lycosa.face.cli.bookmarks import app as bookmarks
from lycosa.face.cli.crawl import run_to_end, show_ending
from lycosa.face.cli.refresh import refresh
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.revisit import revisit
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import check_range

app = typer.Typer(
    help="Communities: search engines whose collection follows their members' queries.", no_args_is_help=True
)

app.command()(refresh)
app.command()(revisit)
app.add_typer(bookmarks, name="bookmarks")

Folder = Annotated[Path, Argument(help="Folder of the community.")]
Json = Annotated[bool, Option("--json", help="Print only one JSON object.")]


@app.command()
@from_request(CommunityRequest, groups=GROUPS, arguments=["folder"])
def init(
    request: CommunityRequest,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.", rich_help_panel=OUTPUT)] = False,
) -> None:
    """Create a community: crawl breadth-first from its bookmarks and make the result searchable."""
    from lycosa.app.community_start import start_of
    from lycosa.face.cli.stages import Stages

    beginning, folder = start_of(request), Path(request.folder)
    console = Terminal()
    with beginning as hunt:
        if hunt:
            if not json:
                about = f"{len(hunt.plan.seeds):,} bookmarks about: {hunt.plan.topic.keywords}"
                console.print(Text(printable(about)), soft_wrap=True)
            with hunt:
                asyncio.run(run_to_end(hunt, console, quiet=json))
                stopped = hunt.crawl.stopped
            if stopped and stopped.failed and not json:
                show_ending(hunts.status(hunt.collection.folder), hunt.plan, console, resume=False)
            if stopped is None or not stopped.finished:
                if not json:
                    console.print(f"interrupted; go on with: lycosa community init {folder}", soft_wrap=True)
                raise typer.Exit(130)
        with Stages() as stages:
            made = beginning.complete(lambda done, total: stages("indexing", done, total))
    if json:
        print(json_format.dumps(_plain(folder)[-1]))
    else:
        console.print(f"{made.record.pages:,} pages; ask them with: lycosa search {folder} WORDS", soft_wrap=True)


@app.command()
def queries(
    folder: Folder,
    recent: Annotated[
        str | None, Option(help="Show only queries from this recent period, such as 7d, 12h or 2w.")
    ] = None,
    limit: Annotated[int, Option(help="Maximum distinct queries to show.")] = 50,
    forget: Annotated[list[str] | None, Option(help="Delete this query from the log for good; repeatable.")] = None,
    pattern: Annotated[
        list[str] | None, Option(help="Delete all queries that match this regular expression; repeatable.")
    ] = None,
    older: Annotated[str | None, Option(help="Delete all queries older than this, such as 90d.")] = None,
    json: Json = False,
) -> None:
    """List the logged queries with their frequency and number of results, or delete queries from the log."""
    from lycosa.app import communities

    check_range("limit", limit, 1)
    console = Terminal()
    if forget or pattern or older:
        gone = communities.forget_questions(folder, texts=forget or (), patterns=pattern or (), older=older)
        print(json_format.dumps({"forgotten": gone})) if json else console.print(f"{gone:,} forgotten")
        return
    found = communities.questions(folder, recent=recent, limit=limit)
    if json:
        print(json_format.dumps(found))
        return
    for one in found["questions"]:
        line = f"{one['times']:>6,} ×  {one['results']:>7,} results  {_when(one['last'])}  {one['text']}"
        console.print(Text(printable(line)), soft_wrap=True)
    console.print(f"{found['asked']:,} questions, {found['different']:,} different ones")


@app.command()
def history(folder: Folder, json: Json = False) -> None:
    """List the generations of the collection: when and how each was made, and what it changed."""
    found = _plain(folder)
    if json:
        print(json_format.dumps(found))
        return
    console = Terminal()
    for one in found:
        states = [state for state in ("current", "held", "undone", "forgotten") if one[state]]
        changes = ", ".join(
            f"{name.replace('_', ' ')} {value:,}"
            for name, value in one["report"].items()
            if type(value) is int and name != "pages"
        )
        line = (
            f"{one['number']:>4}  {_when(one['at'])}  {one['how']:<8} {one['pages']:>9,} pages  {' '.join(states):<9}"
        )
        console.print(Text(printable(f"{line}  {changes}".rstrip())), soft_wrap=True)
    if not found:
        console.print(f"nothing yet; begin with: lycosa community init {folder}", soft_wrap=True)


@app.command()
def undo(folder: Folder, json: Json = False) -> None:
    """Go back to the generation before the current one."""
    from lycosa.app import communities

    made = communities.undo(folder)
    if json:
        print(json_format.dumps({"current": made.number}))
    else:
        Terminal().print(f"generation {made.number} of {_when(made.record.at)} answers again")


@app.command()
def accept(folder: Folder, json: Json = False) -> None:
    """Make the latest generation current that was held back, because too many pages left, or undone."""
    from lycosa.app import communities

    made = communities.accept(folder)
    if json:
        print(json_format.dumps({"current": made.number}))
    else:
        Terminal().print(f"generation {made.number} of {_when(made.record.at)} answers now")


@app.command()
def forget(
    folder: Folder,
    keep: Annotated[int, Option(help="Number of latest generations to keep; the current one is always kept.")] = 2,
    json: Json = False,
) -> None:
    """Delete old generations, except those that a search is using."""
    from lycosa.app import communities

    gone, in_use = communities.forget(folder, keep)
    if json:
        print(json_format.dumps({"deleted": [one.number for one in gone], "open": [one.number for one in in_use]}))
        return
    console = Terminal()
    console.print(f"{len(gone):,} deleted" + "".join(f"; {one.number} is in use and stays" for one in in_use))


@app.command()
def schedule(
    folder: Folder,
    at: Annotated[str, Option(help="Time of day, as HH:MM.")] = "03:00",
    on: Annotated[str, Option(help="Run only on this day of the week, such as sun.")] = "",
    systemd: Annotated[
        bool, Option("--systemd", help="Print a systemd service and timer instead of a cron line.")
    ] = False,
) -> None:
    """Print a cron line or systemd units that refresh the community every night."""
    from lycosa.app import communities

    print(communities.schedule(folder, at=at, on=on, systemd=systemd))


def _plain(folder: Path) -> list[dict[str, Any]]:
    from lycosa.app import communities

    return communities.history(folder)


def _when(at: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return "-"
