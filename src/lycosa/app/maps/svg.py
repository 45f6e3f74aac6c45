"""A map as one self-contained SVG file: light or dark as the reader prefers, with a legend, titles and links."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from lycosa.app.maps.labels import (
    ROLE_WORDS,
    SCALES,
    Label,
    clean,
    description,
    headline,
    labels,
    short,
    tooltip,
    width,
)
from lycosa.app.maps.map_data import Drawn, Layout, Role
from lycosa.app.wording import counted

_EDGE = 28.0
_HEAD = 96.0
_LEGEND = 78.0
_SCREEN = 1300.0
"""A wider map is mostly seen at a smaller scale."""
_LEAST = 640.0
_NAMED = 60
"""Groups whose names are written, at most."""
_FAINT = 0.15
"""Up to this shade, the name of a page is written in a soft colour."""

STEPS = 6
"""Shades of relevance that the eye can tell apart."""

_Element = ElementTree.Element


def to_svg(drawn: Drawn, *, dark: bool = True) -> str:
    """The SVG; with `dark` it follows the reader's preference for a dark page, if the viewer supports that."""
    texts = labels(drawn)
    left, top, right, _ = bounds = _bounds(drawn, texts)
    wide, high = _size(*bounds)
    large = _enlarged(right - left)
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {wide:.0f} {high:.0f}",
            "width": f"{wide:.0f}",
            "height": f"{high:.0f}",
            "style": "max-width:100%;max-height:100vh;height:auto",
            "role": "img",
            "aria-labelledby": "title desc",
        },
    )
    _add(root, "title", headline(drawn), id="title")
    _add(root, "desc", description(drawn), id="desc")
    _add(root, "style", _style(dark))
    _add(root, "rect", class_="paper", width="100%", height="100%")
    head = _add(root, "g", transform=f"scale({large:.2f})")
    _add(head, "text", headline(drawn), class_="name", x=_EDGE, y=38)
    _add(head, "text", description(drawn), class_="small soft", x=_EDGE, y=58)
    _legend(_add(head, "g", transform=f"translate({_EDGE:.0f} {_LEGEND:.1f})"), drawn)
    inside = wide - 2 * _EDGE - (right - left)
    middle = _add(root, "g", transform=f"translate({_EDGE - left + inside / 2:.1f} {_EDGE - top + large * _HEAD:.1f})")
    _lines(middle, drawn)
    _pages(middle, drawn)
    _write(middle, drawn, texts)
    _name_groups(middle, drawn, right - left)
    return ElementTree.tostring(root, "unicode")


def size(drawn: Drawn) -> tuple[float, float]:
    """Width and height of the picture."""
    return _size(*_bounds(drawn, labels(drawn)))


def _size(left: float, top: float, right: float, bottom: float) -> tuple[float, float]:
    return max(_LEAST, right - left + 2 * _EDGE), bottom - top + 2 * _EDGE + _enlarged(right - left) * _HEAD


def _enlarged(wide: float) -> float:
    """How much larger headline, legend and names of groups are, so that they can be read when all of a map is shown."""
    return max(1.0, wide / _SCREEN)


def _add(parent: _Element, tag: str, text: str = "", **attributes: object) -> _Element:
    named = {
        name.rstrip("_").replace("_", "-"): f"{value:.1f}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }
    child = ElementTree.SubElement(parent, tag, named)
    child.text = text or None
    return child


def _bounds(drawn: Drawn, texts: list[Label]) -> tuple[float, float, float, float]:
    """The bounding box of pages and labels: left, top, right, bottom."""
    boxes = [
        (x - radius, y - radius, x + radius, y + radius)
        for x, y, radius in zip(drawn.x, drawn.y, drawn.radius, strict=True)
    ]
    boxes += [box for label in texts for box in label.boxes()]
    boxes += [
        (each.x - each.radius, each.y - 1.15 * each.radius - 20, each.x + each.radius, each.y + each.radius)
        for each in drawn.groups
    ]
    sides = np.array(boxes)
    return (*sides[:, :2].min(0).tolist(), *sides[:, 2:].max(0).tolist())


def _groups(parent: _Element, drawn: Drawn) -> None:
    for each in drawn.groups:
        disc = _add(parent, "circle", class_="group", cx=each.x, cy=each.y, r=each.radius)
        _add(disc, "title", f"{clean(each.name)}: {counted(each.pages, 'page')}")


def _name_groups(parent: _Element, drawn: Drawn, wide: float) -> None:
    """Write the names of groups at their tops, so large that they can be read when the whole map is shown."""
    for each in drawn.groups[:_NAMED]:
        size = min(17.0 * _enlarged(wide), each.radius / 2)
        text = short(clean(each.name), max(8, int(2.4 * each.radius / size)))
        _add(
            parent,
            "text",
            text,
            class_="place",
            x=each.x,
            y=each.y - each.radius - size * 0.3,
            text_anchor="middle",
            font_size=size,
        )


def _lines(parent: _Element, drawn: Drawn) -> None:
    """Draw the lines; those from one page are one path, so that a picture of thousands of links stays small."""
    line, sheet = _LINES[drawn.layout], drawn.sheet
    paths: dict[tuple[int, bool], list[str]] = defaultdict(list)
    between: Counter[tuple[int, int]] = Counter()
    for tail, head in zip(*(ends.tolist() for ends in sheet.lines(drawn.layout)), strict=True):
        if drawn.groups and (one := int(drawn.group[tail])) != (other := int(drawn.group[head])):
            between[min(one, other), max(one, other)] += 1
            continue
        guessed = drawn.layout != "graph" and bool(sheet.guessed[head])
        paths[tail, guessed].append(line(drawn, tail, head))
    faint = min(0.6, max(0.16, 300 / (len(sheet.tails) + 1))) if drawn.layout == "graph" else 0.7
    for (one, other), links in between.items():
        a, b = drawn.groups[one], drawn.groups[other]
        line_ = _add(parent, "line", class_="line", x1=a.x, y1=a.y, x2=b.x, y2=b.y)
        line_.set("style", f"stroke-width:{2 * links**0.5:.1f};stroke-opacity:.12")
        _add(line_, "title", f"{counted(links, 'link')} between {clean(a.name)} and {clean(b.name)}")
    _groups(parent, drawn)
    group = _add(parent, "g", stroke_opacity=f"{faint:.2f}")
    for (_, guessed), path in paths.items():
        _add(group, "path", class_="line guess" if guessed else "line", d="".join(path))


def _straight(drawn: Drawn, tail: int, head: int) -> str:
    return f"M{drawn.x[tail]:.1f} {drawn.y[tail]:.1f}L{drawn.x[head]:.1f} {drawn.y[head]:.1f}"


def _branch(drawn: Drawn, tail: int, head: int) -> str:
    """A line that is straight below the page's name, then curves to the next column."""
    turn = drawn.x[tail] + 0.72 * (drawn.x[head] - drawn.x[tail])
    middle = (turn + drawn.x[head]) / 2
    return (
        f"M{drawn.x[tail]:.1f} {drawn.y[tail]:.1f}H{turn:.1f}C{middle:.1f} {drawn.y[tail]:.1f} "
        f"{middle:.1f} {drawn.y[head]:.1f} {drawn.x[head]:.1f} {drawn.y[head]:.1f}"
    )


def _ray(drawn: Drawn, tail: int, head: int) -> str:
    """A curve that leaves a ring straight outwards and enters the next one in the same way."""
    near, far = (math.hypot(drawn.x[page], drawn.y[page]) for page in (tail, head))
    middle = (near + far) / 2
    out, into = drawn.angle[tail] if tail else drawn.angle[head], drawn.angle[head]
    return (
        f"M{drawn.x[tail]:.1f} {drawn.y[tail]:.1f}C{middle * math.cos(out):.1f} {middle * math.sin(out):.1f} "
        f"{middle * math.cos(into):.1f} {middle * math.sin(into):.1f} {drawn.x[head]:.1f} {drawn.y[head]:.1f}"
    )


_LINES: dict[Layout, Callable[[Drawn, int, int], str]] = {"tree": _branch, "radial": _ray, "graph": _straight}


def _pages(parent: _Element, drawn: Drawn) -> None:
    """Draw the pages, small ones first, so that large ones are on top; each is a link with a tooltip."""
    sheet, roles = drawn.sheet, drawn.sheet.roles
    for page in np.argsort(drawn.radius, kind="stable").tolist():
        role: Role = roles[page] if sheet.kind == "links" or roles[page] == "unfetched" else "page"
        place = parent
        if sheet.urls[page].startswith(("http://", "https://")):
            place = _add(parent, "a", href=clean(sheet.urls[page]), target="_blank", rel="noopener noreferrer")
        ramp = "r" if sheet.kind == "site" else {"hub": "h", "page": "o"}.get(role, "r")
        mark = _mark(
            place,
            role,
            drawn.x[page],
            drawn.y[page],
            drawn.radius[page],
            f"{ramp}{min(STEPS - 1, int(sheet.shade[page] * STEPS))}",
        )
        _add(mark, "title", tooltip(drawn, page, role))


def _mark(parent: _Element, role: Role, x: float, y: float, radius: float, shade: str) -> _Element:
    """A disc for an authority or page, a diamond for a hub, a hexagon for both, a ring for what was not fetched."""
    if role == "unfetched":
        return _add(parent, "circle", class_="bare", cx=float(x), cy=float(y), r=float(radius))
    if role in ("hub", "both"):
        corners = 4 if role == "hub" else 6
        reach = radius * (1.25 if role == "hub" else 1.1)
        points = " ".join(
            f"{x + reach * math.sin(2 * math.pi * at / corners):.1f},"
            f"{y - reach * math.cos(2 * math.pi * at / corners):.1f}"
            for at in range(corners)
        )
        return _add(parent, "polygon", class_=f"dot {'both ' if role == 'both' else ''}{shade}", points=points)
    return _add(parent, "circle", class_=f"dot {shade}", cx=float(x), cy=float(y), r=float(radius))


def _write(parent: _Element, drawn: Drawn, texts: list[Label]) -> None:
    for label in texts:
        soft = "" if drawn.sheet.fetched[label.page] and drawn.sheet.shade[label.page] > _FAINT else "soft"
        turned = {"transform": f"rotate({label.turn:.1f} {label.x:.1f} {label.y:.1f})"} if label.turn else {}
        # A rotated text is centred vertically on its ray.
        y = label.y + label.size * 0.35 if drawn.layout == "radial" and _is_leaf(drawn, label.page) else label.y
        attributes = {"class_": soft} if soft else {}
        _add(
            parent,
            "text",
            label.text,
            x=float(label.x),
            y=float(y),
            text_anchor=label.anchor,
            font_size=float(label.size),
            **attributes,
            **turned,
        )


def _is_leaf(drawn: Drawn, page: int) -> bool:
    return not (drawn.sheet.parent == page).any()


def _legend(parent: _Element, drawn: Drawn) -> None:
    """Every mark once, with its name; then the shades from surely off topic to surely on topic."""
    roles: list[Role] = ["page", "unfetched"] if drawn.sheet.kind == "site" else ["authority", "hub", "both", "page"]
    x = 8.0
    for role in roles:
        if role == "unfetched" and not drawn.sheet.counts.linked_shown:
            continue
        ramp = {"hub": "h3", "page": "o3"}.get(role, "r3") if drawn.sheet.kind == "links" else "r3"
        _mark(parent, role, x, 0.0, 4.0 if role in ("page", "unfetched") else 7.0, ramp)
        word = "page" if drawn.sheet.kind == "site" and role == "page" else ROLE_WORDS[role].partition(":")[0]
        _add(parent, "text", word, class_="small soft", x=x + 13, y=4.0)
        x += width(word, 12) + 40
    least, most = SCALES[drawn.sheet.asked]
    _add(parent, "text", least, class_="small soft", x=x, y=4.0)
    x += width(least, 12) + 12
    for shade in range(STEPS):
        _mark(parent, "page", x, 0.0, 3.0 + shade * 0.9, f"r{shade}")
        x += 16 + shade
    _add(parent, "text", most, class_="small soft", x=x, y=4.0)


class Palette(NamedTuple):
    """Colours for one background, the same as those of the web pages (static/style.css)."""

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
    colours = np.array([[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in stops])
    places = np.linspace(0, len(stops) - 1, STEPS)
    mixed = [np.interp(places, range(len(stops)), part).round().astype(int) for part in colours.T]
    return tuple("#" + "".join(f"{part:02x}" for part in colour) for colour in zip(*mixed, strict=True))


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


def _style(dark: bool) -> str:
    """The style sheet of a map; with `dark` it follows the reader's preference for dark colours."""
    rules = _rules(LIGHT) + _SHARED
    return rules + (f"@media (prefers-color-scheme: dark) {{{_rules(DARK)}}}" if dark else "")


_SHARED = (
    "text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif;"
    "paint-order:stroke;stroke-width:3px;stroke-linejoin:round}"
    ".line{fill:none;stroke-width:1}.guess{stroke-dasharray:2 3}"
    ".name{font-size:20px;font-weight:650}.small{font-size:12px}.place{font-weight:600}"
    "a:hover .dot,a:focus .dot{stroke-width:3}"
)


def _rules(palette: Palette) -> str:
    ramps = {"r": palette.relevant, "h": palette.hubs, "o": palette.others}
    shades = "".join(f".{ramp}{at}{{fill:{colour}}}" for ramp, all_ in ramps.items() for at, colour in enumerate(all_))
    return (
        f".paper{{fill:{palette.paper}}}text{{fill:{palette.ink};stroke:{palette.paper}}}.soft{{fill:{palette.soft}}}"
        f".group{{fill:{palette.ink};fill-opacity:.045;stroke:{palette.line};stroke-opacity:.5}}.line{{stroke:{palette.line}}}.dot{{stroke:{palette.soft};stroke-width:.6}}"
        f".both{{stroke:{palette.hubs[-1]};stroke-width:2.5}}"
        f".bare{{fill:{palette.paper};stroke:{palette.line};stroke-width:1}}{shades}"
    )
