"""Pages as HTML, with navigation, headings, paragraphs, lists and tables, so that links have a context."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from random import Random

from lycosa.web.made.links import links
from lycosa.web.made.site_plan import MadePage, SitePlan
from lycosa.web.made.text import Dice, phrases, prose, sentence, title
from lycosa.web.made.traps import Traps
from lycosa.web.made.vocabulary import PLACES, pastimes

Address = Callable[[int], str]

# Page sizes relative to the mean: most are small, a few are large.
_SIZES = (0.28, 0.36, 0.43, 0.5, 0.57, 0.64, 0.72, 0.8, 0.89, 0.98, 1.08, 1.2, 1.36, 1.6, 1.98, 2.6)
_VAGUE = ("here", "this page", "more", "read on", "link", "their site")
_SENTENCE = 72
_ENCYCLOPEDIC = ("article", "island")

_STYLE = (
    "body{margin:0;font:15px/1.5 Verdana,sans-serif;color:#222}nav ul{list-style:none;padding:0}nav li{display:inline}"
    "nav a{padding:4px 9px;color:#036}article{max-width:46em;margin:1em auto}aside{font-size:80%;color:#666}"
)


class PageHtml:
    """Renders the numbered pages of a web."""

    def __init__(self, atlas: SitePlan, traps: Traps, page_bytes: int) -> None:
        self.atlas = atlas
        self.traps = traps
        self.page_bytes = page_bytes

    def page(self, number: int, session: int = 0) -> str:
        """The HTML of a page; in a session, its links carry the session id."""
        atlas = self.atlas
        spot = atlas.spot(number)
        dice = Random(atlas.hash(number, 10)).random
        text = self._text(spot, dice)
        address = self._addresses(spot, dice, session)
        places: dict[str, list[int]] = {"nav": [], "body": [], "list": [], "aside": [], "comment": []}
        for out in links(atlas, spot):
            places[out.place].append(out.to)
        heading, name = self.title(number), atlas.name(spot.site)
        theme = atlas.theme_of(spot)
        mentions = [self._mention(spot, to, dice, address) for to in places["body"]]
        step = max(1, len(text) // (len(mentions) + 1))
        for at, mention in enumerate(mentions):
            text.insert(min(len(text), (at + 1) * step + at), mention)
        parts = [
            f'<!DOCTYPE html>\n<html lang="en">\n<head>{self._charset(spot)}<title>{heading} - {name}</title>'
            f'\n<meta name="description" content="{theme.name}">\n<style>{_STYLE}</style></head>\n<body>\n<nav><ul>',
            *(f'<li><a href="{address(to)}">{self._label(to)}</a></li>' for to in places["nav"]),
            *(f'<li><a href="{href}">{label}</a></li>' for href, label in self.traps.lures(spot)),
            f"</ul></nav>\n<article>\n<h1>{heading}</h1>\n",
            _paragraphs(text, dice),
            self._lists(spot, places["list"], dice, address),
            "</article>\n<aside>",
            *(self._advert(to, dice, address) for to in places["aside"]),
            "</aside>\n",
            *(f'<p class="comment">{self._comment(to, dice, address)}</p>\n' for to in places["comment"]),
            f"<footer>{name}, {PLACES[spot.site % len(PLACES)]}. All rights reserved.</footer>\n</body></html>\n",
        ]
        return "".join(parts)

    def title(self, number: int) -> str:
        """The title of a page."""
        atlas = self.atlas
        spot = atlas.spot(number)
        if spot.leaf == 0:
            return atlas.name(spot.site)
        return title(atlas.theme_of(spot), atlas.hash(number, 11) & 0xFFFFFFFF)

    def text(self, number: int) -> list[str]:
        """The sentences of a page."""
        return self._text(self.atlas.spot(number), Random(self.atlas.hash(number, 10)).random)

    def _text(self, spot: MadePage, dice: Dice) -> list[str]:
        size = self.page_bytes * self.atlas.shape.length
        count = max(3, int(size * _SIZES[int(dice() * 16)] * (0.85 + 0.3 * dice())) // _SENTENCE - 16)
        if spot.kind in ("directory", "association", "portal"):
            count = max(2, count // 4)
        elif spot.kind in _ENCYCLOPEDIC:
            # Its many links add sentences of their own.
            count = max(3, count * 2 // 3)
        pool = phrases(self.atlas.theme_of(spot), strength(self.atlas, spot) if spot.topic >= 0 else 2)
        said = prose(dice, pool, count, 0.75 if on_topic(spot) else 0.3)
        if spot.topic < 0 and dice() < 0.06:
            # By accident, a page of the noise uses a topic's words.
            said += prose(dice, phrases(self.atlas.theme(int(dice() * self.atlas.topics), -1), 2), 3 + count // 8, 1.0)
        if spot.kind in _ENCYCLOPEDIC and self.atlas.hash(spot.number, 17) % 4 == 0:
            # The page belongs to two fields: half of its text is about a related one.
            other = self.atlas.theme(self.atlas.related(spot.topic, dice()), -1)
            said[::2] = prose(dice, phrases(other, 2), len(said[::2]), 0.75)
        return said

    def entry(self, number: int) -> str:
        """A directory's entry for a page: its title and a sentence."""
        spot, dice = self.atlas.spot(number), Random(self.atlas.hash(number, 18)).random
        return f"{self.title(number)}. {sentence(dice, phrases(self.atlas.theme_of(spot), self.atlas.shape.blurb))}"

    def _addresses(self, spot: MadePage, dice: Dice, session: int) -> Address:
        """How this page writes URLs: within its site without the host, sometimes in a form that is redirected."""
        atlas, traps = self.atlas, self.traps

        def address(to: int) -> str:
            target = atlas.spot(to)
            path = atlas.path(target)
            lot = dice()
            if lot < 0.1 and path[-1] == "/" and target.leaf:
                path = path[:-1]
            elif lot > 0.97:
                path += "#top"
            if target.site == spot.site:
                return (
                    traps.with_session(spot, path, session) if lot > 0.05 else f"http://{atlas.host(spot.site)}{path}"
                )
            host = atlas.host(target.site)
            if 0.1 < lot < 0.35 and traps.mirrored(target.site):
                host = traps.mirror(host)
            return f"http://{host}{path}"

        return address

    def _label(self, number: int) -> str:
        spot = self.atlas.spot(number)
        if spot.kind == "company" and spot.leaf < 3:
            return ("Home", "Products", "About us")[spot.leaf]
        return "Home" if spot.leaf == 0 else self.title(number)

    def _mention(self, spot: MadePage, to: int, dice: Dice, address: Address) -> str:
        """A sentence with a link in it."""
        if spot.kind in _ENCYCLOPEDIC:
            # A word of the running text is the link: the words around it are about this page, not about the linked one.
            before, after = sentence(dice, phrases(self.atlas.theme_of(spot), 1)).rsplit(" ", 1)
            return f'{before} <a href="{address(to)}">{self.title(to)}</a>, {after}'
        anchor = self.title(to) if dice() < 0.75 else _VAGUE[int(dice() * len(_VAGUE))]
        link = f'<a href="{address(to)}">{anchor}</a>'
        blurb = self._blurb(to, dice)
        return f"{blurb} See {link}." if dice() < 0.5 else f"As {link} puts it: {blurb}"

    def _blurb(self, to: int, dice: Dice) -> str:
        """A sentence about the target of a link; sometimes one that says nothing about it."""
        spot = self.atlas.spot(to)
        if dice() < 0.2:
            return prose(dice, (), 1, 0.0)[0]
        return sentence(dice, phrases(self.atlas.theme_of(spot), self.atlas.shape.blurb))

    def _lists(self, spot: MadePage, listed: list[int], dice: Dice, address: Address) -> str:
        """Lists and tables of links, each with a description, under the name of its field."""
        if not listed:
            return ""
        atlas = self.atlas

        def field(to: int) -> int:
            return atlas.spot(to).topic if spot.kind == "portal" else spot.topic

        listed.sort(key=lambda to: (field(to), atlas.hash(to, spot.number)))
        said = []
        for topic, members in groupby(listed, field):
            name = atlas.theme(topic, -1).name if topic >= 0 else "various"
            said.append(f"<h3>{name.title()}</h3>\n" if spot.kind == "portal" else "")
            rows = [(f'<a href="{address(to)}">{self.title(to)}</a>', self._blurb(to, dice)) for to in members]
            if spot.kind == "association":
                # Members are listed by name only.
                said += ["<ul>\n", *(f"<li>{link}</li>\n" for link, _ in rows), "</ul>\n"]
            elif spot.number % 3:
                said += ["<ul>\n", *(f"<li>{link} - {blurb}</li>\n" for link, blurb in rows), "</ul>\n"]
            else:
                said += [
                    "<table>\n",
                    *(f"<tr><td>{link}</td><td>{blurb}</td></tr>\n" for link, blurb in rows),
                    "</table>\n",
                ]
        return "".join(said)

    def _advert(self, to: int, dice: Dice, address: Address) -> str:
        words = pastimes()[int(dice() * len(pastimes()))]
        return (
            f'<div class="ad"><a href="{address(to)}">{self.title(to)}</a> {words.traits[0]} {words.things[0]}!</div>\n'
        )

    def _comment(self, to: int, dice: Dice, address: Address) -> str:
        return f'{prose(dice, (), 1, 0.0)[0]} <a rel="nofollow" href="{address(to)}">{self.title(to)}</a>'

    def _charset(self, spot: MadePage) -> str:
        name = {0: "", 1: "iso-8859-1", 2: ""}.get(coding(spot), "utf-8")
        return f'<meta charset="{name}">' if name else ""


def on_topic(spot: MadePage) -> bool:
    """Whether a page is relevant to its community's topic: products and articles are, hubs and small talk not."""
    if spot.kind == "company":
        return spot.leaf < 2 or (spot.leaf > 2 and spot.leaf % 4 != 1)
    return spot.kind in _ENCYCLOPEDIC or (spot.kind == "magazine" and spot.leaf > 0)


def strength(atlas: SitePlan, spot: MadePage) -> int:
    """How often a page uses its topic's keywords: often (3), sometimes (2), seldom (1), never (0)."""
    lot = atlas.hash(spot.number, 7) % 100
    return 3 if lot < 30 else 2 if lot < 62 else 1 if lot < 86 else 0


def coding(spot: MadePage) -> int:
    """How a page is encoded: 0 latin-1 declared by the header, 1 by the page; 2 UTF-8 undeclared; else by both."""
    return spot.number * 7 % 20


def _paragraphs(text: list[str], dice: Dice) -> str:
    parts, at = [], 0
    while at < len(text):
        size = 2 + int(dice() * 5)
        parts.append(f"<p>{' '.join(text[at : at + size])}</p>\n")
        if dice() < 0.12:
            parts.append(f"<h2>{text[at].split('. ')[0][:40].partition('<')[0]}</h2>\n")
        at += size
    return "".join(parts)
