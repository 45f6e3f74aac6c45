"""What one refresh of a community takes: the paper's simulation in size, on a made web, in virtual time.

    python bench/refresh.py [--pages 200000] [--queries 100] [--max-in-index 100000] [--max-pages 1000] [--folder DIR]

The paper's took 11 hours overnight on a laptop. A folder that is given keeps the community, so that only the refresh is
measured the next time.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from lycosa.app.community_refresh import sentences
from lycosa.app.community_start import CommunityStart
from lycosa.community.home import Generation, Home
from lycosa.community.refresh import refresh
from lycosa.community.refresh_state import make_loop
from lycosa.system.process_pool import cores
from lycosa.web.source_names import open_made


class Watch:
    """Says how long each stage took."""

    def __init__(self) -> None:
        self.began = self.stage_began = time.perf_counter()
        self.stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        stage = "crawling" if stage in ("queries", "pages") else stage
        if stage != self.stage:
            self.end()
            self.stage, self.stage_began = stage, time.perf_counter()

    def end(self) -> None:
        """The last stage is over."""
        if self.stage:
            print(f"  {self.stage:<10} {time.perf_counter() - self.stage_began:8.1f} s", flush=True)


def begin(folder: Path, web: str, most: int) -> None:
    """A community with the paper's first collection: breadth-first from five bookmarks of each topic."""
    topics = open_made(web).topics
    bookmarks = folder.with_suffix(".txt")
    bookmarks.write_text("\n".join(url for topic in topics for url in topic.examples[:5]))
    began = time.perf_counter()
    words = " ".join(topic.keywords for topic in topics[:10])
    beginning = CommunityStart(folder, [bookmarks], keywords=words, recorded=web, max_in_index=most, parallel=10)
    with beginning as hunt:
        if hunt:
            with hunt:
                pages = sum(1 for _ in hunt)
            print(
                f"init: {pages:,} pages, breadth-first and indexed, in {time.perf_counter() - began:.0f} s", flush=True
            )
        beginning.complete()


def measure(home: Home, queries: list[str], max_pages: int) -> Generation:
    """One refresh."""
    watch = Watch()
    made = refresh(home, make_loop(home, {"query": queries, "max_pages": max_pages}), watch)
    watch.end()
    return made


def cpu() -> tuple[float, float]:
    """CPU seconds of this process, and of those it started that are over."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return spent[0].ru_utime + spent[0].ru_stime, spent[1].ru_utime + spent[1].ru_stime


def main() -> None:
    """Make the community where it is not there yet, refresh it, and say what that took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--max-in-index", type=int, default=100_000)
    parser.add_argument("--max-pages", type=int, default=1000)
    parser.add_argument("--folder", type=Path)
    wanted = parser.parse_args()
    web = f"made:pages={wanted.pages},topics={wanted.queries},seed=5,page_bytes=3000"
    with tempfile.TemporaryDirectory() as passing:
        folder = wanted.folder or Path(passing) / "community"
        if not Home.is_one(folder):
            begin(folder, web, wanted.max_in_index)
        began, before = time.perf_counter(), cpu()
        made = measure(Home.open(folder), [topic.keywords for topic in open_made(web).topics], wanted.max_pages)
        seconds = time.perf_counter() - began
        for line in sentences(made.record.report):
            print(f"  {line}")
        largest = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        own, workers = (after - sooner for after, sooner in zip(cpu(), before, strict=True))
        print(f"refresh: {seconds:.0f} s on {cores()} cores, with a load of {os.getloadavg()[1]:.1f}")
        print(f"CPU: {own:.0f} s in the main process, {workers:.0f} s in others; the largest has {largest >> 10} MB")


if __name__ == "__main__":
    main()
