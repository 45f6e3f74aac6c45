"""Kinds of pages, by their addresses: articles and manual pages of one site differ in kind where they share a subject.

The kinds of an address are its folders' names, its depth, its suffix, the names in its query, and whether it is an
index. A front page, the root of a host, is a kind of its own. Known pages teach which kinds are wanted: how often the
known relevant pages have a kind, compared with how often all pages have it,

    worth(k) = ln ((known with k + M · share of k) / (known + M) / share of k)

less the same for pages that are known to be irrelevant. M shrinks what rests on few pages. A page's kind is worth
Σ worth(k) / √(number of kinds), times how well this separates the known pages from all others if each is left out of
its own count (2 · area under the ROC curve - 1): where it does not, addresses mean nothing and kinds count nothing.

A person who gives front pages as examples may mean these pages or the whole sites, so front pages are neither better
nor worse than others. Only if the topic asks for sites («companies», «museums»), or if pages inside such sites were
judged irrelevant, front pages are what is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.nouns import Plain

Kinds = NDArray[np.uint16]

KINDS = 8
"""Kinds of one address at most; 0 means none."""
NUMBERS = 1 << 16
FRONT = 1
"""The kind of a front page."""
SHRINKAGE = 4.0
"""M: the weight of the usual share, in known pages."""
SITES = 10
"""If the topic asks for sites: as many known front pages as that is worth."""
SITES_WEIGHT = 0.15
"""The weight of kinds then: pages inside sites lead to what is wanted, so a crawl must not avoid them."""
_FEWEST = 2
"""Known pages needed before kinds count."""

_INDEX = {"", "index", "home", "default", "main", "start", "welcome"}
_digits = re.compile(r"\d+")
# Whole words, not stems, which «organic» and «organizations» share. Of a word that is also used in other senses, as in
# «company law» or «data store», only the plural asks for sites.
_ASK_FOR_SITES = """companies businesses firms manufacturer manufacturers makers producers supplier suppliers vendor
vendors
distributor distributors dealers retailer retailers shops stores startup startups consultants consultancy consultancies
contractors agencies providers restaurants hotels museums galleries universities colleges institutes laboratories
hospitals clinics clubs associations societies charities organisations organizations foundations publishers brewery
breweries winery wineries studios website websites homepage homepages blogs"""
_SITES = frozenset(_ASK_FOR_SITES.split())
_word = re.compile(r"\w+")


def asks_for_sites(keywords: str) -> bool:
    """Whether keywords name something that has a site of its own, such as companies or museums."""
    return not _SITES.isdisjoint(_word.findall(keywords.lower()))


def kinds_of(url: str) -> list[int]:
    """The kinds of an address, at most KINDS; the same text always has the same number."""
    address, _, query = url.partition("?")
    parts = address.split("/")[3:]
    folders, name = [part.lower() for part in parts[:-1] if part], parts[-1] if parts else ""
    stem, _, suffix = name.lower().rpartition(".")
    if not stem:
        stem, suffix = suffix, ""
    index = stem in _INDEX
    if index and not folders and not query:
        return [FRONT]
    found = [f"depth {min(len(folders), 5)}", f".{suffix[:5]}"]
    if index:
        found.append(f"index {min(len(folders), 3)}")
    # A letter or a number is a drawer of an alphabet or a calendar, not a kind.
    names = [_digits.sub("0", folder) for folder in folders if len(folder) > 1 and not folder.isdigit()]
    if names:
        found.append(f"in {names[-1]}")
    found += [f"?{pair.partition('=')[0]}" for pair in query.split("&")[:2] if pair]
    found += names[: KINDS - len(found)]
    return [2 + key64(kind) % (NUMBERS - 2) for kind in found[:KINDS]]


def packed(urls: Sequence[str]) -> Kinds:
    """The kinds of some addresses, a row each."""
    rows = np.zeros((len(urls), KINDS), np.uint16)
    for row, url in zip(rows, urls, strict=True):
        found = kinds_of(url)
        row[: len(found)] = found
    return rows


class PageKinds:
    """What the kinds of pages are worth, by those that are known."""

    def __init__(self, sites: bool = False) -> None:
        self.sites = sites
        """Whether the topic asks for sites."""
        self.worth = np.zeros(NUMBERS)
        self.weight = 0.0

    def scores(self, kinds: Kinds) -> NDArray[np.float64]:
        """What the kinds of these addresses are worth together."""
        if not self.weight:
            return np.zeros(len(kinds))
        return np.asarray(self.weight * _together(self.worth, kinds))

    def fit(self, kinds: Kinds, sure: NDArray[np.int8]) -> None:
        """Learn from the pages that are known: 1 relevant, -1 irrelevant, 0 not known."""
        self.weight = 0.0
        good, bad = sure > 0, sure == -1
        front = kinds[:, 0] == FRONT
        sites = self.sites or self._sites_judged(good, bad, front)
        if not sites:
            good, bad = good & ~front, bad & ~front
        if not good.any():
            # A page may be off topic for its subject: without relevant pages beside it, it says nothing about kinds.
            bad = good
        known = int(good.sum()) + SITES * sites
        if known < _FEWEST:
            return
        pages = np.ones(len(kinds), bool) if sites else ~front
        share = (_counts(kinds[pages]) + 0.5) / (pages.sum() + 1)
        with_kind = _counts(kinds[good])
        with_kind[FRONT] += SITES * sites
        self.worth = _log_odds(with_kind, known, share)
        if bad.any():
            self.worth -= _log_odds(_counts(kinds[bad]), int(bad.sum()), share)
        self.worth[0] = 0.0
        if sites:
            self.weight = SITES_WEIGHT
            return
        self.worth[FRONT] = 0.0
        # A known page must not vouch for its own kind.
        own = kinds[good]
        without = np.log((with_kind[own] - 1 + SHRINKAGE * share[own]) / (known - 1 + SHRINKAGE) / share[own])
        if bad.any():
            without -= _log_odds(_counts(kinds[bad]), int(bad.sum()), share)[own]
        left_out = (without * (own > 0)).sum(1) / np.sqrt(np.maximum((own > 0).sum(1), 1))
        others = np.sort(_together(self.worth, kinds[pages & ~good]))
        if len(others):
            below = (np.searchsorted(others, left_out) + np.searchsorted(others, left_out, "right")) / 2
            self.weight = max(0.0, 2 * float(below.mean()) / len(others) - 1)

    @staticmethod
    def _sites_judged(good: Any, bad: Any, front: Any) -> bool:
        """Whether only front pages are known to be relevant, and pages inside sites to be irrelevant."""
        return bool((good & front).any() and not (good & ~front).any() and (bad & ~front).sum() >= _FEWEST)

    def save(self) -> Plain:
        """Everything as plain data."""
        used = np.flatnonzero(self.worth)
        return {"weight": self.weight, "kinds": used.tolist(), "worth": self.worth[used].tolist()}

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        self.weight = state["weight"]
        self.worth = np.zeros(NUMBERS)
        self.worth[state["kinds"]] = state["worth"]


def _counts(kinds: Kinds) -> NDArray[np.float64]:
    """How many of these addresses have each kind."""
    return np.bincount(kinds.ravel(), minlength=NUMBERS).astype(np.float64)


def _log_odds(with_kind: NDArray[np.float64], known: int, share: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.log((with_kind + SHRINKAGE * share) / (known + SHRINKAGE) / share))


def _together(worth: NDArray[np.float64], kinds: Kinds) -> NDArray[np.float64]:
    return np.asarray(worth.take(kinds).sum(1) / np.sqrt(np.maximum((kinds > 0).sum(1), 1)))
