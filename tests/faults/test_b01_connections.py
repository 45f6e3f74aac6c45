"""B1: hosts that refuse, swallow or break connections cost a bounded number of tries, and nobody else anything."""

import asyncio
import socket
import struct

import pytest
from sites import Sites, control, held, lycosa, records


async def reset_at_once(request, reader, writer):
    linger(writer)


async def reset_in_the_body(request, reader, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half of")
    await writer.drain()
    linger(writer)


async def silent(request, reader, writer):
    await asyncio.sleep(60)


def linger(writer):
    """Close with a reset instead of a polite end."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


BAD = {
    "reset-at-once.test": reset_at_once,
    "reset-in-the-body.test": reset_in_the_body,
    "silent.test": silent,
}


@pytest.mark.row("B1")
def test_hosts_that_break_connections_are_given_up_and_harm_nobody(figure, size, tmp_path):
    pages, each = size(20, 200), size(1, 10)
    bad = {f"{host}/{n}": answer for host, answer in BAD.items() for n in range(each)}
    with Sites(bad | control(pages, *(f"http://{place}" for place in bad))) as sites:
        done = lycosa(
            *(
                "crawl",
                "wolf spider",
                "--seed=http://control.test/",
                f"--proxy={sites.proxy}",
                f"--out={tmp_path / 'c'}",
            ),
            *("--delay=0", "--retries=1", "--timeout=2", "--pages=0"),
        )
    assert done.returncode == 0, done.stderr
    found = held(tmp_path / "c")
    most = max(count for place, count in sites.pages_asked.items() if place in bad)
    good = sum(url.startswith("http://control.test/") for url in found.pages)
    figure(f"{good} of {pages} control pages, at most {most} tries, {len(found.misses)} of {len(bad)} ended as misses")
    assert good == pages
    assert most <= 2
    assert set(found.final.values()) == {1}
    assert sum(records(tmp_path / "c").values()) == pages
