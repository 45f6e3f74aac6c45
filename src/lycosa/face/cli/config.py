"""`lycosa config`: the value of every option, and where it comes from."""

from __future__ import annotations

import json as json_format
import math
import os
from typing import Annotated, Any

import typer
from rich.table import Table
from typer import Argument

from lycosa.app.near_names import unknown_name
from lycosa.face.cli import config_file
from lycosa.face.cli.look import Json
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

_SECRET = ("token", "proxy", "access")


def config(
    context: typer.Context,
    command: Annotated[list[str] | None, Argument(help="Command, such as crawl or community refresh.")] = None,
    json: Json = False,
) -> None:
    """Show the defaults of commands, and whether they come from lycosa.toml, the environment or Lycosa itself.

    Without a command, only the options that a file or the environment sets are shown.
    """
    from lycosa.face.cli import whole_command

    group = whole_command()
    known = {" ".join(path): (path, each) for path, each in config_file.commands(group)}
    chosen = " ".join(command or ())
    if chosen and chosen not in known:
        raise Refused(*unknown_name("command", chosen, known), code=Code.UNKNOWN_NAME, field="command")
    rows = [
        row
        for name, (path, each) in known.items()
        if chosen in ("", name)
        for row in _rows(name, path, each)
        if chosen or row["from"] != "default"
    ]
    if not chosen or any(row["option"] == "sites" for row in rows):
        # They are shown once, not for every command that crawls.
        rows = [row for row in rows if row["from"] != config_file.SITE] + _sites()
    if json:
        print(json_format.dumps({"files": [str(file) for file in config_file.files()], "options": rows}))
        return
    console = Terminal()
    for file in config_file.files():
        console.print(f"{file}{'' if file.is_file() else ' (not there)'}", soft_wrap=True, highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("command", "option", "value", "from"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(row["command"], row["option"], str(row["value"]), row["from"])
    console.print(table if rows else "No option is set there: Lycosa's own defaults apply.", highlight=False)


def _rows(name: str, path: list[str], command: Any) -> list[dict[str, Any]]:
    settings = config_file.settings_of(command, path)
    rows = []
    for parameter in command.params:
        if not any(each.startswith("--") for each in parameter.opts) or getattr(parameter, "hidden", False):
            continue
        variable = parameter.envvar
        value, place = parameter.default, "default"
        if parameter.name in settings:
            value, place = settings[parameter.name]
        if variable and os.environ.get(variable):
            value, place = os.environ[variable], f"environment ({variable})"
        if value and parameter.name in _SECRET:
            value = "****"
        rows.append({"command": name, "option": parameter.name, "value": _plain(value), "from": place})
    return rows


def _sites() -> list[dict[str, Any]]:
    """What the files say about single sites."""
    return [
        {"command": f"{config_file.SITE} {host}", "option": key, "value": _plain(value), "from": place}
        for host, settings in config_file.sites().items()
        for key, (value, place) in settings.items()
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, int, float, bool, list, dict)) else str(value)
