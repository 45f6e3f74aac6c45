"""Suggestions: the pages a scout found that fit what was read, each with a reason in words."""

from __future__ import annotations

from collections.abc import Collection as Urls
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from lycosa.app.companion.profile import ReadingInterest, ReadPage, WordBackground, vector_of
from lycosa.app.option_docs import SAID
from lycosa.core.events import Redirected
from lycosa.core.nouns import Page
from lycosa.core.urls import host_of, identity
from lycosa.core.words import terms
from lycosa.engine.archived import archived
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused

MOST = 8
FARTHEST = 2
"""Links between the page that is read and a suggested one, at most."""
NEAR = 0.1
"""How similar to what was read a page must be, as a share of the current page's own similarity."""
ENOUGH = 4
"""Pages that a scout still under path must have found before anything is suggested."""
_AWAY = 0.9
"""Factor on a page's relevance for each link of distance."""
_SHARED = 3
"""Shared words named in a reason, at most."""
_LONG = 80
"""Characters shown of an anchor text or title, at most."""


@dataclass(frozen=True)
class Suggestion:
    """A page of possible interest."""

    __pydantic_config__: ClassVar = SAID
    url: str
    title: str
    host: str
    relevance: float
    """How similar it is to what was read, from 0 to 1."""
    distance: int
    """Links between the page that is read and this one."""
    anchor: str
    """The anchor text of the link to it."""
    through: str
    """The title of the page with that link, unless that is the page that is read."""
    words: list[str]
    """Words it shares with what was read."""
    reason: str
    """The reason for the suggestion, in a sentence."""


class LinkPath(NamedTuple):
    """How a scout reached a page."""

    distance: int
    via: str
    """The page with the link to it."""
    link: str
    """The URL of the link, which may have redirected."""


class ScoutFindings:
    """What a scout has found so far, whether it has finished or not."""

    def __init__(self, folder: Path, start: str) -> None:
        self.start = start
        """The page that is read."""
        self.pages: dict[str, Page] = {}
        self._paths: dict[str, LinkPath] = {}
        try:
            with Collection.open(folder) as collection:
                for row in collection.log.pages(order="time"):
                    if row.where and row.status in (200, 304):
                        page = archived(collection.repository, row.url, row.where, context=True)
                        page.digest = row.digest
                        self.pages[row.url] = page
                        self._paths[row.url] = _path_to(collection, row.url)
        except Refused:
            # It has not begun yet, or its collection is damaged: then there is nothing more to suggest.
            return

    def bags(self, but: Urls[str] = ()) -> list[dict[str, int]]:
        """The terms of each fetched page, except those in `but`."""
        return [terms(page.text) for url, page in self.pages.items() if url != self.start and url not in but]

    def suggestions(
        self, interest: ReadingInterest, background: WordBackground, current: ReadPage, read: Urls[str]
    ) -> list[Suggestion]:
        """The pages that fit, best first; none that was read already.

        A page fits if it is more similar to what was read than the scouted pages are on average. On made webs, 99 of
        100 suggestions are then from the topic's community, but only 55 of 100 scouted pages: see
        docs/how-to/companion.md.
        """
        vectors = {url: vector_of(page.text, background) for url, page in self.pages.items() if url != self.start}
        likeness = {url: interest.similarity(vector) for url, vector in vectors.items()}
        own = interest.similarity({term: weight * background.idf(term) for term, weight in current.terms.items()})
        least = max(NEAR * own, sum(likeness.values()) / max(1, len(likeness)))
        found: list[tuple[float, Suggestion]] = []
        for page in self._unread(read):
            path, relevance = self._paths[page.url], likeness[page.url]
            if relevance >= least > 0 and 0 < path.distance <= FARTHEST:
                made = self._made(page, path, relevance, interest.shared(vectors[page.url], _SHARED))
                found.append((relevance * _AWAY**path.distance, made))
        found.sort(key=lambda one: -one[0])
        return [suggestion for _, suggestion in found[:MOST]]

    def _unread(self, read: Urls[str]) -> Iterator[Page]:
        """The pages that were not read, each once, whatever its address or copy."""
        seen = {identity(url) for url in read} | {identity(self.start)}
        bodies: set[str] = set()
        for url, page in self.pages.items():
            if identity(url) not in seen and page.digest not in bodies:
                seen.add(identity(url))
                bodies.add(page.digest)
                yield page

    def _made(self, page: Page, path: LinkPath, relevance: float, words: list[str]) -> Suggestion:
        via = self.pages.get(path.via)
        anchor = _anchor(via, path.link) if via else ""
        through = "" if path.distance == 1 or not via else _short(via.title or path.via)
        title = " ".join(page.title.split())[:300] or page.url
        reason = _reason(path.distance, anchor, through, words)
        host = host_of(page.url)
        return Suggestion(page.url, title, host, round(relevance, 4), path.distance, anchor, through, words, reason)


def _path_to(collection: Collection, url: str) -> LinkPath:
    """The path from a page back to the one that is read; a redirect does not count as a link."""
    log = collection.log
    distance, via, link = 0, "", url
    hop, seen = url, {url}
    while (lease := log.lease_of(hop)) and (before := lease.event.ticket.via) and before not in seen:
        if not any(isinstance(entry.event, Redirected) for entry in log.outcomes_of(before)):
            distance += 1
            via, link = (via, link) if via else (before, hop)
        seen.add(before)
        hop = before
    return LinkPath(distance, via, link)


def _anchor(page: Page, url: str) -> str:
    texts = [" ".join(page.anchor(link).split()) for link in page.links if link.url == url]
    return _short(max(texts, key=len, default=""))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONG else f"{text[: _LONG - 1].rstrip()}…"


def _reason(distance: int, anchor: str, through: str, words: list[str]) -> str:
    where = "linked from the page you read" if distance == 1 else f"two links away, through «{through}»"
    by = f" by «{anchor}»" if anchor else ""
    several = " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
    return where + by + (f"; shares {several} with what you read" if words else "")
