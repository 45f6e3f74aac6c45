"""Which pages make the new collection, and from which crawl each is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class ChosenPage(NamedTuple):
    """A page that a crawl found."""

    url: str
    relevance: float


def choose(found: Mapping[str, Sequence[ChosenPage]], room: int, without: Iterable[str] = ()) -> dict[str, list[str]]:
    """The pages taken from each crawl, in the order they were found; no URL twice, at most `room` in all.

    A page that several crawls found is taken from the one to whose query it is most relevant, the earlier one on a tie.
    If there is not room for all, the queries take turns: each gives its most relevant page that is not taken yet, on a
    tie the one found first. So each query keeps its best pages, and none crowds out others.
    """
    owners: dict[str, tuple[float, str]] = {}
    left_out = set(without)
    for crawl, pages in found.items():
        for page in pages:
            known = owners.get(page.url)
            if page.url not in left_out and (known is None or page.relevance > known[0]):
                owners[page.url] = page.relevance, crawl
    taken = owners.keys() if len(owners) <= room else _in_turn(found, owners, room)
    return {
        crawl: [page.url for page in pages if page.url in taken and owners[page.url][1] == crawl]
        for crawl, pages in found.items()
    }


def _in_turn(found: Mapping[str, Sequence[ChosenPage]], owners: Mapping[str, object], room: int) -> set[str]:
    taken: set[str] = set()
    ranked = [
        iter([page.url for page in sorted(pages, key=lambda page: -page.relevance) if page.url in owners])
        for pages in found.values()
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
