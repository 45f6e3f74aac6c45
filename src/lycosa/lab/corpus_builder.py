"""Counting the words and links of parsed pages, once, on all cores; the arrays are kept beside the pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, overload

import msgspec
import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64

from lycosa.core import keys, stopwords, words
from lycosa.core.keys import key64
from lycosa.core.nouns import Moved
from lycosa.core.urls import host_of
from lycosa.core.words import norm, terms
from lycosa.lab.corpus import Corpus, SparseRows
from lycosa.system.atomic_dir import kept
from lycosa.system.process_pool import cores, in_order
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.parsed_pages import ParsedPages

ALONE = 20_000
"""Number of pages up to which one process is about as quick as several."""
BATCH = 1000
HOPS = 10
"""Most redirects in a row that are followed from a link."""

STEMS, URLS = "stems.msgpack", "urls.bin"
FILES = {
    "word_ends": np.int32,
    "columns": np.int32,
    "counts": np.int32,
    "norms": np.float64,
    "link_ends": np.int32,
    "heads": np.int32,
    "hosts": np.int32,
    "sizes": np.int64,
    "url_ends": np.int64,
    "final": np.int32,
}


class Counted(NamedTuple):
    """The counts of a range of pages."""

    stems: list[str]
    """The stems that occur in it; columns are positions in this list."""
    word_lengths: NDArray[np.int32]
    columns: NDArray[np.int32]
    counts: NDArray[np.int32]
    norms: NDArray[np.float64]
    link_lengths: NDArray[np.int32]
    heads: NDArray[np.int32]
    urls: list[str]
    sizes: list[int]


class Urls(Sequence[str]):
    """URLs by number, read from the parsed pages."""

    def __init__(self, data: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        self._data, self._ends = data.data, ends

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        number %= len(self)
        return str(self._data[self._ends[number] : self._ends[number + 1]], "utf-8")


def corpus_of(parsed: ParsedPages, progress: StageProgress = no_progress) -> Corpus:
    """The corpus of parsed pages; its page numbers are their rows."""
    folder = parsed.folder / f"corpus-{_code()}"
    return kept(folder, lambda place: _write(place, parsed, progress), lambda place: _read(place, parsed))


@cache
def _code() -> str:
    """A digest of the code that counts."""
    code = xxh3_64(version("PyStemmer").encode())
    for module in (words, stopwords, keys):
        code.update(Path(str(module.__file__)).read_bytes())
    code.update(Path(__file__).read_bytes())
    return code.hexdigest()


def _read(folder: Path, parsed: ParsedPages) -> Corpus:
    array: dict[str, NDArray[Any]] = {name: _mapped(folder / f"{name}.bin", kind) for name, kind in FILES.items()}
    stems: list[str] = msgspec.msgpack.decode((folder / STEMS).read_bytes(), type=list[str])
    pages, heads = parsed.pages, array["heads"]
    final = array["final"]

    def number(url: str) -> int:
        row = parsed.row(url)
        return row if row < pages else int(final[row])

    return Corpus(
        Urls(_mapped(folder / URLS, np.uint8), array["url_ends"]),
        {stem: column for column, stem in enumerate(stems)},
        SparseRows(array["counts"], array["columns"], array["word_ends"], len(stems)),
        array["norms"],
        SparseRows(np.ones(len(heads), np.int8), heads, array["link_ends"], pages),
        array["hosts"],
        array["sizes"],
        number,
    )


def _mapped(path: Path, kind: Any) -> NDArray[Any]:
    # A plain array over the mapping: every slice of an np.memmap costs microseconds.
    return np.memmap(path, kind, "r").view(np.ndarray) if path.stat().st_size else np.empty(0, kind)


def _final(parsed: ParsedPages) -> NDArray[np.int32]:
    """For each row, the page that it is or redirects to, or -1."""
    final = np.arange(len(parsed), dtype=np.int32)
    moved = {}
    for row in range(parsed.pages, len(parsed)):
        answer = parsed.other(row).moved
        moved[row] = parsed.row(answer.to) if isinstance(answer, Moved) else -1
    for row in moved:
        end, hops = row, 0
        while end in moved and hops < HOPS:
            end, hops = moved[end], hops + 1
        final[row] = end if end < parsed.pages else -1
    return final


def _write(folder: Path, parsed: ParsedPages, progress: StageProgress) -> None:
    stems: dict[str, int] = {}
    hosts: dict[str, int] = {}
    files = {name: (folder / f"{name}.bin").open("wb") for name in FILES}
    ends = {"word_ends": 0, "link_ends": 0, "url_ends": 0}
    done = 0
    try:
        _final(parsed).tofile(files["final"])
        with (folder / URLS).open("wb") as names:
            for name in ends:
                np.zeros(1, FILES[name]).tofile(files[name])

            def extend(name: str, lengths: NDArray[Any]) -> None:
                running = ends[name] + np.cumsum(lengths, dtype=np.int64)
                running.astype(FILES[name]).tofile(files[name])
                ends[name] = int(running[-1]) if len(running) else ends[name]

            for part in _counted(parsed):
                columns = np.array([stems.setdefault(stem, len(stems)) for stem in part.stems], np.int32)[part.columns]
                # Columns are ascending within a page, so that one can be found by binary search.
                rows = np.repeat(np.arange(len(part.word_lengths)), part.word_lengths)
                order = np.lexsort((columns, rows))
                columns[order].tofile(files["columns"])
                part.counts[order].tofile(files["counts"])
                extend("word_ends", part.word_lengths)
                part.norms.tofile(files["norms"])
                extend("link_ends", part.link_lengths)
                part.heads.tofile(files["heads"])
                places = [hosts.setdefault(host_of(url), len(hosts)) for url in part.urls]
                np.array(places, np.int32).tofile(files["hosts"])
                np.array(part.sizes, np.int64).tofile(files["sizes"])
                encoded = [url.encode() for url in part.urls]
                extend("url_ends", np.array([len(url) for url in encoded]))
                names.write(b"".join(encoded))
                done += len(part.urls)
                progress("reading the pages", done, parsed.pages)
    finally:
        for file in files.values():
            file.close()
    (folder / STEMS).write_bytes(msgspec.msgpack.encode(list(stems)))


def _counted(parsed: ParsedPages) -> Iterator[Counted]:
    stretches = [(at, min(at + BATCH, parsed.pages)) for at in range(0, parsed.pages, BATCH)]
    if parsed.pages <= ALONE or cores() == 1:
        return map(_Counter(parsed), stretches)
    return in_order(_count, stretches, opened=_open, given=(parsed.folder,))


class _Counter:
    """Counts ranges of parsed pages."""

    def __init__(self, parsed: ParsedPages) -> None:
        self.parsed = parsed
        self.final = _final(parsed)

    def __call__(self, stretch: tuple[int, int]) -> Counted:
        start, end = stretch
        stems: dict[str, int] = {}
        columns: list[int] = []
        counts: list[int] = []
        words, norms, urls, sizes, keys, links = [], [], [], [], [], []
        for row in range(start, end):
            bag = terms(self.parsed.text(row))
            columns += [stems.setdefault(stem, len(stems)) for stem in bag]
            counts += bag.values()
            words.append(len(bag))
            norms.append(norm(bag))
            head = self.parsed.head(row)
            urls.append(head.url)
            sizes.append(head.size)
            keys += [key64(url) for url in head.urls]
            links.append(len(head.urls))
        tails = np.repeat(np.arange(end - start), links)
        heads = self.parsed.rows_of(np.array(keys, np.uint64))
        there = heads >= 0
        tails, heads = tails[there], self.final[heads[there]]
        there = (heads >= 0) & (heads != tails + start)
        # A pair counts once, and the pages that a page links to are in the order of their numbers.
        pairs = np.unique(tails[there].astype(np.int64) << 32 | heads[there])
        return Counted(
            list(stems),
            np.array(words, np.int32),
            np.array(columns, np.int32),
            np.array(counts, np.int32),
            np.array(norms, np.float64),
            np.bincount(pairs >> 32, minlength=end - start).astype(np.int32),
            (pairs & 0xFFFFFFFF).astype(np.int32),
            urls,
            sizes,
        )


_counter: _Counter


def _open(folder: Path) -> None:
    global _counter
    _counter = _Counter(ParsedPages(folder))


def _count(stretch: tuple[int, int]) -> Counted:
    return _counter(stretch)
