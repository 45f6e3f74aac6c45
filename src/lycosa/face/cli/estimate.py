"""`lycosa estimate`: how many relevant pages there may be."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

from msgspec import to_builtins
from rich.text import Text
from typer import Argument, Option

from lycosa.app.wording import percent, printable
from lycosa.face.cli.terminal import Terminal


def estimate(
    folders: Annotated[list[Path], Argument(help="Collection, or several of the same topic.")],
    relevant: Annotated[float | None, Option(help="Probability of being on topic from which a page counts.")] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Estimate how many relevant pages there are, from one crawl's links or the overlap of several crawls."""
    from lycosa.app.estimates import estimate, worded

    found = estimate(folders, relevant)
    if json:
        print(json_format.dumps(to_builtins(found)))
        return
    console = Terminal()
    lines = [f"relevant pages: {worded(found)}, counting {_counted(found.threshold)}"]
    if found.crawls:
        lines = [
            f"relevant pages: {worded(found)}; rather a lower bound, because crawls of one topic like the same pages"
        ]
        lines += [
            f"  {crawl.found:,} found by {crawl.strategy} in {crawl.folder}, "
            f"counting from {percent(crawl.threshold)} on"
            for crawl in found.crawls
        ]
        lines.append(f"  {found.shared:,} found by all of them")
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)


def _counted(threshold: float | None) -> str:
    if threshold is None:
        return "each page as much as it is likely on topic"
    return f"pages that are on topic with {percent(threshold)} or more"
