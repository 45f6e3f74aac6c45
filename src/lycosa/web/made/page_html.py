"""Pages as HTML, with navigation, headings, paragraphs, lists and tables, so that links have a context."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from random import Random

from lycosa.web.made.links import links
from lycosa.web.made.shape import RandomFloats
from lycosa.web.made.site_plan import MadePage, SitePlan
from lycosa.web.made.text import phrases, prose, sentence, title
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

    def __init__(self, plan: SitePlan, traps: Traps, page_bytes: int) -> None:
        self.plan = plan
        self.traps = traps
        self.page_bytes = page_bytes

    def page(self, number: int, session: int = 0) -> str:
        """The HTML of a page; in a session, its links carry the session id."""
        plan = self.plan
        page = plan.page(number)
        random = Random(plan.hash(number, 10)).random
        text = self._text(page, random)
        address = self._addresses(page, random, session)
        places: dict[str, list[int]] = {"nav": [], "body": [], "list": [], "aside": [], "comment": []}
        for link in links(plan, page):
            places[link.place].append(link.to)
        heading, name = self.title(number), plan.name(page.site)
        theme = plan.theme_of(page)
        mentions = [self._mention(page, to, random, address) for to in places["body"]]
        step = max(1, len(text) // (len(mentions) + 1))
        for at, mention in enumerate(mentions):
            text.insert(min(len(text), (at + 1) * step + at), mention)
        parts = [
            f'<!DOCTYPE html>\n<html lang="en">\n<head>{self._charset(page)}<title>{heading} - {name}</title>'
            f'\n<meta name="description" content="{theme.name}">\n<style>{_STYLE}</style></head>\n<body>\n<nav><ul>',
            *(f'<li><a href="{address(to)}">{self._label(to)}</a></li>' for to in places["nav"]),
            *(f'<li><a href="{href}">{label}</a></li>' for href, label in self.traps.lures(page)),
            f"</ul></nav>\n<article>\n<h1>{heading}</h1>\n",
            _paragraphs(text, random),
            self._lists(page, places["list"], random, address),
            "</article>\n<aside>",
            *(self._advert(to, random, address) for to in places["aside"]),
            "</aside>\n",
            *(f'<p class="comment">{self._comment(to, random, address)}</p>\n' for to in places["comment"]),
            f"<footer>{name}, {PLACES[page.site % len(PLACES)]}. All rights reserved.</footer>\n</body></html>\n",
        ]
        return "".join(parts)

    def title(self, number: int) -> str:
        """The title of a page."""
        plan = self.plan
        page = plan.page(number)
        if page.leaf == 0:
            return plan.name(page.site)
        return title(plan.theme_of(page), plan.hash(number, 11) & 0xFFFFFFFF)

    def text(self, number: int) -> list[str]:
        """The sentences of a page."""
        return self._text(self.plan.page(number), Random(self.plan.hash(number, 10)).random)

    def _text(self, page: MadePage, random: RandomFloats) -> list[str]:
        size = self.page_bytes * self.plan.shape.length
        count = max(3, int(size * _SIZES[int(random() * 16)] * (0.85 + 0.3 * random())) // _SENTENCE - 16)
        if page.kind in ("directory", "association", "portal"):
            count = max(2, count // 4)
        elif page.kind in _ENCYCLOPEDIC:
            # Its many links add sentences of their own.
            count = max(3, count * 2 // 3)
        pool = phrases(self.plan.theme_of(page), strength(self.plan, page) if page.topic >= 0 else 2)
        parts = prose(random, pool, count, 0.75 if on_topic(page) else 0.3)
        if page.topic < 0 and random() < 0.06:
            # By accident, a page of the noise uses a topic's words.
            parts += prose(
                random, phrases(self.plan.theme(int(random() * self.plan.topics), -1), 2), 3 + count // 8, 1.0
            )
        if page.kind in _ENCYCLOPEDIC and self.plan.hash(page.number, 17) % 4 == 0:
            # The page belongs to two fields: half of its text is about a related one.
            other = self.plan.theme(self.plan.related(page.topic, random()), -1)
            parts[::2] = prose(random, phrases(other, 2), len(parts[::2]), 0.75)
        return parts

    def entry(self, number: int) -> str:
        """A directory's entry for a page: its title and a sentence."""
        page, random = self.plan.page(number), Random(self.plan.hash(number, 18)).random
        return f"{self.title(number)}. {sentence(random, phrases(self.plan.theme_of(page), self.plan.shape.blurb))}"

    def _addresses(self, page: MadePage, random: RandomFloats, session: int) -> Address:
        """How this page writes URLs: within its site without the host, sometimes in a form that is redirected."""
        plan, traps = self.plan, self.traps

        def address(to: int) -> str:
            target = plan.page(to)
            path = plan.path(target)
            chance = random()
            if chance < 0.1 and path[-1] == "/" and target.leaf:
                path = path[:-1]
            elif chance > 0.97:
                path += "#top"
            if target.site == page.site:
                return (
                    traps.with_session(page, path, session) if chance > 0.05 else f"http://{plan.host(page.site)}{path}"
                )
            host = plan.host(target.site)
            if 0.1 < chance < 0.35 and traps.mirrored(target.site):
                host = traps.mirror(host)
            return f"http://{host}{path}"

        return address

    def _label(self, number: int) -> str:
        page = self.plan.page(number)
        if page.kind == "company" and page.leaf < 3:
            return ("Home", "Products", "About us")[page.leaf]
        return "Home" if page.leaf == 0 else self.title(number)

    def _mention(self, page: MadePage, to: int, random: RandomFloats, address: Address) -> str:
        """A sentence with a link in it."""
        if page.kind in _ENCYCLOPEDIC:
            # A word of the running text is the link: the words around it are about this page, not about the linked one.
            before, after = sentence(random, phrases(self.plan.theme_of(page), 1)).rsplit(" ", 1)
            return f'{before} <a href="{address(to)}">{self.title(to)}</a>, {after}'
        anchor = self.title(to) if random() < 0.75 else _VAGUE[int(random() * len(_VAGUE))]
        link = f'<a href="{address(to)}">{anchor}</a>'
        blurb = self._blurb(to, random)
        return f"{blurb} See {link}." if random() < 0.5 else f"As {link} puts it: {blurb}"

    def _blurb(self, to: int, random: RandomFloats) -> str:
        """A sentence about the target of a link; sometimes one that says nothing about it."""
        page = self.plan.page(to)
        if random() < 0.2:
            return prose(random, (), 1, 0.0)[0]
        return sentence(random, phrases(self.plan.theme_of(page), self.plan.shape.blurb))

    def _lists(self, page: MadePage, listed: list[int], random: RandomFloats, address: Address) -> str:
        """Lists and tables of links, each with a description, under the name of its field."""
        if not listed:
            return ""
        plan = self.plan

        def field(to: int) -> int:
            return plan.page(to).topic if page.kind == "portal" else page.topic

        listed.sort(key=lambda to: (field(to), plan.hash(to, page.number)))
        parts = []
        for topic, members in groupby(listed, field):
            name = plan.theme(topic, -1).name if topic >= 0 else "various"
            parts.append(f"<h3>{name.title()}</h3>\n" if page.kind == "portal" else "")
            rows = [(f'<a href="{address(to)}">{self.title(to)}</a>', self._blurb(to, random)) for to in members]
            if page.kind == "association":
                # Members are listed by name only.
                parts += ["<ul>\n", *(f"<li>{link}</li>\n" for link, _ in rows), "</ul>\n"]
            elif page.number % 3:
                parts += ["<ul>\n", *(f"<li>{link} - {blurb}</li>\n" for link, blurb in rows), "</ul>\n"]
            else:
                parts += [
                    "<table>\n",
                    *(f"<tr><td>{link}</td><td>{blurb}</td></tr>\n" for link, blurb in rows),
                    "</table>\n",
                ]
        return "".join(parts)

    def _advert(self, to: int, random: RandomFloats, address: Address) -> str:
        words = pastimes()[int(random() * len(pastimes()))]
        return (
            f'<div class="ad"><a href="{address(to)}">{self.title(to)}</a> {words.traits[0]} {words.things[0]}!</div>\n'
        )

    def _comment(self, to: int, random: RandomFloats, address: Address) -> str:
        return f'{prose(random, (), 1, 0.0)[0]} <a rel="nofollow" href="{address(to)}">{self.title(to)}</a>'

    def _charset(self, page: MadePage) -> str:
        name = {0: "", 1: "iso-8859-1", 2: ""}.get(coding(page), "utf-8")
        return f'<meta charset="{name}">' if name else ""


def on_topic(page: MadePage) -> bool:
    """Whether a page is relevant to its community's topic: products and articles are, hubs and small talk not."""
    if page.kind == "company":
        return page.leaf < 2 or (page.leaf > 2 and page.leaf % 4 != 1)
    return page.kind in _ENCYCLOPEDIC or (page.kind == "magazine" and page.leaf > 0)


def strength(plan: SitePlan, page: MadePage) -> int:
    """How often a page uses its topic's keywords: often (3), sometimes (2), seldom (1), never (0)."""
    share = plan.hash(page.number, 7) % 100
    return 3 if share < 30 else 2 if share < 62 else 1 if share < 86 else 0


def coding(page: MadePage) -> int:
    """How a page is encoded: 0 latin-1 declared by the header, 1 by the page; 2 UTF-8 undeclared; else by both."""
    return page.number * 7 % 20


def _paragraphs(text: list[str], random: RandomFloats) -> str:
    parts, at = [], 0
    while at < len(text):
        size = 2 + int(random() * 5)
        parts.append(f"<p>{' '.join(text[at : at + size])}</p>\n")
        if random() < 0.12:
            parts.append(f"<h2>{text[at].split('. ')[0][:40].partition('<')[0]}</h2>\n")
        at += size
    return "".join(parts)
