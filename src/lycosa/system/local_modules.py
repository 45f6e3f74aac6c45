"""Modules that a user names: installed ones, and files in the current folder."""

from __future__ import annotations

import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType


def import_named(name: str) -> ModuleType:
    """A module by its name; one that is not installed is looked for in the current folder.

    Unlike `python -m`, the `lycosa` command does not look there by itself. The folder comes last in the path, so that
    a file in it cannot take the place of an installed module.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        here = str(Path.cwd())
        if error.name != name.partition(".")[0] or here in sys.path:
            raise
    sys.path.append(here)
    invalidate_caches()
    return import_module(name)
