"""`lycosa scope test`: try out which URLs a scope lets in."""

from __future__ import annotations

import json as json_format

import typer
from msgspec import to_builtins
from rich.text import Text

from lycosa.app.requests.scope import ScopeTestRequest
from lycosa.face.cli.look import Json
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal

app = typer.Typer(help="The scope of a hunt: which URLs it may fetch.", no_args_is_help=True)


@app.callback()
def _scope() -> None:
    """The scope of a hunt: which URLs it may fetch."""


@app.command()
@from_request(ScopeTestRequest, arguments=["urls"])
def test(request: ScopeTestRequest, json: Json = False) -> None:
    """Say which rule lets each URL in or keeps it out; exit with 1 if one is kept out.

    The options of the table [crawl] in lycosa.toml apply here too.
    """
    from lycosa.app.scope_check import tested

    answer = tested(request)
    if json:
        print(json_format.dumps(to_builtins(answer)))
    else:
        console = Terminal()
        for each in answer.urls:
            sign = ("in   ", "green") if each.inside else ("out  ", "red")
            console.print(Text.assemble(sign, each.url, (f"  {each.because}", "dim")), soft_wrap=True)
    if answer.outside:
        raise typer.Exit(1)
