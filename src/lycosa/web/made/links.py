"""Who links to whom: the link structure of a made web, computed page by page without any text.

This module has what all shapes share: the navigation within a site, the noise, and the portals, whose pages list the
members of communities in turn. The modules of the shapes have the rest.
"""

from __future__ import annotations

from random import Random

from lycosa.web.made.shape import Dice, Out
from lycosa.web.made.site_plan import MadePage, SitePlan

PORTAL_BRANCHES = 4
"""How many child pages each page of a portal has."""


def links(atlas: SitePlan, spot: MadePage) -> list[Out]:
    """The links of a page to other numbered pages; within one place on the page their order has no meaning."""
    dice = Random(atlas.hash(spot.number, 5)).random
    return _navigation(spot) + atlas.shape.rules[spot.kind](atlas, spot, dice)


def _navigation(spot: MadePage) -> list[Out]:
    """The home page, its first pages, and the branches below this page: a tree that reaches every page of the site."""
    first = spot.number - spot.leaf
    branches = PORTAL_BRANCHES if spot.kind in ("news", "shop", "portal") else 3
    shown = {0, 1, 2, 3} | {spot.leaf * branches + b for b in range(1, branches + 1)}
    return [Out(first + index, "nav") for index in sorted(shown) if index < spot.size and index != spot.leaf]


def portal_topics(atlas: SitePlan, number: int) -> list[int]:
    """The topics that a portal's page lists: each page has the next few, cyclically."""
    return [(number * 3 + turn) % atlas.topics for turn in range(min(3, atlas.topics))]


def portal(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a portal, a mixed hub: a few sites of a few topics among many others."""
    found, kinds = [], atlas.shape.listed
    for topic in portal_topics(atlas, spot.number):
        count = 1 + int(dice() * 3)
        found += [home_of(atlas, topic, kinds[int(dice() * len(kinds))], dice, "list") for _ in range(count)]
    return found + [away(atlas, dice, "list") for _ in range(6 + int(dice() * 8))]


def noise(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a noise page: more noise, and sometimes a topic."""
    found = round_the_noise(atlas, spot) + [away(atlas, dice, "body") for _ in range(2 + int(dice() * 4))]
    found += [away(atlas, dice, "aside") for _ in range(2 + int(dice() * 4))]
    if dice() < (0.3 if spot.kind == "blog" else 0.1):
        # A blog has a favourite field; news and shops link to any.
        topic = (atlas.hash(spot.site, 6) if spot.kind == "blog" else int(dice() * atlas.topics)) % atlas.topics
        kinds = atlas.shape.community
        found.append(page_of(atlas, topic, kinds[int(dice() * len(kinds))], dice, "body"))
    if spot.kind == "blog":
        found += [away(atlas, dice, "comment") for _ in range(int(dice() * 4))]
    return [out for out in found if out.to != spot.number]


def round_the_noise(atlas: SitePlan, spot: MadePage) -> list[Out]:
    """A link from each noise page to one noise site, cyclically by its number, which keeps the noise connected."""
    site = atlas.topics * atlas.community.sites + (spot.number * 7 + spot.leaf) % atlas.noise.sites
    return [Out(atlas.page_of(site), "body")]


def home_of(atlas: SitePlan, topic: int, kind: str, dice: Dice, place: str) -> Out:
    """A link to the home page of a random site of a kind."""
    return Out(atlas.page_of(atlas.pick(topic, kind, dice())), place)


def page_of(atlas: SitePlan, topic: int, kind: str, dice: Dice, place: str) -> Out:
    """A link to any page of a random site of a kind, but to no inner page of a company."""
    site = atlas.pick(topic, kind, dice())
    return Out(atlas.page_of(site, 0 if kind == "company" else int(dice() * 4096)), place)


def away(atlas: SitePlan, dice: Dice, place: str) -> Out:
    """A link to a random page of the noise, mostly a home page."""
    kinds = atlas.shape.noise
    site = atlas.pick(-1, kinds[int(dice() * len(kinds))], dice())
    return Out(atlas.page_of(site, 0 if dice() < 0.5 else int(dice() * 4096)), place)
