"""Topics from the Open Directory, selected as two papers did.

`business` (Topical Crawling for Business Intelligence, section 3): categories of companies, consultants or
manufacturers. Ten of their links are seeds, the others targets.

`leaves` (Exploration versus Exploitation, section 2.1): categories without children. Up to ten of their links are
examples. The paper names no other targets: its second task is to find the examples again from their neighbours. So the
links beyond the examples are the targets; if they are fewer than five, all links are, and only the second task has
much to find. Fewer examples make such topics fit for both.

Only two orders are random, one of all categories and one of each category's links, and they depend only on names and
the seed. So if some are left out because their pages are gone, the next ones move up: with `held`, only categories are
chosen of whose links at least `least_held` are there.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sized
from heapq import nsmallest
from itertools import chain
from pathlib import Path
from random import Random
from typing import TypeVar

import numpy as np
from msgspec import Struct

from lycosa.core.keys import key64
from lycosa.core.urls import canonical
from lycosa.lab.beds.names import slug, with_ids, words
from lycosa.lab.beds.odp import Dump, OdpCategory, OdpListing
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.source import BedTopic

TRADES = ("Companies", "Consultants", "Manufacturers")
PLACES = ("Regional", "World", "International")
TOP = "Top"
FEW = 5
"""Links beyond the examples that are worth hunting for on their own."""
PIECE = 10_000
"""Most links of one category that are handled together."""

Held = Callable[[str], bool]
"""Whether there is a page at a URL."""

_Name = TypeVar("_Name", str, int)


class TopicSelection(Struct):
    """Topics from a dump, and how they were selected."""

    topics: list[BedTopic]
    """The topics, one for each chosen category."""
    categories: int
    """Number of categories that meet the paper's criteria."""
    warnings: list[str]


def business(
    content: str | Path,
    *,
    topics: int | None = None,
    examples: int = 10,
    links: int = 21,
    endings: Collection[str] = TRADES,
    without: Collection[str] = PLACES,
    seed: int = 1,
    held: Held | None = None,
    least_held: int = 1,
    progress: StageProgress = no_progress,
) -> TopicSelection:
    """Categories whose names end with one of the words, with at least `links` links, not below any of `without`.

    All of them, or a random sample of `topics`.
    """
    require_examples(examples)
    if examples >= links:
        raise Refused(
            f"{examples} of {links} links as seeds leave no target",
            "ask for fewer examples or more links",
            code=Code.CONTRADICTION,
        )

    def wanted(category: str) -> bool:
        path = _path(category)
        return bool(path) and words(path[-1])[-1:] in ends and not shunned.intersection(path)

    ends, shunned = [[word] for word in endings], set(without)
    dump = Dump(content, progress)
    lists = _Lists(wanted)
    lists.fill(dump)
    found = lists.with_links(links)
    fit = [name for name, kept in found.items() if held is None or sum(map(held, kept)) >= least_held]
    chosen = [_topic(name, _path(name)[1:], found[name], examples, seed) for name in _sample(fit, topics, seed)]
    _require(found, fit, f"ends with {' or '.join(endings)}", links, least_held)
    return _selection(chosen, len(found), len(fit), topics, lists, dump.troubles())


def leaves(
    content: str | Path,
    structure: str | Path | None = None,
    *,
    topics: int | None = 100,
    examples: int = 10,
    links: int = 5,
    without: Collection[str] = (),
    seed: int = 1,
    held: Held | None = None,
    least_held: int = 1,
    progress: StageProgress = no_progress,
) -> TopicSelection:
    """A random sample of the categories without children that have at least `links` links.

    Children are those that the structure names, and any category further down in either file. The content is read
    twice: once to count, once for the sample.
    """
    require_examples(examples)
    dump = Dump(content, progress)
    dumps = [dump] if structure is None else [Dump(structure, progress), dump]
    census = _Census(set(without), held)
    for one in dumps:
        census.count(one)
    troubles = list(chain.from_iterable(one.troubles() for one in dumps))
    found, fit = census.leaves(links), census.leaves(links, least_held if held else 0)
    _require(found, fit, "is a leaf", links, least_held)
    keys = set(_sample(fit, topics, seed))
    lists = _Lists(lambda category: key64(category) in keys)
    lists.fill(dump)
    # A category that occurs again in the dump may have been counted with more links than it has.
    sample = lists.with_links(links)
    chosen = [_topic(name, _path(name), sample[name], examples, seed, FEW) for name in sorted(sample)]
    if both := sum(topic.examples[0] in topic.targets for topic in chosen):
        troubles.append(
            f"{both} topics have fewer than {FEW} links beyond their examples, so that the examples are targets too: "
            "hunt these from their neighbors, or ask for fewer examples"
        )
    return _selection(chosen, len(found), len(fit), topics, lists, troubles)


def require_examples(examples: int) -> None:
    """Refuse to make topics without start pages."""
    if examples < 1:
        raise Refused(
            "a topic without examples has no start",
            "ask for at least one example",
            code=Code.OUT_OF_RANGE,
            field="examples",
        )


def _require(found: Sized, fit: Sized, kind: str, links: int, least_held: int) -> None:
    if not found:
        raise Refused(
            f"no category {kind} and has at least {links} links", "ask for fewer links", code=Code.EMPTY, field="links"
        )
    if not fit:
        problem = f"of no category that {kind} {least_held} pages are recorded"
        raise Refused(problem, "record more pages, or ask for fewer examples and targets", code=Code.EMPTY)


def _selection(
    topics: list[BedTopic], found: int, fit: int, asked: int | None, lists: _Lists, troubles: list[str]
) -> TopicSelection:
    if fit < found:
        troubles.append(f"{found - fit:,} of {found:,} categories have too few recorded pages and were left out")
    if asked is not None and len(topics) < asked:
        troubles.append(f"{asked} topics were asked for, and only {len(topics)} are there")
    if lists.unusable:
        troubles.append(f"{lists.unusable:,} listed links are not http URLs, or too long, and were left out")
    return TopicSelection(with_ids(sorted(topics, key=lambda topic: topic.category)), found, troubles)


class _Lists:
    """The links of wanted categories, each URL once, with the editors' descriptions."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self._links: dict[str, dict[str, str]] = {}
        self.unusable = 0

    def fill(self, dump: Dump) -> None:
        """Read the wanted links from a dump."""
        for name, links in _runs(dump):
            if links and self._wanted(name):
                kept = self._links.setdefault(name, {})
                for link in links:
                    if url := canonical(link.url):
                        kept.setdefault(url, f"{link.title} {link.description}".strip())
                    else:
                        self.unusable += 1

    def with_links(self, links: int) -> dict[str, dict[str, str]]:
        """The categories with at least that many links."""
        return {name: kept for name, kept in self._links.items() if len(kept) >= links}


class _Census:
    """The number of links of each category, and whether it has children, in a few bytes for each of a million."""

    def __init__(self, without: set[str], held: Held | None) -> None:
        self._without = without
        self._is_held = held
        self._parents: set[int] = set()
        self._keys = array("Q")
        self._links = array("I")
        self._held = array("I")

    def count(self, dump: Dump) -> None:
        """Count the links and children of a dump's categories."""
        for name, links in _runs(dump, self._mark):
            self._above(name)
            if links and self._without.isdisjoint(_path(name)):
                urls = {url for link in links if (url := canonical(link.url))}
                self._keys.append(key64(name))
                self._links.append(len(urls))
                self._held.append(sum(map(self._is_held, urls)) if self._is_held else len(urls))

    def leaves(self, links: int, held: int = 0) -> list[int]:
        """The keys of the categories without children that have at least `links` links, of which `held` are there."""
        keys, place = np.unique(np.array(self._keys, np.uint64), return_inverse=True)
        enough = np.bincount(place, np.array(self._links), len(keys)) >= links
        enough &= np.bincount(place, np.array(self._held), len(keys)) >= held
        parents = np.array(list(self._parents), np.uint64)
        return [int(key) for key in keys[enough & ~np.isin(keys, parents)]]

    def _mark(self, category: OdpCategory) -> None:
        if category.children:
            self._parents.add(key64(category.name))

    def _above(self, name: str) -> None:
        """Note that every category above this one has a child; above a noted category all are noted already."""
        at = name.rfind("/")
        while at > 0 and (key := key64(name[:at])) not in self._parents:
            self._parents.add(key)
            at = name.rfind("/", 0, at)


def _runs(dump: Dump, each: Callable[[OdpCategory], None] | None = None) -> Iterator[tuple[str, list[OdpListing]]]:
    """The consecutive links of a dump, grouped by category; `each` is called with every category itself."""
    name, links = "", list[OdpListing]()
    for entry in dump:
        if isinstance(entry, OdpListing):
            if entry.category != name:
                if name:
                    yield name, links
                name, links = entry.category, []
            elif len(links) == PIECE:
                yield name, links
                links = []
            links.append(entry)
        elif isinstance(entry, OdpCategory):
            if entry.name != name:
                if name:
                    yield name, links
                name, links = entry.name, []
            if each:
                each(entry)
    if name:
        yield name, links


def _sample(found: list[_Name], size: int | None, seed: int) -> list[_Name]:
    if size is not None and size < 1:
        raise Refused(f"{size} topics are none", "ask for at least one", code=Code.OUT_OF_RANGE, field="topics")
    return nsmallest(len(found) if size is None else size, found, lambda name: _place(name, seed))


def _place(name: str | int, seed: int) -> int:
    """The position of a category, given by its name or its key, in the random order."""
    return key64(f"{seed} {key64(name) if isinstance(name, str) else name}")


def _topic(name: str, parts: Iterable[str], links: dict[str, str], examples: int, seed: int, few: int = 1) -> BedTopic:
    path = _path(name)
    # One shuffle for each category: the same links become examples whichever other topics are chosen.
    urls = sorted(links)
    Random(f"{seed} {name}").shuffle(urls)
    return BedTopic(
        id=slug(" ".join(path)),
        category="/".join(path),
        keywords=" ".join(word for part in parts for word in words(part)),
        description=" ".join(filter(None, links.values())),
        examples=tuple(urls[:examples]),
        targets=tuple(urls[examples:] if len(urls) - examples >= few else urls),
    )


def _path(name: str) -> list[str]:
    """The parts of a category's name, without the dump's own root."""
    parts = [part for part in name.split("/") if part]
    return parts[1:] if parts[:1] == [TOP] else parts
