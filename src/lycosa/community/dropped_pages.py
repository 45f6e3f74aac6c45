"""Which pages of the old collection are not in the new one, and why."""

from __future__ import annotations

from collections.abc import Collection as Some

from lycosa.community.page_history import ABSENT
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.core.nouns import Miss
from lycosa.core.urls import host_of

_ABOUT_A_PAGE = ("status ", "type ", "refused ", "damaged ", "encrypted ", "too large to read")
_ABOUT_A_PAGE_IN_FULL = ("robots", "redirect to nowhere", "bad url", "too many redirects")
"""Reasons of misses that say something about the page, by their beginning or in full."""


def says_something(miss: Miss) -> bool:
    """Whether a miss says something about the page itself; a fault of the network or a server does not."""
    return not miss.again and (miss.reason in _ABOUT_A_PAGE_IN_FULL or miss.reason.startswith(_ABOUT_A_PAGE))


def uncertain(fetches: RefreshFetches, old: Some[str], seeds: Some[str] = ()) -> list[str]:
    """Pages of the old collection that could not be fetched for a reason that says nothing about them.

    A host that fails is given up, and the rest of its pages are not even tried: those that were `seeds` count, too. If
    the host never answered in this refresh, all its pages count: any of them might have been found.
    """
    missed = {miss.ticket.url: miss for miss in fetches.misses()}
    in_vain = {url for url, miss in missed.items() if not says_something(miss)}
    failing = {host_of(url) for url in in_vain}
    known = missed.keys() | {redirect.ticket.url for redirect in fetches.redirects()}
    silent = failing - {host_of(url) for url in known - in_vain} - {host_of(url) for url in old if url in fetches}
    untried = {url for url in seeds if host_of(url) in failing} | {url for url in old if host_of(url) in silent}
    return sorted(url for url in in_vain | (untried - known) if url in old and url not in fetches)


def unavailable(old: Some[str], fetches: RefreshFetches) -> dict[str, str]:
    """The pages of the old collection that the Web has no more at their URL, or that may not be fetched, and why."""
    missed = {miss.ticket.url: miss for miss in fetches.misses()}
    moved = {redirect.ticket.url: redirect.to for redirect in fetches.redirects()}
    why = {}
    for url in old:
        if url in fetches:
            continue
        if url in missed and says_something(missed[url]):
            why[url] = missed[url].reason
        elif url in moved:
            why[url] = f"moved to {moved[url]}"
    return why


def why_dropped(old: Some[str], new: Some[str], fetches: RefreshFetches, found: Some[str]) -> dict[str, str]:
    """For each page of the old collection that is not in the new one, the reason.

    `found` are the pages of the iterations from which the new collection was made.
    """
    missed = {miss.ticket.url: miss.reason for miss in fetches.misses()}
    moved = {redirect.ticket.url for redirect in fetches.redirects()}
    why = {}
    for url in old:
        if url in new:
            continue
        if url in found:
            why[url] = "no room"
        elif url in fetches:
            why[url] = "only in an earlier iteration"
        elif url in missed:
            why[url] = "gone" if missed[url] in ABSENT else missed[url]
        else:
            why[url] = "moved" if url in moved else "not reached by any query"
    return why
