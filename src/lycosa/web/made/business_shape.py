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

from lycosa.web.made.links import PageLinks, noise, portal
from lycosa.web.made.shape import MadeLink, Shape

_HUBS = ("directory", "association", "magazine")
_LINKS_PAGE = 3


def company(links: PageLinks) -> list[MadeLink]:
    """Links of a company: hubs of its trade, suppliers in other trades, and noise, to which every site links."""
    page, random = links.page, links.random
    found = links.much_noise("aside", 1, 2)
    if page.leaf == _LINKS_PAGE:
        found += [_hub(links, "list") for _ in range(2)]
        found += [_supplier(links, "list") for _ in links.some(1, 3)]
        found += links.much_noise("list", 2, 3)
    elif page.leaf % 4 == 1:
        found.append(links.any_page(page.topic, "magazine", "body") if random() < 0.5 else links.noise("body"))
    elif page.leaf == 0 and random() < 0.25:
        found.append(_hub(links, "body"))
    elif random() < 0.15:
        found.append(_supplier(links, "body"))
    return found


def directory(links: PageLinks) -> list[MadeLink]:
    """Links of a directory: a trade's companies with descriptions, in turn, some misfiled ones, and advertisements."""
    found = _members(links, 8)
    found += [_supplier(links, "list") for _ in links.some(0, 4)]
    found += links.much_noise("list", 0, 4)
    found.append(links.any_page(links.neighbor(), "directory", "body"))
    found.append(_hub(links, "body"))
    return links.to_others(found + links.much_noise("aside", 2, 4))


def association(links: PageLinks) -> list[MadeLink]:
    """Links of an association: on every third page a list of members; else news of the trade and its neighbours."""
    found = _members(links, 12) if links.page.leaf % 3 == 0 else []
    found += [_hub(links, "body") for _ in links.some(1, 2)]
    found.append(links.any_page(links.neighbor(), "association", "body"))
    return links.to_others(found + links.much_noise("body", 2, 3))


def magazine(links: PageLinks) -> list[MadeLink]:
    """Links of a magazine: articles on the trade and its neighbours; some are about a company, few about two."""
    topic, random = links.page.topic, links.random
    found = [links.home(topic, "company", "body") for _ in range(int(random() * random() * 3))]
    for _ in links.some(3, 4):
        chance = random()
        if chance < 0.45:
            found.append(links.any_page(topic, "magazine", "body"))
        elif chance < 0.55:
            found.append(_hub(links, "body"))
        elif chance < 0.75:
            found.append(links.any_page(links.neighbor(), "magazine", "body"))
        else:
            found.append(links.noise("body"))
    return links.to_others(found + links.much_noise("aside", 2, 3))


def _hub(links: PageLinks, place: str) -> MadeLink:
    return links.any_page(links.page.topic, _HUBS[int(links.random() * 3)], place)


def _supplier(links: PageLinks, place: str) -> MadeLink:
    return links.home(links.neighbor(), "company", place)


def _members(links: PageLinks, count: int) -> list[MadeLink]:
    plan, page = links.plan, links.page
    turns = (plan.nth(page.topic, "company", page.number * count + turn) for turn in range(count))
    return [MadeLink(number, "list") for number in sorted({plan.page_of(site) for site in turns})]


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
