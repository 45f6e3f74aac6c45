"""A response body, decoded from its content codings piece by piece and never beyond a cap.

A few bytes can unpack to gigabytes, so every decoder returns pieces of at most 32 KiB and the pipeline stops at the
first piece beyond the cap: no stage ever produces more than cap + 64 KiB.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

import brotli
import zstandard

PIECE = 1 << 14
SLACK = 1 << 16
MOST_CODINGS = 4
TELLING = 12
"""How many first bytes are needed to distinguish text from coded bytes."""

Sink = Callable[[bytes], None]
Decoder = tuple[Sink, Callable[[], bool]]
"""The function that takes the bytes, and one that says whether the input so far is complete."""


class _Full(Exception):
    """The cap is reached."""


class Body:
    """Decodes a body: `feed` it the bytes from the wire, then call `end`.

    Bytes in an unknown coding stay as they are. If the first bytes show that the label is wrong, the bytes decide.
    """

    def __init__(self, coding: str, cap: int) -> None:
        self.truncated = False
        """The body was longer than the cap."""
        names = [name for part in coding.lower().split(",") if (name := part.strip()) in _codings] if coding else ()
        self.broken = len(names) > MOST_CODINGS
        """The bytes are invalid in their coding; what could be decoded is kept, as browsers do."""
        self._kept = _Kept(cap)
        self._feed: Sink = self._kept
        self._whole: list[Callable[[], bool]] = []
        # The coding named last was applied last, so it is undone first.
        for name in names[:MOST_CODINGS]:
            decode, whole = _labelled(name, self._feed)
            self._feed = _limited(decode, cap + SLACK)
            self._whole.append(whole)

    def feed(self, data: bytes) -> bool:
        """Decode some bytes; False when no further bytes are needed."""
        if self.truncated or self.broken:
            return False
        try:
            self._feed(data)
        except _Full:
            self.truncated = True
        except (zlib.error, brotli.error, zstandard.ZstdError):
            self.broken = True
        return not (self.truncated or self.broken)

    def end(self) -> None:
        """No more bytes follow: a decoder that still expects input means that the body was cut."""
        if not self.truncated and not all(whole() for whole in self._whole):
            self.broken = True

    @property
    def cap(self) -> int:
        """How many decoded bytes are kept."""
        return self._kept.cap

    def lower(self, cap: int) -> None:
        """Keep no more than this many bytes, because the body is of a kind that may not be longer."""
        self._kept.lower(cap)
        self.truncated = self.truncated or self._kept.size > cap

    @property
    def content(self) -> bytes:
        """The decoded bytes so far, at most the cap."""
        pieces = self._kept.pieces
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @property
    def produced(self) -> int:
        """How many bytes the decoders have produced so far, kept or not."""
        return self._kept.size


class _Kept:
    """The end of the pipeline; separate from Body, because otherwise Body would be a reference cycle."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.size = 0
        self.pieces: list[bytes] = []

    def lower(self, cap: int) -> None:
        """Keep less; what has come already is cut."""
        if cap < self.cap:
            self.cap = cap
            if self.size > cap:
                self.pieces = [b"".join(self.pieces)[:cap]]

    def __call__(self, piece: bytes) -> None:
        room = self.cap - self.size
        self.size += len(piece)
        if len(piece) > room:
            self.pieces.append(piece[:room])
            raise _Full
        self.pieces.append(piece)


def _limited(sink: Sink, most: int) -> Sink:
    """Stop at the cap on coded bytes too: more of them decode beyond the cap anyway, or endlessly to nothing."""
    left = most

    def feed(data: bytes) -> None:
        nonlocal left
        sink(data[:left] if len(data) > left else data)
        left -= len(data)
        if left < 0:
            raise _Full

    return feed


def _labelled(name: str, sink: Sink) -> Decoder:
    """The decoder for a coding's name, unless the first bytes are those of another coding or of text."""
    decoder: Decoder | None = None

    def feed(data: bytes) -> None:
        nonlocal decoder
        if decoder is None and data:
            decoder = (_found(data) or _codings[name])(sink)
        if decoder is not None:
            decoder[0](data)

    return feed, lambda: decoder is None or decoder[1]()


def _found(start: bytes) -> Callable[[Sink], Decoder] | None:
    """The coding that the first bytes show, if any: many servers label bodies that they have not coded."""
    # Check every fixed byte of the header: brotli data may begin with the same first two.
    if _is_gzip(start):
        return _gzip
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstd
    if start.startswith((b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")):
        return _deflate
    # Coded bytes are practically never all printable.
    return _plain if len(start) >= TELLING and _is_text(start[:64]) else None


_is_gzip = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]").match
_is_text = re.compile(rb"[\t\n\f\r -~]+").fullmatch


def _plain(sink: Sink) -> Decoder:
    return sink, lambda: True


def _gzip(sink: Sink) -> Decoder:
    engine = zlib.decompressobj(zlib.MAX_WBITS | 16)
    ended = whole = False

    def feed(data: bytes) -> None:
        nonlocal engine, ended, whole
        while data and not ended:
            whole = False
            _inflate(engine, data, sink)
            if not engine.eof:
                return
            data = engine.unused_data
            # Consecutive members are one body; anything else after the end is padding.
            ended = bool(data) and not data.startswith(b"\x1f")
            whole = True
            engine = zlib.decompressobj(zlib.MAX_WBITS | 16)

    return feed, lambda: whole


def _deflate(sink: Sink) -> Decoder:
    engine = None

    def feed(data: bytes) -> None:
        nonlocal engine
        if engine is None and data:
            # Half the Web means zlib by «deflate», the other half raw deflate; only zlib's first byte ends in 8 (hex).
            engine = zlib.decompressobj(zlib.MAX_WBITS if data[0] & 15 == 8 else -zlib.MAX_WBITS)
        if engine is not None and not engine.eof:
            _inflate(engine, data, sink)

    return feed, lambda: engine is None or engine.eof


def _inflate(engine: zlib._Decompress, data: bytes, sink: Sink) -> None:
    while True:
        before = engine.copy()
        try:
            piece = engine.decompress(data, PIECE)
        except zlib.error:
            # On an error zlib discards what it has decoded in this call: decode up to the error again, byte by byte.
            for i in range(len(data)):
                sink(before.decompress(data[i : i + 1]))
            raise
        if piece:
            sink(piece)
        data = engine.unconsumed_tail
        if engine.eof or (not data and len(piece) < PIECE):
            return


def _brotli(sink: Sink) -> Decoder:
    engine = brotli.Decompressor()

    def feed(data: bytes) -> None:
        while not engine.is_finished():
            piece = engine.process(data, output_buffer_limit=PIECE)
            if not piece:
                return
            sink(piece)
            data = b""

    return feed, engine.is_finished


class _Writer:
    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, piece: bytes) -> int:
        self._sink(piece)
        return len(piece)


def _zstd(sink: Sink) -> Decoder:
    # RFC 9659: no decoder has to support a window of more than 8 MB.
    engine = zstandard.ZstdDecompressor(max_window_size=1 << 23)
    write = engine.stream_writer(_Writer(sink), write_size=PIECE).write  # type: ignore[arg-type]

    def feed(data: bytes) -> None:
        write(data)

    # The library does not report whether a frame has ended.
    return feed, lambda: True


_codings: dict[str, Callable[[Sink], Decoder]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}

ACCEPT = "gzip, deflate, br, zstd"
"""The Accept-Encoding header that is sent to servers."""
