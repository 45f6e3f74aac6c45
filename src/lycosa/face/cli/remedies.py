"""What would help a hunt that ended early, in commands and options."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.option import options_of
from lycosa.app.requests.scope import ScopeOptions
from lycosa.face.cli.request_options import flag

_VALUES = {"render": " auto"}
"""The values that help, of options that have only one."""


def remedy_lines(report: HuntStatus) -> list[str]:
    """The commands that would help: a hunt can be resumed with another scope, anything else needs another hunt."""
    wanted = list(dict.fromkeys(name for remedy in report.remedies for name in remedy.fields))
    scope = [name for name in wanted if name in ScopeOptions.__struct_fields__]
    lines = [f"to resume it with another scope: lycosa resume {report.folder} {_flags(scope)}"] if scope else []
    others = [name for name in wanted if name not in scope]
    return [*lines, f"for another hunt: lycosa crawl {_flags(others)}"] if others else lines


def _flags(names: Sequence[str]) -> str:
    flags = {field.name: flag(field) for field in options_of(HuntRequest)}
    return " ".join(flags[name] + _VALUES.get(name, "") for name in names)
