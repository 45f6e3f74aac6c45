"""Parsed pages: every answer of a source, parsed once, in files that any number of processes map into shared memory.

A crawl in virtual time then waits for nothing, and a web of a million pages costs a process no more memory than the
pages it reads. The files are in the user's cache folder; parsed_cache.py writes them.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import zstandard
from msgspec import Struct
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.core.nouns import Failure, Link, Moved, Page, Raw
from lycosa.web.extracted import NOWHERE
from lycosa.web.offline import SourceWeb

LIMIT = 1 << 20
"""Most body bytes from which a kept page was parsed; for a crawl with a lower limit, longer pages are parsed again."""

IN_MEMORY = 10_000
"""Pages that a ParsedWeb keeps as objects in memory: enough for all pages of a small bed."""

RECORDS, ROBOTS, META = "records.bin", "robots.msgpack", "meta.json"
ARRAYS = {"starts": np.int64, "texts": np.int64, "keys": np.uint64, "rows": np.int32, "unfollowed": np.uint64}

Answer = Page | Moved | Failure


class ParsedHead(Struct, array_like=True):
    """A kept page without its text. Links share the elements around them, so each span is kept once."""

    url: str
    title: str
    language: str
    status: int
    mime: str
    digest: str
    size: int
    etag: str
    modified: str
    urls: list[str]
    spans: list[tuple[int, int]]
    rings: list[list[int]]
    """Lists of indices into `spans`."""
    links: list[tuple[int, int, int]]
    """With context: for each URL the index of its own span in `spans`, of the elements around it, and of its path."""
    headings: str = ""
    """Only with context."""
    paths: list[str] = []
    """The tag paths of its links; only with context."""


class Other(Struct, array_like=True):
    """An answer that is not a page, or a robots.txt."""

    url: str
    page: Page | None = None
    moved: Moved | None = None
    failure: Failure | None = None

    @property
    def answer(self) -> Answer:
        """The answer, of whichever kind it is."""
        answer = self.page or self.moved or self.failure
        assert answer is not None
        return answer


class Meta(Struct):
    """What must be true of the files of parsed pages."""

    pages: int
    rows: int
    bytes: int
    context: bool
    unfollowed: int = 0
    """Links that were left out because they or their pages ask not to be followed; counted without context only."""
    unfollowed_on: int = 0
    """The pages with such links."""


class ParsedPages:
    """The answers of a source by row: first its pages, in the order of the source, then everything else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        meta = msgspec.json.decode((folder / META).read_bytes(), type=Meta)
        self.pages = meta.pages
        """How many rows are pages; robots.txt does not count."""
        self.context = meta.context
        """Whether links carry their spans."""
        self._starts = self._array("starts", meta.rows + 1)
        self._texts = self._array("texts", meta.pages)
        self._keys = self._array("keys", meta.rows)
        self._rows = self._array("rows", meta.rows)
        self.unfollowed: NDArray[np.uint64] = self._array("unfollowed", meta.unfollowed)
        """The 64-bit keys of the targets of links that were left out because of nofollow."""
        self.unfollowed_on = meta.unfollowed_on
        """How many pages have such links."""
        with (folder / RECORDS).open("rb") as file:
            self._records = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if meta.bytes else b""
        if len(self._records) != meta.bytes:
            raise OSError(f"{folder / RECORDS} is not whole")
        self.robots = msgspec.msgpack.decode((folder / ROBOTS).read_bytes(), type=dict[str, Raw])
        """The recorded answers for robots.txt, and for the URLs to which they redirect."""
        self._unpack = zstandard.ZstdDecompressor().decompress
        self._head = msgspec.msgpack.Decoder(ParsedHead).decode
        self._other = msgspec.msgpack.Decoder(Other).decode

    def _array(self, name: str, size: int) -> NDArray[Any]:
        found = np.fromfile(self.folder / f"{name}.bin", ARRAYS[name])
        if len(found) != size:
            raise OSError(f"{self.folder / name}.bin is not whole")
        return found

    def __len__(self) -> int:
        return len(self._keys)

    def row(self, url: str) -> int:
        """The row of a canonical URL, or -1."""
        key = np.uint64(key64(url))
        place = int(np.searchsorted(self._keys, key))
        return int(self._rows[place]) if place < len(self._keys) and self._keys[place] == key else -1

    def rows_of(self, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The rows of many URLs by their 64-bit keys; -1 for an unknown URL."""
        places = np.searchsorted(self._keys, keys)
        places[places == len(self._keys)] = 0
        return np.where(self._keys[places] == keys, self._rows[places], -1).astype(np.int32)

    def head(self, row: int) -> ParsedHead:
        """A page without its text."""
        return self._head(self._records[self._starts[row] : self._texts[row]])

    def text(self, row: int) -> str:
        """The text of a page."""
        return self._unpack(self._records[self._texts[row] : self._starts[row + 1]]).decode("utf-8", "surrogatepass")

    def url(self, row: int) -> str:
        """The URL of a row."""
        return self.head(row).url if row < self.pages else self.other(row).url

    def other(self, row: int) -> Other:
        """What is kept of an answer that is not a page."""
        return self._other(self._records[self._starts[row] : self._starts[row + 1]])

    def answer(self, row: int, text: bool = True) -> Answer:
        """The answer in a row; `text=False` saves the time to unpack a text that is not needed."""
        if row >= self.pages:
            return self.other(row).answer
        head = self.head(row)
        if not self.context:
            links = [Link(url, NOWHERE) for url in head.urls]
        else:
            spans = head.spans
            rings = [tuple([spans[place] for place in ring]) for ring in head.rings]
            links = [
                Link(url, spans[span], rings[ring], head.paths[path])
                for url, (span, ring, path) in zip(head.urls, head.links, strict=True)
            ]
        return Page(
            head.url,
            self.text(row) if text else "",
            links,
            head.title,
            head.language,
            head.status,
            head.mime,
            head.digest,
            head.size,
            head.etag,
            head.modified,
            headings=head.headings,
        )


class ParsedWeb:
    """Parsed pages as a web. Missing answers, and pages longer than the crawl's limit, come from the web behind it."""

    def __init__(self, parsed: ParsedPages, behind: SourceWeb, *, raw: bool = False, text: bool = True) -> None:
        self.parsed = parsed
        self._behind = behind
        self._raw = raw
        self._text = text
        self._known: dict[str, Answer] = {}

    async def get(self, url: str, limit: int) -> Answer:
        """The answer for a canonical URL."""
        answer = self._known.get(url)
        if answer is None:
            row = self.parsed.row(url)
            if row < 0:
                return await self._behind.get(url, limit)
            answer = self.parsed.answer(row, self._text)
            if len(self._known) >= IN_MEMORY:
                self._known.clear()
            self._known[url] = answer
        if type(answer) is Page and answer.size > self._behind.longest(answer.mime, limit):
            return await self._behind.get(url, limit)
        if (closed := await self._behind.closed(url)) is not None:
            return closed
        if self._raw and not isinstance(answer, Failure):
            return msgspec.structs.replace(answer, raw=self._behind.source.response(url))
        return answer

    async def pause(self, url: str) -> float:
        """The seconds between requests that the robots.txt of a URL's host asks for."""
        return await self._behind.pause(url)

    async def close(self) -> None:
        """Nothing to close: the source belongs to the caller."""


class OnlyRobots:
    """A source that has only the kept robots.txt files, so that the real source need not be opened again."""

    def __init__(self, parsed: ParsedPages) -> None:
        self._kept = parsed.robots
        self.response: Callable[[str], Raw | None] = self._kept.get

    def urls(self) -> Any:
        """The URLs of what is kept."""
        return iter(self._kept)


def web_of(parsed: ParsedPages, *, text: bool = True) -> ParsedWeb:
    """Parsed pages as a web in which nothing else exists."""
    return ParsedWeb(parsed, SourceWeb(OnlyRobots(parsed), parsed.context, paths=parsed.context, raw=False), text=text)
