"""`lycosa words ...`: trains word vectors on a collection, for the judge `embedding`."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer
from msgspec import to_builtins
from rich.text import Text
from typer import Argument, Option

from lycosa.app.wording import printable
from lycosa.face.cli.look import Json
from lycosa.face.cli.terminal import Terminal

app = typer.Typer(help="Word vectors: which words are close in meaning, learned from a collection.")


# With a callback, the only command below it keeps its name.
@app.callback()
def _words() -> None:
    """Word vectors: which words are close in meaning, learned from a collection."""


@app.command()
def train(
    folder: Annotated[Path, Argument(help="Collection, or community whose current collection is read.")],
    out: Annotated[
        Path | None, Option(help="Folder for the vectors; earlier vectors are replaced.  [default: FOLDER-vectors]")
    ] = None,
    size: Annotated[int, Option(help="Numbers per vector.")] = 100,
    json: Json = False,
) -> None:
    """Train word vectors on the pages of a collection; `--judge embedding:model=...` uses them."""
    from lycosa.app.word_training import train as trained_on
    from lycosa.face.cli.stages import Stages

    with Stages() as stages:
        made = trained_on(folder, out=out, size=size, progress=stages)
    if json:
        print(json_format.dumps(to_builtins(made)))
        return
    console = Terminal()
    lines = [f"{made.words:,} words of {made.pages:,} pages, {made.size} numbers each, in {made.folder}"]
    if made.damaged:
        lines.append(f"{made.damaged:,} damaged pages were left out; see `lycosa check {folder}`")
    lines.append(f"use them with --judge embedding:model={made.folder}")
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)
