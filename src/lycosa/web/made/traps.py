"""What lies beyond the numbered pages: mirrors, robots.txt, redirects, closed folders, and the traps of the real web.

The calendars, the ever deeper folders and the session ids are endless: each of their pages leads to new ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from lycosa.core.nouns import Raw
from lycosa.web.made.site_plan import MadePage, SitePlan
from lycosa.web.made.text import phrases, prose

_HTML = (("Content-Type", "text/html; charset=utf-8"),)
_calendar = re.compile(r"/calendar/(\d{4,6})/(\d{1,2})/").fullmatch
_session = re.compile(r"[?&]sid=([0-9a-f]{16})$").search


class Traps:
    """The mirrors, redirects and traps of one web."""

    def __init__(self, plan: SitePlan, endless: bool, mirrors: bool, crawl_delay: float) -> None:
        self.plan = plan
        self.endless = endless
        self.mirrors = mirrors
        self.crawl_delay = crawl_delay
        self.kind = lru_cache(4096)(self._kind)

    def _kind(self, site: int) -> str:
        """The kind of trap that a site has."""
        if not self.endless:
            return ""
        hashed = self.plan.hash(site, 8)
        if self.plan.page(self.plan.page_of(site)).kind == "shop" and hashed % 3 == 0:
            return "session"
        return {0: "calendar", 1: "deeper", 2: "loop"}.get(hashed % 16, "")

    # Mirrors

    def mirrored(self, site: int) -> bool:
        """Whether there is a copy of a site on another host."""
        return self.mirrors and self.plan.hash(site, 9) % 12 == 0

    def mirror(self, host: str) -> str:
        """The host of a site's copy."""
        return f"{host.removesuffix('.test')}-mirror.test"

    def site_named(self, host: str) -> int | None:
        """The site at a host, which may be the host of its copy."""
        label = host.removesuffix(".test")
        if label.endswith("-mirror"):
            site = self.plan.site_named(f"{label.removesuffix('-mirror')}.test")
            return site if site is not None and self.mirrored(site) else None
        return self.plan.site_named(host)

    # Sessions

    def with_session(self, page: MadePage, path: str, session: int) -> str:
        """A path on a page's site as the page links to it; a shop with sessions in its URLs adds a session id."""
        if self.kind(page.site) != "session":
            return path
        path, hash_mark, fragment = path.partition("#")
        new = self.plan.hash(page.number ^ (session & 0xFFFFFFFF), 12)
        return f"{path}{'&' if '?' in path else '?'}sid={new:016x}{hash_mark}{fragment}"

    def without_session(self, site: int, path: str) -> tuple[str, int]:
        """The path without the session, and the session (0 for none)."""
        if self.kind(site) == "session" and (found := _session(path)):
            return path[: found.start()], int(found[1], 16)
        return path, 0

    # What is linked, and what is answered there

    def closed(self, site: int) -> bool:
        """Whether a site has a folder that its robots.txt forbids."""
        return self.plan.hash(site, 13) % 4 > 1

    def lures(self, page: MadePage) -> Iterator[tuple[str, str]]:
        """Links of a page's navigation that lead beyond the numbered pages."""
        if self.closed(page.site) and page.leaf % 2 == 0:
            yield "/members/list.html", "Members"
        match self.kind(page.site):
            case "calendar":
                yield "/calendar/2004/5/", "Calendar"
            case "deeper":
                yield "/archive/older/", "Archive"
            case "loop":
                yield "/go/1", "Partner of the day"
        if self.plan.hash(page.number, 14) % 12 == 0:
            yield f"/old/page{page.leaf}.html", "Old page"

    def robots(self, site: int) -> Raw | None:
        """The robots.txt of a site; some have none."""
        hashed = self.plan.hash(site, 13)
        if hashed % 4 == 0:
            return None
        lines = ["User-agent: *", "Disallow: /members/" if self.closed(site) else "Disallow:"]
        if self.crawl_delay and hashed % 5 == 0:
            lines.append(f"Crawl-delay: {self.crawl_delay:g}")
        return Raw(200, (("Content-Type", "text/plain"),), "\n".join([*lines, ""]).encode())

    def answer(self, site: int, path: str) -> Raw | None:
        """The answer for a path that is not a numbered page."""
        host = self.plan.host(site)
        kind = self.kind(site)
        if path == "/members/list.html" and self.closed(site):
            return self._page(site, "Members", "")
        if not path.endswith("/") and "?" not in path and self.plan.number_at(site, f"{path}/") is not None:
            return _moved(f"http://{host}{path}/", 301)
        if kind == "loop" and path in ("/go/1", "/go/2", "/go/3"):
            return _moved(f"http://{host}/go/{int(path[-1]) % 3 + 1}", 302)
        if kind == "calendar" and (found := _calendar(path)) and 1 <= (month := int(found[2])) <= 12:
            year = int(found[1])
            before = f"/calendar/{year - (month == 1)}/{(month + 10) % 12 + 1}/"
            after = f"/calendar/{year + (month == 12)}/{month % 12 + 1}/"
            links = f'<a href="{before}">previous month</a> <a href="{after}">next month</a>'
            return self._page(site, f"Events in {month}/{year}", links)
        if (
            kind == "deeper"
            and path.startswith("/archive/")
            and not path.removeprefix("/archive/").replace("older/", "")
        ):
            return self._page(site, "Archive", '<a href="older/">older entries</a>')
        return None

    def urls(self, site: int) -> Iterator[str]:
        """The URLs of a site that are not numbered pages, except the endless ones."""
        root = f"http://{self.plan.host(site)}"
        size = self.plan.page(self.plan.page_of(site)).size
        paths = [self.plan.path(self.plan.page(self.plan.page_of(site, index))) for index in range(size)]
        own = ["/robots.txt", "/members/list.html", "/go/1", "/go/2", "/go/3"]
        own += [path[:-1] for path in paths[1:] if path.endswith("/")]
        yield from (root + path for path in own if path == "/robots.txt" or self.answer(site, path))
        if self.mirrored(site):
            copy = f"http://{self.mirror(self.plan.host(site))}"
            yield from (copy + path for path in paths)

    def _page(self, site: int, heading: str, links: str) -> Raw:
        """A short page with some text in the style of its site."""
        plan = self.plan
        pool = phrases(plan.theme_of(plan.page(plan.page_of(site))), 1)
        text = " ".join(prose(Random(plan.hash(site, 16)).random, pool, 12, 0.25))
        name = plan.name(site)
        body = (
            f'<!DOCTYPE html>\n<html lang="en"><head><title>{heading} - {name}</title></head>\n<body><h1>{heading}</h1>'
            f'\n<p>{text}</p>\n<p>{links}</p>\n<a href="/">{name}</a></body></html>\n'
        )
        return Raw(200, _HTML, body.encode())


def _moved(to: str, status: int) -> Raw:
    return Raw(status, (("Location", to), ("Content-Type", "text/html")), f'<a href="{to}">moved</a>'.encode())
