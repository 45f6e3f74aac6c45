"""B2: hosts that send a byte now and then lose their slot when the time of a request is over; others do not notice."""

import asyncio
import time
from contextlib import suppress

import pytest
from sites import Sites, control, crawl, records, reply

PAGE = reply("<title>wolf spider</title>" + "<p>slowly" * 1000)
HEAD = PAGE.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"


class Drips:
    """Sends byte after byte until the client hangs up, and notes for how long it held on."""

    def __init__(self):
        self.held = {}

    def __call__(self, first, pause):
        async def answer(request, reader, writer):
            began = time.monotonic()
            writer.write(first)
            try:
                for byte in PAGE * 100:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(pause):
                            if not await reader.read(1):
                                break
                    writer.write(bytes([byte]))
            finally:
                self.held[request.place] = time.monotonic() - began

        return answer


def rate(sites):
    """Pages a second of the control site."""
    times = [request.time for request in sites.asked if request.host == "control.test"]
    return len(times) / (times[-1] - times[0])


@pytest.mark.row("B2")
def test_hosts_that_drip_lose_their_slots_and_the_others_do_not_notice(figure, size, tmp_path):
    hosts, pages, limit = size(24, 200), size(20, 1000), size(3, 10)
    drips, bad = Drips(), {}
    for n in range(hosts):
        kinds = (
            (f"d{n}.test/", drips(b"", 1)),
            (f"d{n}.test/", drips(HEAD, limit / 3)),
            (f"d{n}.test/", drips(HEAD, 1)),
            # Without its robots.txt a host is not asked again for ten seconds.
            (f"d{n}.test/robots.txt", drips(b"", 0.5)),
        )
        place, answer = kinds[n % size(3, 4)]
        bad[place] = answer
    urls = [f"http://d{n}.test/" for n in range(hosts)]
    http = {"timeout_total": limit, "timeout_read": limit, "timeout_connect": limit}
    options = {"http": http, "retries": 1, "workers": hosts + 16, "delay": size(0.0, 0.02)}
    beside = ""
    if pages == 1000:
        with Sites(control(pages)) as alone:
            crawl(tmp_path / "alone", ["http://control.test/"], alone, **options)
    with Sites(bad | control(pages)) as sites:
        found = crawl(tmp_path / "c", [*urls, "http://control.test/"], sites, **options)
    if pages == 1000:
        beside = f", at {rate(sites) / rate(alone):.0%} of its rate alone"
    good = sum(url.startswith("http://control.test/") for url in found.pages)
    freed = sum(found.misses.get(url) == "timeout" for url in urls)
    longest = max(drips.held.values())
    figure(
        f"{freed} of {hosts} slots freed after at most {longest:.1f} s of {limit} allowed, "
        f"{good} of {pages} control pages{beside}"
    )
    assert good == pages
    assert freed == len(drips.held) == hosts, found.misses
    assert records(tmp_path / "c").total() == pages
    assert set(found.final.values()) == {1}
