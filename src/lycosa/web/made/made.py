"""A made web as a source of answers, with the topics that can be hunted in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from lycosa.core.nouns import Raw
from lycosa.system.errors import Code, Refused
from lycosa.web.made import business_shape, communities_shape, encyclopedia_shape
from lycosa.web.made.links import PORTAL_BRANCHES, portal_topics
from lycosa.web.made.page_html import PageHtml, coding, on_topic
from lycosa.web.made.shape import Shape
from lycosa.web.made.site_plan import SitePlan
from lycosa.web.made.traps import Traps
from lycosa.web.source import BedTopic

SHAPES = {shape.name: shape for shape in (communities_shape.SHAPE, business_shape.SHAPE, encyclopedia_shape.SHAPE)}
_LEAST = {"pages": 1, "topics": 1, "site_pages": 3, "page_bytes": 1, "crawl_delay": 0, "targets": 1}
_ENTRIES = 60
"""Most entries of a category that make its description."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Made:
    """A web with a number of pages about a number of topics; the same seed makes the same web."""

    def __init__(
        self,
        pages: int = 2000,
        topics: int = 12,
        seed: int = 1,
        *,
        noise: float = 0.4,
        site_pages: int = 8,
        page_bytes: int = 8000,
        traps: bool = True,
        mirrors: bool = True,
        crawl_delay: float = 0.0,
        targets: int = 500,
        shape: str = "communities",
    ) -> None:
        self.settings: dict[str, Any] = {name: value for name, value in locals().items() if name != "self"}
        """All parameters that determine this web."""
        if shape not in SHAPES:
            fix = f"choose one of: {', '.join(SHAPES)}"
            raise Refused(f"there is no made web with shape={shape}", fix, code=Code.UNKNOWN_NAME, field="shape")
        for name, least in _LEAST.items():
            if not least <= (value := self.settings[name]) < float("inf"):
                fix = f"give {name} a number from {least} up"
                raise Refused(f"there is no made web with {name}={value}", fix, code=Code.OUT_OF_RANGE, field=name)
        self.pages = pages
        self.seed = seed
        self.known_targets = targets
        self.plan = SitePlan(pages, topics, seed, noise, site_pages, SHAPES[shape])
        self.traps = Traps(self.plan, traps, mirrors, crawl_delay)
        self.html = PageHtml(self.plan, self.traps, page_bytes)

    def response(self, url: str) -> Raw | None:
        """The answer for a canonical URL."""
        if not url.startswith("http://"):
            return None
        host, _, rest = url[7:].partition("/")
        site = self.traps.site_named(host)
        if site is None:
            return None
        path, session = self.traps.without_session(site, f"/{rest}")
        if path == "/robots.txt":
            return self.traps.robots(site)
        number = self.plan.number_at(site, path)
        if number is None:
            return self.traps.answer(site, path)
        return self._page(number, session)

    def urls(self) -> Iterator[str]:
        """Every URL except those of the endless traps."""
        yield from (self.plan.url(number) for number in range(self.pages))
        for site in range(self.plan.sites):
            yield from self.traps.urls(site)

    def _page(self, number: int, session: int) -> Raw:
        html = self.html.page(number, session)
        page = self.plan.page(number)
        code = coding(page)
        charset = {0: "; charset=iso-8859-1", 1: "", 2: ""}.get(code, "; charset=utf-8")
        headers = [("Content-Type", f"text/html{charset}")]
        hashed = self.plan.hash(number, 15)
        if hashed & 1:
            headers.append(("ETag", f'"{hashed:016x}"'))
        if hashed & 2:
            day, month, year = 1 + (hashed >> 8) % 28, _MONTHS[(hashed >> 16) % 12], 2000 + (hashed >> 24) % 7
            headers.append(("Last-Modified", f"Sat, {day:02} {month} {year} 12:00:00 GMT"))
        return Raw(200, tuple(headers), html.encode("iso-8859-1" if code < 2 else "utf-8"), reason="OK")

    # Topics

    @cached_property
    def topics(self) -> list[BedTopic]:
        """The topics that can be hunted, with start pages and known relevant pages."""
        return [self._topic(topic) for topic in range(self.plan.topics)]

    def relevant(self, topic: int) -> Iterator[int]:
        """The numbers of all pages that are relevant to a topic."""
        size, homes_only = self.plan.community.pages, self.plan.shape.catalogued
        pages = map(self.plan.page, range(topic * size, topic * size + size))
        return (page.number for page in pages if on_topic(page) and not (homes_only and page.leaf))

    def _topic(self, topic: int) -> BedTopic:
        plan, shape = self.plan, self.plan.shape
        theme = plan.theme(topic, -1)
        kind = shape.listed[-1]
        sites = plan.community.how_many(shape.community, kind)
        homes = [plan.page_of(plan.nth(topic, kind, n)) for n in range(min(10, max(2, sites // 2)))]
        relevant = [number for number in self.relevant(topic) if number not in homes]
        described = [] if shape.catalogued else relevant[:: max(1, len(relevant) // 5)][:5]
        targets = [number for number in relevant if number not in described]
        targets = targets[:: -(-len(targets) // self.known_targets)]
        if shape.catalogued:
            sentences = [self.html.entry(number) for number in (homes + targets)[:_ENTRIES]]
        else:
            sentences = [sentence for number in described for sentence in self.html.text(number)[:8]]
        return BedTopic(
            id=theme.name.replace(" ", "-"),
            category=theme.name.title(),
            keywords=" ".join((*theme.keywords, *_category_ends(shape, topic))),
            description=" ".join(sentences),
            examples=tuple(map(plan.url, homes)),
            neighbors=tuple(map(plan.url, islice(self._upstream(topic), 10))),
            targets=tuple(map(plan.url, targets)),
            described=tuple(map(plan.url, described)),
        )

    def _upstream(self, topic: int) -> Iterator[int]:
        """Pages of portals that are exactly two links away from a community; a few of each portal."""
        plan = self.plan

        def lists(number: int) -> bool:
            return topic in portal_topics(plan, number)

        kinds = plan.shape.noise
        first = plan.topics * plan.community.sites + kinds.index("portal")
        for site in range(first, plan.sites, len(kinds)):
            home = plan.page_of(site)
            below = filter(lists, range(home + 1, home + min(plan.page(home).size, 100)))
            above = {home + (number - home - 1) // PORTAL_BRANCHES for number in below}
            yield from [number for number in sorted(above) if not lists(number)][:3]


def _category_ends(shape: Shape, topic: int) -> tuple[str, ...]:
    """The possible last words of the name of a directory's category of companies."""
    return (("companies", "manufacturers", "consultants")[topic % 3],) if shape.catalogued else ()
