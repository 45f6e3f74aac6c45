"""A13: a long crawl of a faulty web needs memory in proportion to what it knows, and descriptors not at all."""

import json
import time

import numpy as np
import pytest
from processes import family, kill, page_count, start

from lycosa.web.made import Made
from lycosa.web.serving import spawn

FAULTS = (
    *("*00.test=reset", "*11.test=503:times=1,seconds=1", "*22.test=cut:times=1", "*33.test=garbage", "*44.test=long"),
    *("*55.test=bomb", "*66.test=hops", "*77.test=loop", "*888.test=silent", "*999.test=endless:seconds=1"),
)
EVERY = 5.0
"""Seconds between two looks at the processes."""
SLOPE = {"brain": 40.0, "scout": 5.0, "indexer": 40.0}
"""Megabytes of its own that a process may grow by for every 10,000 pages, once it is warm. The brain's are links that
wait, some 3 kB each with what the apprentice knows of them; --capacity bounds their number. The indexer does not give
back what its largest merge took."""


@pytest.mark.row("A13")
@pytest.mark.timeout(3 * 3600)
def test_a_long_crawl_grows_by_what_it_knows_and_opens_no_more_files(figure, size, tmp_path):
    pages = size(3_000, 200_000)
    web = f"made:pages={pages * 3 // 2},topics=12,seed=1"
    topic = Made(pages=pages * 3 // 2, topics=12, seed=1).topics[0]
    samples = []
    with spawn(web, faults=FAULTS) as served, (tmp_path / "samples.jsonl").open("w") as kept:
        crawl = ["crawl", topic.keywords, *(f"--seed={url}" for url in topic.examples), f"--proxy={served.proxy}"]
        process = start(
            *(
                *crawl,
                f"--pages={pages}",
                "--delay=0",
                "--timeout=5",
                "--workers=64",
                "--reach=256",
                f"--out={tmp_path / 'c'}",
                "--json",
            )
        )
        try:
            while process.poll() is None:
                samples.append((page_count(tmp_path / "c"), family(process)))
                print(json.dumps([time.time(), *samples[-1]]), file=kept, flush=True)
                time.sleep(size(0.5, EVERY))
        finally:
            kill(process)
    reached = page_count(tmp_path / "c")
    slopes = {role: slope(samples, role, pages) for role in SLOPE}
    descriptors = {role: [usual(samples, role, half) for half in (0, 1)] for role in SLOPE}
    told = ", ".join(f"{role} {value:+.1f}" for role, value in slopes.items())
    opened = ", ".join(f"{role} {early:.0f} then {late:.0f}" for role, (early, late) in descriptors.items())
    figure(f"{reached:,} pages; MB per 10,000 pages: {told}; descriptors: {opened}")
    assert process.returncode == 0
    assert reached == pages
    for role, allowed in SLOPE.items():
        assert slopes[role] <= allowed, role
        early, late = descriptors[role]
        # Connections come and go with the hosts; a leak would add to them page by page.
        assert late <= 1.5 * early + 16, role


def slope(samples, role, pages):
    """Megabytes of its own per 10,000 pages of the largest process of a role, fitted after the first fifth."""
    points = [(count, max(p.own for p in found if p.role == role)) for count, found in samples if has(found, role)]
    warm = [(count, own) for count, own in points if count >= pages / 5]
    counts, own = np.array(warm, float).T
    return float(np.polyfit(counts, own, 1)[0]) * 10_000 / (1 << 20)


def usual(samples, role, half):
    """The median of the descriptors that a process of a role had in the first or second half of the crawl."""
    part = samples[: len(samples) // 2] if half == 0 else samples[len(samples) // 2 :]
    return np.median([p.descriptors for _, found in part for p in found if p.role == role] or [0])


def has(found, role):
    return any(p.role == role for p in found)
