"""The number, site, role and URL of each page: pure arithmetic in both directions, whatever the size of the web.

The pages of a made web are numbered in one sequence: a community of pages for each topic, all of one size, then the
noise. A community is divided into sites of power-law size: the k-th largest has about 1/sqrt(k) of the largest one's
pages. The boundaries are integer square roots, so they are exact on every machine and invertible: no table of sites or
pages is ever kept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import gcd, isqrt
from struct import Struct
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from lycosa.system.errors import Code, Refused
from lycosa.web.made.shape import Shape
from lycosa.web.made.vocabulary import NAMES, Theme, pastimes, topics

COMMUNITY, NOISE = 20, 10
"""Fewest pages of a topic and of the noise, so that none of their sites is empty."""

_two = Struct("<qq").pack
_page_number = re.compile(r"(?<!\d)(\d+)(?:\.html|/)?$")


class Strip(NamedTuple):
    """A sequence of pages divided into sites of power-law size."""

    first: int
    pages: int
    sites: int

    def start(self, k: int) -> int:
        """The offset of the first page of the k-th largest site."""
        return isqrt(self.pages * self.pages * k // self.sites)

    def site(self, offset: int) -> int:
        """The site to which the page at an offset belongs."""
        k = offset * offset * self.sites // (self.pages * self.pages)
        while self.start(k + 1) <= offset:
            k += 1
        return k

    def how_many(self, kinds: tuple[str, ...], kind: str) -> int:
        """How many sites of a kind there are."""
        full, rest = divmod(self.sites, len(kinds))
        return full * kinds.count(kind) + kinds[:rest].count(kind)


class MadePage(NamedTuple):
    """A page's place in the plan: everything about it except its words."""

    number: int
    topic: int
    """The community it belongs to, or -1 in the noise."""
    site: int
    kind: str
    leaf: int
    """Its number within the site; 0 is the home page."""
    size: int
    """The pages of the site."""


class SitePlan:
    """The arithmetic of one made web."""

    def __init__(self, pages: int, topics: int, seed: int, noise: float, site_pages: int, shape: Shape) -> None:
        if not 0 < noise < 1:
            fix = "give noise a number between 0 and 1, such as 0.4"
            raise Refused(f"there is no made web with noise={noise}", fix, code=Code.OUT_OF_RANGE, field="noise")
        community = int(pages * (1 - noise)) // topics
        if community < COMMUNITY or pages - topics * community < NOISE:
            enough = int(max(COMMUNITY * topics / (1 - noise), NOISE / noise)) + 20
            problem = f"{pages} pages are too few for {topics} topics and noise={noise}"
            raise Refused(problem, f"ask for {enough}", code=Code.OUT_OF_RANGE, field="pages")
        self.pages, self.topics, self.seed, self.shape = pages, topics, seed, shape
        self.community = Strip(0, community, max(6, community // site_pages))
        first = topics * community
        self.noise = Strip(first, pages - first, max(6, (pages - first) // site_pages))
        self.sites = topics * self.community.sites + self.noise.sites
        # Site numbers are scrambled in host names, so that a name reveals nothing about related sites.
        self._stride = _coprime(self.sites)
        self._unstride = pow(self._stride, -1, self.sites)
        self.page = lru_cache(4096)(self._page)
        self.host = lru_cache(4096)(self._host)
        self.url = lru_cache(8192)(self._url)
        self.theme = lru_cache(1024)(self._theme)

    def hash(self, number: int, purpose: int) -> int:
        """A pseudorandom number that depends on the web's seed, on a page or site, and on the purpose."""
        return xxh3_64_intdigest(_two(number, purpose), self.seed)

    def _page(self, number: int) -> MadePage:
        size = self.community.pages
        topic = number // size
        if topic < self.topics:
            strip, kinds, before = self.community, self.shape.community, topic * self.community.sites
        else:
            topic, strip, kinds, before = -1, self.noise, self.shape.noise, self.topics * self.community.sites
        offset = number - strip.first - max(topic, 0) * size
        k = strip.site(offset)
        start = strip.start(k)
        return MadePage(number, topic, before + k, kinds[k % len(kinds)], offset - start, strip.start(k + 1) - start)

    def page_of(self, site: int, index: int = 0) -> int:
        """The number of a page by its site and its index there, counted cyclically."""
        topic, k = divmod(site, self.community.sites)
        strip, first = self.community, topic * self.community.pages
        if topic >= self.topics:
            strip, first, k = self.noise, self.noise.first, site - self.topics * self.community.sites
        start = strip.start(k)
        return first + start + index % (strip.start(k + 1) - start)

    def pick(self, topic: int, kind: str, uniform: float) -> int:
        """A site of a kind in a community (-1: in the noise), by a random number; larger sites are likelier."""
        strip, kinds, before = self.community, self.shape.community, topic * self.community.sites
        if topic < 0:
            strip, kinds, before = self.noise, self.shape.noise, self.topics * self.community.sites
        return before + _nth(kinds, kind, int(strip.how_many(kinds, kind) * uniform * uniform))

    def nth(self, topic: int, kind: str, n: int) -> int:
        """The n-th site of a kind in a community, counted cyclically in a scrambled order."""
        kinds = self.shape.community
        count = self.community.how_many(kinds, kind)
        return topic * self.community.sites + _nth(kinds, kind, n * _coprime(count) % count)

    def related(self, topic: int, uniform: float) -> int:
        """A topic near this one, chosen by a random number."""
        step = (1, -1, 2, -2)[int(uniform * 4)]
        return (topic + step) % self.topics

    def _theme(self, site_topic: int, site: int) -> Theme:
        if site_topic < 0:
            themes = pastimes()
            return themes[self.hash(site, 1) % len(themes)]
        themes = topics()
        turn = self.hash(0, 2)
        first = themes[(site_topic + turn) % len(themes)]
        if site_topic < len(themes):
            return first
        # There are more topics than themes: this one is «this for that», with half of the words of each theme.
        other = themes[(site_topic + turn + 7 * (site_topic // len(themes))) % len(themes)]
        return Theme(
            f"{first.name} for {other.name}",
            first.keywords + other.keywords,
            first.things[::2] + other.things[1::2],
            first.traits[:2] + other.traits[:2],
            first.family,
        )

    def theme_of(self, page: MadePage) -> Theme:
        """The theme of a page."""
        return self.theme(page.topic, -1 if page.topic >= 0 else page.site)

    # Names

    def _host(self, site: int) -> str:
        hashed = self.hash(site, 3)
        name = NAMES[hashed % len(NAMES)]
        page = self.page(self.page_of(site))
        words = self.theme_of(page)
        telling = words.keywords[-1]
        if not self.shape.named_by_topic:
            telling = words.things[(hashed >> 12) % len(words.things)].split()[-1].replace("-", "")
        second = telling if hashed >> 8 & 1 else ("online", "group", "net", "house")[hashed >> 9 & 3]
        www = "www." if hashed >> 11 & 1 else ""
        return f"{www}{name}-{second}-{site * self._stride % self.sites}.test"

    def site_named(self, host: str) -> int | None:
        """The site with this host name."""
        code = host.removesuffix(".test").rpartition("-")[2]
        if not code.isdecimal() or int(code) >= self.sites:
            return None
        site = int(code) * self._unstride % self.sites
        return site if self.host(site) == host else None

    def name(self, site: int) -> str:
        """The name of a site, as its pages show it."""
        first, second, _ = self.host(site).removeprefix("www.").split("-")
        return f"{first.capitalize()} {second.capitalize()}"

    def path(self, page: MadePage) -> str:
        """The path of a page on its host."""
        j = page.leaf
        if j == 0:
            return "/"
        hashed = self.hash(page.number, 4)
        things = self.theme_of(page).things
        slug = f"{things[hashed % len(things)]} {things[(hashed >> 8) % len(things)]}".replace(" ", "-")
        match page.kind:
            case "company":
                if j < 3:
                    return "/products/" if j == 1 else "/about/"
                return f"/{('products', 'news', 'products', 'products')[j % 4]}/{slug}-{j}.html"
            case "magazine":
                return f"/articles/{slug}-{j}.html"
            case "directory":
                return f"/{slug}/{j}/"
            case "news":
                return f"/{1998 + hashed % 9}/{1 + hashed % 12:02}/{slug}-{j}.html"
            case "blog":
                return f"/archives/{j}.html"
            case "shop":
                return f"/item?id={j}"
            case "article" | "island" | "person":
                return f"/wiki/{slug}-{j}.html"
            case _:
                return f"/{slug}/{j}/"

    def _url(self, number: int) -> str:
        page = self.page(number)
        return f"http://{self.host(page.site)}{self.path(page)}"

    def number_at(self, site: int, path: str) -> int | None:
        """The page with this path on a site."""
        index = {"/": 0, "/products/": 1, "/about/": 2}.get(path)
        if index is None:
            found = _page_number.search(path)
            index = int(found[1]) if found else -1
        if index < 0:
            return None
        number = self.page_of(site, index)
        page = self.page(number)
        return number if page.leaf == index and self.path(page) == path else None


def _nth(kinds: tuple[str, ...], kind: str, n: int) -> int:
    """The position of the n-th site of a kind in an endless repetition of the kinds."""
    places = [place for place, each in enumerate(kinds) if each == kind]
    turn, rest = divmod(n, len(places))
    return turn * len(kinds) + places[rest]


@lru_cache(256)
def _coprime(count: int) -> int:
    """A step that visits all of `count` positions before it returns, each far from the one before."""
    step = max(1, int(count * 0.618))
    while gcd(step, count) != 1:
        step += 1
    return step
