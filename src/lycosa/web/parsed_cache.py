"""The cache of parsed pages: every answer of a source is parsed once, on all cores, and kept in the cache folder.

An entry is named by the digest of its source and of the code that parsed it, so neither can change unnoticed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import zstandard
from xxhash import xxh3_128

import lycosa.web.made
from lycosa.core import urls
from lycosa.core.keys import key64
from lycosa.core.nouns import Moved, Page, Raw
from lycosa.core.urls import canonical
from lycosa.system.atomic_dir import kept
from lycosa.system.process_pool import cores, in_order
from lycosa.system.progress import Progress
from lycosa.web.offline import SourceWeb
from lycosa.web.parse import parse
from lycosa.web.parsed_pages import ARRAYS, LIMIT, META, RECORDS, ROBOTS, Answer, Meta, Other, ParsedHead, ParsedPages
from lycosa.web.source import Source
from lycosa.web.source_names import is_made, open_made, open_source

ALONE = 20_000
"""Up to this many answers one process is about as quick as several, which would have to be started first."""
BATCH = 500
"""Answers that a process parses before it returns them."""
ROBOTS_HOPS = 5


class Parsed(msgspec.Struct, array_like=True):
    """One answer as it is written to the cache."""

    head: bytes
    text: bytes | None
    """None for an answer that is not a page."""
    unfollowed: list[int] = []
    """The keys of the targets of links that were left out because of nofollow."""


def open_parsed(
    text: str, context: bool = False, *, progress: Progress | None = None, source: Source | None = None
) -> ParsedPages:
    """The parsed pages of the source that a text names; parsed first if they are not in the cache yet.

    `source` is that source if it is already open.
    """
    folder = _home() / f"{digest_of(text)}-{'context' if context else 'plain'}-{_code()}"
    return kept(folder, lambda place: _write(place, text, context, source or open_source(text), progress), ParsedPages)


def digest_of(text: str) -> str:
    """A digest of a source's content: of the recording's bytes, or of the parameters and the code of a made web."""
    digest = xxh3_128()
    if is_made(text):
        digest.update(repr(sorted(open_made(text).settings.items())).encode())
        for module in sorted(Path(lycosa.web.made.__file__).parent.glob("*.py")):
            digest.update(module.read_bytes())
        return digest.hexdigest()
    path = Path(text)
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            with file.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
    return digest.hexdigest()


def _home() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lycosa" / "beds"


@cache
def _code() -> str:
    """A digest of the parsing code: any change to this room or to canonical URLs may change a parsed page."""
    pdf = version("pypdfium2") if find_spec("pypdfium2") else ""
    code = xxh3_128(f"{version('selectolax')} {version('ada-url')} {pdf}".encode())
    here = Path(__file__).parent
    for module in (Path(urls.__file__), *sorted(here.glob("*.py")), *sorted(here.glob("readers/*.py"))):
        code.update(module.read_bytes())
    return code.hexdigest()


def _write(folder: Path, text: str, context: bool, source: Source, progress: Progress | None) -> None:
    names = list(dict.fromkeys(source.urls()))
    starts, texts, keys, others = [], [], [], []
    unfollowed: list[list[int]] = []
    at = done = 0
    with (folder / RECORDS).open("wb") as file:
        parsed = _parsed(names, text, context, source)
        for url, answer in zip(names, parsed, strict=True):
            if answer.text is None:
                others.append((url, answer.head))
            else:
                starts.append(at)
                texts.append(at + len(answer.head))
                keys.append(key64(url))
                unfollowed.append(answer.unfollowed)
                at += file.write(answer.head) + file.write(answer.text)
            done += 1
            if progress and (done % BATCH == 0 or done == len(names)):
                progress(done, len(names))
        for url, record in others:
            starts.append(at)
            keys.append(key64(url))
            at += file.write(record)
    starts.append(at)
    key = np.array(keys, np.uint64)
    order = np.argsort(key, kind="stable")
    left_out = [target for targets in unfollowed for target in targets]
    arrays = {"starts": starts, "texts": texts, "keys": key[order], "rows": order, "unfollowed": left_out}
    for name, values in arrays.items():
        np.asarray(values, ARRAYS[name]).tofile(folder / f"{name}.bin")
    (folder / ROBOTS).write_bytes(msgspec.msgpack.encode(_robots(names, source)))
    meta = Meta(len(texts), len(keys), at, context, len(left_out), sum(map(bool, unfollowed)))
    (folder / META).write_bytes(msgspec.json.encode(meta))


def _robots(names: list[str], source: Source) -> dict[str, Raw]:
    found: dict[str, Raw] = {}
    for name in names:
        url: str | None = name
        hops = ROBOTS_HOPS if name.endswith("/robots.txt") else 0
        while hops and url and url not in found and (raw := source.response(url)):
            found[url] = raw
            location = raw.header("Location")
            url, hops = canonical(location, url) if location else None, hops - 1
    return found


def _parsed(names: list[str], text: str, context: bool, source: Source) -> Iterator[Parsed]:
    if len(names) <= ALONE or cores() == 1:
        yield from _Parser(source, context)(names)
        return
    batches = [names[start : start + BATCH] for start in range(0, len(names), BATCH)]
    for parsed in in_order(_parse, batches, opened=_open, given=(text, context)):
        yield from parsed


class _Remembering:
    """A source that keeps its last response, so that a page can be parsed twice without being made or read twice."""

    def __init__(self, source: Source) -> None:
        self.last: Raw | None = None
        self.urls = source.urls
        self._response = source.response

    def response(self, url: str) -> Raw | None:
        """The answer for a canonical URL."""
        self.last = self._response(url)
        return self.last


class _Parser:
    """Turns answers into records of the cache."""

    def __init__(self, source: Source, context: bool) -> None:
        self.source = _Remembering(source)
        self.web = SourceWeb(self.source, context, paths=context, raw=False, indexed=context)
        self.context = context
        self.compress = zstandard.ZstdCompressor(3, write_checksum=False).compress
        self.encode = msgspec.msgpack.Encoder().encode

    def __call__(self, names: Iterable[str]) -> Iterator[Parsed]:
        for url in names:
            answer = self.web.answer(url, LIMIT)
            if isinstance(answer, Page) and not url.endswith("/robots.txt"):
                text = self.compress(answer.text.encode("utf-8", "surrogatepass"))
                yield Parsed(self.encode(self._head(answer)), text, [] if self.context else self._unfollowed(answer))
            else:
                yield Parsed(self.encode(_other(url, answer)), None)

    def _unfollowed(self, page: Page) -> list[int]:
        """The keys of links that the page has and that must not be followed."""
        raw = self.source.last
        assert raw
        # A robots directive «none» means noindex and nofollow.
        if b"nofollow" not in raw.body.lower() and not raw.robots and not (page.withheld and not page.links):
            return []
        every = parse(page.url, raw.body[:LIMIT], raw.content_type, nofollow=False)
        followed = {link.url for link in page.links}
        return [key64(link.url) for link in every.links if link.url not in followed]

    def _head(self, page: Page) -> ParsedHead:
        spans: dict[tuple[int, int], int] = {}
        rings: dict[tuple[int, ...], int] = {}
        paths: dict[str, int] = {}
        links = []
        if self.context:
            for link in page.links:
                around = tuple([spans.setdefault(span, len(spans)) for span in link.rings])
                own, ring = spans.setdefault(link.span, len(spans)), rings.setdefault(around, len(rings))
                links.append((own, ring, paths.setdefault(link.path, len(paths))))
        return ParsedHead(
            page.url,
            page.title,
            page.language,
            page.status,
            page.mime,
            page.digest,
            page.size,
            page.etag,
            page.modified,
            [link.url for link in page.links],
            list(spans),
            [list(ring) for ring in rings],
            links,
            page.headings,
            list(paths),
        )


def _other(url: str, answer: Answer) -> Other:
    if isinstance(answer, Page):
        return Other(url, page=answer)
    return Other(url, moved=answer) if isinstance(answer, Moved) else Other(url, failure=answer)


_parser: _Parser


def _open(text: str, context: bool) -> None:
    global _parser
    _parser = _Parser(open_source(text), context)


def _parse(names: list[str]) -> list[Parsed]:
    return list(_parser(names))
