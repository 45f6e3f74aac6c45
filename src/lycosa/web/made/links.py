"""Who links to whom: the link structure of a made web, computed page by page without any text.

Here is what all shapes have in common: the navigation within a site, the noise, and the portals, whose pages list the
members of communities turn by turn. The files of the shapes have the rest.
"""

from __future__ import annotations

from random import Random

from lycosa.web.made.shape import Dice, Out
from lycosa.web.made.site_plan import MadePage, SitePlan

PORTAL_BRANCHES = 4
"""How many pages hang below each page of a portal."""


def links(atlas: SitePlan, spot: MadePage) -> list[Out]:
    """The links of a page to other numbered pages, in no particular order within a place."""
    dice = Random(atlas.hash(spot.number, 5)).random
    return _navigation(spot) + atlas.shape.rules[spot.kind](atlas, spot, dice)


def _navigation(spot: MadePage) -> list[Out]:
    """Home, its first pages, and the branches below this page: a tree that reaches every page of the site."""
    first = spot.number - spot.leaf
    branches = PORTAL_BRANCHES if spot.kind in ("news", "shop", "portal") else 3
    shown = {0, 1, 2, 3} | {spot.leaf * branches + b for b in range(1, branches + 1)}
    return [Out(first + index, "nav") for index in sorted(shown) if index < spot.size and index != spot.leaf]


def portal_topics(atlas: SitePlan, number: int) -> list[int]:
    """The topics that a portal's page lists: each page the next few, round and round."""
    return [(number * 3 + turn) % atlas.topics for turn in range(min(3, atlas.topics))]


def portal(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """A mixed hub: a few sites of a few topics among many others."""
    found, kinds = [], atlas.shape.listed
    for topic in portal_topics(atlas, spot.number):
        count = 1 + int(dice() * 3)
        found += [home_of(atlas, topic, kinds[int(dice() * len(kinds))], dice, "list") for _ in range(count)]
    return found + [away(atlas, dice, "list") for _ in range(6 + int(dice() * 8))]


def noise(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links to more of the noise, and now and then to a topic."""
    found = round_the_noise(atlas, spot) + [away(atlas, dice, "body") for _ in range(2 + int(dice() * 4))]
    found += [away(atlas, dice, "aside") for _ in range(2 + int(dice() * 4))]
    if dice() < (0.3 if spot.kind == "blog" else 0.1):
        # A blog has a field it likes; news and shops stumble over anything.
        topic = (atlas.hash(spot.site, 6) if spot.kind == "blog" else int(dice() * atlas.topics)) % atlas.topics
        kinds = atlas.shape.community
        found.append(page_of(atlas, topic, kinds[int(dice() * len(kinds))], dice, "body"))
    if spot.kind == "blog":
        found += [away(atlas, dice, "comment") for _ in range(int(dice() * 4))]
    return [out for out in found if out.to != spot.number]


def round_the_noise(atlas: SitePlan, spot: MadePage) -> list[Out]:
    """Noise page n always links to noise site n, round and round: the noise holds together."""
    site = atlas.topics * atlas.community.sites + (spot.number * 7 + spot.leaf) % atlas.noise.sites
    return [Out(atlas.page_of(site), "body")]


def home_of(atlas: SitePlan, topic: int, kind: str, dice: Dice, place: str) -> Out:
    """The home page of some site of a kind."""
    return Out(atlas.page_of(atlas.pick(topic, kind, dice())), place)


def page_of(atlas: SitePlan, topic: int, kind: str, dice: Dice, place: str) -> Out:
    """Any page of a site; nobody links deep into a competitor-free zone such as a company's inner pages."""
    site = atlas.pick(topic, kind, dice())
    return Out(atlas.page_of(site, 0 if kind == "company" else int(dice() * 4096)), place)


def away(atlas: SitePlan, dice: Dice, place: str) -> Out:
    """Somewhere in the noise, mostly a home page."""
    kinds = atlas.shape.noise
    site = atlas.pick(-1, kinds[int(dice() * len(kinds))], dice())
    return Out(atlas.page_of(site, 0 if dice() < 0.5 else int(dice() * 4096)), place)
