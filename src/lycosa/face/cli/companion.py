"""`lycosa companion`: where the browser extension is, and how to load it."""

from __future__ import annotations

import json as json_format
import shutil
from pathlib import Path
from typing import Annotated

from typer import Option

from lycosa import face
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

EXTENSION = Path(face.__file__).parent / "extension"
"""The extension as browsers load it. It must not contain a Python file: Chromium rejects names such as __init__.py."""

_STEPS = """\
The extension is in {folder}
Chromium, Chrome, Edge: open chrome://extensions, turn on developer mode, choose "Load unpacked", select that folder
Firefox: open about:debugging#/runtime/this-firefox, choose "Load Temporary Add-on", select manifest.json in it
Then run lycosa serve, and copy the address and the key from its Companion page to the options of the extension"""


def companion(
    out: Annotated[
        Path | None, Option(help="Folder to copy the extension to; an earlier copy in it is replaced.")
    ] = None,
    json: Annotated[bool, Option("--json", help="Print only one JSON object.")] = False,
) -> None:
    """Show the folder of the companion's browser extension and how to load it, or copy it to another folder."""
    if out is not None:
        _copy(out)
    folder = (out or EXTENSION).absolute()
    if json:
        version = json_format.loads((folder / "manifest.json").read_bytes())["version"]
        print(json_format.dumps({"folder": str(folder), "version": version}))
    else:
        Terminal().print(_STEPS.format(folder=folder), soft_wrap=True)


def _copy(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not _is_copy(folder):
        raise Refused(f"{folder} is not empty", "choose another folder", code=Code.NOT_EMPTY, field="out")
    # Only the content is copied: an installed file may be read-only, and its copy must be replaceable.
    shutil.copytree(EXTENSION, folder, copy_function=shutil.copyfile, dirs_exist_ok=True)


def _is_copy(folder: Path) -> bool:
    """Whether a folder contains the extension, possibly of another version."""
    manifest = folder / "manifest.json"
    return manifest.is_file() and b'"companion@lycosa.invalid"' in manifest.read_bytes()
