"""`lycosa community refresh`: makes the next generation from what people searched for."""

from __future__ import annotations

import json as json_format
import signal
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text
from typer import Argument, Exit

from lycosa.app.wording import printable
from lycosa.face.cli.options import (
    BudgetOption,
    Ca,
    Proxy,
    StartOption,
    StrategyOption,
    panel,
)
from lycosa.face.cli.request_options import read_pair
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

QueriesOption = panel("Queries")
RunOption = panel("Run")


def refresh(
    folder: Annotated[Path, Argument(help="Folder of the community.")],
    query: Annotated[
        list[str] | None, QueriesOption(help="Query to refresh for, instead of the logged ones; repeatable.")
    ] = None,
    queries_file: Annotated[Path | None, QueriesOption(help="Text file with one query per line.")] = None,
    queries: Annotated[
        int | None, QueriesOption(help="Maximum queries from the log; a sample is drawn if there are more.")
    ] = None,
    recent: Annotated[
        str | None, QueriesOption(help="Use only queries from this recent period, such as 7d, 12h or 2w.")
    ] = None,
    n_hits: Annotated[int | None, StartOption(help="Number of results of a query that become its seeds.")] = None,
    referrers: Annotated[
        int | None, StartOption(help="Maximum linking pages per result that become seeds too.  [default: 10]")
    ] = None,
    hubs: Annotated[
        int | None, StartOption(help="Number of hubs among a query's results that become seeds too.  [default: 0]")
    ] = None,
    by: Annotated[str | None, StartOption(help="Index to search for seeds: content, reference or hybrid.")] = None,
    max_in_index: Annotated[int | None, BudgetOption(help="Maximum pages in the new collection.")] = None,
    max_pages: Annotated[int | None, BudgetOption(help="Pages to crawl per query and iteration.")] = None,
    max_iter: Annotated[int | None, BudgetOption(help="Maximum iterations per query.")] = None,
    theta: Annotated[
        float | None,
        BudgetOption(help="Stop a query when two consecutive seed sets overlap by more than this share (0 to 1)."),
    ] = None,
    keep: Annotated[
        str | None, BudgetOption(help="Iterations whose pages are kept: last or all.  [default: last]")
    ] = None,
    strategy: Annotated[
        str | None, StrategyOption(help="Strategy that scores links, such as best-first or symbiotic.")
    ] = None,
    set: Annotated[list[str] | None, StrategyOption(help="Strategy option, as option=value; repeatable.")] = None,
    judge: Annotated[str | None, StrategyOption(help="Judge that scores pages, such as cosine or tfidf.")] = None,
    proxy: Proxy = None,
    ca: Ca = None,
    parallel: Annotated[int | None, RunOption(help="Number of queries to crawl at the same time.")] = None,
    processes: Annotated[int | None, RunOption(help="Processes that replay a recording; 0 = one per CPU core.")] = None,
    fresh: Annotated[bool, RunOption("--fresh", help="Discard an interrupted refresh and start again.")] = False,
    dry_run: Annotated[bool, RunOption("--dry-run", help="Only show what would be done.")] = False,
    schedule: Annotated[
        bool,
        RunOption(
            "--schedule", help="Only print a cron line for a nightly refresh; see also `lycosa community schedule`."
        ),
    ] = False,
    json: Annotated[bool, RunOption("--json", help="Print only one JSON object, at the end.")] = False,
) -> None:
    """Renew the collection according to people's queries; run again to continue after an interruption."""
    from lycosa.app import communities
    from lycosa.app.community_refresh import CommunityRefresh, rows, sentences
    from lycosa.face.cli.stages import Stages

    if schedule:
        print(communities.schedule(folder))
        return
    wishes: dict[str, Any] = {
        "query": [*(query or ()), *(_lines(queries_file) if queries_file else ())] or None,
        "queries": queries,
        "recent": None if recent is None else communities.days_of(recent),
        "max_in_index": max_in_index,
        "max_pages": max_pages,
        "max_iter": max_iter,
        "n_hits": n_hits,
        "theta": theta,
        "referrers": referrers,
        "hubs": hubs,
        "by": by,
        "keep": keep,
        "strategy": strategy,
        "options": dict(read_pair("settings", text) for text in set) if set else {} if strategy else None,
        "judge": judge,
        "parallel": parallel,
        "processes": processes,
    }
    given = {name: value for name, value in wishes.items() if value is not None}
    refreshing = CommunityRefresh(folder, fresh=fresh, proxy=proxy, ca=ca, **given)
    console = Terminal()
    if dry_run:
        _show_preview(refreshing.preview(), console, json)
        return
    if refreshing.goes_on and not json:
        console.print("going on where it was interrupted", soft_wrap=True)
    # systemd stops a service with SIGTERM, a keyboard with SIGINT; both mean the same here.
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with Stages() as stages:
            stages.note_in(folder, "lycosa community refresh")
            made = refreshing(stages)
    except KeyboardInterrupt:
        if not json:
            console.print(f"interrupted; go on with: lycosa community refresh {folder}", soft_wrap=True)
        raise Exit(130) from None
    finally:
        signal.signal(signal.SIGTERM, before)
    report = {"generation": made.number, **made.record.report}
    if json:
        print(json_format.dumps(report))
        return
    for line in (*rows(report), "", *sentences(report)):
        console.print(Text(printable(line)), soft_wrap=True)


def _show_preview(found: dict[str, Any], console: Terminal, json: bool) -> None:
    if json:
        print(json_format.dumps(found))
        return
    on = "would go on where it was interrupted: " if found["goes_on"] else ""
    theta = "no theta" if found["theta"] is None else f"theta {found['theta']:g}"
    lines = [
        f"{on}{len(found['queries']):,} questions, each {found['max_iter']} times {found['max_pages']:,} pages, "
        f"{found['parallel']} side by side; {theta}; {found['strategy']} with {found['judge']}; "
        f"at most {found['max_in_index']:,} pages are kept",
        "results  referrers  hubs  question",
        *(
            f"{one['hits']:>7}  {one['referrers']:>9}  {one['hubs']:>4}  {one['query']}"
            + ("  (no result: begins at hubs and bookmarks)" if one["fallback"] else "")
            for one in found["queries"]
        ),
        *(f"left out, it has no word to look for: {query}" for query in found["left_out"]),
    ]
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)


def _lines(file: Path) -> list[str]:
    try:
        return [line.strip() for line in file.read_text("utf-8-sig").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(
            f"{file} cannot be read ({error})",
            "give a text file with one question a line",
            code=Code.UNREADABLE if isinstance(error, OSError) else Code.BAD_FILE,
            field="queries_file",
        ) from None
