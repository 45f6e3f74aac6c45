"""B10: of a page without end, or one of gigabytes, as much is read as a page may be long, and it is marked as cut."""

import asyncio
import gzip
import random
from itertools import repeat

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from sites import Sites, ask, control, crawl, received, records

from lycosa.core.nouns import Page

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
START = b"<!doctype html><title>wolf spider</title><p>"
WORDS = b"wolf spider " * 5000
NOISE = random.Random(1).randbytes(1 << 16)
AHEAD = 1 << 19
"""Bytes that may have arrived when the limit is noticed: two packets."""


def stream(head, *pieces):
    async def answer(request, reader, writer):
        writer.write(HEAD + head + b"\r\n")
        for piece in pieces[:-1]:
            writer.write(piece)
        for piece in repeat(pieces[-1]):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return answer


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


PAGES = {
    "close": stream(b"", START, WORDS),
    "chunked": stream(b"Transfer-Encoding: chunked\r\n", chunk(START), chunk(WORDS)),
    "small-chunks": stream(b"Transfer-Encoding: chunked\r\n", chunk(START), chunk(b"wolf spider " * 80) * 10),
    "2gb": stream(b"Content-Length: 2147483648\r\n", START, WORDS),
    "exabytes": stream(b"Content-Length: 9223372036854775807\r\n", START, WORDS),
    "gzip": stream(b"Content-Encoding: gzip\r\n", gzip.compress(START + WORDS), gzip.compress(NOISE.hex().encode())),
    "one-word": stream(b"", START, b"x" * 65536),
    "one-tag": stream(b"", START + b"<a ", b'b="c" ' * 10_000),
    "one-comment": stream(b"", START + b"<!-- ", b"- " * 30_000),
    "blanks": stream(b"", START, b" \n" * 30_000),
}


@pytest.mark.row("B10")
def test_a_page_without_end_is_cut_at_the_limit_and_marked(figure, size, tmp_path, monkeypatch):
    limit, pages = size(200_000, 1 << 20), size(5, 100)
    endless, healthy = {f"{name}.test/": answer for name, answer in PAGES.items()}, control(pages)
    urls = [f"http://{place}" for place in endless]
    with monkeypatch.context() as patched, Sites(endless) as sites:
        read = received(patched)
        found = ask(sites, urls, limit=limit, obey_robots=False, timeout_total=100)
        most = max(read.values())
    with Sites(endless | healthy) as sites:
        held = crawl(tmp_path / "c", [*urls, "http://control.test/"], sites, body=limit)
    stored, marked = records(tmp_path / "c"), set()
    for file in (tmp_path / "c" / "pages").glob("*.warc.gz"):
        with file.open("rb") as warc:
            for record in ArchiveIterator(warc, record_types=WarcRecordType.response):
                if record.headers.get("WARC-Truncated") == "length":
                    marked.add(record.headers["WARC-Target-URI"])
    cut = sum(isinstance(page, Page) and page.size == limit and page.raw.truncated for page in found.values())
    figure(
        f"{cut} of {len(urls)} cut at {limit:,} bytes, at most {most:,} received, "
        f"{len(marked & set(urls))} marked in the archive"
    )
    assert cut == len(urls), {url: page for url, page in found.items() if not isinstance(page, Page)}
    assert most <= limit + AHEAD
    assert marked == set(urls)
    assert stored.total() == len(held.pages) == len(urls) + pages
    assert set(held.final.values()) == {1}
