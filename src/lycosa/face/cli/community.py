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
from lycosa.face.cli.crawl import read_setting, run_to_end, show_ending
from lycosa.face.cli.options import Allow, Ca, Proxy
from lycosa.face.cli.refresh import refresh
from lycosa.face.cli.revisit import revisit
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

app = typer.Typer(
    help="Communities: search engines whose collection follows what their members ask.", no_args_is_help=True
)

app.command()(refresh)
app.command()(revisit)

Folder = Annotated[Path, Argument(help="The folder of a community.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")]


@app.command()
def init(
    folder: Annotated[Path, Argument(help="A new folder, or one whose first crawl was interrupted.")],
    bookmarks: Annotated[
        list[Path] | None, Option(help="A browser's export, an OPML file or a list of URLs; repeatable.")
    ] = None,
    keywords: Annotated[
        str, Option(help="What the community is about.  [default: the commonest words of the bookmarks]")
    ] = "",
    max_in_index: Annotated[int | None, Option(help="Pages the collection holds at most.  [default: 10000]")] = None,
    max_pages: Annotated[int | None, Option(help="Pages crawled for a query in one iteration of a refresh.")] = None,
    max_iter: Annotated[int | None, Option(help="Iterations for a query at most.  [default: 3]")] = None,
    n_hits: Annotated[int | None, Option(help="Results of a query that are its seeds.  [default: 25]")] = None,
    theta: Annotated[float | None, Option(help="Overlap of two seed sets from which on a query is done.")] = None,
    queries: Annotated[int | None, Option(help="Queries of a refresh at most; a sample where there are more.")] = None,
    recent: Annotated[str | None, Option(help="How long questions count, such as 7d.  [default: for ever]")] = None,
    strategy: Annotated[str | None, Option(help="How a refresh hunts.  [default: best-first]")] = None,
    set: Annotated[list[str] | None, Option(help="A strategy option, as option=value; repeatable.")] = None,
    judge: Annotated[str | None, Option(help="Who says how relevant a page is.  [default: cosine]")] = None,
    parallel: Annotated[int | None, Option(help="Queries of a refresh crawled at the same time.  [default: 4]")] = None,
    log_queries: Annotated[
        bool | None, Option("--log-queries/--no-log-queries", help="Whether questions are written down at all.")
    ] = None,
    leave_out: Annotated[
        list[str] | None, Option(help="A pattern of questions that are never written down nor used.")
    ] = None,
    delay: Annotated[float | None, Option(help="Seconds of rest between two requests to a host.  [default: 1]")] = None,
    workers: Annotated[int | None, Option(help="Requests under way at the same time.  [default: 16]")] = None,
    processes: Annotated[int | None, Option(help="Scout processes; 0 means one fewer than there are cores.")] = None,
    spread: Annotated[int | None, Option(help="Any D picks in a row come from D different hosts.")] = None,
    per_host: Annotated[int | None, Option(help="Pages at most from one host, in each crawl.")] = None,
    contact: Annotated[str | None, Option(help="Where webmasters reach you; part of the user agent.")] = None,
    agent: Annotated[str | None, Option(help="The user agent's name.")] = None,
    proxy: Proxy = None,
    ca: Ca = None,
    allow: Allow = None,
    resolve: Annotated[
        list[str] | None, Option(help="An address for a host, as HOST=ADDRESS:PORT; * is every host.")
    ] = None,
    robots: Annotated[bool | None, Option("--robots/--no-robots", help="Obey robots.txt.")] = None,
    timeout: Annotated[float | None, Option(help="Seconds one request may take.  [default: 30]")] = None,
    replay: Annotated[str | None, Option(help="Replay this WARC, bed, collection or made web instead of HTTP.")] = None,
    dice: Annotated[int | None, Option(help="Seed of all randomness.  [default: 1]")] = None,
    json: Json = False,
) -> None:
    """Make a community: crawl breadth-first from its bookmarks, and let the result be searched."""
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
        "options": dict(map(read_setting, set)) if set else None,
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
    recent: Annotated[str | None, Option(help="Only those of the last time, such as 7d, 12h or 2w.")] = None,
    limit: Annotated[int, Option(help="Different questions shown at most.")] = 50,
    forget: Annotated[list[str] | None, Option(help="Take this question out of the log for good.")] = None,
    pattern: Annotated[
        list[str] | None, Option(help="Take out every question in which this regular expression is found.")
    ] = None,
    older: Annotated[str | None, Option(help="Take out every question older than this, such as 90d.")] = None,
    json: Json = False,
) -> None:
    """What people asked, how often, and how many results there were; or take questions out of the log."""
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
    """The generations of the collection: when and how each was made, and what it changed."""
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
    """Make the generation before the current one current again."""
    from lycosa.app import communities

    made = communities.undo(folder)
    if json:
        print(json_format.dumps({"current": made.number}))
    else:
        Terminal().print(f"generation {made.number} of {_when(made.record.at)} answers again")


@app.command()
def forget(
    folder: Folder,
    keep: Annotated[int, Option(help="How many of the latest generations stay; the current one always does.")] = 2,
    json: Json = False,
) -> None:
    """Delete old generations; those that a search has open stay until the next time."""
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
    at: Annotated[str, Option(help="The time of the day.")] = "03:00",
    on: Annotated[str, Option(help="Only on this day of the week, such as sun.")] = "",
    systemd: Annotated[bool, Option("--systemd", help="A service and a timer instead of a cron line.")] = False,
) -> None:
    """Print what makes cron or systemd refresh the community every night."""
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
