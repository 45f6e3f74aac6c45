"""How an event becomes the bytes of a log row, and what the log must know about each kind of event."""

from __future__ import annotations

import threading
from typing import get_args

import msgspec
import zstandard

from lycosa.core.events import Event, Judged, Leased, Missed, Redirected, Visited
from lycosa.core.keys import key64
from lycosa.core.nouns import Where

KINDS: dict[type, str] = {kind: str(kind.__struct_config__.tag) for kind in get_args(Event)}
"""The name of each kind of event in the log."""

_WORTHWHILE = 300
"""Bytes below which zstd saves almost nothing: a Leased of 240 bytes shrinks by a tenth at ten times the cost."""
_LIMIT = 64 << 20
"""Most bytes to which an event may unpack: far above any page's links, far below what a forged row could claim."""

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(Event)


class _Zstd(threading.local):
    """A compressor and a decompressor for each thread: they must not be used by two threads at once."""

    def __init__(self) -> None:
        self.squeeze = zstandard.ZstdCompressor(level=1).compress
        self.unsqueeze = zstandard.ZstdDecompressor().decompress


_zstd = _Zstd()


def encode(event: Event) -> bytes:
    """An event as msgpack, zstd-compressed if that is worthwhile."""
    plain = _encoder.encode(event)
    if len(plain) > _WORTHWHILE:
        squeezed = _zstd.squeeze(plain)
        if len(squeezed) < len(plain):
            return squeezed
    return plain


def decode(body: bytes) -> Event:
    """The event in a log row; raises ValueError if there is none."""
    # The msgpack of an event is a map (first byte 0x80 or above), so it never begins like a zstd frame.
    if body.startswith(zstandard.FRAME_HEADER):
        try:
            if zstandard.frame_content_size(body) > _LIMIT:
                raise ValueError("an event of unlikely size")
            body = _zstd.unsqueeze(body)
        except zstandard.ZstdError as error:
            raise ValueError(str(error)) from error
    return _decoder.decode(body)


def url_of(event: Event) -> str | None:
    """The URL that an event is about, if any."""
    match event:
        case Leased():
            return event.ticket.url
        case Visited():
            return event.visit.ticket.url
        case Redirected():
            return event.redirect.ticket.url
        case Missed():
            return event.miss.ticket.url
        case Judged():
            return event.url
        case _:
            return None


def where_of(event: Event) -> Where | None:
    """The record in the page repository that an event names."""
    match event:
        case Visited():
            return event.visit.where
        case Redirected():
            return event.redirect.where
        case _:
            return None


def key_of(url: str) -> int:
    """The number by which a URL is looked up: its 64-bit key, signed because SQLite's integers are."""
    key = key64(url)
    return key - (1 << 64) if key >> 63 else key
