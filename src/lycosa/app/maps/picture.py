"""A map as a file: SVG, or PNG if vl_convert is installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from lycosa.app.maps.map_data import Drawn
from lycosa.app.maps.svg import size, to_svg
from lycosa.system import os_errors
from lycosa.system.errors import Code, Refused

_PIXELS = 10_000
"""Pixels of the longer side of a PNG, at most."""


def check_target(path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done for it."""
    if path.suffix.lower() not in (".svg", ".png"):
        problem, fix, code = (
            f"{path} is neither an .svg nor a .png file",
            "end its name with one of these",
            Code.BAD_VALUE,
        )
    elif path.suffix.lower() == ".png" and find_spec("vl_convert") is None:
        problem, code = "a PNG needs vl_convert, which is not installed", Code.NEEDS_PACKAGE
        fix = "pip install 'lycosa[lab]', or write an .svg"
    elif path.is_dir() or not path.parent.is_dir():
        problem, fix, code = f"{path} cannot be written", "name a file in a folder that exists", Code.UNWRITABLE
    else:
        return
    raise Refused(problem, fix, code=code, field="out")


def write(drawn: Drawn, path: Path) -> None:
    """Write a map to a file, in the format of its suffix."""
    check_target(path)
    try:
        if path.suffix.lower() == ".svg":
            path.write_text(to_svg(drawn), encoding="utf-8")
        else:
            path.write_bytes(to_png(drawn))
    except OSError as error:
        raise os_errors.of_system(path, error) from error


def to_png(drawn: Drawn) -> bytes:
    """The map as a PNG, with two pixels per unit unless that is too many."""
    import vl_convert

    return vl_convert.svg_to_png(to_svg(drawn, dark=False), scale=min(2.0, _PIXELS / max(size(drawn))))
