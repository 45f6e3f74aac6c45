"""Encyclopedia: long articles with many links in their running text, fields that overlap, and islands among them.

Articles link to articles of their own field, and drift into the neighbouring ones; a quarter of them belongs to two
fields. A link is a word of a sentence about something else, so that only its own words show where it leads. One site
in six is an island: no article of its field links to it, only the biographies of people who worked there do, so a
crawler that wants to find it must tunnel through pages that are about something else. People, too, have a field, whose
articles link to them more often than others do.
"""

from __future__ import annotations

from lycosa.web.made.links import PageLinks, portal
from lycosa.web.made.shape import MadeLink, Shape


def article(links: PageLinks) -> list[MadeLink]:
    """Links of an article: twelve or more in its text, about half in its field, a quarter near it, some to people."""
    topic, found = links.page.topic, []
    for _ in links.some(12, 18):
        chance = links.random()
        if chance < 0.45:
            found.append(links.any_page(topic, "article", "body"))
        elif chance < 0.7:
            found.append(links.any_page(links.neighbor(), "article", "body"))
        elif chance < 0.75:
            found.append(links.any_page(int(links.random() * links.plan.topics), "article", "body"))
        elif chance < 0.85:
            found.append(_person_of(links, topic))
        else:
            found.append(links.noise("body"))
    return list(dict.fromkeys(links.to_others(found)))


def person(links: PageLinks) -> list[MadeLink]:
    """Links of a biography: other biographies, the islands of its field in turn, sometimes an article of the field."""
    plan, page = links.plan, links.page
    turn, field = divmod(page.number, plan.topics)
    found = [links.next_noise(), *links.much_noise("body", 4, 6), _person_of(links, field)]
    if turn % 2:
        found.append(MadeLink(plan.page_of(plan.nth(field, "island", turn // 2)), "body"))
    if links.random() < 0.3:
        found.append(links.any_page(field, "article", "body"))
    return list(dict.fromkeys(links.to_others(found)))


def _person_of(links: PageLinks, field: int) -> MadeLink:
    """A link to a random biography of this field: every `topics`-th page of the noise belongs to it."""
    topics, first, pages = links.plan.topics, links.plan.noise.first, links.plan.noise.pages
    start = (field - first) % topics
    count = max(1, -(-(pages - start) // topics))
    return MadeLink(first + (start + topics * int(links.random() * count)) % pages, "body")


SHAPE = Shape(
    name="encyclopedia",
    community=("article", "article", "article", "island", "article", "article"),
    noise=("person", "person", "portal", "person", "person", "person"),
    rules={"article": article, "island": article, "person": person, "portal": portal},
    listed=("article",),
    length=2.0,
    blurb=1,
)
