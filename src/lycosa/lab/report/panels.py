"""One plot: lines over pages with a band of one standard error, each named at its end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from msgspec import Struct

from lycosa.lab.comparison import Floats
from lycosa.lab.report.colours import GREY, GRID, INK, MUTED

FEW = 12
"""Up to this many points a line is drawn with its points, and error bars instead of a band."""
NAMED = 12
"""Up to this many lines have names at their ends and bands; more names do not fit, and bands would cover all."""
LETTERS = 18
"""Letters of a name that fit beside a plot."""


class PanelSize(Struct, frozen=True):
    """A plot in pixels, with the room around it."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    letter: int


NORMAL = PanelSize(width=282, height=190, left=44, right=120, top=8, bottom=40, letter=11)
SMALL = PanelSize(width=168, height=92, left=26, right=8, top=6, bottom=20, letter=10)


class Line(Struct):
    """A line of a plot; nan where it has no value."""

    label: str
    colour: str
    dash: list[int]
    y: Floats
    error: Floats
    """One standard error; nan where there is none."""


class Panel(Struct):
    """What a plot shows. Its title is plain text, shown above it."""

    title: str
    x: Sequence[float]
    lines: list[Line]
    x_title: str = "pages fetched"
    note: str = ""
    logarithmic: bool = False
    unit: bool = False
    """Whether the axis always goes from 0 to 1, so that panels can be compared."""
    unit_x: bool = False
    """Whether the x axis does so too."""
    zero: bool = True
    """Whether the axis begins at 0."""
    cut: str = ""
    """The label of a line so far above the others that the axis does not include it."""
    size: PanelSize = NORMAL


def low_high(panel: Panel) -> tuple[float, float]:
    """The ends of the y axis: round figures around all lines and their errors."""
    if panel.unit:
        return 0.0, 1.0
    reaches = [reach(line) for line in panel.lines if line.label != panel.cut]
    low, high = min(low for low, _ in reaches), max(high for _, high in reaches)
    low = min(low, 0.0) if panel.zero else low
    if high <= low:
        low, high = low - (0 if panel.zero else 1), low + 1
    step = _step(high - low, 5)
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def reach(line: Line) -> tuple[float, float]:
    """The lowest and the highest point of a line with its errors."""
    error = np.nan_to_num(line.error)
    return float(np.nanmin(line.y - error)), float(np.nanmax(line.y + error))


def place(panel: Panel, x: float) -> float:
    """The position of an x value, in pixels from the left of the plot."""
    first, last = _ends(panel)
    if panel.logarithmic:
        return panel.size.width * (math.log(x) - math.log(first)) / (math.log(last) - math.log(first))
    return panel.size.width * (x - first) / (last - first)


def names_its_lines(panel: Panel) -> bool:
    """Whether each line has its name at its end, so that no legend is needed."""
    return panel.size is NORMAL and len(panel.lines) <= NAMED


def chart(panel: Panel, *, titled: bool = False) -> alt.LayerChart | alt.FacetChart:
    """The plot as an Altair chart; `titled` if it stands alone."""
    size, few, cut = panel.size, len(panel.x) <= FEW, bool(panel.cut)
    legible = len(panel.lines) <= NAMED
    named = names_its_lines(panel)
    labels = [line.label for line in panel.lines]
    legend = None if named or not titled else alt.Legend(title=None, symbolType="stroke", symbolSize=300)
    colours, dashed = [line.colour for line in panel.lines], [line.dash for line in panel.lines]
    # Axes and scales as plain data: Altair copies its own objects, with a hundred fields each, many times.
    colour = alt.Color("label:N", legend=legend, scale={"domain": labels, "range": colours})
    dashes = alt.StrokeDash("label:N", legend=legend, scale={"domain": labels, "range": dashed})
    x_title = panel.x_title if size is NORMAL else None
    x = alt.X("x:Q", title=x_title, axis=_x_axis(panel), scale=_x_scale(panel))
    low, high = low_high(panel)
    step = _step(high - low, 5 if size is NORMAL else 2)

    def y(field: str) -> alt.Y:
        axis = {"values": _ticks(low, high, step), "format": _format(step)}
        return alt.Y(f"{field}:Q", title=None, axis=axis, scale={"domain": [low, high], "nice": False, "zero": False})

    curves = alt.Chart()
    bars = (
        curves.mark_rule(strokeWidth=1, strokeOpacity=0.6, clip=cut)
        if few
        else curves.mark_area(opacity=1, fillOpacity=0.14, clip=cut)
    )
    layers: list[alt.Chart] = []
    if legible and any(np.isfinite(line.error).any() for line in panel.lines):
        layers.append(bars.transform_filter("isValid(datum.low)").encode(x, y("low"), alt.Y2("high"), colour))
    width = 1.9 if size is NORMAL else 1.4
    layers.append(curves.mark_line(strokeWidth=width, strokeCap="butt", clip=cut).encode(x, y("y"), colour, dashes))
    if few:
        layers.append(curves.mark_point(filled=True, size=22, opacity=1, clip=cut).encode(x, y("y"), colour))
    if named:
        ends = alt.Chart(alt.InlineData(values=_ends_of_lines(panel, low, high)))
        rule, text = (
            ends.mark_rule(strokeWidth=0.7),
            ends.mark_text(align="left", baseline="middle", fontSize=size.letter),
        )
        # Channels as classes: for shorthands Altair would read the whole schema.
        right = alt.XValue(size.width + 2)  # type: ignore[no-untyped-call]
        left = alt.X2Value(size.width + 12)  # type: ignore[no-untyped-call]
        beside = alt.XValue(size.width + 15)  # type: ignore[no-untyped-call]
        layers.append(rule.encode(right, left, y("y"), alt.Y2("label_y"), colour))
        layers.append(text.encode(beside, y("label_y"), colour, alt.Text("name:N")))
    title = {"title": _title(panel)} if titled else {}
    return alt.layer(*layers, data=alt.InlineData(values=_rows(panel)), width=size.width, height=size.height, **title)


def config(size: PanelSize) -> dict[str, Any]:
    """The style of all plots."""
    font = "Helvetica, Arial, sans-serif"
    text: dict[str, Any] = {"labelFont": font, "labelColor": MUTED, "labelFontSize": size.letter}
    return {
        "aria": False,
        "background": None,
        "font": font,
        "view": {"stroke": None},
        "axis": text
        | {"titleFont": font, "titleFontWeight": "normal", "titleColor": MUTED, "titleFontSize": size.letter}
        | {"domainColor": GREY, "tickColor": GREY, "tickSize": 3, "gridColor": GRID, "titlePadding": 6},
        "axisY": {"domain": False, "ticks": False},
        "legend": text,
        "title": {"font": font, "color": INK, "fontSize": size.letter + 1, "anchor": "start", "offset": 8},
    }


def shorten(text: str, letters: int = LETTERS) -> str:
    """A long name without its middle, because settings at its end tell it from others."""
    if len(text) <= letters:
        return text
    tail = (letters - 1) // 2 + 1
    return f"{text[: letters - 1 - tail]}…{text[-tail:]}"


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions moved apart as little as possible until any two are `gap` apart, within low and high if they fit."""
    order = sorted(range(len(places)), key=lambda each: places[each])
    # Runs of labels that touch are moved as one, each run centred on the original positions of its labels.
    runs: list[tuple[float, list[int]]] = []
    for each in order:
        runs.append((places[each], [each]))
        while True:
            centre, members = runs[-1]
            half = gap * (len(members) - 1) / 2
            centre = max(low + half, min(high - half, centre))
            runs[-1] = centre, members
            if len(runs) < 2:
                break
            before, earlier = runs[-2]
            if centre - half - (before + gap * (len(earlier) - 1) / 2) >= gap - 1e-9:
                break
            joined = earlier + members
            wanted = [places[one] - gap * (nth - (len(joined) - 1) / 2) for nth, one in enumerate(joined)]
            runs[-2:] = [(sum(wanted) / len(wanted), joined)]
    found = [0.0] * len(places)
    for centre, members in runs:
        for nth, each in enumerate(members):
            found[each] = centre + gap * (nth - (len(members) - 1) / 2)
    return found


def _rows(panel: Panel) -> list[dict[str, Any]]:
    return [
        {"label": line.label, "x": x, "y": y, **({"low": y - error, "high": y + error} if math.isfinite(error) else {})}
        for line in panel.lines
        for x, y, error in zip(panel.x, line.y.tolist(), line.error.tolist(), strict=True)
        if math.isfinite(y)
    ]


def _ends_of_lines(panel: Panel, low: float, high: float) -> list[dict[str, Any]]:
    """The end of each line, and the position of its name, moved apart from the others."""
    lasts = [(line, min(high, float(line.y[np.isfinite(line.y)][-1]))) for line in panel.lines]
    scale = panel.size.height / (high - low)
    names = spread([(last - low) * scale for _, last in lasts], panel.size.letter + 1.5, 0, panel.size.height)
    return [
        {"label": line.label, "name": shorten(line.label), "y": last, "label_y": low + name / scale}
        for (line, last), name in zip(lasts, names, strict=True)
    ]


def _title(panel: Panel) -> str:
    title = shorten(panel.title, 60 if panel.size is NORMAL else 28)
    return f"{title} ({panel.note})" if panel.note else title


def _ends(panel: Panel) -> tuple[float, float]:
    first, last = panel.x[0], panel.x[-1]
    if panel.unit_x:
        return 0.0, 1.0
    if panel.logarithmic:
        return float(first), float(last)
    return (0.0 if first <= 0.2 * last or first == last else float(first)), float(last)


def _x_scale(panel: Panel) -> dict[str, Any]:
    first, last = _ends(panel)
    kind = "log" if panel.logarithmic else "linear"
    return {"type": kind, "domain": [first, last], "nice": False, "zero": False}


def _x_axis(panel: Panel) -> dict[str, Any]:
    first, last = _ends(panel)
    if panel.logarithmic:
        powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
        rounds = [nice * 10**power for power in powers for nice in (1, 2, 5)]
        ticks = [float(each) for each in rounds if first <= each <= last]
        return {"values": ticks, "grid": False, "format": ",d", "labelFlush": False}
    count = 2 if panel.size is SMALL else 5 if last < 10_000 else 3
    step = _step(last - first, count)
    if all(isinstance(x, int) for x in panel.x):
        step = max(1.0, step)
    ticks = _ticks(first, last, step)
    return {"values": ticks, "grid": False, "format": _format(step), "labelFlush": panel.size is SMALL}


def _ticks(first: float, last: float, step: float) -> list[float]:
    """The multiples of a step from first to last."""
    return [float(each * step) for each in range(math.ceil(first / step - 1e-9), math.floor(last / step + 1e-9) + 1)]


def _step(reach: float, count: int) -> float:
    """A round step (1, 2 or 5 times a power of ten) that fits into the reach about `count` times."""
    rough = reach / count
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(nice for nice in (1, 2, 5, 10) if nice >= rough / power - 1e-9)


def _format(step: float) -> str:
    return ",d" if step >= 1 else f".{math.ceil(-math.log10(step) - 1e-9)}f"
