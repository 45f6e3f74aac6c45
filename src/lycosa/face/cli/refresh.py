"""`lycosa community refresh`: makes the next generation from what people searched for."""

from __future__ import annotations

import json as json_format
import signal
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.text import Text
from typer import Exit, Option

from lycosa.app.requests.community import GROUPS, RUN, RefreshRequest
from lycosa.app.wording import printable
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal

Run = partial(Option, rich_help_panel=RUN)


@from_request(RefreshRequest, groups=GROUPS, arguments=["folder"])
def refresh(
    request: RefreshRequest,
    dry_run: Annotated[bool, Run("--dry-run", help="Only show what would be done.")] = False,
    schedule: Annotated[
        bool,
        Run("--schedule", help="Only print a cron line for a nightly refresh; see also `lycosa community schedule`."),
    ] = False,
    json: Annotated[bool, Run("--json", help="Print only one JSON object, at the end.")] = False,
) -> None:
    """Renew the collection according to people's queries; run again to continue after an interruption."""
    from lycosa.app import communities
    from lycosa.app.community_refresh import refresh_of, rows, sentences
    from lycosa.face.cli.stages import Stages

    folder = Path(request.folder)
    if schedule:
        print(communities.schedule(folder))
        return
    refreshing = refresh_of(request)
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
    if report.get("held"):
        console.print(f"make it current with: lycosa community accept {folder}", soft_wrap=True)


def _show_preview(found: dict[str, Any], console: Terminal, json: bool) -> None:
    if json:
        print(json_format.dumps(found))
        return
    on = "would go on where it was interrupted: " if found["goes_on"] else ""
    theta = "no theta" if found["theta"] is None else f"theta {found['theta']:g}"
    lines = [
        f"{on}{len(found['queries']):,} queries, each {found['max_iter']} times {found['max_pages']:,} pages, "
        f"{found['parallel']} side by side; {theta}; {found['strategy']} with {found['judge']}; "
        f"at most {found['max_in_index']:,} pages are kept",
        "results  referrers  hubs  query",
        *(
            f"{one['hits']:>7}  {one['referrers']:>9}  {one['hubs']:>4}  {one['query']}"
            + ("  (no result: begins at hubs and bookmarks)" if one["fallback"] else "")
            for one in found["queries"]
        ),
        f"of {found['before']:,} pages, {found['may_leave']:,} may leave at most, and those that the Web has no more",
        *(f"  {one['title'] or one['url']}  {one['url'] if one['title'] else ''}" for one in found["leaving"]),
        *(f"left out, it has no word to look for: {query}" for query in found["left_out"]),
    ]
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)
