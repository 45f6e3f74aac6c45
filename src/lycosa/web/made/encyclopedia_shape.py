"""Encyclopedia: long articles with many links in their running text, fields that overlap, and islands among them.

Articles link to articles of their own field, and drift into the neighbouring ones; a quarter of them belongs to two
fields. A link is a word of a sentence about something else, so that only its own words show where it leads. One site
in six is an island: no article of its field links to it, only the biographies of people who worked there do, so a
crawler that wants to find it must tunnel through pages that are about something else. People, too, have a field, whose
articles link to them more often than others do.
"""

from __future__ import annotations

from lycosa.web.made.links import away, page_of, portal, round_the_noise
from lycosa.web.made.shape import Dice, Out, Shape
from lycosa.web.made.site_plan import MadePage, SitePlan


def article(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of an article: twelve or more in its text, about half in its field, a quarter near it, some to people."""
    found = []
    for _ in range(12 + int(dice() * 18)):
        lot = dice()
        if lot < 0.45:
            found.append(page_of(atlas, spot.topic, "article", dice, "body"))
        elif lot < 0.7:
            found.append(page_of(atlas, atlas.related(spot.topic, dice()), "article", dice, "body"))
        elif lot < 0.75:
            found.append(page_of(atlas, int(dice() * atlas.topics), "article", dice, "body"))
        elif lot < 0.85:
            found.append(Out(person_of(atlas, spot.topic, dice), "body"))
        else:
            found.append(away(atlas, dice, "body"))
    return list(dict.fromkeys(out for out in found if out.to != spot.number))


def person(atlas: SitePlan, spot: MadePage, dice: Dice) -> list[Out]:
    """Links of a biography: other biographies, the islands of its field in turn, sometimes an article of the field."""
    field = spot.number % atlas.topics
    found = round_the_noise(atlas, spot) + [away(atlas, dice, "body") for _ in range(4 + int(dice() * 6))]
    found.append(Out(person_of(atlas, field, dice), "body"))
    turn = spot.number // atlas.topics
    if turn % 2:
        found.append(Out(atlas.page_of(atlas.nth(field, "island", turn // 2)), "body"))
    if dice() < 0.3:
        found.append(page_of(atlas, field, "article", dice, "body"))
    return list(dict.fromkeys(out for out in found if out.to != spot.number))


def person_of(atlas: SitePlan, field: int, dice: Dice) -> int:
    """A random biography of this field: every `topics`-th page of the noise belongs to it."""
    first, pages = atlas.noise.first, atlas.noise.pages
    start = (field - first) % atlas.topics
    count = max(1, -(-(pages - start) // atlas.topics))
    return first + (start + atlas.topics * int(dice() * count)) % pages


SHAPE = Shape(
    name="encyclopedia",
    community=("article", "article", "article", "island", "article", "article"),
    noise=("person", "person", "portal", "person", "person", "person"),
    rules={"article": article, "island": article, "person": person, "portal": portal},
    listed=("article",),
    length=2.0,
    blurb=1,
)
