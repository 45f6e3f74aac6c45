"""Answers as WARC records, and back."""

from __future__ import annotations

import io
import re
from typing import Literal
from uuid import UUID

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from isal import isal_zlib
from xxhash import xxh3_128_intdigest

from lycosa.core.nouns import Raw

BODY_CAP = 64 << 20
"""Bytes beyond which no body is unpacked, so that a recorded decompression bomb stays small."""
GZIP = b"\x1f\x8b\x08"
content_length = re.compile(rb"\r\ncontent-length:\s*(\d+)", re.IGNORECASE).search


def to_record(url: str, raw: Raw) -> WarcRecord:
    """An answer as a WARC record of a test bed."""
    record = WarcRecord()
    # Neither random numbers nor the clock: the same web always makes the same file.
    record.init_headers(WarcRecordType.response, UUID(int=xxh3_128_intdigest(url.encode())).urn[4:].encode())
    record.headers["WARC-Date"] = "2000-01-01T00:00:00Z"
    record.headers["WARC-Target-URI"] = url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    lines = [f"HTTP/1.1 {raw.status} {raw.reason}", *(f"{name}: {value}" for name, value in raw.headers)]
    lines.append(f"Content-Length: {len(raw.body)}")
    record.set_bytes_content("\r\n".join([*lines, "", ""]).encode() + raw.body)
    return record


def from_record(data: bytes) -> Raw:
    """The answer in a WARC record, which may be gzipped."""
    if data.startswith(GZIP):
        data = isal_zlib.decompressobj(31).decompress(data, BODY_CAP + (1 << 20))
    if simple := _simple(data):
        return simple
    try:
        return _decoded(data, "all")
    except OSError:
        # The headers name a content coding that the archived body no longer has.
        return _decoded(data, "none")


def _simple(data: bytes) -> Raw | None:
    """The answer in a record without codings or irregularities, as most are; None for any other record."""
    head, _, block = data.partition(b"\r\n\r\n")
    http, _, body = block.partition(b"\r\n\r\n")
    length = content_length(head)
    if not length or not http.startswith(b"HTTP/") or not http.isascii() or b"-encoding:" in http.lower():
        return None
    status, *lines = http.decode().split("\r\n")
    code = status.split(" ", 2)
    if len(code) < 2 or not code[1].isdecimal() or not all(":" in line and line[0] > " " for line in lines):
        return None
    fields = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    body = body[: int(length[1]) - len(http) - 4]
    return Raw(int(code[1]), tuple(fields), body, b"\r\nWARC-Truncated:" in head, "".join(code[2:]))


def _decoded(data: bytes, decode: Literal["all", "none"]) -> Raw:
    record = next(iter(ArchiveIterator(io.BytesIO(data), parse_http=False)))
    record.parse_http(auto_decode=decode, quirks_mode=True)
    body = record.reader.read(BODY_CAP)
    truncated = "WARC-Truncated" in record.headers or len(body) == BODY_CAP
    head = record.http_headers
    if head is None:
        return Raw(200, (("Content-Type", record.headers.get("Content-Type") or ""),), body, truncated)
    return Raw(head.status_code or 0, head.to_tuples(), body, truncated, head.reason_phrase or "")
