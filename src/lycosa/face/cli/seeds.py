"""`lycosa seeds`: finds better start pages through in-links; `lycosa seeds find`: finds some for a few words."""

from __future__ import annotations

import json as json_format
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import to_builtins
from rich.text import Text
from typer import Option

from lycosa.app.requests.seeds import FindRequest, SeedsRequest
from lycosa.app.wording import printable
from lycosa.face.cli.found_seeds import show
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal

if TYPE_CHECKING:
    from lycosa.app.seed_augmentation import SeedAugmentation


app = typer.Typer()


@app.command()
@from_request(FindRequest, arguments=["keywords"])
def find(
    request: FindRequest,
    out: Annotated[Path | None, Option(help="Seeds file to write, for `lycosa crawl --seeds-file`.")] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Show where a hunt for KEYWORDS could begin, as the named sources find it; nothing is begun."""
    from lycosa.app.start_pages import preview

    found = preview(request)
    if out:
        out.write_text("".join(f"{seed.url}  # {seed.reason}\n" for seed in found.seeds), "utf-8")
    if json:
        print(json_format.dumps(to_builtins(found)))
        return
    console = Terminal()
    show(found, console)
    if out:
        console.print(f"{len(found.seeds):,} start pages in {out}", soft_wrap=True)


@app.callback(invoke_without_command=True)
@from_request(SeedsRequest)
def seeds(
    request: SeedsRequest,
    context: typer.Context,
    out: Annotated[Path | None, Option(help="Seeds file to write, for `lycosa crawl --seeds-file`.")] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Find start pages: from words alone (`seeds find`), hubs that link to several seeds, or neighbours upstream.

    `lycosa seeds find WORDS` finds start pages for a few words.
    """
    if context.invoked_subcommand:
        return
    from lycosa.app.seed_augmentation import seeds_of

    found = seeds_of(request)
    if out:
        found.write(out)
    if json:
        print(json_format.dumps(found.as_dict()))
        return
    console = Terminal()
    for line in lines(found, request.at_least):
        console.print(Text(printable(line)), soft_wrap=True)
    if out:
        console.print(f"{len(found.urls):,} start pages in {out}", soft_wrap=True)


def lines(found: SeedAugmentation, at_least: int) -> list[str]:
    """What was found, as a table: how many seeds a page leads to, which ones, what became of the page, and its URL."""
    numbers = {url: str(number) for number, url in enumerate(found.seeds, 1)}
    told = [f"{number:>4}  {url}" for url, number in numbers.items()]
    counted = Counter(one.left_out for one in found.found if _is_plain(one.left_out, len(one.seeds), at_least))
    shown = [one for one in found.found if one.left_out not in counted]
    rows = [
        (str(len(one.seeds)), " ".join(numbers[url] for url in one.seeds), one.left_out or "added", one.url)
        for one in shown
    ]
    heads = ("seeds", "which", f"{found.levels} links upstream" if found.levels else "hub", "page")
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)][:3]
    if rows:
        told += [""]
        told += [
            "  ".join((row[0].rjust(widths[0]), row[1].ljust(widths[1]), row[2].ljust(widths[2]), row[3]))
            for row in (heads, *rows)
        ]
    told += [""] + [f"{count:,} more left out: {reason}" for reason, count in counted.most_common()]
    told.append(f"{len(found.added):,} added to {len(numbers):,} seeds" if not found.levels else _drawn(found))
    return told


def _drawn(found: SeedAugmentation) -> str:
    return f"{len(found.added):,} start pages {found.levels} links upstream of {len(found.seeds):,} seeds"


def _is_plain(reason: str, count: int, at_least: int) -> bool:
    """Whether a reason is so common that only its count is shown."""
    return bool(reason) and (count < at_least or reason.endswith("are better"))
