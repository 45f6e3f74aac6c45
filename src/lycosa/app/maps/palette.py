"""The colours of a map, light and dark; the same as those of the web pages (static/style.css)."""

from __future__ import annotations

from typing import NamedTuple

STEPS = 6
"""Shades of relevance that the eye can tell apart."""


class Palette(NamedTuple):
    """Colours for one background."""

    paper: str
    ink: str
    soft: str
    line: str
    relevant: tuple[str, ...]
    """Pages and authorities, from irrelevant to most relevant."""
    hubs: tuple[str, ...]
    others: tuple[str, ...]


def _ramp(*stops: str) -> tuple[str, ...]:
    """STEPS colours interpolated between some stops."""
    colours = [[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in stops]
    found = []
    for step in range(STEPS):
        at = step * (len(stops) - 1) / (STEPS - 1)
        left = min(int(at), len(stops) - 2)
        mixed = (
            round(one + (other - one) * (at - left))
            for one, other in zip(colours[left], colours[left + 1], strict=True)
        )
        found.append("#" + "".join(f"{part:02x}" for part in mixed))
    return tuple(found)


LIGHT = Palette(
    paper="#faf8f4",
    ink="#1d2523",
    soft="#55605c",
    line="#8f9a94",
    relevant=_ramp("#dfe5e1", "#a9cdbf", "#5fa793", "#14655a"),
    hubs=_ramp("#efe2cb", "#e3bd7d", "#c98a35", "#9a5b13"),
    others=_ramp("#e3e4e0", "#bfc6c2", "#98a49f", "#76847e"),
)
DARK = Palette(
    paper="#121716",
    ink="#e9ece8",
    soft="#a5b0ab",
    line="#61706a",
    relevant=_ramp("#36423e", "#2f6a5d", "#43a08b", "#7fe0c9"),
    hubs=_ramp("#453a28", "#7c5a26", "#b98236", "#f0b762"),
    others=_ramp("#2c3532", "#47534e", "#64736d", "#8a9a93"),
)


def step(shade: float) -> int:
    """The number of the colour for a shade from 0 to 1."""
    return min(STEPS - 1, int(shade * STEPS))


def style(dark: bool = True) -> str:
    """The style sheet of a map; with `dark` it follows the reader's preference for dark colours."""
    rules = _rules(LIGHT) + _SHARED
    return rules + (f"@media (prefers-color-scheme: dark) {{{_rules(DARK)}}}" if dark else "")


_SHARED = (
    "text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif;"
    "paint-order:stroke;stroke-width:3px;stroke-linejoin:round}"
    ".line{fill:none;stroke-width:1}.guess{stroke-dasharray:2 3}"
    ".name{font-size:20px;font-weight:650}.small{font-size:12px}"
    "a:hover .dot,a:focus .dot{stroke-width:3}"
)


def _rules(palette: Palette) -> str:
    ramps = {"r": palette.relevant, "h": palette.hubs, "o": palette.others}
    shades = "".join(f".{ramp}{at}{{fill:{colour}}}" for ramp, all_ in ramps.items() for at, colour in enumerate(all_))
    return (
        f".paper{{fill:{palette.paper}}}text{{fill:{palette.ink};stroke:{palette.paper}}}.soft{{fill:{palette.soft}}}"
        f".line{{stroke:{palette.line}}}.dot{{stroke:{palette.soft};stroke-width:.6}}"
        f".both{{stroke:{palette.hubs[-1]};stroke-width:2.5}}"
        f".bare{{fill:{palette.paper};stroke:{palette.line};stroke-width:1}}{shades}"
    )
