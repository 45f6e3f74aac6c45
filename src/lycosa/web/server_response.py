"""What a served web sends: each answer of its source, rendered once for every kind of request."""

from __future__ import annotations

import re
import zlib
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import NamedTuple

from msgspec.structs import replace
from xxhash import xxh3_64_hexdigest

from lycosa.core.nouns import Raw
from lycosa.core.urls import host_of

# The server frames and encodes its answers itself, however the recorded ones were framed.
_OWN_HEADERS = {
    *("connection", "content-encoding", "content-length", "keep-alive", "proxy-connection", "te", "trailer"),
    *("transfer-encoding", "upgrade"),
}
_REASONS = {status.value: status.phrase for status in HTTPStatus}
_NOT_FOUND = Raw(404, (("Content-Type", "text/plain"),), b"There is nothing at this address.\n")
_tags = re.compile(rb'"[^"]*"').findall


class ServerResponse(NamedTuple):
    """A response ready to be sent."""

    url: str
    host: str
    path: str
    head: bytes
    """Status line and headers, without the empty line."""
    body: bytes
    whole: bytes
    """Head, empty line and body."""
    packed: bytes
    """The same with a gzip body, for clients that accept it; empty if the server does not compress."""
    etag: bytes
    modified: bytes
    same: bytes
    """The answer for a client that already has exactly this page; empty if the page has no validators."""

    def is_known(self, tags: bytes, since: bytes) -> bool:
        """Whether a client with these validators has exactly this page: by its tag, compared weakly, else by date."""
        if tags:
            return tags == b"*" or self.etag.removeprefix(b"W/") in _tags(tags)
        if not since or not self.modified:
            return False
        try:
            return parsedate_to_datetime(self.modified.decode()) <= parsedate_to_datetime(since.decode("latin-1"))
        except (ValueError, TypeError):
            return since == self.modified


def render(url: str, raw: Raw | None, *, gzip: bool, etags: bool) -> ServerResponse:
    """The response for a URL; with `etags`, a page without an entity tag gets one, made from its body."""
    raw = raw or _NOT_FOUND
    if etags and raw.status == 200 and not raw.header("ETag"):
        raw = replace(raw, headers=(*raw.headers, ("ETag", f'"{xxh3_64_hexdigest(raw.body)}"')))
    head, packed, same = _head(raw, len(raw.body)), b"", b""
    if gzip and raw.body:
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        small = packer.compress(raw.body) + packer.flush()
        packed = b"%s\r\nContent-Encoding: gzip\r\n\r\n%s" % (_head(raw, len(small)), small)
    validators = {name: value for name in ("ETag", "Last-Modified") if (value := raw.header(name))}
    if raw.status == 200 and validators:
        same = _lines("304 Not Modified", [f"{name}: {value}" for name, value in validators.items()]) + b"\r\n\r\n"
    return ServerResponse(
        url,
        host_of(url),
        url[url.index("/", 8) :],
        head,
        raw.body,
        b"%s\r\n\r\n%s" % (head, raw.body),
        packed,
        validators.get("ETag", "").encode("utf-8", "replace"),
        validators.get("Last-Modified", "").encode("utf-8", "replace"),
        same,
    )


def _head(raw: Raw, length: int) -> bytes:
    reason = raw.reason or _REASONS.get(raw.status, "")
    kept = [f"{name}: {value}" for name, value in raw.headers if name.lower() not in _OWN_HEADERS]
    return _lines(f"{raw.status} {reason}", [*kept, f"Content-Length: {length}"])


def _lines(status: str, headers: list[str]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers]
    return "\r\n".join(line.replace("\r", " ").replace("\n", " ") for line in lines).encode("utf-8", "replace")
