"""Communities: the default shape of a made web. Companies, hubs, articles and noise, some of each.

A company links to itself, to hubs and to suppliers in related fields, never to a competitor. Directories and magazines
(the hubs) link to the companies of their community. Every page links into the noise, and the noise sometimes links
back. Directories and portals list the members of communities in turn, so that almost everything can be reached.
"""

from __future__ import annotations

from lycosa.web.made.links import PageLinks, noise, portal
from lycosa.web.made.shape import MadeLink, Shape


def company(links: PageLinks) -> list[MadeLink]:
    """Links of a company: hubs, suppliers and the noise; no competitor."""
    page, random = links.page, links.random
    found = links.much_noise("aside", 1, 3)
    if page.leaf == 0 or random() < 0.25:
        found.append(links.any_page(page.topic, "directory" if random() < 0.6 else "magazine", "body"))
    if random() < 0.4:
        found.append(links.home(links.neighbor(), "company", "body"))
    return found


def magazine(links: PageLinks) -> list[MadeLink]:
    """Links of a magazine: articles, companies and hubs of its field and of related ones."""
    topic, found = links.page.topic, []
    for _ in links.some(4, 4):
        chance = links.random()
        if chance < 0.45:
            found.append(links.any_page(topic, "magazine", "body"))
        elif chance < 0.6:
            found.append(links.home(topic, "company", "body"))
        elif chance < 0.66:
            found.append(links.any_page(topic, "directory", "body"))
        elif chance < 0.85:
            found.append(links.any_page(links.neighbor(), "magazine", "body"))
        else:
            found.append(links.noise("body"))
    return found + links.much_noise("aside", 2, 3)


def directory(links: PageLinks) -> list[MadeLink]:
    """Links of a directory: companies with descriptions, and some that belong elsewhere."""
    plan, page = links.plan, links.page
    listed = {plan.page_of(plan.nth(page.topic, "company", page.number * 8 + turn)) for turn in range(8)}
    listed |= {links.home(page.topic, "company", "list").to for _ in links.some(0, 5)}
    # Real directories misfile some sites, too.
    listed |= {links.home(links.neighbor(), "company", "list").to for _ in links.some(0, 5)}
    listed |= {link.to for link in links.much_noise("list", 0, 4)}
    hubs = [plan.page_of(plan.nth(page.topic, kind, page.number)) for kind in ("directory", "magazine")]
    found = [MadeLink(number, "list") for number in sorted(listed)]
    found += links.to_others([MadeLink(number, "body") for number in hubs])
    found.append(links.any_page(links.neighbor(), "directory", "body"))
    return found + links.much_noise("aside", 2, 4)


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
