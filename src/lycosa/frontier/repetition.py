"""Repetition: kinds of URLs of a site whose pages bring nothing new are no longer fetched after a few tries.

Calendars, facets, sort orders, print views, mirrors, endless paging and random subdomains look different but have this
in common: their pages repeat earlier content, and link only to more of their kind. The content of a page is compared by
its sketch (`core.shingles`), a kind of URL is identified by its pattern: the path without numbers, and the names of the
query's parameters.

A page is barren if three quarters of its content occurred before, anywhere in the crawl; or if half of it, or all of it
except digits, did so and the page links to more of its kind and to nothing else that is unknown. A kind is closed when
its last pages were all barren: PATIENCE of them, more if the kind had good pages, fewer if it never had and the site
has far too many barren ones. As long as barren pages are a small share of a site, none of its kinds is closed.

For a site without barren pages only two counts are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import log2
from struct import unpack

from msgspec import Struct, convert, field, to_builtins

from lycosa.core.nouns import Plain, Ticket
from lycosa.core.shingles import FEW
from lycosa.core.urls import host_of, identity, site_of
from lycosa.frontier.seen import Seen

REASON = "nothing new"
PATIENCE = 4
"""Barren pages in a row that a kind without good pages may have."""
ALLOWED, SHARE = 8, 1 / 100
"""Barren pages that a site with other pages may have in any case, and additionally for each of its other pages."""
_DEPTH = 4
"""Path segments that distinguish kinds; everything deeper is one kind."""
_NAMES, _QUERIES, _FOLDERS = 16, 4, 256
"""Names in one folder, sets of parameters at one path, and folders of a site that are distinguished."""
_VARIES = re.compile(r"\d|%|.{25}")
_ENDING = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_NAME = re.compile(r"(?:^|[&;])([^=&;]*)")


class _Kind(Struct):
    fruitful: int = 0
    barren: int = 0
    """Barren pages in a row."""
    closed: bool = False


class _Site(Struct):
    fruitful: int = 0
    barren: int = 0
    kinds: dict[str, _Kind] = {}
    names: dict[str, set[str]] = field(default_factory=dict)
    """The names distinguished in each folder, and the sets of parameters at each path."""


class Repetition:
    """Says which tickets belong to a closed kind of URL; a fold over the visits of a crawl."""

    def __init__(self) -> None:
        self._said = Seen()
        self._unshown = Seen()
        """What pages that are not shown have said: it makes other such pages barren, but none that is shown."""
        self._sites: dict[str, _Site] = {}

    def visited(
        self, url: str, sketch: bytes, links: Iterable[str], unknown: Callable[[str], bool], *, shown: bool = True
    ) -> Callable[[Ticket], bool] | None:
        """Take in a page; if this closes a kind of URL, returns a test for the queued tickets to drop.

        A page that is not `shown`, because searches must not find it, makes no page barren that is.
        """
        sketch = sketch[:FEW]
        numbers = unpack(f"<{len(sketch) // 4}I", sketch)
        if not numbers:
            return None
        known = self._said.among(list(numbers))
        if not shown:
            known |= self._unshown.among(list(numbers))
        (self._said if shown else self._unshown).update(numbers)
        parts = len(numbers) - 1
        new = sum(number not in known for number in numbers[1:])
        host = host_of(url)
        name = site_of(host)
        site = self._sites.get(name)
        if site is None:
            site = self._sites[name] = _Site()
        if 4 * new > parts and not (
            (2 * new <= parts or numbers[0] in known) and self._goes_round(site, name, url, links, unknown)
        ):
            site.fruitful += 1
            if site.kinds:
                kind = self._kind_of(site, name, url)
                kind.fruitful, kind.barren = kind.fruitful + 1, 0
            return None
        site.barren += 1
        kind = self._kind_of(site, name, url)
        kind.barren += 1
        excess = site.barren - min(ALLOWED, 2 + site.fruitful) - SHARE * site.fruitful
        # If half of its pages are good, only one kind in twenty would ever have so many barren ones in a row.
        patience = PATIENCE + log2(1 + kind.fruitful) if kind.fruitful or excess < ALLOWED else 1
        if kind.closed or excess <= 0 or kind.barren <= patience:
            return None
        kind.closed = True
        return lambda ticket: site_of(host_of(ticket.url)) == name and self(ticket) is not None

    def _goes_round(
        self, site: _Site, name: str, url: str, links: Iterable[str], unknown: Callable[[str], bool]
    ) -> bool:
        """Whether a page links to more of its kind, and to nothing else that is unknown."""
        own = self._path_of(site, name, url)
        more = False
        for link in links:
            at_site = site_of(host_of(link)) == name
            if at_site and self._path_of(site, name, link) == own:
                more = True
            elif unknown(link) and self(Ticket(link, via=url)) is None:
                return False
        return more

    def __call__(self, ticket: Ticket) -> str | None:
        """The reason to refuse a ticket, or None; a person's seeds are never refused."""
        if ticket.via is None:
            return None
        name = site_of(host_of(ticket.url))
        site = self._sites.get(name)
        if site is None or not site.kinds:
            return None
        return REASON if self._kind_of(site, name, ticket.url).closed else None

    def _kind_of(self, site: _Site, name: str, url: str) -> _Kind:
        url = identity(url)
        pattern = self._path_of(site, name, url)
        if query := url.partition("?")[2]:
            parameters = "&".join(sorted({found for found in _NAME.findall(query) if found}))
            pattern = f"{pattern}?{self._told_apart(site, f'{pattern}?', parameters, _QUERIES)}"
        kind = site.kinds.get(pattern)
        if kind is None:
            kind = site.kinds[pattern] = _Kind()
        return kind

    def _path_of(self, site: _Site, name: str, url: str) -> str:
        """The pattern of a URL's host and path."""
        start = url.index("/", 8)
        below = host_of(url).removesuffix(name).removeprefix("www.")
        pattern = "#." if _VARIES.search(below) else self._told_apart(site, "", below, _NAMES) if below else ""
        for depth, segment in enumerate(url[start + 1 :].partition("?")[0].split("/")):
            if depth == _DEPTH:
                return f"{pattern}/**"
            if _VARIES.search(segment):
                ending = _ENDING.search(segment)
                segment = f"#{ending.group()}" if ending else "#"
            elif segment:
                segment = self._told_apart(site, f"{pattern}/", segment, _NAMES)
            pattern = f"{pattern}/{segment}"
        return pattern

    @staticmethod
    def _told_apart(site: _Site, place: str, name: str, most: int) -> str:
        """The name, or * if there are too many names at this place to distinguish."""
        known = site.names.get(place)
        if known is None:
            if len(site.names) >= _FOLDERS:
                return "*"
            known = site.names[place] = set()
        if name in known:
            return name
        if len(known) >= most:
            return "*"
        known.add(name)
        return name

    def save(self) -> Plain:
        """Everything as plain data."""
        sites = {name: to_builtins(site) for name, site in self._sites.items()}
        for site in sites.values():
            site["names"] = {place: sorted(names) for place, names in site["names"].items()}
        return {"said": self._said.save(), "unshown": self._unshown.save(), "sites": sites}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self._said, self._unshown = Seen(state["said"]), Seen(state["unshown"])
        self._sites = convert(state["sites"], dict[str, _Site])
