"""B6: too many or too long headers are refused after a bounded number of bytes; strange bytes in them do no harm."""

import asyncio
from itertools import count, repeat

import pytest
from sites import Sites, ask, control, crawl, received, records

from lycosa.core.nouns import Failure
from lycosa.web.http_client import HEAD_LIMIT

PACKET = 1 << 18
"""Bytes that the event loop reads at once."""
FIRST = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BODY = b"Content-Length: 23\r\n\r\n<title>wolf</title><p>x"


def endless(make):
    async def answer(request, reader, writer):
        writer.write(FIRST)
        for line in make():
            writer.write(line)
            await writer.drain()
            await asyncio.sleep(0)

    return answer


ENDLESS = {
    "many": lambda: (b"X-%d: y\r\n" % n * 100 for n in count()),
    "same": lambda: repeat(b"X: y\r\n" * 1000),
    "cookies": lambda: repeat(b"Set-Cookie: a=b; Path=/\r\n" * 1000),
    "one-value": lambda: (b"X: " if n == 0 else b"y" * 65536 for n in count()),
    "one-name": lambda: repeat(b"X" * 65536),
    "folded": lambda: (b"X: y\r\n" if n == 0 else b" y\r\n" * 1000 for n in count()),
    "empty-names": lambda: repeat(b": y\r\n" * 1000),
    "no-colon": lambda: repeat(b"X\r\n" * 1000),
    "spaces": lambda: (b"X:" if n == 0 else b" " * 65536 for n in count()),
    "long-ones": lambda: (b"X-%d: %b\r\n" % (n, b"y" * 32_000) for n in count()),
    "nul": lambda: repeat(bytes(65536)),
}
MANY = {
    "100k-headers": b"".join(b"X-%d: y\r\n" % n for n in range(100_000)),
    "10k-cookies": b"".join(b"Set-Cookie: c%d=1; Domain=test\r\n" % n for n in range(10_000)),
    "100-kb": b"X: " + b"y" * 100_000 + b"\r\n",
    "10-mb": b"X: " + b"y" * 10_000_000 + b"\r\n",
}
STRANGE = {
    "nul": b"X: a\x00b\r\n",
    "nul-name": b"X\x00Y: b\r\n",
    "cr": b"X: a\rSet-Cookie: b\r\n",
    "lf": b"X: a\nY: b\r\n",
    "control": b"X: \x01\x02\x07\x1b[31m\x7f\r\n",
    "high": b"X: \xff\xfe\x80\r\n",
    "latin-name": b"X\xe9: y\r\n",
    "warc": b"WARC-Type: request\r\nX: \r\n WARC/1.1\r\n",
    "no-name": b": y\r\n",
    "no-colon": b"X\r\n",
    "space": b"X Y: z\r\n",
    "fold": b"X: a\r\n b\r\n",
    "empty": b"X:\r\n",
    "unicode": "X: \u2028\u202e\U0001f577\r\n".encode(),
}


@pytest.mark.row("B6")
def test_a_head_without_end_is_refused_and_a_strange_one_does_no_harm(figure, size, tmp_path, monkeypatch):
    pages = size(5, 100)
    huge = {f"{name}.test/": endless(make) for name, make in ENDLESS.items()}
    huge |= {f"{name}.test/": FIRST + lines + BODY for name, lines in MANY.items()}
    strange = {f"odd-{name}.test/": FIRST + line + BODY for name, line in STRANGE.items()}
    fine = {"fine.test/": FIRST + b"".join(b"X-%d: %b\r\n" % (n, b"y" * 100) for n in range(100)) + BODY}
    healthy = control(pages)
    answers = huge | strange | fine | healthy
    with monkeypatch.context() as patched, Sites(answers) as sites:
        read = received(patched)
        found = ask(sites, [f"http://{place}" for place in huge], obey_robots=False, timeout_total=100)
        most = max(read.values())
    with Sites(answers) as sites:
        links = [f"http://{place}" for place in (*strange, *fine, *healthy)]
        held = crawl(tmp_path / "c", links, sites, retries=0)
    taken = [url for url, answer in found.items() if not isinstance(answer, Failure) or answer.reason == "timeout"]
    stored = records(tmp_path / "c")
    figure(
        f"{len(huge) - len(taken)} of {len(huge)} refused after at most {most / 1024:.0f} KiB, "
        f"{sum(f'http://{place}' in held.pages for place in strange)} of {len(strange)} strange ones are valid records"
    )
    assert not taken
    assert most <= HEAD_LIMIT + PACKET
    assert {f"http://{place}" for place in (*fine, *healthy)} <= held.pages
    assert stored.total() == len(held.pages)
    assert set(held.final.values()) == {1}
