"""A segment: what a batch of pages says about the documents they link to, in arrays that never change.

pages                  the URL of each page, in the order of arrival
page_links             the first link of each page
targets, begins, ends  the URL of each link, in the order of the text; its vicinity, as in excerpt_terms.py
terms, term_starts     the keys of the terms, sorted; where the places of each begin
places                 the places of each term: 2 * place, plus 1 inside an anchor
url_keys, url_starts, url_text         URLs sorted by key; a URL's number is its rank
chunk_pages, chunk_starts, chunk_text  the pages' excerpts, several together, compressed
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, count, pairwise
from typing import Any, NamedTuple

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.index.excerpt_terms import ExcerptReader
from lycosa.index.numbers import Arrays, Flags, Keys, Numbers, Rows

_CHUNK = 16
"""Pages whose excerpts are compressed together: a sixth smaller than separately, and reading one is still fast."""
_BOTH, _HIGH = np.uint32(1), np.uint32(16)

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[str]).decode


class PageExcerpt(NamedTuple):
    """An excerpt of a page's text, and the URL of each link in it."""

    url: str
    excerpt: str
    targets: list[str]


class Segment:
    """An open segment."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.pages: Numbers = arrays["pages"]
        self.page_links: Numbers = arrays["page_links"]
        self.targets: Numbers = arrays["targets"]
        self.begins: Numbers = arrays["begins"]
        self.ends: Numbers = arrays["ends"]
        self.url_keys: Keys = arrays["url_keys"]
        self._chunk: tuple[int, list[str]] = (-1, [])

    def number(self, url: str) -> int | None:
        """The number of a URL, if the segment has it."""
        key = np.uint64(key64(url))
        rank = int(np.searchsorted(self.url_keys, key))
        return rank if rank < len(self.url_keys) and self.url_keys[rank] == key else None

    def url(self, number: int) -> str:
        """The URL with a number."""
        return self.raw_url(number).decode()

    def urls(self) -> list[str]:
        """Every URL, in the order of their numbers."""
        text, edges = self.arrays["url_text"].tobytes(), self.arrays["url_starts"].tolist()
        return [text[start:end].decode() for start, end in pairwise(edges)]

    def urls_of(self, numbers: Rows) -> list[str]:
        """The URLs with these numbers, at a fifth of the cost of single calls."""
        text, edges = self.arrays["url_text"].data, self.arrays["url_starts"]
        places = zip(edges[numbers].tolist(), edges[numbers + 1].tolist(), strict=True)
        return [str(text[start:end], "utf-8") for start, end in places]

    def raw_url(self, number: int) -> bytes:
        """The URL with a number, in UTF-8."""
        start, end = self.arrays["url_starts"][number : number + 2]
        return self.arrays["url_text"][start:end].tobytes()

    def places(self, key: int) -> Numbers:
        """The places of a term."""
        terms = self.arrays["terms"]
        wanted = np.uint64(key)
        rank = int(np.searchsorted(terms, wanted))
        if rank == len(terms) or terms[rank] != wanted:
            return np.empty(0, np.uint32)
        start, end = self.arrays["term_starts"][rank : rank + 2]
        found: Numbers = self.arrays["places"][start:end]
        return found

    def page_of(self, links: Rows) -> Rows:
        """The page of each link."""
        return np.searchsorted(self.page_links, links.astype(np.uint32), "right") - 1

    def pages_of_links(self) -> Rows:
        """The page of every link of the segment."""
        return np.repeat(np.arange(len(self.pages)), np.diff(self.page_links))

    def excerpt(self, page: int) -> str:
        """The excerpt of a page."""
        chunk = int(np.searchsorted(self.arrays["chunk_pages"], page, "right")) - 1
        if self._chunk[0] != chunk:
            self._chunk = chunk, self.chunk(chunk)
        return self._chunk[1][page - int(self.arrays["chunk_pages"][chunk])]

    def chunk(self, chunk: int) -> list[str]:
        """The excerpts of the pages of a chunk."""
        return _decode(zstandard.decompress(self.packed_chunk(chunk)))

    def packed_chunk(self, chunk: int) -> bytes:
        """A chunk as it is stored, compressed."""
        start, end = self.arrays["chunk_starts"][chunk : chunk + 2]
        return self.arrays["chunk_text"][start:end].tobytes()


def made(batch: Sequence[PageExcerpt], reader: ExcerptReader) -> Arrays:
    """The arrays of a new segment for a batch of excerpts."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    pages = [numbers[said.url] for said in batch]
    counts = [len(said.targets) for said in batch]
    targets = np.array([numbers[url] for said in batch for url in said.targets], np.int64)
    wording = reader.read([said.excerpt for said in batch], targets == np.repeat(pages, counts))
    used = np.zeros(len(wording.keys), np.bool_)
    used[wording.terms] = True
    terms, ranks = _ranked(wording.keys, used)
    url_keys = np.array([key64(url) for url in numbers], np.uint64)
    order = np.argsort(url_keys)
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    urls = [url.encode() for url in numbers]
    return {
        "pages": rank[pages],
        "page_links": _starts(counts),
        "targets": rank[targets],
        "begins": wording.begins,
        "ends": wording.ends,
        **_postings(terms, ranks[wording.terms], wording.places),
        "url_keys": url_keys[order],
        **_texts("url", [urls[number] for number in order.tolist()]),
        **_chunks((None, [said.excerpt for said in batch[at : at + _CHUNK]]) for at in range(0, len(batch), _CHUNK)),
    }


def merged(segments: Sequence[Segment], alive: Sequence[Flags]) -> Arrays:
    """The arrays of one segment merged from several, without dead pages."""
    lived = [_Living(segment, kept) for segment, kept in zip(segments, alive, strict=True)]
    known = [segment.url_keys[each.urls] for segment, each in zip(segments, lived, strict=True)]
    url_keys, first = np.unique(np.concatenate(known), return_index=True)
    owners = np.repeat(np.arange(len(segments)), [len(keys) for keys in known])[first].tolist()
    ranks = np.concatenate([each.urls for each in lived])[first].tolist()
    terms = np.unique(np.concatenate([segment.arrays["terms"] for segment in segments]))
    gathered: dict[str, list[NDArray[Any]]] = defaultdict(list)
    base = 0
    for segment, each in zip(segments, lived, strict=True):
        rank = np.searchsorted(url_keys, segment.url_keys).astype(np.uint32)
        gathered["pages"].append(rank[segment.pages[each.pages]])
        gathered["counts"].append(np.diff(segment.page_links)[each.pages])
        gathered["targets"].append(rank[segment.targets[each.links]])
        base = each.move(base, gathered)
        term = np.searchsorted(terms, segment.arrays["terms"]).astype(np.uint32)
        gathered["term"].append(np.repeat(term, np.diff(segment.arrays["term_starts"]))[each.places])
    whole = {name: np.concatenate(parts) for name, parts in gathered.items()}
    used = np.zeros(len(terms), np.bool_)
    used[whole["term"]] = True
    left, term_ranks = _ranked(terms, used)
    return {
        "pages": whole["pages"],
        "page_links": _starts(whole["counts"]),
        "targets": whole["targets"],
        "begins": whole["begins"],
        "ends": whole["ends"],
        **_postings(left, term_ranks[whole["term"]], whole["places"]),
        "url_keys": url_keys,
        **_texts("url", [segments[owner].raw_url(rank) for owner, rank in zip(owners, ranks, strict=True)]),
        **_chunks(_rechunked(zip(segments, alive, strict=True))),
    }


class _Living:
    """The part of a segment that belongs to living pages."""

    def __init__(self, segment: Segment, alive: Flags) -> None:
        self._segment = segment
        self._alive = alive
        everything = slice(None)
        whole = bool(alive.all())
        self.pages: Flags | slice = everything if whole else alive
        self.links: Flags | slice = everything if whole else np.repeat(alive, np.diff(segment.page_links))
        self.places: Flags | slice = everything
        used = np.zeros(len(segment.url_keys), np.bool_)
        used[segment.pages[self.pages]] = True
        used[segment.targets[self.links]] = True
        self.urls = np.flatnonzero(used)

    def move(self, base: int, gathered: dict[str, list[NDArray[Any]]]) -> int:
        """Renumber the places of living pages consecutively from `base`; return the next free place."""
        segment = self._segment
        by_link: Any = np.uint32(base)
        by_place: Any = np.uint32(2 * base)
        size = int(segment.ends[-1]) + 1
        if not isinstance(self.links, slice):
            low = segment.begins[segment.page_links[:-1]].astype(np.int64)
            sizes = np.where(self._alive, segment.ends[segment.page_links[1:] - 1].astype(np.int64) + 1 - low, 0)
            shifts = base + np.cumsum(sizes) - sizes - low
            size = int(sizes.sum())
            every = shifts[segment.pages_of_links()]
            # A place is near links of one page only, so the first of them shows whether it lives and where it moves.
            link = np.searchsorted(segment.ends, segment.arrays["places"] >> _BOTH, "right")
            self.places = self.links[link]
            by_link, by_place = every[self.links], 2 * every[link][self.places]
        gathered["begins"].append((segment.begins[self.links] + by_link).astype(np.uint32))
        gathered["ends"].append((segment.ends[self.links] + by_link).astype(np.uint32))
        gathered["places"].append((segment.arrays["places"][self.places] + by_place).astype(np.uint32))
        return base + size


def _ranked(keys: Keys, used: Flags) -> tuple[Keys, Numbers]:
    """The keys in use, sorted, and the rank of each number among them."""
    numbers = np.flatnonzero(used)
    order = numbers[np.argsort(keys[numbers])]
    ranks = np.zeros(len(keys), np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return keys[order], ranks


def _postings(terms: Keys, ranks: Numbers, places: Numbers) -> Arrays:
    """The places by term; those of a term stay in their order."""
    # numpy sorts sixteen-bit numbers by counting, four times as fast as by comparing.
    order = np.argsort(ranks.astype(np.uint16), kind="stable")
    if len(terms) > 1 << 16:
        order = order[np.argsort((ranks[order] >> _HIGH).astype(np.uint16), kind="stable")]
    counts = np.bincount(ranks, minlength=len(terms))
    return {"terms": terms, "term_starts": _starts(counts), "places": places[order]}


def _starts(counts: Any) -> Numbers:
    starts = np.zeros(len(counts) + 1, np.uint32)
    np.cumsum(counts, out=starts[1:])
    return starts


def _texts(name: str, texts: Sequence[bytes]) -> Arrays:
    starts = np.fromiter(accumulate(map(len, texts), initial=0), np.uint64, len(texts) + 1)
    return {f"{name}_starts": starts, f"{name}_text": np.frombuffer(b"".join(texts), np.uint8)}


Chunk = tuple[bytes | None, list[str]]
"""A chunk in its stored form, if it has one, and the excerpts of its pages."""


def _chunks(chunks: Iterable[Chunk]) -> Arrays:
    compress = zstandard.ZstdCompressor(level=1).compress
    counts, packed = [], []
    for ready, excerpts in chunks:
        counts.append(len(excerpts))
        packed.append(ready or compress(_plain(excerpts)))
    return {"chunk_pages": _starts(counts), **_texts("chunk", packed)}


def _plain(excerpts: list[str]) -> bytes:
    try:
        return _encode(excerpts)
    except UnicodeEncodeError:  # half a character, as broken pages have them
        return _encode([text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in excerpts])


def _rechunked(lived: Iterable[tuple[Segment, Flags]]) -> Iterator[Chunk]:
    """The excerpts of living pages; a full chunk without dead pages is taken as it is."""
    waiting: list[str] = []
    for segment, kept in lived:
        edges = segment.arrays["chunk_pages"].tolist()
        for chunk, (start, end) in enumerate(pairwise(edges)):
            full = end - start >= _CHUNK and bool(kept[start:end].all())
            if full or len(waiting) >= _CHUNK:
                if waiting:
                    yield None, waiting
                waiting = []
            if full:
                yield segment.packed_chunk(chunk), [""] * (end - start)
            elif kept[start:end].any():
                alive = kept[start:end].tolist()
                waiting += [text for text, lives in zip(segment.chunk(chunk), alive, strict=True) if lives]
    if waiting:
        yield None, waiting
