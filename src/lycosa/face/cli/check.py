"""`lycosa check`: verifies that a collection is as it was written, and rebuilds what is not."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

from rich.progress import Progress
from rich.text import Text
from typer import Argument, Exit, Option

from lycosa.app.communities import current_collection
from lycosa.app.wording import printable
from lycosa.engine import collection_check
from lycosa.face.cli.look import Json
from lycosa.face.cli.terminal import Terminal


def check(
    folder: Annotated[Path, Argument(help="Collection, or community whose current collection is checked.")],
    repair: Annotated[bool, Option("--repair", help="Rebuild damaged files from intact ones where possible.")] = False,
    json: Json = False,
) -> None:
    """Check every file of a collection for damage; exit with code 1 if there is any."""
    console = Terminal(stderr=True)
    with (
        current_collection(folder) as place,
        Progress(console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        jobs = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in jobs:
                jobs[what] = bar.add_task(what, total=total)
            bar.update(jobs[what], completed=done, total=total)

        found = (collection_check.repair if repair else collection_check.check)(place, progress)
    if json:
        report = {
            "sound": found.sound,
            "events": found.events,
            "pages": found.pages,
            "running": found.running,
            "damages": [{**damage._asdict(), "repaired": damage in found.repaired} for damage in found.damages],
            "other_index": found.other_index,
            "open_to_others": found.open_to_others,
        }
        print(json_format.dumps(report))
    else:
        _show(found, repair)
    if not found.sound:
        raise Exit(1)


def _show(found: collection_check.CheckReport, repair: bool) -> None:
    console = Terminal()

    def say(line: str) -> None:
        console.print(Text(printable(line)), soft_wrap=True)

    if found.running:
        say("A crawl is writing to this collection; what it had committed was checked.")
    for damage in found.damages:
        if damage in found.repaired:
            say(f"repaired  {damage.place}: {damage.problem}")
        else:
            way = damage.repair or "it cannot be made anew; restore it from a copy"
            say(f"damaged   {damage.place}: {damage.problem}; {way}")
    if found.other_index:
        say("The index was made by another version of Lycosa and was not checked; the next search makes it anew.")
    for name in found.open_to_others:
        say(f"warning   {name} can be changed by every user of this machine: chmod o-w")
    left = len(found.damages) - len(found.repaired)
    if not left:
        say(
            f"Sound: {found.events:,} events, {found.pages:,} pages."
            if not found.repaired
            else "Everything is repaired."
        )
    elif not repair and any(damage.repair for damage in found.damages):
        say("--repair makes anew what can be made anew.")
