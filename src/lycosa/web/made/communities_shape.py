"""Communities: the default shape of a made web. Companies, hubs, articles and noise, some of each.

A company links to itself, to hubs and to suppliers in related fields, never to a competitor. Directories and magazines
(the hubs) link to the companies of their community. Every page links into the noise, and the noise sometimes links
back. Directories and portals list the members of communities in turn, so that almost everything can be reached.
"""

from __future__ import annotations

from lycosa.web.made.links import away, home_of, noise, page_of, portal
from lycosa.web.made.shape import Dice, Out, Shape
from lycosa.web.made.site_plan import MadePage, SitePlan


def company(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a company: hubs, suppliers and the noise; no competitor."""
    found = [away(atlas, dice, "aside") for _ in range(1 + int(dice() * 3))]
    if spot.leaf == 0 or dice() < 0.25:
        found.append(page_of(atlas, spot.topic, "directory" if dice() < 0.6 else "magazine", dice, "body"))
    if dice() < 0.4:
        found.append(home_of(atlas, atlas.related(spot.topic, dice()), "company", dice, "body"))
    return found


def magazine(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a magazine: articles, companies and hubs of its field and of related ones."""
    found = []
    for _ in range(4 + int(dice() * 4)):
        lot = dice()
        if lot < 0.45:
            found.append(page_of(atlas, spot.topic, "magazine", dice, "body"))
        elif lot < 0.6:
            found.append(home_of(atlas, spot.topic, "company", dice, "body"))
        elif lot < 0.66:
            found.append(page_of(atlas, spot.topic, "directory", dice, "body"))
        elif lot < 0.85:
            found.append(page_of(atlas, atlas.related(spot.topic, dice()), "magazine", dice, "body"))
        else:
            found.append(away(atlas, dice, "body"))
    return found + [away(atlas, dice, "aside") for _ in range(2 + int(dice() * 3))]


def directory(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a directory: companies with descriptions, and some that belong elsewhere."""
    turn = spot.number * 8
    listed = {atlas.page_of(atlas.nth(spot.topic, "company", turn + i)) for i in range(8)}
    listed |= {home_of(atlas, spot.topic, "company", dice, "list").to for _ in range(int(dice() * 5))}
    # Real directories misfile some sites, too.
    listed |= {
        home_of(atlas, atlas.related(spot.topic, dice()), "company", dice, "list").to for _ in range(int(dice() * 5))
    }
    listed |= {away(atlas, dice, "list").to for _ in range(int(dice() * 4))}
    hubs = [atlas.page_of(atlas.nth(spot.topic, kind, spot.number)) for kind in ("directory", "magazine")]
    found = [Out(number, "list") for number in sorted(listed)]
    found += [Out(number, "body") for number in hubs if number != spot.number]
    found.append(page_of(atlas, atlas.related(spot.topic, dice()), "directory", dice, "body"))
    return found + [away(atlas, dice, "aside") for _ in range(2 + int(dice() * 4))]


SHAPE = Shape(
    name="communities",
    community=("magazine", "directory", "company", "company", "company", "company"),
    noise=("news", "blog", "shop", "portal", "blog", "shop"),
    rules={
        "company": company,
        "magazine": magazine,
        "directory": directory,
        "portal": portal,
        "news": noise,
        "blog": noise,
        "shop": noise,
    },
    listed=("directory", "magazine", "company"),
)
