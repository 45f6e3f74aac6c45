"""C6: with a thousand names at one address every host has one request at a time, and its pause between two."""

import asyncio
from collections import Counter
from itertools import pairwise

import pytest
from sites import Sites, html, reply

from lycosa.app.hunts import hunt

DELAY = 0.3


@pytest.mark.row("C6")
def test_every_host_has_one_request_at_a_time_and_its_pause(figure, size, tmp_path):
    hosts, pages = size(30, 1000), 3
    open_at, most = Counter(), Counter()

    async def slowly(request, reader, writer):
        for place in (request.host, "all"):
            open_at[place] += 1
            most[place] = max(most[place], open_at[place])
        await asyncio.sleep(0.02)
        for place in (request.host, "all"):
            open_at[place] -= 1
        number = int(request.host[1:-5])
        if request.path == "/robots.txt":
            answer = reply("", "404 Not Found")
        elif request.path == "/away":
            answer = reply("", "302 Found", Location=f"http://h{(number + 1) % hosts}.test/from-{number}")
        else:
            links = ["/1", "/away"] if request.path == "/" else []
            answer = reply(html(f"wolf spider {number}{request.path}", *links))
        writer.write(answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        await writer.drain()

    with Sites(lambda request: slowly) as sites:
        options = {"pages": hosts * pages, "strategy": "breadth-first", "delay": DELAY, "workers": size(16, 64)}
        seeds = [f"http://h{n}.test/" for n in range(hosts)]
        with hunt("wolf spider", seeds, out=tmp_path / "c", proxy=sites.proxy, **options) as crawl:
            got = sum(1 for _ in crawl)
    times: dict[str, list[float]] = {}
    for request in sites.asked:
        times.setdefault(request.host, []).append(request.time)
    shortest = min(later - sooner for each in times.values() for sooner, later in pairwise(each))
    in_all = most.pop("all")
    figure(
        f"{got} pages of {hosts} hosts: at most {max(most.values())} request at a host and {in_all} at the address, "
        f"shortest gap {shortest:.2f} s of {DELAY} s"
    )
    assert got == hosts * pages
    assert max(most.values()) == 1
    assert shortest >= DELAY - 0.01
