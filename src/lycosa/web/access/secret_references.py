"""References to secrets: an environment variable, or a private file. The secret itself is only ever in memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from lycosa.system.errors import Code, Refused
from lycosa.system.private_files import read_private

FIX = "put it into an environment variable or a private file, and write env:NAME or file:PATH"
LONGEST = 64 << 10
_reference = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:.+", re.DOTALL).fullmatch


def is_reference(text: str) -> bool:
    """Whether a value only names where a secret is."""
    return bool(_reference(text))


def variable_of(text: str) -> str:
    """The environment variable that a value names; empty if it names none."""
    return text[4:] if text.startswith("env:") and is_reference(text) else ""


def secret_of(text: str, what: str, variables: Mapping[str, str]) -> str:
    """The secret behind a reference; a value that is none stands for itself. `what` is said in errors."""
    if not is_reference(text):
        return text
    kind, _, place = text.partition(":")
    if kind == "env":
        found, source = variables.get(place, ""), f"the environment variable {place}"
        if not found:
            problem = f"{source}, which is to hold {what}, is not set"
            raise Refused(problem, "set it, then try again", code=Code.MISSING, field="access")
    else:
        source = f"the file {place}"
        try:
            found = read_private(Path(place), LONGEST, "access").decode().strip("\r\n")
        except UnicodeDecodeError:
            found = "\n"
    if not found.strip() or not found.isprintable():
        problem = f"{what} in {source} cannot be sent"
        raise Refused(problem, "write it on one line, and nothing else", code=Code.BAD_VALUE, field="access")
    return found
