"""A10: a clock that jumps and a process that sleeps shorten no host's rest."""

import os
import signal
import time
from collections import defaultdict
from itertools import pairwise

import pytest
from processes import kill, page_count, start, until
from sites import Sites, control, held

DAY = 86400
HOSTS = 4
_JUMPING = """
import os, time
real, place = time.time, os.environ["LYCOSA_JUMP"]
def jumping():
    with open(place) as file:
        return real() + float(file.read() or 0)
time.time = jumping
time.time_ns = lambda: int(jumping() * 1e9)
"""


@pytest.mark.row("A10")
def test_no_host_is_asked_too_soon_when_the_clock_jumps_or_the_process_sleeps(figure, size, tmp_path):
    delay, each, asleep = size(0.4, 1.0), size(12, 60), size(1.0, 60.0)
    (tmp_path / "sitecustomize.py").write_text(_JUMPING)
    jump = tmp_path / "jump"
    jump.write_text("0")
    hosts = [f"host-{n}.test" for n in range(HOSTS)]
    site = {place: page for host in hosts for place, page in control(each, host=host).items()}
    folder, jumps = tmp_path / "c", (DAY, -DAY, 0, -2 * DAY, DAY)
    with Sites(site) as sites:
        process = start(
            *("crawl", "wolf spider", *(f"--seed=http://{host}/" for host in hosts), f"--proxy={sites.proxy}"),
            *(f"--out={folder}", "--pages=0", f"--delay={delay}", "--reach=1000", "--no-index"),
            env=os.environ | {"PYTHONPATH": str(tmp_path), "LYCOSA_JUMP": str(jump)},
        )
        try:
            for part, to in enumerate(jumps, 1):
                assert until(lambda part=part: page_count(folder) >= part * HOSTS * each // 8, process)
                # Written beside it and renamed, so that nobody reads half a number.
                (tmp_path / "next").write_text(str(to))
                (tmp_path / "next").rename(jump)
                if part == 2:
                    os.killpg(process.pid, signal.SIGSTOP)
                    time.sleep(asleep)
                    os.killpg(process.pid, signal.SIGCONT)
            ended = process.wait(600)
        finally:
            kill(process)
        asked = list(sites.asked)
    times = defaultdict(list)
    for request in asked:
        times[request.host].append(request.time)
    gaps = [later - earlier for moments in times.values() for earlier, later in pairwise(moments)]
    found = held(folder)
    figure(
        f"smallest of {len(gaps)} gaps {min(gaps):.3f} s for a delay of {delay:g} s, {len(jumps)} jumps of days, "
        f"{asleep:g} s asleep; {len(found.pages)} of {HOSTS * each} pages"
    )
    assert ended == 0
    assert len(found.pages) == HOSTS * each
    # What the server calls the moment of a request is when it has read it: allow it a few milliseconds.
    assert min(gaps) >= delay - 0.005
