"""Secrets that users put into environment variables and name, so that they are in no file, message or process list."""

from __future__ import annotations

import os
import re

from lycosa.system.errors import Code, Refused

_LONG = 20
"""Characters of a name without an underscore at most; keys of some services are long, upper-case and have digits."""
_is_variable = re.compile(r"[A-Z_][A-Z0-9_]*").fullmatch


def check_variable(name: str, usual: str, field: str) -> None:
    """Refuse what is not the name of a variable; `usual` is an example of one."""
    if not _is_variable(name) or (len(name) > _LONG and "_" not in name):
        # Who gives the key itself must not find it in a message, a log or a plan.
        raise Refused(
            "the option key is not the name of an environment variable",
            f"put the key into a variable such as {usual} and give its name",
            code=Code.BAD_VALUE,
            field=field,
        )


def read_secret(name: str, purpose: str, field: str, *, needed: bool) -> str:
    """The secret in a variable; empty if it is not set and not needed. `purpose` says what it is the key of."""
    found = os.environ.get(name, "")
    if not found and needed:
        problem = f"the environment variable {name}, which is to hold the key of {purpose}, is not set"
        raise Refused(problem, "set it, then try again", code=Code.MISSING, field=field)
    if not found.isprintable() or not found.isascii():
        problem = f"the key in the environment variable {name} cannot be sent"
        fix = "correct it: a key is one line of plain characters"
        raise Refused(problem, fix, code=Code.BAD_VALUE, field=field)
    return found.strip()
