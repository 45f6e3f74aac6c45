"""Which pages make the next collection: what the crawls found, and what stays of the old one."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from msgspec import Struct

Found = Mapping[str, Mapping[str, float]]
"""The pages that each crawl found, in order, with their relevance."""


class Selection(Struct, frozen=True):
    """The pages of the next collection."""

    found: dict[str, list[str]]
    """Pages that are taken from each crawl."""
    carried: list[str]
    """Pages of the old collection that stay as they are."""

    @property
    def urls(self) -> set[str]:
        """All pages."""
        return {url for urls in (*self.found.values(), self.carried) for url in urls}


def select(
    found: Found, old: Sequence[str], room: int, *, firm: Iterable[str] = (), least: int = 0, fill: bool = True
) -> Selection:
    """At most `room` pages: first the `firm` ones, then old ones until `least` of them stay, then what was found, and
    with `fill`, old ones again.

    `old` are the pages of the old collection that may stay, the best first. A page that was found again is taken from
    its crawl.
    """
    known, again = set(old), {url for pages in found.values() for url in pages}
    first = dict.fromkeys(islice((url for url in dict.fromkeys(firm) if url in known or url in again), room))
    missing = least - sum(url in known for url in first)
    first.update(
        dict.fromkeys(islice((url for url in old if url not in first), max(0, min(missing, room - len(first)))))
    )
    carried = [url for url in first if url not in again]
    chosen = choose(found, room - len(carried), always=first.keys() & again)
    if fill:
        taken = {url for urls in chosen.values() for url in urls}.union(carried)
        carried += islice((url for url in old if url not in taken), room - len(taken))
    return Selection(chosen, carried)


def choose(found: Found, room: int, without: Iterable[str] = (), always: Some[str] = ()) -> dict[str, list[str]]:
    """The pages taken from each crawl, in the order they were found; no URL twice, at most `room` in all.

    A page that several crawls found is taken from the one to whose query it is most relevant, the earlier one on a tie.
    If there is not room for all, the queries take turns: each gives its most relevant page that is not taken yet, on a
    tie the one found first. So each query keeps its best pages, and none crowds out others. Pages to be taken `always`
    come before all others.
    """
    owners: dict[str, tuple[float, str]] = {}
    left_out = set(without)
    for crawl, pages in found.items():
        for url, relevance in pages.items():
            if url not in left_out and (url not in owners or relevance > owners[url][0]):
                owners[url] = relevance, crawl
    taken = owners.keys() if len(owners) <= room else _in_turn(found, owners, room, always)
    return {crawl: [url for url in pages if url in taken and owners[url][1] == crawl] for crawl, pages in found.items()}


def _in_turn(found: Found, owners: Mapping[str, object], room: int, always: Some[str]) -> set[str]:
    taken = {url for url in always if url in owners}
    ranked = [
        iter([url for url in sorted(pages, key=lambda url: -pages[url]) if url in owners]) for pages in found.values()
    ]
    while ranked and len(taken) < room:
        going = []
        for urls in ranked:
            new = next((url for url in urls if url not in taken), None)
            if new is None:
                continue
            going.append(urls)
            if len(taken) < room:
                taken.add(new)
        ranked = going
    return taken
