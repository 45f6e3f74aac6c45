"""The pages of one or more recordings, their redirects and their links."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
from msgspec import structs

from lycosa.core.nouns import Failure, Moved, Page, Raw
from lycosa.lab.comparison import Ids
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.offline import SourceWeb
from lycosa.web.replay import WarcSource
from lycosa.web.response_head import writable

LIMIT = 1 << 20
"""Most body bytes of a page that are read."""
SNIFFED = 1 << 10
"""Bytes of a body that decide its type; what is not a page is not copied any further."""
HOPS = 10
EVERY = 500
"""Pages between two progress reports."""
_OF_THE_WIRE = ("content-length", "content-encoding", "transfer-encoding")
_NOBODY = -1


class RecordedPages:
    """Every answer of some recordings, one per URL: a page is preferred to a redirect, a redirect to all else."""

    def __init__(self, paths: Sequence[str | Path], progress: StageProgress = no_progress) -> None:
        if not paths:
            raise Refused(
                "there are no pages", "name a WARC, a WACZ, or a folder of them", code=Code.MISSING, field="pages"
            )
        sources = [WarcSource(path) for path in paths]
        self.damage = [line for source in sources for line in source.damage]
        """One message for every place where a recording cannot be read."""
        self._sources = sources
        self._webs = [SourceWeb(source, raw=False) for source in sources]
        self._holder: dict[str, int] = {}
        """The recording that holds a URL's answer."""
        self._number: dict[str, int] = {}
        """Pages by URL, in the order of the recordings."""
        self._moved: dict[str, str] = {}
        self._names: dict[str, int] = {}
        """Linked URLs that have an answer, while the links are being read."""
        self._tails, self._heads = array("i"), array("i")
        total = sum(map(len, sources))
        done = 0
        for holder, source in enumerate(sources):
            for url in source.urls():
                self._look(url, holder)
                done += 1
                if done % EVERY == 0 or done == total:
                    progress("reading pages", done, total)
        self._urls = list(self._number)
        self._link()

    def __len__(self) -> int:
        return len(self._urls)

    def page(self, url: str) -> str | None:
        """The URL of the page at a URL, redirects followed; None if there is none."""
        for _ in range(HOPS):
            if url in self._number:
                return url
            if (to := self._moved.get(url)) is None:
                return None
            url = to
        return None

    def holds(self, url: str) -> bool:
        """Whether there is a page at a URL, redirects followed."""
        return self.page(url) is not None

    def text(self, url: str) -> str:
        """The text of a page."""
        answer = self._webs[self._holder[url]].answer(url, LIMIT)
        return answer.text if isinstance(answer, Page) else ""

    def inlinks(self, url: str) -> list[str]:
        """The pages that link to a page."""
        number = self._number[url]
        start, end = np.searchsorted(self._to, (number, number + 1))
        return [self._urls[one] for one in self._from[start:end]]

    def urls(self) -> Iterator[str]:
        """Every URL with an answer."""
        return iter(self._holder)

    def response(self, url: str) -> Raw | None:
        """The answer at a URL as it goes into a bed: its body unpacked and the headers to match."""
        holder = self._holder.get(url)
        raw = None if holder is None else self._webs[holder].source.response(url)
        if raw is None:
            return None
        fields = [(name, writable(value)) for name, value in raw.headers if name.lower() not in _OF_THE_WIRE]
        whole = url in self._number or url.endswith("/robots.txt")
        body = raw.body if whole else raw.body[:SNIFFED]
        return structs.replace(raw, headers=tuple(fields), body=body, reason=writable(raw.reason))

    def _look(self, url: str, holder: int) -> None:
        if url in self._number:
            return
        answer = self._webs[holder].answer(url, LIMIT)
        if url in self._holder and isinstance(answer, Failure):
            return
        if isinstance(answer, Page) and not url.endswith("/robots.txt"):
            self._moved.pop(url, None)
            number = self._number[url] = len(self._number)
            inside = {link.url for link in answer.links if any(link.url in source for source in self._sources)}
            heads = [self._names.setdefault(to, len(self._names)) for to in inside]
            self._heads.extend(heads)
            self._tails.extend([number] * len(heads))
        elif isinstance(answer, Moved):
            if url in self._moved:
                return
            self._moved[url] = answer.to
        self._holder[url] = holder

    def _link(self) -> None:
        """Sort the links by the page that they lead to, redirects followed."""
        ends = [self._number[page] if (page := self.page(name)) else _NOBODY for name in self._names]
        self._names = {}
        to = np.array(ends, np.int32)[np.frombuffer(self._heads, np.int32)] if self._heads else np.empty(0, np.int32)
        tails = np.frombuffer(self._tails, np.int32) if self._tails else np.empty(0, np.int32)
        inside = (to != _NOBODY) & (to != tails)
        # Packed into one number each, they sort ten times as fast as pairs.
        pairs = np.unique(to[inside].astype(np.int64) << 32 | tails[inside])
        self._to: Ids = (pairs >> 32).astype(np.int32)
        self._from: Ids = (pairs & 0xFFFFFFFF).astype(np.int32)


def neighbors(
    pages: RecordedPages, examples: Sequence[str], shunned: set[str], rng: Random, *, size: int = 10, width: int = 20
) -> tuple[str, ...]:
    """Random pages two links upstream of examples (Exploration versus Exploitation, section 2.1).

    In the paper a search engine gave the best `width` in-links of a page; a recording has no such ranking, so they are
    drawn at random.
    """

    def upstream(url: str) -> list[str]:
        found = pages.inlinks(url)
        return found if len(found) <= width else rng.sample(found, width)

    found = {two for example in examples for one in upstream(example) for two in upstream(one)} - shunned
    return tuple(rng.sample(sorted(found), min(size, len(found))))
