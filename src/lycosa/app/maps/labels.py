"""The texts of a map: headline, description, tooltips, and labels of pages that do not overlap."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from lycosa.app.maps.map_data import Drawn, Role, Sheet
from lycosa.app.wording import counted, on_topic, percent

_SPOT = 26
"""Characters of a label, at most; the whole title is in the tooltip."""
_LETTER = 0.56
"""The mean width of a letter, relative to its height."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_SHADED = {False: "shaded by how likely they are about", True: "shaded by how well they answer"}
"""What the shades mean, for the topic of a hunt and for other keywords."""
SCALES = {False: ("on topic 0 %", "100 %"), True: ("no answer", "best answer")}
"""The ends of the scale of shades, for the same."""

ROLE_WORDS: dict[Role, str] = {
    "hub": "hub: links to many good pages",
    "authority": "authority: many good pages link to it",
    "both": "hub and authority",
    "page": "another page",
    "unfetched": "linked, not fetched",
}
_joint = re.compile(r"(\s[-–—|·•:»]\s|:\s)")
"""The separator between the name of a page and that of its site."""


class Label(NamedTuple):
    """A text at a position that is its start, end or middle, rotated by `turn` degrees."""

    page: int
    text: str
    x: float
    y: float
    anchor: str
    size: float
    turn: float = 0.0

    @property
    def box(self) -> Box:
        """The area that the text covers if it is not rotated."""
        long = width(self.text, self.size)
        left = self.x - long * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, self.y - self.size, left + long, self.y + self.size * 0.3

    def boxes(self) -> list[Box]:
        """The area that the text covers; if it is rotated, as small squares from its start to its end."""
        if not self.turn:
            return [self.box]
        direction = math.radians(self.turn) + (math.pi if self.anchor == "end" else 0.0)
        long = width(self.text, self.size)
        far = np.append(np.arange(0, long, self.size), long)
        xs, ys = self.x + far * math.cos(direction), self.y + far * math.sin(direction)
        return [(x - 4, y - 4, x + 4, y + 4) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]


def clean(text: str) -> str:
    """A stranger's text on one line, without characters that are invisible or not allowed in XML."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable()).strip()


def name_of(url: str, title: str) -> str:
    """The name of a page: its title, or else the end of its address."""
    return clean(title) or clean(unquote(url.partition("://")[2].rstrip("/").rpartition("/")[2]) or url)


def bare(titles: Sequence[str]) -> list[str]:
    """Titles without the name of their site, where at least half of them begin or end with it."""
    heads, tails = Counter[str](), Counter[str]()
    parts = [_joint.split(title) for title in titles]
    for each in parts:
        if len(each) > 2:
            heads["".join(each[:2])] += 1
            tails["".join(each[-2:])] += 1
    titled = sum(map(bool, titles))
    head, tail = (
        next((name for name, count in names.most_common(1) if count > 1 and count >= titled / 2), "")
        for names in (heads, tails)
    )
    return [title.removeprefix(head).removesuffix(tail) or title for title in titles]


def once(title: str) -> str:
    """A title without its repetition, which is common on front pages."""
    parts = _joint.split(title)
    return parts[0] if len(parts) == 3 and parts[0] == parts[2] else title


def main_part(title: str) -> str:
    """The longest part of a title: the name of its site is shorter as a rule."""
    return max(_joint.split(title)[::2], key=len)


def short(text: str, letters: int = _SPOT) -> str:
    """A text cut to so many letters; wide ones count twice."""
    room = float(letters)
    for at, letter in enumerate(text):
        room -= _wide(letter)
        if room < 0:
            return text[: max(0, at - 1)].rstrip(" -–—|·:,") + "…"
    return text


def width(text: str, size: float) -> float:
    """The approximate width of a text."""
    return sum(map(_wide, text)) * size * _LETTER


def _wide(letter: str) -> float:
    return 2.0 if unicodedata.east_asian_width(letter) in "WF" else 0.0 if unicodedata.combining(letter) else 1.0


def labels(drawn: Drawn) -> list[Label]:
    """The labels of a map, those of the most important pages first."""
    return {"tree": _beside, "radial": _outwards, "graph": _where_there_is_room}[drawn.layout](drawn)


def _name(drawn: Drawn, page: int) -> str:
    return short(name_of(drawn.sheet.urls[page], drawn.sheet.names[page]))


def _beside(drawn: Drawn) -> list[Label]:
    """Labels of a tree: one to the right of every page, above the line if the page has children."""
    inner = set(drawn.sheet.parent.tolist())
    return [
        Label(page, _name(drawn, page), x + radius + 5, y + (-4 if page in inner else 4), "start", 12)
        for page, (x, y, radius) in enumerate(zip(drawn.x, drawn.y, drawn.radius, strict=True))
    ]


def _outwards(drawn: Drawn) -> list[Label]:
    """Labels of a radial tree: outside of leaves, along the ray; for inner pages only where there is room."""
    inner = set(drawn.sheet.parent.tolist())
    leaves, within = [], []
    for page in range(len(drawn.sheet)):
        if page in inner:
            within.append(page)
            continue
        turn = math.degrees(drawn.angle[page]) % 360
        flipped = 90 < turn < 270
        far = drawn.radius[page] + 5
        x, y = drawn.x[page] + far * math.cos(drawn.angle[page]), drawn.y[page] + far * math.sin(drawn.angle[page])
        anchor = "end" if flipped else "start"
        leaves.append(Label(page, _name(drawn, page), x, y, anchor, 10, turn - 180 if flipped else turn))
    within.sort(key=lambda page: (page > 0, -drawn.radius[page]))
    return leaves + _placed(drawn, within, 11, len(within), [box for label in leaves for box in label.boxes()])


def _where_there_is_room(drawn: Drawn) -> list[Label]:
    """Labels of a graph: only for the largest pages."""
    order = np.argsort(-drawn.radius, kind="stable").tolist()
    return _placed(drawn, order, 11.5, 10 + int(3 * len(order) ** 0.5), [])


def _placed(drawn: Drawn, pages: list[int], size: float, most: int, taken: list[Box]) -> list[Label]:
    """Labels beside, above or below their pages, where nothing else is."""
    large = [page for page in pages[: 4 * most] if drawn.radius[page] > 5]
    taken = taken + [
        (drawn.x[page] - r, drawn.y[page] - r, drawn.x[page] + r, drawn.y[page] + r)
        for page in large
        if (r := drawn.radius[page] * 0.8)
    ]
    found: list[Label] = []
    for page in pages[: 6 * most]:
        if len(found) >= most:
            break
        x, y, away, text = drawn.x[page], drawn.y[page], drawn.radius[page] + 4, _name(drawn, page)
        for label in (
            Label(page, text, x + away, y + 4, "start", size),
            Label(page, text, x - away, y + 4, "end", size),
            Label(page, text, x, y - away, "middle", size),
            Label(page, text, x, y + away + size * 0.8, "middle", size),
        ):
            left, top, right, bottom = label.box
            if not any(left < x1 and right > x0 and top < y1 and bottom > y0 for x0, y0, x1, y1 in taken):
                taken.append(label.box)
                found.append(label)
                break
    return found


def headline(drawn: Drawn) -> str:
    """The title of the map."""
    sheet = drawn.sheet
    return clean(f"Site map of {sheet.site}" if sheet.kind == "site" else f"Link map of «{sheet.keywords}»")


def description(drawn: Drawn) -> str:
    """What is on the map, and what was left out."""
    counts, sheet = drawn.sheet.counts, drawn.sheet
    parts = [f"{_some(counts.shown, counts.pages, 'page')}, {_SHADED[sheet.asked]} «{sheet.keywords}»"]
    if sheet.kind == "site" and counts.linked:
        some = _some(counts.linked_shown, counts.linked, "URL") if counts.linked_shown else f"{counts.linked:,} URLs"
        parts.append(f"{some} linked but not fetched{'' if counts.linked_shown else ' are left out'}")
    if drawn.layout == "graph":
        parts.append(f"{_some(counts.links_shown, counts.links, 'link')} between them")
    if sheet.kind == "links":
        roles = sheet.roles
        parts.append(counted(counts.hosts, "host"))
        parts.append(counted(roles.count("hub") + roles.count("both"), "hub"))
        parts.append(counted(roles.count("authority") + roles.count("both"), "authority", "authorities"))
    elif drawn.layout != "graph" and (guessed := int(sheet.guessed.sum())):
        parts.append(f"{guessed:,} placed by their address")
    return clean("; ".join(parts))


def _some(shown: int, there: int, noun: str) -> str:
    return counted(there, noun) if shown == there else f"{shown:,} of {counted(there, noun)}"


def relevance_words(sheet: Sheet, page: int) -> str:
    """The relevance of a page that was fetched, in words."""
    found = float(sheet.relevance[page])
    if sheet.asked:
        return f"answers the keywords {percent(found)} as well as the best page"
    return on_topic(found if sheet.known[page] else None)


def tooltip(drawn: Drawn, page: int, role: Role) -> str:
    """The tooltip of a page, in a few lines."""
    sheet = drawn.sheet
    lines = [name_of(sheet.urls[page], sheet.titles[page]), clean(sheet.urls[page])]
    if role == "unfetched":
        return "\n".join([*lines, ROLE_WORDS[role]])
    lines.append(relevance_words(sheet, page))
    if sheet.kind == "links":
        lines.append(f"hub {sheet.hub[page]:.2f}, authority {sheet.authority[page]:.2f}: {ROLE_WORDS[role]}")
    return "\n".join(lines)
