"""`lycosa community revisit`: fetches again the pages that are most worth it."""

from __future__ import annotations

import asyncio
import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import to_builtins
from rich.console import Console
from rich.text import Text
from typer import Argument, Exit, Option

from lycosa.app.wording import printable
from lycosa.face.cli.crawl import run_to_end
from lycosa.face.cli.options import Ca, Proxy
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import check_range

if TYPE_CHECKING:
    from lycosa.community.revisit import Revisited
    from lycosa.community.revisit_value import Due


def revisit(
    folder: Annotated[Path, Argument(help="Folder of the community.")],
    pages: Annotated[int, Option(help="Maximum pages to check.")] = 1000,
    confirmations: Annotated[
        int, Option(help="Consecutive checks in which a page must be missing before it counts as gone.")
    ] = 2,
    proxy: Proxy = None,
    ca: Ca = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Only show which pages are next, and why.")] = False,
    json: Annotated[bool, Option("--json", help="Print only one JSON object, at the end.")] = False,
) -> None:
    """Revisit the pages most worth it, and update those that have changed."""
    from lycosa.community.home import Home
    from lycosa.community.revisit import due, revisit

    home = Home.open(folder, proxy=proxy, ca=ca)
    console = Terminal()
    check_range("confirmations", confirmations, 1)
    if dry_run:
        found = due(home, pages)
        if json:
            print(json_format.dumps({"due": [each._asdict() for each in found]}))
        else:
            _show_due(found, console)
        return
    report = revisit(
        home,
        pages,
        lambda hunt: asyncio.run(run_to_end(hunt, console, quiet=json)),
        confirmations=confirmations,
    )
    if json:
        print(json_format.dumps({**to_builtins(report), "counts": report.counts()}))
    else:
        _show(report, console)
    if report.unasked:
        raise Exit(130)


def _show_due(found: list[Due], console: Console) -> None:
    heads = "  value = relevance ×    gain ×     hub ×  faults × per second   changed  days ago  page"
    console.print(Text(heads), soft_wrap=True)
    for each in found:
        parts = each.parts
        line = (
            f"{each.value:7.2g}   {parts['relevance']:9.3f}   {parts['gain']:7.2g}   {parts['hub']:7.2f}   "
            f"{parts['faults']:6.3g}   {parts['per_second']:10.2f}   {each.changed:7.0%}  {each.age:8.1f}  {each.url}"
        )
        console.print(Text(printable(line)), soft_wrap=True)


def _show(report: Revisited, console: Console) -> None:
    counts = report.counts()
    lines = [
        f"{report.asked - report.unasked:,} pages looked at again: {counts['unchanged']:,} unchanged "
        f"({report.confirmed:,} of them not sent again), {counts['changed']:,} changed, "
        f"{counts['gone']:,} gone, {counts['unknown']:,} unknown"
    ]
    if report.moved:
        lines.append(f"  {len(report.moved):,} of those gone have moved")
    if report.pinned:
        lines.append(f"  bookmarks that are gone and stay as archived: {len(report.pinned):,}")
    lines += [f"  unknown: {reason} ×{count:,}" for reason, count in counts["reasons"].items()]
    if report.lost:
        lines.append(f"  {len(report.lost):,} left out, their records are damaged")
    if report.unasked:
        lines.append(f"interrupted: {report.unasked:,} pages were not asked for")
    if report.generation is None:
        lines.append(f"nothing has changed and nothing is gone: the collection stays, {report.pages:,} pages")
    else:
        lines.append(f"generation {report.generation} answers now, {report.pages:,} pages")
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)
