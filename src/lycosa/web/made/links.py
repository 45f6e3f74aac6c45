"""Who links to whom: the link structure of a made web, computed page by page without any text.

A company links to itself, to hubs and to suppliers in related fields, never to a competitor. Directories and magazines
(the hubs) link to the companies of their community. Every page links into the noise, and the noise now and then back.
Directories and portals list the members of communities turn by turn, so that almost everything can be reached.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from lycosa.web.made.atlas import IN_COMMUNITY, IN_NOISE, Atlas, Spot

Dice = Callable[[], float]

PORTAL_BRANCHES = 4
"""How many pages hang below each page of a portal."""


class Out(NamedTuple):
    """A link: to which page, and where on its page it stands."""

    to: int
    place: str
    """nav, body (in a sentence), list (with a description), aside (advertisements and the like), comment."""


def links(atlas: Atlas, spot: Spot) -> list[Out]:
    """The links of a page to other numbered pages, in no particular order within a place."""
    dice = Random(atlas.hash(spot.number, 5)).random
    found = _navigation(atlas, spot)
    match spot.kind:
        case "company":
            found += _company(atlas, spot, dice)
        case "magazine":
            found += _magazine(atlas, spot, dice)
        case "directory":
            found += _directory(atlas, spot, dice)
        case "portal":
            found += _portal(atlas, spot, dice)
        case _:
            found += _noise(atlas, spot, dice)
    return found


def _navigation(atlas: Atlas, spot: Spot) -> list[Out]:
    """Home, its first pages, and the branches below this page: a tree that reaches every page of the site."""
    first = spot.number - spot.leaf
    branches = PORTAL_BRANCHES if spot.kind in ("news", "shop", "portal") else 3
    shown = {0, 1, 2, 3} | {spot.leaf * branches + b for b in range(1, branches + 1)}
    return [Out(first + index, "nav") for index in sorted(shown) if index < spot.size and index != spot.leaf]


def _company(atlas: Atlas, spot: Spot, dice: Dice) -> list[Out]:
    found = [_away(atlas, dice, "aside") for _ in range(1 + int(dice() * 3))]
    if spot.leaf == 0 or dice() < 0.25:
        found.append(_page(atlas, spot.topic, "directory" if dice() < 0.6 else "magazine", dice, "body"))
    if dice() < 0.4:
        found.append(_home(atlas, atlas.related(spot.topic, dice()), "company", dice, "body"))
    return found


def _magazine(atlas: Atlas, spot: Spot, dice: Dice) -> list[Out]:
    found = []
    for _ in range(4 + int(dice() * 4)):
        lot = dice()
        if lot < 0.45:
            found.append(_page(atlas, spot.topic, "magazine", dice, "body"))
        elif lot < 0.6:
            found.append(_home(atlas, spot.topic, "company", dice, "body"))
        elif lot < 0.66:
            found.append(_page(atlas, spot.topic, "directory", dice, "body"))
        elif lot < 0.85:
            found.append(_page(atlas, atlas.related(spot.topic, dice()), "magazine", dice, "body"))
        else:
            found.append(_away(atlas, dice, "body"))
    return found + [_away(atlas, dice, "aside") for _ in range(2 + int(dice() * 3))]


def _directory(atlas: Atlas, spot: Spot, dice: Dice) -> list[Out]:
    turn = spot.number * 8
    listed = {atlas.page_of(atlas.nth(spot.topic, "company", turn + i)) for i in range(8)}
    listed |= {_home(atlas, spot.topic, "company", dice, "list").to for _ in range(int(dice() * 5))}
    # Directories file things in the wrong drawer, too.
    listed |= {
        _home(atlas, atlas.related(spot.topic, dice()), "company", dice, "list").to for _ in range(int(dice() * 5))
    }
    listed |= {_away(atlas, dice, "list").to for _ in range(int(dice() * 4))}
    hubs = [atlas.page_of(atlas.nth(spot.topic, kind, spot.number)) for kind in ("directory", "magazine")]
    found = [Out(number, "list") for number in sorted(listed)]
    found += [Out(number, "body") for number in hubs if number != spot.number]
    found.append(_page(atlas, atlas.related(spot.topic, dice()), "directory", dice, "body"))
    return found + [_away(atlas, dice, "aside") for _ in range(2 + int(dice() * 4))]


def portal_topics(atlas: Atlas, number: int) -> list[int]:
    """The topics that a portal's page lists: each page the next few, round and round."""
    return [(number * 3 + turn) % atlas.topics for turn in range(min(3, atlas.topics))]


def _portal(atlas: Atlas, spot: Spot, dice: Dice) -> list[Out]:
    found = []
    for topic in portal_topics(atlas, spot.number):
        kinds = ("directory", "magazine", "company")
        found += [_home(atlas, topic, kinds[int(dice() * 3)], dice, "list") for _ in range(1 + int(dice() * 3))]
    return found + [_away(atlas, dice, "list") for _ in range(6 + int(dice() * 8))]


def _noise(atlas: Atlas, spot: Spot, dice: Dice) -> list[Out]:
    # Noise page n always links to noise site n, round and round: the noise holds together.
    site = atlas.topics * atlas.community.sites + (spot.number * 7 + spot.leaf) % atlas.noise.sites
    found = [Out(atlas.page_of(site), "body")] + [_away(atlas, dice, "body") for _ in range(2 + int(dice() * 4))]
    found += [_away(atlas, dice, "aside") for _ in range(2 + int(dice() * 4))]
    if dice() < (0.3 if spot.kind == "blog" else 0.1):
        # A blog has a field it likes; news and shops stumble over anything.
        topic = (atlas.hash(spot.site, 6) if spot.kind == "blog" else int(dice() * atlas.topics)) % atlas.topics
        found.append(_page(atlas, topic, IN_COMMUNITY[int(dice() * 6)], dice, "body"))
    if spot.kind == "blog":
        found += [_away(atlas, dice, "comment") for _ in range(int(dice() * 4))]
    return [out for out in found if out.to != spot.number]


def _home(atlas: Atlas, topic: int, kind: str, dice: Dice, place: str) -> Out:
    return Out(atlas.page_of(atlas.pick(topic, kind, dice())), place)


def _page(atlas: Atlas, topic: int, kind: str, dice: Dice, place: str) -> Out:
    """Any page of a site; nobody links deep into a competitor-free zone such as a company's inner pages."""
    site = atlas.pick(topic, kind, dice())
    return Out(atlas.page_of(site, 0 if kind == "company" else int(dice() * 4096)), place)


def _away(atlas: Atlas, dice: Dice, place: str) -> Out:
    """Somewhere in the noise, mostly a home page."""
    site = atlas.pick(-1, IN_NOISE[int(dice() * len(IN_NOISE))], dice())
    return Out(atlas.page_of(site, 0 if dice() < 0.5 else int(dice() * 4096)), place)
