"""A14: with little memory a crawl gets every page; where there is none left it stops with one line and goes on later.

The limit is RLIMIT_DATA, for each process: it counts what is asked for, even if it is never used, so it is stricter
than a control group, and allocations fail where those kill.
"""

import resource
import time
from contextlib import suppress
from random import Random
from zlib import crc32

import psutil
import pytest
from processes import family, kill, page_count, start, until
from sites import Dam, Sites, control, held, lycosa, records

LIMIT = 256 << 20
WORDS = 50_000
"""On a large page; reading it takes some tens of megabytes."""


@pytest.mark.row("A14")
@pytest.mark.timeout(1800)
def test_a_crawl_with_little_memory_gets_every_page_or_stops_with_one_line(figure, size, tmp_path):
    pages, rng = size(30, 300), Random(14)
    words = " ".join(f"{rng.choice(('wolf', 'spider', 'night', 'silk'))}@{rng.randrange(10_000)}" for _ in range(WORDS))

    def large(page):
        # Each with words of its own, or they would be copies of each other.
        return page.replace("</body>", f"<p>{words.replace('@', str(crc32(page.encode())))}</p></body>")

    dam = Dam(control(pages), pages // 4, large)
    with Sites(dam) as sites:
        dam.opened.set()
        little, peak = limited(tmp_path / "little", sites)
        roles = size(("scout",), ("scout", "brain", "indexer") * 4)
        codes = [squeezed(tmp_path / f"{number}-{role}", sites, dam, role) for number, role in enumerate(roles)]
        resumed = [lycosa("resume", tmp_path / f"{number}-{role}", "--json") for number, role in enumerate(roles)]
    folders = [tmp_path / "little", *(tmp_path / f"{number}-{role}" for number, role in enumerate(roles))]
    lost = sum(pages - len(held(folder).pages) for folder in folders)
    stopped = sum(code != 0 for code in codes)
    figure(
        f"{lost} pages lost: of {pages} at {LIMIT >> 20} MB a process (peak of all {peak >> 20} MB), and as often as "
        f"memory ran out in {len(codes)} processes ({stopped} crawls stopped, all resumed)"
    )
    assert little == 0
    assert lost == 0
    assert [done.returncode for done in resumed] == [0] * len(resumed)
    for folder in folders:
        assert held(folder).misses == {}
        assert set(records(folder).values()) == {1}


def crawl(sites, folder):
    begin = ["crawl", "wolf spider", "--seed=http://control.test/", f"--proxy={sites.proxy}", f"--out={folder}"]
    return [*begin, "--pages=0", "--delay=0", "--workers=8", "--outage=2", "--checkpoint=1", "--json"]


def limited(folder, sites):
    """A crawl that never has more than the limit: its exit code, and the most that its processes had together."""
    process = start(*crawl(sites, folder), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT)))
    peak = 0
    try:
        while process.poll() is None:
            peak = max(peak, sum(member.own for member in family(process)))
            time.sleep(0.1)
    finally:
        kill(process)
    return process.returncode, peak


def squeezed(folder, sites, dam, role):
    """Give the processes of a role no more memory, in the middle of a crawl; its exit code."""
    said = folder.with_suffix(".said")
    dam.close()
    with said.open("wb") as output:
        process = start(*crawl(sites, folder), output=output)
        try:
            until(lambda: page_count(folder) > 2 and any(m.role == role for m in family(process)), process)
            for member in (member for member in family(process) if member.role == role):
                # Below what it has: nothing is taken away, but nothing is added.
                with suppress(psutil.NoSuchProcess):
                    psutil.Process(member.pid).rlimit(psutil.RLIMIT_DATA, (1 << 20, 1 << 20))
            dam.opened.set()
            assert until(lambda: process.poll() is not None, seconds=300)
        finally:
            kill(process)
    if process.returncode:
        text = said.read_text()
        # Where a library gives up by itself, the line is its own and the code 1.
        assert process.returncode in (1, 2) and text.count("\n") == 1 and "emory" in text, text
    return process.returncode
