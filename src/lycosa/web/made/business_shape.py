"""Business: the Web as Pant & Menczer 2003 describe it: companies never link to each other, hubs link to them.

What the paper says, and what follows here:

- «It is unlikely that a company's Web page would link to a Web page of its competitor»: no company does.
- «Neutral hubs that link to many of the competing entities»: directories list companies with descriptions,
  associations list their members by name, an article of the trade press covers one or two companies.
- «The event that a page points to two different business entities in the same area is relatively unlikely»: about one
  page in ten of a trade does; portals list a few companies of several trades.
- Topics are a directory's categories that end in Companies, Consultants or Manufacturers, with the home pages it lists:
  ten of a trade are the seeds, all others are the targets; inner pages are not. The editors' lines are the description.
- In the paper's table 1 none of twelve companies has a keyword of its category in its name, and one of the two
  descriptions has one: companies are named by what they make, and their descriptions seldom have the keywords.
- «Lack of appropriate content in relevant pages»: one page in seven has no keyword at all, as in every made web.

What the paper does not say is our choice: a company's third page holds its links, to hubs of its trade and suppliers in
other trades; news pages quote the press; one home page in four names a hub; one site in six is a hub.
"""

from __future__ import annotations

from lycosa.web.made.links import away, home_of, noise, page_of, portal
from lycosa.web.made.shape import Dice, Out, Shape
from lycosa.web.made.site_plan import MadePage, SitePlan

_HUBS = ("directory", "association", "magazine")
_LINKS_PAGE = 3


def company(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a company: hubs of its trade, suppliers in other trades, and noise, to which every site links."""
    found = [away(atlas, dice, "aside") for _ in range(1 + int(dice() * 2))]
    if spot.leaf == _LINKS_PAGE:
        found += [_hub(atlas, spot.topic, dice, "list") for _ in range(2)]
        found += [_supplier(atlas, spot.topic, dice, "list") for _ in range(1 + int(dice() * 3))]
        found += [away(atlas, dice, "list") for _ in range(2 + int(dice() * 3))]
    elif spot.leaf % 4 == 1:
        found.append(
            page_of(atlas, spot.topic, "magazine", dice, "body") if dice() < 0.5 else away(atlas, dice, "body")
        )
    elif spot.leaf == 0 and dice() < 0.25:
        found.append(_hub(atlas, spot.topic, dice, "body"))
    elif dice() < 0.15:
        found.append(_supplier(atlas, spot.topic, dice, "body"))
    return found


def directory(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a directory: a trade's companies with descriptions, in turn, some misfiled ones, and advertisements."""
    found = _members(atlas, spot, 8)
    found += [_supplier(atlas, spot.topic, dice, "list") for _ in range(int(dice() * 4))]
    found += [away(atlas, dice, "list") for _ in range(int(dice() * 4))]
    found.append(page_of(atlas, atlas.related(spot.topic, dice()), "directory", dice, "body"))
    found.append(_hub(atlas, spot.topic, dice, "body"))
    return _others(spot, found + [away(atlas, dice, "aside") for _ in range(2 + int(dice() * 4))])


def association(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of an association: on every third page a list of members; else news of the trade and its neighbours."""
    found = _members(atlas, spot, 12) if spot.leaf % 3 == 0 else []
    found += [_hub(atlas, spot.topic, dice, "body") for _ in range(1 + int(dice() * 2))]
    found.append(page_of(atlas, atlas.related(spot.topic, dice()), "association", dice, "body"))
    return _others(spot, found + [away(atlas, dice, "body") for _ in range(2 + int(dice() * 3))])


def magazine(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a magazine: articles on the trade and its neighbours; some are about a company, few about two."""
    found = [home_of(atlas, spot.topic, "company", dice, "body") for _ in range(int(dice() * dice() * 3))]
    for _ in range(3 + int(dice() * 4)):
        lot = dice()
        if lot < 0.45:
            found.append(page_of(atlas, spot.topic, "magazine", dice, "body"))
        elif lot < 0.55:
            found.append(_hub(atlas, spot.topic, dice, "body"))
        elif lot < 0.75:
            found.append(page_of(atlas, atlas.related(spot.topic, dice()), "magazine", dice, "body"))
        else:
            found.append(away(atlas, dice, "body"))
    return _others(spot, found + [away(atlas, dice, "aside") for _ in range(2 + int(dice() * 3))])


def _hub(atlas: SitePlan, topic: int, dice: Dice, place: str) -> Out:
    return page_of(atlas, topic, _HUBS[int(dice() * 3)], dice, place)


def _supplier(atlas: SitePlan, topic: int, dice: Dice, place: str) -> Out:
    return home_of(atlas, atlas.related(topic, dice()), "company", dice, place)


def _members(atlas: SitePlan, spot: MadePage, count: int) -> list[Out]:
    turns = (atlas.nth(spot.topic, "company", spot.number * count + turn) for turn in range(count))
    return [Out(number, "list") for number in sorted({atlas.page_of(site) for site in turns})]


def _others(spot: MadePage, found: list[Out]) -> list[Out]:
    return [out for out in found if out.to != spot.number]


SHAPE = Shape(
    name="business",
    community=("company", "magazine", "directory", "association", *["company"] * 14),
    noise=("news", "blog", "shop", "portal", "blog", "shop"),
    rules={
        "company": company,
        "magazine": magazine,
        "directory": directory,
        "association": association,
        "portal": portal,
        "news": noise,
        "blog": noise,
        "shop": noise,
    },
    listed=("directory", "magazine", "company"),
    blurb=1,
    named_by_topic=False,
    catalogued=True,
)
