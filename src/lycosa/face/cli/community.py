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
from lycosa.app.wording import printable
from lycosa.face.cli.crawl import run_to_end, show_ending
from lycosa.face.cli.options import (
    Allow,
    BudgetOption,
    Ca,
    NetworkOption,
    OutputOption,
    PolitenessOption,
    Proxy,
    StartOption,
    panel,
)
from lycosa.face.cli.refresh import refresh
from lycosa.face.cli.request_options import read_pair
from lycosa.face.cli.revisit import revisit
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

app = typer.Typer(
    help="Communities: search engines whose collection follows their members' queries.", no_args_is_help=True
)

app.command()(refresh)
app.command()(revisit)

Folder = Annotated[Path, Argument(help="Folder of the community.")]
Json = Annotated[bool, Option("--json", help="Print only one JSON object.")]

RefreshOption = panel("Refresh")
LogOption = panel("Query log")


@app.command()
def init(
    folder: Annotated[Path, Argument(help="New folder, or one whose first crawl was interrupted.")],
    bookmarks: Annotated[
        list[Path] | None, StartOption(help="Bookmarks exported by a browser, OPML file or list of URLs; repeatable.")
    ] = None,
    keywords: Annotated[
        str, StartOption(help="Topic of the community.  [default: most common words of the bookmarks]")
    ] = "",
    replay: Annotated[
        str | None, StartOption(help="Replay this WARC, test bed, collection or made web instead of using HTTP.")
    ] = None,
    max_in_index: Annotated[int | None, BudgetOption(help="Maximum pages in the collection.  [default: 10000]")] = None,
    per_host: Annotated[int | None, BudgetOption(help="Maximum pages per host and crawl.")] = None,
    queries: Annotated[
        int | None, RefreshOption(help="Maximum queries per refresh; a sample is drawn if there are more.")
    ] = None,
    recent: Annotated[
        str | None, RefreshOption(help="How long a query counts, such as 7d.  [default: forever]")
    ] = None,
    max_pages: Annotated[int | None, RefreshOption(help="Pages to crawl per query and iteration.")] = None,
    max_iter: Annotated[int | None, RefreshOption(help="Maximum iterations per query.  [default: 3]")] = None,
    n_hits: Annotated[
        int | None, RefreshOption(help="Number of results of a query that become its seeds.  [default: 25]")
    ] = None,
    theta: Annotated[
        float | None,
        RefreshOption(help="Stop a query when two consecutive seed sets overlap by more than this share (0 to 1)."),
    ] = None,
    strategy: Annotated[str | None, RefreshOption(help="Strategy that scores links.  [default: best-first]")] = None,
    set: Annotated[list[str] | None, RefreshOption(help="Strategy option, as option=value; repeatable.")] = None,
    judge: Annotated[str | None, RefreshOption(help="Judge that scores pages.  [default: cosine]")] = None,
    parallel: Annotated[
        int | None, RefreshOption(help="Number of queries to crawl at the same time.  [default: 4]")
    ] = None,
    dice: Annotated[int | None, RefreshOption(help="Random seed.  [default: 1]")] = None,
    log_queries: Annotated[
        bool | None, LogOption("--log-queries/--no-log-queries", help="Whether queries are logged.")
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        LogOption(help="Regular expression of queries that are never logged or used; repeatable."),
    ] = None,
    delay: Annotated[
        float | None, PolitenessOption(help="Seconds between two requests to the same host.  [default: 1]")
    ] = None,
    spread: Annotated[
        int | None, PolitenessOption(help="Number of consecutive pages that must come from different hosts.")
    ] = None,
    robots: Annotated[bool | None, PolitenessOption("--robots/--no-robots", help="Obey robots.txt.")] = None,
    contact: Annotated[
        str | None, PolitenessOption(help="URL or e-mail address for webmasters; sent as part of the user agent.")
    ] = None,
    agent: Annotated[str | None, PolitenessOption(help="Name of the user agent.")] = None,
    workers: Annotated[int | None, NetworkOption(help="Maximum concurrent requests.  [default: 16]")] = None,
    processes: Annotated[int | None, NetworkOption(help="Scout processes; 0 = CPU cores - 1.")] = None,
    timeout: Annotated[float | None, NetworkOption(help="Maximum seconds per request.  [default: 30]")] = None,
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
    resolve: Annotated[
        list[str] | None, NetworkOption(help="Address of a host, as HOST=ADDRESS:PORT; * = every host; repeatable.")
    ] = None,
    json: Annotated[bool, OutputOption("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Create a community: crawl breadth-first from its bookmarks and make the result searchable."""
    from lycosa.app.communities import days_of
    from lycosa.app.community_start import CommunityStart
    from lycosa.face.cli.stages import Stages

    http = {
        "contact": contact,
        "agent": agent,
        "proxy": proxy,
        "ca": ca,
        "obey_robots": robots,
        "timeout_total": timeout,
        "timeout_read": None if timeout is None else max(10.0, timeout / 2),
        "allow": tuple(allow) if allow else None,
        "resolve": dict(map(_address, resolve)) if resolve else None,
    }
    wishes = {
        "max_in_index": max_in_index,
        "max_pages": max_pages,
        "max_iter": max_iter,
        "n_hits": n_hits,
        "theta": theta,
        "queries": queries,
        "recent": None if recent is None else days_of(recent),
        "strategy": strategy,
        "options": dict(read_pair("settings", text) for text in set) if set else None,
        "judge": judge,
        "parallel": parallel,
        "log_queries": log_queries,
        "workers": workers,
        "processes": processes,
        "recorded": replay if replay is None or replay.startswith("made") else str(Path(replay).resolve()),
        "seed": dice,
    }
    beginning = CommunityStart(
        folder,
        bookmarks or (),
        keywords=keywords,
        http=_said(http),
        rules=_said({"delay": delay, "spread": spread, "per_host": per_host}),
        leave_out=leave_out or (),
        **_said(wishes),
    )
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

    if limit < 1:
        raise Refused(
            f"--limit {limit} shows nothing", "give --limit at least 1", code=Code.OUT_OF_RANGE, field="limit"
        )
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
        states = [state for state in ("current", "undone", "forgotten") if one[state]]
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


def _said(wishes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wishes.items() if value is not None}


def _address(text: str) -> tuple[str, str]:
    host, equals, address = text.partition("=")
    if not equals or not host or not address:
        raise Refused(
            f"--resolve {text!r} names no address",
            "write --resolve HOST=127.0.0.1:8080",
            code=Code.BAD_VALUE,
            field="resolve",
        )
    return host.strip(), address.strip()


def _when(at: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
    except (OverflowError, ValueError, OSError):
        return "-"
