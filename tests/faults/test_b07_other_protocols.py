"""B7: what does not speak HTTP/1, or never comes to its point, is refused and keeps nobody."""

import asyncio
import time
from itertools import repeat

import pytest
from sites import Sites, ask, control, reply

from lycosa.core.nouns import Failure, Page

PAGE = reply("<title>late</title>")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
AT_ONCE = {
    "http09": b"<title>no head at all</title>",
    "http2-preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "http2-frames": b"\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80\x00\x04\x00\x01\x00\x00\x00\x05",
    "http2-status": b"HTTP/2 200\r\n\r\n<p>hello",
    "http3-status": b"HTTP/3.0 200 OK\r\n\r\n<p>hello",
    "tls-alert": b"\x15\x03\x01\x00\x02\x02\x28",
    "tls-hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "smtp": b"220 mail.test ESMTP ready\r\n",
    "ftp": b"220-Welcome\r\n220 ready\r\n",
    "imap": b"* OK IMAP4rev1 ready\r\n",
    "redis": b"-ERR wrong number of arguments for 'get' command\r\n",
    "icy": b"ICY 200 OK\r\n\r\n<p>stream",
    "words": b"HTTP/1.1 OK 200\r\n\r\n<p>",
    "status-0": b"HTTP/1.1 0 Nothing\r\n\r\n<p>",
    "status-99999": b"HTTP/1.1 99999 Much\r\n\r\n<p>",
    "status-negative": b"HTTP/1.1 -200 OK\r\n\r\n<p>",
    "empty-lines": b"\r\n" * 10_000,
    "nothing": b"",
    "nul": bytes(5000),
    "switching": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n" + bytes(500),
}
"""What is sent at once, before the site hangs up."""
ENDLESS = {
    "endless-status": (b"HTTP/1.1 200 " + b"O" * 1000, b"K" * 65536),
    "endless-version": (b"HTTP/", b"1" * 65536),
    "endless-name": (b"HTTP/1.1 200 OK\r\n", b"X" * 65536),
    "endless-banner": (b"", b"SSH-2.0-wolf\r\n" * 4000),
    "endless-nul": (b"", bytes(65536)),
    "endless-continue": (b"", CONTINUE * 2000),
    "endless-hints": (b"", HINTS * 1000),
    "endless-lines": (b"", b"\r\n" * 30_000),
}
FINE = {
    "one-continue": CONTINUE + PAGE,
    "some-hints": CONTINUE + HINTS * 3 + PAGE,
    "bare-status": PAGE.replace(b" OK", b""),
    "old": PAGE.replace(b"1.1", b"1.0"),
}


def sends(first, more=None):
    async def answer(request, reader, writer):
        writer.write(first)
        await writer.drain()
        for _ in repeat(None) if more else ():
            writer.write(more)
            await writer.drain()
            await asyncio.sleep(0)

    return answer


@pytest.mark.row("B7")
def test_whoever_does_not_speak_http_is_refused(figure, size):
    pages = size(10, 200)
    answers = {f"{name}.test/": sends(data) for name, data in (AT_ONCE | FINE).items()}
    answers |= {f"{name}.test/": sends(*data) for name, data in ENDLESS.items()}
    healthy = control(pages)
    urls = [f"http://{place}" for place in (*answers, *healthy)]
    with Sites(answers | healthy) as sites:
        found, slowest = {}, {}
        for name in ENDLESS:
            started = time.monotonic()
            found |= ask(sites, [f"http://{name}.test/"], obey_robots=False, timeout_total=60)
            slowest[name] = time.monotonic() - started
        found |= ask(sites, [url for url in urls if url not in found], obey_robots=False, timeout_total=60)
    bad = [*AT_ONCE, *ENDLESS]
    refused = [name for name in bad if isinstance(found[f"http://{name}.test/"], Failure)]
    hung = [name for name in bad if getattr(found[f"http://{name}.test/"], "reason", "") == "timeout"]
    worst = max(slowest, key=slowest.get)
    figure(
        f"{len(refused)} of {len(bad)} refused, {len(hung)} hangs, "
        f"the slowest endless one ({worst}) after {1000 * slowest[worst]:.0f} ms"
    )
    assert not hung
    assert set(bad) == set(refused), set(bad) - set(refused)
    assert all(isinstance(found[f"http://{name}.test/"], Page) for name in FINE)
    assert all(isinstance(found[f"http://{place}"], Page) for place in healthy)
