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
        raise Refused(
            f"{path} is neither an .svg nor a .png file",
            "end its name with one of these",
            code=Code.BAD_VALUE,
            field="out",
        )
    if path.suffix.lower() == ".png" and find_spec("vl_convert") is None:
        raise Refused(
            "a PNG needs vl_convert, which is not installed",
            "pip install 'lycosa[lab]', or write an .svg",
            code=Code.NEEDS_PACKAGE,
            field="out",
        )
    if path.is_dir() or not path.parent.is_dir():
        raise Refused(
            f"{path} cannot be written",
            "name a file in a folder that is there",
            code=Code.UNWRITABLE,
            field="out",
        )


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
