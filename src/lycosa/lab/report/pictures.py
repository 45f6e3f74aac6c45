"""From a chart to pictures: SVG and PNG files, and SVG that takes its colours from the page around it.

Altair's validation against its schema takes ten times as long as all the rest, so it is off here; the tests make the
charts with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any

import altair as alt
import vl_convert
from altair.utils.schemapi import debug_mode

from lycosa.lab.report.colours import PAPER, printable, variables
from lycosa.lab.report.panels import Panel, PanelSize, chart, config, names_its_lines

_VEGA_LITE = alt.SCHEMA_VERSION.rsplit(".", 1)[0]
_TAG = re.compile(r"<[^>]*>")
_EMPTY = re.compile(
    r'<path class="(?:fore|back)ground" aria-hidden="true" d="[^"]*"(?: pointer-events="none")?(?: display="none")?/>'
)
_CLIP = re.compile(r'(?<=<clipPath id=")clip\d+|(?<=url\(#)clip\d+')
_PLACES = re.compile(r'(?<= d=")[^"]*|(?<= transform=")[^"]*')
_FIGURE = re.compile(r"-?(?<!\d)\d+\.\d{2,}")


def panel_svg(panel: Panel, lines: int, name: str, key: str) -> str:
    """A panel for the page, with the colours of its style sheet and the accessible name `name`; `key` is unique."""
    size = panel.size
    padding = {"left": size.left, "right": size.right, "top": size.top, "bottom": size.bottom}
    with debug_mode(False):
        drawn = _svg(chart(panel), size, padding=padding, autosize={"type": "none"})
    body = drawn[drawn.index(">") + 1 :]
    width, height = size.left + size.width + size.right, size.top + size.height + size.bottom
    head = (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{escape(name)}">'
    )
    return head + _themed(_lean(_numbered(body, key)), lines)


def file_svg(panels: list[Panel], columns: int) -> str:
    """A figure as a file of its own: its panels with their titles, on paper."""
    with debug_mode(False):
        whole = alt.concat(*(chart(panel, titled=True) for panel in panels), columns=columns, spacing=26)
        if all(names_its_lines(panel) for panel in panels):
            # Panels with other lines have other colours; with a legend they share one scale and one legend.
            whole = whole.resolve_scale(color="independent", strokeDash="independent")
        return _lean(_numbered(_svg(whole, panels[0].size, padding=14, background=PAPER), "clip"))


def png(svg: str) -> bytes:
    """The picture at twice its size."""
    return vl_convert.svg_to_png(svg, scale=2)


def _svg(whole: alt.TopLevelMixin, size: PanelSize, **settings: Any) -> str:
    spec = _printable(whole.to_dict(validate=False))
    return vl_convert.vegalite_to_svg(spec | settings | {"config": config(size)}, vl_version=_VEGA_LITE)


def _printable(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _printable(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_printable(value) for value in part]
    return printable(part) if isinstance(part, str) else part


def _numbered(svg: str, key: str) -> str:
    """The SVG with its own ids of clip paths: Vega's counter goes on from one picture to the next."""
    names = {name: f"{key}-{nth}" for nth, name in enumerate(dict.fromkeys(_CLIP.findall(svg)))}
    return _within_tags(svg, lambda tag: _CLIP.sub(lambda found: names[found[0]], tag) if "clip" in tag else tag)


def _lean(svg: str) -> str:
    """The SVG without what is invisible: empty paths and needless decimals."""
    return _within_tags(
        _EMPTY.sub("", svg), lambda tag: _PLACES.sub(lambda found: _FIGURE.sub(_rounded, found[0]), tag)
    )


def _themed(svg: str, lines: int) -> str:
    """The SVG with a CSS variable for each colour."""
    known = {f'"{colour}"': f'"{variable}"' for colour, variable in variables(lines).items()}
    any_of_them = re.compile("|".join(known))
    return _within_tags(svg, lambda tag: any_of_them.sub(lambda found: known[found[0]], tag))


def _within_tags(svg: str, change: Callable[[str], str]) -> str:
    """The SVG with its markup changed and its text left alone."""
    return _TAG.sub(lambda found: change(found[0]), svg)


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.1f}".removesuffix(".0")
