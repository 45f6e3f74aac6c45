"""A5: SIGTERM and SIGINT stop a hunt in order, a second one at once; each time it goes on where it was."""

import asyncio
import os
import signal
import time

import pytest
from processes import kill, page_count, start, until
from sites import Sites, control, held, records, reply

DRIP = 0.05
"""Seconds a page takes, so that there is something under way."""
WAYS = {
    "SIGTERM": [signal.SIGTERM],
    "SIGINT": [signal.SIGINT],
    "SIGTERM twice": [signal.SIGTERM] * 2,
    "SIGINT twice": [signal.SIGINT] * 2,
}
QUICK = ("SIGTERM", "SIGINT twice")
"""Both signals, and both once and twice."""


@pytest.mark.row("A5")
def test_a_hunt_that_is_told_to_stop_ends_in_order_and_goes_on_later(figure, size, tmp_path):
    pages, folder = size(60, 600), tmp_path / "c"
    site = control(pages)
    took, codes = {}, {}
    with Sites(lambda request: slow(site.get(request.place))) as sites, (tmp_path / "said").open("wb") as said:
        begin = ["crawl", "wolf spider", "--seed=http://control.test/", f"--proxy={sites.proxy}", f"--out={folder}"]
        begin += ["--pages=0", "--delay=0", "--workers=4", "--no-index"]
        for number, (way, signals) in enumerate((way, WAYS[way]) for way in size(QUICK, list(WAYS) * 3)):
            process = start(*(["resume", folder] if folder.exists() else begin), output=said)
            before = page_count(folder)
            # Enough for the hunt to be well under way, few enough that it is not over before the last signal.
            until(lambda before=before: page_count(folder) > before + 3, process)
            began = time.monotonic()
            for again, one in enumerate(signals):
                if again:
                    time.sleep(0.02)
                os.kill(process.pid, one)
            assert until(lambda process=process: process.poll() is not None, seconds=60), way
            took[way], codes[way, number] = max(took.get(way, 0.0), time.monotonic() - began), process.returncode
            kill(process)
        process = start("resume", folder, output=said)
        last = process.wait(120)
    found = held(folder)
    lost = pages - len(found.pages)
    slowest = max(took, key=took.get)
    figure(
        f"{lost} of {pages} pages lost, exit code {', '.join(map(str, sorted(set(codes.values()))))} "
        f"{len(codes)} times; slowest stop {took[slowest]:.1f} s ({slowest})"
    )
    assert set(codes.values()) == {130}
    assert (lost, last, found.misses) == (0, 0, {})
    assert set(found.final.values()) == {1}
    assert set(records(folder).values()) == {1}
    assert "Traceback" not in (tmp_path / "said").read_text()
    # Less than systemd and containers wait before they kill; a busy machine may take longer.
    assert took[slowest] <= size(60, 10)


def slow(page):
    async def answer(request, reader, writer):
        await asyncio.sleep(DRIP)
        writer.write(reply(page) if page else reply("nothing here", "404 Not Found"))
        await writer.drain()

    return answer
