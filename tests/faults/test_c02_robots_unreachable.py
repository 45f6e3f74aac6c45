"""C2: as long as a host's robots.txt cannot be had, nothing of the host is fetched; it is asked for again later."""

import asyncio
import struct
from socket import SO_LINGER, SOL_SOCKET

import pytest
from sites import Sites, html, reply

from lycosa.core.nouns import Failure, Page
from lycosa.web.http import Http, HttpOptions
from lycosa.web.robots import FIRST_RETRY

PATH = "/robots.txt"
RULES = reply("User-agent: *\nDisallow: /closed", Content_Type="text/plain")


async def reset(request, reader, writer):
    writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def silent(request, reader, writer):
    await asyncio.sleep(60)


async def half(request, reader, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 999\r\n\r\nUser-agent: *\nAllow: /")
    await writer.drain()


def broken_gzip():
    return reply(b"\x1f\x8b" + bytes(40), Content_Encoding="gzip")


BAD = {
    **{f"status-{code}.test": reply("", f"{code} Trouble") for code in (429, 500, 502, 503, 504, 599)},
    "later.test": reply("", "503 Busy", Retry_After="30"),
    "reset.test": reset,
    "silent.test": silent,
    "half.test": half,
    "coding.test": broken_gzip(),
}


@pytest.mark.row("C2")
def test_nothing_is_fetched_until_robots_txt_can_be_had(figure, size):
    well = set()
    recovers = size(["reset.test"], [host for host in BAD if host != "later.test"])

    def answer(request):
        if request.path != PATH:
            return html("wolf spider")
        return (
            reply("User-agent: *\nDisallow: /closed", Content_Type="text/plain")
            if request.host in well
            else BAD[request.host]
        )

    async def ask(port):
        options = HttpOptions(resolve={"*": f"127.0.0.1:{port}"}, timeout_total=2.0, timeout_read=1.0)
        web = Http(options)
        try:
            first = await asyncio.gather(*(web.get(f"http://{host}/a", 1 << 20) for host in BAD))
            tls = await web.get("https://tls.test/a", 1 << 20)
            asked = len(sites.asked)
            well.update(recovers)
            # It is not asked for again before the time has come.
            second = await asyncio.gather(*(web.get(f"http://{host}/b", 1 << 20) for host in BAD))
            early = len(sites.asked) - asked
            third = []
            if size(False, True):
                await asyncio.sleep(FIRST_RETRY + 0.5)
                for path in ("/c", "/closed"):
                    third += await asyncio.gather(*(web.get(f"http://{host}{path}", 1 << 20) for host in recovers))
            return first, tls, second, early, third
        finally:
            await web.close()

    with Sites(answer) as sites:
        first, tls, second, early, third = asyncio.run(ask(sites.port))
    had = [one for one in third if isinstance(one, Page)]
    forbidden = sum(request.path in ("/a", "/b", "/closed") for request in sites.asked)
    figure(
        f"{forbidden} pages fetched of {len(BAD) + 1} hosts without robots.txt, {early} asked too early, "
        f"{len(had)} of {len(third) // 2} hosts had when it came back"
    )
    assert all(isinstance(one, Failure) and one.again and one.rest > 0 for one in [*first, *second])  # type: ignore[operator]
    assert isinstance(tls, Failure)
    assert (forbidden, early) == (0, 0)
    assert first[list(BAD).index("later.test")].rest > 25
    assert len(had) == len(third) // 2
