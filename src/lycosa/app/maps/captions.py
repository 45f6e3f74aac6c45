"""The texts of a map: headline, description and tooltips, also for those who cannot see it."""

from __future__ import annotations

from lycosa.app.maps.labels import clean, name_of
from lycosa.app.maps.map_data import Drawn, Role

ROLE_WORDS: dict[Role, str] = {
    "hub": "hub: links to many good pages",
    "authority": "authority: many good pages link to it",
    "both": "hub and authority",
    "page": "another page",
    "unfetched": "linked, not fetched",
}


def headline(drawn: Drawn) -> str:
    """The title of the map."""
    sheet = drawn.sheet
    return clean(f"Site map of {sheet.site}" if sheet.kind == "site" else f"Link map of «{sheet.keywords}»")


def told(drawn: Drawn) -> str:
    """What is on the map, and what was left out."""
    counts, sheet = drawn.sheet.counts, drawn.sheet
    parts = [f"{_some(counts.shown, counts.pages, 'page')}, relevance to «{sheet.keywords}»"]
    if sheet.kind == "site" and counts.linked:
        some = _some(counts.linked_shown, counts.linked, "URL") if counts.linked_shown else f"{counts.linked:,} URLs"
        parts.append(f"{some} linked but not fetched{'' if counts.linked_shown else ' are left out'}")
    if drawn.layout == "graph":
        parts.append(f"{_some(counts.links_shown, counts.links, 'link')} between them")
    if sheet.kind == "links":
        parts.append(f"{counts.hosts:,} {'host' if counts.hosts == 1 else 'hosts'}")
        roles = sheet.roles
        parts.append(f"{roles.count('hub') + roles.count('both'):,} hubs")
        parts.append(f"{roles.count('authority') + roles.count('both'):,} authorities")
    if sheet.kind == "site" and drawn.layout != "graph" and (guessed := int(sheet.guessed.sum())):
        parts.append(f"{guessed:,} placed by their address")
    return clean("; ".join(parts))


def _some(shown: int, there: int, noun: str) -> str:
    nouns = noun if there == 1 else f"{noun}s"
    return f"{there:,} {nouns}" if shown == there else f"{shown:,} of {there:,} {nouns}"


def tooltip(drawn: Drawn, page: int, role: Role) -> str:
    """The tooltip of a page, in a few lines."""
    sheet = drawn.sheet
    lines = [name_of(sheet.urls[page], sheet.titles[page]), clean(sheet.urls[page])]
    if role == "unfetched":
        return "\n".join([*lines, ROLE_WORDS[role]])
    lines.append(f"relevance {sheet.relevance[page]:.3f}")
    if sheet.kind == "links":
        lines.append(f"hub {sheet.hub[page]:.2f}, authority {sheet.authority[page]:.2f}: {ROLE_WORDS[role]}")
    return "\n".join(lines)
