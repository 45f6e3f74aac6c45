"""Who links to whom: the structure of a made web, computed page by page without any text.

This module has what all shapes share: the navigation within a site, the noise, and the portals, whose pages list the
members of communities in turn. The modules of the shapes have the rest.
"""

from __future__ import annotations

from random import Random

from lycosa.web.made.shape import MadeLink
from lycosa.web.made.site_plan import MadePage, SitePlan

PORTAL_BRANCHES = 4
"""How many child pages each page of a portal has."""


def links(plan: SitePlan, page: MadePage) -> list[MadeLink]:
    """The links of a page to other numbered pages; within one place on the page their order has no meaning."""
    return _navigation(page) + plan.shape.rules[page.kind](PageLinks(plan, page))


def _navigation(page: MadePage) -> list[MadeLink]:
    """The home page, its first pages, and the branches below this page: a tree that reaches every page of the site."""
    first = page.number - page.leaf
    branches = PORTAL_BRANCHES if page.kind in ("news", "shop", "portal") else 3
    shown = {0, 1, 2, 3} | {page.leaf * branches + b for b in range(1, branches + 1)}
    return [MadeLink(first + index, "nav") for index in sorted(shown) if index < page.size and index != page.leaf]


class PageLinks:
    """Makes the links of one page. Its random numbers are drawn in order: the order of calls is part of the web."""

    def __init__(self, plan: SitePlan, page: MadePage) -> None:
        self.plan = plan
        self.page = page
        self.random = Random(plan.hash(page.number, 5)).random

    def some(self, least: int, more: int) -> range:
        """A range of random length, from `least` on, with fewer than `more` further steps."""
        return range(least + int(self.random() * more))

    def neighbor(self) -> int:
        """A random topic near the page's own."""
        return self.plan.related(self.page.topic, self.random())

    def home(self, topic: int, kind: str, place: str) -> MadeLink:
        """A link to the home page of a random site of a kind."""
        return MadeLink(self.plan.page_of(self.plan.pick(topic, kind, self.random())), place)

    def any_page(self, topic: int, kind: str, place: str) -> MadeLink:
        """A link to any page of a random site of a kind, but to no inner page of a company."""
        site = self.plan.pick(topic, kind, self.random())
        return MadeLink(self.plan.page_of(site, 0 if kind == "company" else int(self.random() * 4096)), place)

    def noise(self, place: str) -> MadeLink:
        """A link to a random page of the noise, mostly a home page."""
        kinds = self.plan.shape.noise
        site = self.plan.pick(-1, kinds[int(self.random() * len(kinds))], self.random())
        return MadeLink(self.plan.page_of(site, 0 if self.random() < 0.5 else int(self.random() * 4096)), place)

    def much_noise(self, place: str, least: int, more: int) -> list[MadeLink]:
        """Several links into the noise."""
        return [self.noise(place) for _ in self.some(least, more)]

    def next_noise(self) -> MadeLink:
        """A link to one noise site, cyclically by the page's number, which keeps the noise connected."""
        plan, page = self.plan, self.page
        site = plan.topics * plan.community.sites + (page.number * 7 + page.leaf) % plan.noise.sites
        return MadeLink(plan.page_of(site), "body")

    def to_others(self, found: list[MadeLink]) -> list[MadeLink]:
        """These links without those to the page itself."""
        return [link for link in found if link.to != self.page.number]


def portal_topics(plan: SitePlan, number: int) -> list[int]:
    """The topics that a portal's page lists: each page has the next few, cyclically."""
    return [(number * 3 + turn) % plan.topics for turn in range(min(3, plan.topics))]


def portal(links: PageLinks) -> list[MadeLink]:
    """Links of a portal, a mixed hub: a few sites of a few topics among many others."""
    found, kinds = [], links.plan.shape.listed
    for topic in portal_topics(links.plan, links.page.number):
        found += [links.home(topic, kinds[int(links.random() * len(kinds))], "list") for _ in links.some(1, 3)]
    return found + links.much_noise("list", 6, 8)


def noise(links: PageLinks) -> list[MadeLink]:
    """Links of a noise page: more noise, and sometimes a topic."""
    plan, page, random = links.plan, links.page, links.random
    found = [links.next_noise(), *links.much_noise("body", 2, 4), *links.much_noise("aside", 2, 4)]
    if random() < (0.3 if page.kind == "blog" else 0.1):
        # A blog has a favourite field; news and shops link to any.
        topic = (plan.hash(page.site, 6) if page.kind == "blog" else int(random() * plan.topics)) % plan.topics
        kinds = plan.shape.community
        found.append(links.any_page(topic, kinds[int(random() * len(kinds))], "body"))
    if page.kind == "blog":
        found += links.much_noise("comment", 0, 4)
    return links.to_others(found)
