"""A web whose pages are parsed once and kept in memory, so that a crawl in virtual time waits for nothing.

Parsing thousands of pages takes seconds, so what came out of it is also kept on disk, in the user's cache folder, under
the digest of the recording and of the code that parsed it.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import msgspec
from xxhash import xxh3_128

from lycosa.core import urls
from lycosa.core.nouns import Failure, Link, Moved, Page
from lycosa.web.offline import SourceWeb
from lycosa.web.source import Source

LIMIT = 1 << 20
"""Body bytes that a kept page was parsed from at most; a crawl that wants fewer gets its pages parsed anew."""

Answer = Page | Moved | Failure


class KeptWeb:
    """Every answer of a source, in memory; with `raw`, pages come with the response they were parsed from."""

    def __init__(self, answers: dict[str, Answer], web: SourceWeb, raw: bool = False) -> None:
        self.answers = answers
        self._web = web
        self._raw = raw

    async def get(self, url: str, limit: int) -> Answer:
        """The answer at a canonical URL."""
        answer = self.answers.get(url)
        if answer is None or (type(answer) is Page and answer.size > limit):
            return await self._web.get(url, limit)
        if (closed := await self._web.closed(url)) is not None:
            return closed
        if self._raw and not isinstance(answer, Failure):
            return msgspec.structs.replace(answer, raw=self._web.source.response(url))
        return answer

    async def close(self) -> None:
        """Nothing to give back: the source belongs to somebody else."""


class _Kept(msgspec.Struct, array_like=True):
    """A page as it is written to the cache file. Links share the elements around them, so each stretch is kept once."""

    page: Page
    """Without its links."""
    urls: list[str]
    spans: list[tuple[int, int]]
    rings: list[list[int]]
    """Lists of places in `spans`."""
    links: list[tuple[int, int]]
    """For each URL the place of its own stretch in `spans`, and of the elements around it in `rings`."""


class _Shelf(msgspec.Struct, array_like=True):
    """What is written to the cache file."""

    pages: list[_Kept]
    moved: dict[str, Moved]
    failures: dict[str, Failure]


def keep(source: Source, recording: Path | None = None, context: bool = False) -> dict[str, Answer]:
    """Every answer of a source, without raw responses; from the cache if the recording was parsed before."""
    file = _cache_file(recording, context) if recording else None
    with _no_collector():
        answers = _read(file) if file else None
        if answers is None:
            web = SourceWeb(source, context, raw=False)
            answers = {url: web.answer(url, LIMIT) for url in source.urls()}
            if file:
                _write(file, answers)
        return answers


def _pack(page: Page) -> _Kept:
    spans: dict[tuple[int, int], int] = {}
    rings: dict[tuple[int, ...], int] = {}
    links = []
    for link in page.links:
        around = tuple([spans.setdefault(span, len(spans)) for span in link.rings])
        links.append((spans.setdefault(link.span, len(spans)), rings.setdefault(around, len(rings))))
    bare = msgspec.structs.replace(page, links=())
    return _Kept(bare, [link.url for link in page.links], list(spans), [list(ring) for ring in rings], links)


def _unpack(kept: _Kept) -> Page:
    spans = kept.spans
    rings = [tuple([spans[place] for place in ring]) for ring in kept.rings]
    kept.page.links = [
        Link(url, spans[span], rings[ring]) for url, (span, ring) in zip(kept.urls, kept.links, strict=True)
    ]
    return kept.page


def _cache_file(recording: Path, context: bool) -> Path:
    digest = xxh3_128()
    with recording.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    kind = "context" if context else "plain"
    return Path(home) / "lycosa" / "beds" / f"{digest.hexdigest()}-{kind}-{_code()}.msgpack"


@cache
def _code() -> str:
    """A digest of what parses: any change to this room or to the form of URLs may change what a page says."""
    code = xxh3_128(f"{version('selectolax')} {version('ada-url')}".encode())
    for module in (Path(urls.__file__), *sorted(Path(__file__).parent.glob("*.py"))):
        code.update(module.read_bytes())
    return code.hexdigest()


def _read(file: Path) -> dict[str, Answer] | None:
    try:
        shelf = msgspec.msgpack.decode(file.read_bytes(), type=_Shelf)
    except (OSError, msgspec.DecodeError):
        return None
    return {kept.page.url: _unpack(kept) for kept in shelf.pages} | shelf.moved | shelf.failures


def _write(file: Path, answers: dict[str, Answer]) -> None:
    shelf = _Shelf([], {}, {})
    for url, answer in answers.items():
        if isinstance(answer, Page):
            shelf.pages.append(_pack(answer))
        elif isinstance(answer, Moved):
            shelf.moved[url] = answer
        else:
            shelf.failures[url] = answer
    # A cache that cannot be written costs time the next time, and nothing else.
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as part:
            part.write(msgspec.msgpack.encode(shelf))
        for old in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*.msgpack"):
            old.unlink(missing_ok=True)
        Path(part.name).replace(file)


@contextmanager
def _no_collector() -> Iterator[None]:
    """The garbage collector would look at a growing heap of pages again and again, and find nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
