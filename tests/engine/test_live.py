"""Scout processes over real HTTP: exact budgets, kept pauses, scouts that die or hang, and resuming."""

import os
import signal
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from lycosa.face.service import hunt, resume, status, why
from lycosa.store.collection import Collection
from lycosa.web.made import Made
from lycosa.web.serve import spawn

WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]


def begin(out, served, **wishes):
    wishes = {"pages": 60, "delay": 0.0, "workers": 8, **wishes}
    return hunt(TOPIC.keywords, TOPIC.examples, out=out, http={"proxy": served.proxy}, **wishes)


def smallest_gaps(asked):
    """For each host the shortest time between two requests, robots.txt included."""
    times = defaultdict(list)
    for request in asked:
        times[request.host].append(request.time)
    return {
        host: min(later - earlier for earlier, later in pairwise(moments))
        for host, moments in times.items()
        if len(moments) > 1
    }


def test_a_budget_of_n_pages_is_n_pages_with_64_workers(tmp_path):
    with spawn(WEB, latency=(0.0, 0.05)) as served, begin(tmp_path / "c", served, pages=101, workers=64) as running:
        urls = [visit.url for visit in running]
    assert len(urls) == len(set(urls)) == 101
    report = status(tmp_path / "c")
    assert (report["pages"], report["state"], report["reason"]) == (101, "finished", "budget spent: pages")


def test_resuming_a_finished_crawl_with_a_larger_budget_goes_on(tmp_path):
    with spawn(WEB) as served:
        with begin(tmp_path / "c", served, pages=30) as running:
            first = [visit.url for visit in running]
        with resume(tmp_path / "c", pages=50) as running:
            second = [visit.url for visit in running]
    assert (len(first), len(second)) == (30, 20)
    assert not set(first) & set(second)


def test_leaving_the_loop_early_leaves_a_collection_that_resumes(tmp_path):
    with spawn(WEB) as served:
        with begin(tmp_path / "c", served) as running:
            for count, _ in enumerate(running, 1):
                if count == 10:
                    break
        assert status(tmp_path / "c")["state"] == "stopped"
        with resume(tmp_path / "c") as running:
            rest = [visit.url for visit in running]
    assert status(tmp_path / "c")["pages"] == 60
    assert len(rest) <= 50


def test_a_stopped_hunt_brings_home_what_is_under_way(tmp_path):
    with spawn(WEB, latency=(0.05, 0.05), log=str(tmp_path / "log")) as served:
        with begin(tmp_path / "c", served) as running:
            for count, _ in enumerate(running, 1):
                if count == 10:
                    running.stop()
        pages = [request for request in served.asked() if request.path != "/robots.txt"]
    report = status(tmp_path / "c")
    assert report["state"] == "stopped"
    assert report["pages"] + report["redirects"] + sum(report["misses"].values()) == len(pages)


@pytest.mark.parametrize(("delay", "crawl_delay"), [(0.3, 0.0), (0.1, 0.5)])
def test_no_pause_is_ever_shorter_than_asked(tmp_path, delay, crawl_delay):
    made = Made(pages=600, topics=3, seed=5, crawl_delay=crawl_delay)
    with spawn(f"{WEB},crawl_delay={crawl_delay}", log=str(tmp_path / "log")) as served:
        for part in range(2):
            if part == 0:
                running = begin(tmp_path / "c", served, pages=200, delay=delay, workers=64, reach=1000)
            else:
                running = resume(tmp_path / "c")
            with running:
                for count, _ in enumerate(running, 1):
                    if count == 60:
                        break
        gaps = smallest_gaps(served.asked())
    robots = {host: made.response(f"http://{host}/robots.txt") for host in gaps}
    asks = {host for host, raw in robots.items() if raw and b"Crawl-delay" in raw.body}
    assert len(gaps) > 5
    assert bool(asks) == bool(crawl_delay)
    # What the server calls the moment of a request is when it has read it: allow it a few milliseconds.
    assert all(gap > (max(delay, crawl_delay) if host in asks else delay) - 0.005 for host, gap in gaps.items())


def test_a_scout_that_is_killed_is_replaced_and_nothing_is_lost(tmp_path):
    with spawn(WEB, latency=(0.02, 0.02)) as served, begin(tmp_path / "c", served, processes=2) as running:
        urls = []
        for visit in running:
            urls.append(visit.url)
            if len(urls) in (10, 25):
                os.kill(running.pool.scouts[len(urls) % 2].process.pid, signal.SIGKILL)
        assert running.pool.deaths == 2
    assert len(urls) == len(set(urls)) == 60
    assert_whole(tmp_path / "c", urls)


def test_a_scout_that_hangs_is_killed_and_the_crawl_goes_on(tmp_path):
    with (
        spawn(WEB, latency=(0.01, 0.01)) as served,
        begin(tmp_path / "c", served, processes=2, patience=2.0) as running,
    ):
        urls = []
        for visit in running:
            urls.append(visit.url)
            if len(urls) == 10:
                # A stopped process is as silent as one that hangs inside a parser.
                os.kill(running.pool.scouts[0].process.pid, signal.SIGSTOP)
        assert running.pool.deaths == 1
    assert len(urls) == len(set(urls)) == 60
    assert_whole(tmp_path / "c", urls)


def test_the_page_that_hangs_a_parser_is_the_only_one_missed(tmp_path, monkeypatch):
    # The scouts import this module instead of the real parser's file: it hangs on one page only.
    (tmp_path / "sitecustomize.py").write_text(
        "import lycosa.web.parse as module, time\n"
        "real = module.parse\n"
        "def parse(url, *rest, **more):\n"
        f"    while url == {TOPIC.examples[2]!r}:\n"
        "        time.sleep(60)\n"
        "    return real(url, *rest, **more)\n"
        "module.parse = parse\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with spawn(WEB) as served, begin(tmp_path / "c", served, processes=1, patience=2.0) as running:
        urls = [visit.url for visit in running]
    assert TOPIC.examples[2] not in urls
    assert len(urls) == 60
    assert status(tmp_path / "c")["misses"]["parser hung"] == 1


def test_why_shows_the_path_with_anchors_scores_and_ranks(tmp_path):
    with spawn(WEB) as served, begin(tmp_path / "c", served) as running:
        visits = list(running)
    deep = next(visit for visit in reversed(visits) if visit.ticket.via)
    path = why(tmp_path / "c", deep.url)
    assert path[0]["via"] is None
    assert path[0]["url"] in TOPIC.examples
    assert path[-1]["url"] == deep.url
    assert path[-1]["score"] == pytest.approx(deep.ticket.score)
    assert path[-1]["anchor"]
    assert all(hop["via"] == before["url"] for before, hop in pairwise(path))
    assert all(1 <= hop["rank"] <= hop["queued"] for hop in path)


def assert_whole(folder, urls):
    """Every page is in the log once, and its record can be read."""
    collection = Collection.open(Path(folder))
    try:
        rows = list(collection.log.pages())
        assert sorted(row.url for row in rows) == sorted(urls)
        assert all(collection.repository.holds(row.where) for row in rows)
        named = sum(row.length for row in rows)
        held = sum(file.stat().st_size for file in (Path(folder) / "pages").glob("*.warc.gz"))
        assert held >= named
    finally:
        collection.close()
