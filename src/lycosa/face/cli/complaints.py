"""Problems in the words of the command line: which option is meant, and which command helps."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from typer.main import get_command

from lycosa.system.errors import Code, Refused

_HELPS = {
    Code.DAMAGED: "`lycosa check DIR --repair`",
    Code.NOT_A_COLLECTION: "`lycosa crawl` makes one",
    **dict.fromkeys((Code.DISK_FULL, Code.SHORTAGE, Code.NETWORK, Code.PROXY), "`lycosa resume` continues"),
}
"""The command that helps with a problem, by its code."""


_ALSO = {(Code.MISSING, "seeds"): "find"}
"""Another field that would do as well, by the code of a problem and its field."""


def complaint(refused: Refused, app: typer.Typer, words: Sequence[str]) -> str:
    """A problem in one line, with the option of the command that was typed."""
    fields = [refused.field.partition(".")[0], _ALSO.get((refused.code, refused.field), "")]
    options = [_option(app, words, field) if field else "" for field in fields]
    # Nothing has begun that could be resumed if a source of seeds cannot be asked.
    helps = "" if refused.field == "find" else _HELPS.get(refused.code, "")
    if refused.code == Code.NOT_A_COLLECTION and words[:1] == ["community"]:
        helps = "`lycosa community init` makes one"
    # Some messages name their option already.
    hints = [*("" if option in str(refused) else option for option in options), helps]
    said = ", ".join(filter(None, hints))
    return f"{refused} ({said})" if said else str(refused)


def _option(app: typer.Typer, words: Sequence[str], field: str) -> str:
    """The option that sets a field; empty if it is an argument, or if the command does not have it."""
    command = get_command(app)
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command = inner
    for parameter in command.params:
        if parameter.name == field and (long := [name for name in parameter.opts if name.startswith("--")]):
            return long[0]
    return ""
