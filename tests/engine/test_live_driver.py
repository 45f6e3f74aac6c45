"""Scout processes over real HTTP: exact budgets, kept pauses, scouts that die or hang, and resuming."""

import os
import shutil
import signal
import threading
from collections import defaultdict
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from lycosa.app.hunts import hunt, resume, status, why
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.engine.hunt import Hunt
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused, SeedsFailed
from lycosa.web.made import Made
from lycosa.web.replay import WarcSource
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=600, topics=3, seed=5, page_bytes=2000).topics[0]


def begin(out, served, *more_seeds, patience=None, **options):
    """A hunt with a strategy that costs little: none of this hangs on which it is."""
    options = {"pages": 60, "delay": 0.0, "workers": 8, "index": False, "strategy": "best-first", **options}
    seeds = [*TOPIC.examples, *more_seeds]
    plan = make_plan(HuntRequest(TOPIC.keywords, seeds, proxy=served.proxy, **options))
    return Hunt.begin(replace(plan, patience=patience or plan.patience), out)


@pytest.fixture(scope="module")
def served():
    """The web on loopback, at once; where requests count or take their time, a test has a server of its own."""
    with spawn(WEB) as served:
        yield served


@pytest.fixture(scope="module")
def slowly_served(tmp_path_factory):
    """The web on loopback, a little slower than at once, so that something is always under way."""
    with spawn(WEB, latency=(0.02, 0.05), log=str(tmp_path_factory.mktemp("slowly") / "log")) as served:
        yield served


@pytest.fixture(scope="module")
def finished(tmp_path_factory, served):
    """A crawl of 30 pages that has finished, and its visits; copy it to go on with it."""
    folder = tmp_path_factory.mktemp("finished") / "c"
    with begin(folder, served, pages=30) as running:
        return folder, list(running)


def host_url(url):
    return url[: url.index("/", 8)]


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


def test_a_budget_of_n_pages_is_n_pages_with_64_workers(tmp_path, slowly_served):
    with begin(tmp_path / "c", slowly_served, pages=101, workers=64) as running:
        urls = [visit.url for visit in running]
    assert len(urls) == len(set(urls)) == 101
    report = status(tmp_path / "c")
    assert (report.pages, report.state, report.reason) == (101, "finished", "budget spent: pages")


def test_resuming_a_finished_crawl_with_a_larger_budget_goes_on(tmp_path, finished):
    folder, visits = finished
    shutil.copytree(folder, tmp_path / "c")
    with resume(tmp_path / "c", pages=50) as running:
        first, second = [visit.url for visit in visits], [visit.url for visit in running]
    assert (len(first), len(second)) == (30, 20)
    assert not set(first) & set(second)


def test_leaving_the_loop_early_leaves_a_collection_that_resumes(tmp_path, served):
    with begin(tmp_path / "c", served) as running:
        for count, _ in enumerate(running, 1):
            if count == 10:
                break
    assert status(tmp_path / "c").state == "stopped"
    with resume(tmp_path / "c") as running:
        rest = [visit.url for visit in running]
    assert status(tmp_path / "c").pages == 60
    assert len(rest) <= 50


def test_a_stopped_hunt_brings_home_what_is_under_way(tmp_path, slowly_served):
    before = len(slowly_served.asked())
    with begin(tmp_path / "c", slowly_served) as running:
        for count, _ in enumerate(running, 1):
            if count == 10:
                running.stop()
    pages = [request for request in slowly_served.asked()[before:] if request.path != "/robots.txt"]
    report = status(tmp_path / "c")
    assert report.state == "stopped"
    assert report.pages + report.redirects + sum(report.misses.values()) == len(pages)


def test_no_pause_is_ever_shorter_than_asked(tmp_path):
    delay, crawl_delay = 0.2, 0.5
    made = Made(pages=600, topics=3, seed=5, page_bytes=2000, crawl_delay=crawl_delay)
    slow = [url for url in made.urls() if "Crawl-delay" in str(made.response(host_url(url) + "/robots.txt"))][:8]
    with spawn(f"{WEB},crawl_delay={crawl_delay}", log=str(tmp_path / "log")) as served:
        for part in range(2):
            if part == 0:
                running = begin(tmp_path / "c", served, *slow, pages=500, delay=delay, workers=64, reach=1000)
            else:
                running = resume(tmp_path / "c")
            with running:
                for _ in islice(running, 40):
                    pass
        by_host = defaultdict(list)
        for request in served.asked():
            by_host[request.host].append(request)
    robots = {host: made.response(f"http://{host}/robots.txt") for host in by_host}
    asks = {host for host, raw in robots.items() if raw and b"Crawl-delay" in raw.body}
    pairs = [(host, *pair) for host, asked in by_host.items() for pair in pairwise(asked)]
    hosts = {host for host, *_ in pairs}
    # Some hosts ask for a longer pause, and some for none.
    assert len(hosts) > 5
    assert hosts & asks and hosts - asks
    early = []
    for host, one, other in pairs:
        # A crawl that stops before it has read robots.txt does not know yet what the host asks for.
        known = host in asks and not one.path == other.path == "/robots.txt"
        # What the server calls the moment of a request is when it has read it: allow it a few milliseconds.
        if other.time - one.time < (max(delay, crawl_delay) if known else delay) - 0.005:
            early.append((host, one, other))
    assert early == []


def test_a_scout_that_is_killed_is_replaced_and_nothing_is_lost(tmp_path, slowly_served):
    with begin(tmp_path / "c", slowly_served, processes=2) as running:
        urls = []
        for visit in running:
            urls.append(visit.url)
            if len(urls) in (10, 25):
                os.kill(running.pool.scouts[len(urls) % 2].process.pid, signal.SIGKILL)
        assert running.pool.deaths == 2
    assert len(urls) == len(set(urls)) == 60
    assert_whole(tmp_path / "c", urls)


@contextmanager
def long_silent(running, hung):
    """Lets the silence of a process that hangs count as long enough; `hung` names it, as soon as somebody knows.

    Nobody has to wait for it then, and a scout that is only slow, on a busy machine, has all the time it needs.
    """
    over = threading.Event()

    def watch():
        while not over.wait(0.05):
            for scout in running.pool.scouts if running.pool else ():
                process = scout.process
                if process and process.pid == hung():
                    scout.last_heard = float("-inf")

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def written(file):
    """The process that has written its number into a file, once it has."""
    return lambda: int(file.read_text() or 0) if file.exists() else 0


def test_a_scout_that_hangs_is_killed_and_the_crawl_goes_on(tmp_path, slowly_served):
    hung = []
    with (
        begin(tmp_path / "c", slowly_served, processes=2, patience=120.0) as running,
        long_silent(running, lambda: hung and hung[0].pid),
    ):
        urls = []
        for visit in running:
            urls.append(visit.url)
            if len(urls) == 10:
                # A stopped process is as silent as one that hangs inside a parser.
                os.kill(running.pool.scouts[0].process.pid, signal.SIGSTOP)
                hung.append(running.pool.scouts[0].process)
        assert hung[0].returncode == -signal.SIGKILL
        assert running.pool.deaths == 1
    assert len(urls) == len(set(urls)) == 60
    assert_whole(tmp_path / "c", urls)


def test_the_page_that_hangs_a_parser_is_the_only_one_missed(tmp_path, monkeypatch, served):
    # The scouts import this module instead of the real parser's file: it hangs on one page only.
    (tmp_path / "sitecustomize.py").write_text(
        "import lycosa.web.parse as module, os, pathlib, time\n"
        "real = module.parse\n"
        "def parse(url, *rest, **more):\n"
        f"    while url == {TOPIC.examples[2]!r}:\n"
        f"        pathlib.Path({str(tmp_path / 'hung')!r}).write_text(str(os.getpid()))\n"
        "        time.sleep(600)\n"
        "    return real(url, *rest, **more)\n"
        "module.parse = parse\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with (
        begin(tmp_path / "c", served, processes=1, patience=120.0) as running,
        long_silent(running, written(tmp_path / "hung")),
    ):
        urls = [visit.url for visit in running]
    assert TOPIC.examples[2] not in urls
    assert len(urls) == 60
    assert status(tmp_path / "c").misses["parser hung"] == 1


def test_a_scout_that_hangs_while_it_judges_is_known_by_its_page(tmp_path, monkeypatch, served):
    (tmp_path / "sulky.py").write_text(
        "import os, pathlib, time\n"
        "from lycosa.strategy.best_first import BestFirst\n"
        "class Sulky(BestFirst):\n"
        "    @staticmethod\n"
        "    def sense(page, topic):\n"
        f"        while page.url == {TOPIC.examples[1]!r}:\n"
        f"            pathlib.Path({str(tmp_path / 'hung')!r}).write_text(str(os.getpid()))\n"
        "            time.sleep(600)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    options = {"processes": 1, "patience": 120.0, "strategy": "sulky:Sulky"}
    with (
        begin(tmp_path / "c", served, **options) as running,
        long_silent(running, written(tmp_path / "hung")),
    ):
        urls = [visit.url for visit in running]
    assert len(urls) == 60
    assert TOPIC.examples[1] not in urls
    assert status(tmp_path / "c").misses["parser hung"] == 1


def test_a_page_that_breaks_the_scout_s_code_costs_only_itself(tmp_path, monkeypatch, served):
    (tmp_path / "clumsy.py").write_text(
        "from lycosa.strategy.best_first import BestFirst\n"
        "class Clumsy(BestFirst):\n"
        "    @staticmethod\n"
        "    def sense(page, topic):\n"
        f"        return {{1, 2}}.pop if page.url == {TOPIC.examples[1]!r} else None\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with begin(tmp_path / "c", served, strategy="clumsy:Clumsy") as running:
        urls = [visit.url for visit in running]
    assert len(urls) == 60
    assert status(tmp_path / "c").misses["scout failed: TypeError"] == 1


def test_a_killed_scout_does_not_shorten_a_pause(tmp_path):
    with spawn(WEB, log=str(tmp_path / "log")) as served:
        with begin(tmp_path / "c", served, delay=1.0, workers=30, processes=1, pages=40, reach=500) as running:
            for count, _ in enumerate(running, 1):
                if count == 8:
                    os.kill(running.pool.scouts[0].process.pid, signal.SIGKILL)
        gaps = smallest_gaps(served.asked())
    assert min(gaps.values()) > 1.0 - 0.005


def test_the_time_budget_does_not_wait_for_slow_pages(tmp_path):
    with spawn(WEB, latency=(1000.0, 1000.0)) as served:
        options = {"pages": 0, "seconds": 2.0, "workers": 2, "proxy": served.proxy, "timeout": 1000.0, "index": False}
        # The test itself has less time than the pages would take.
        with hunt(TOPIC.keywords, TOPIC.examples, out=tmp_path / "c", **options) as running:
            with pytest.raises(SeedsFailed, match="not asked"):
                list(running)
            assert running.crawl.stopped.reason == "budget spent: time"


def test_a_proxy_that_is_gone_stops_the_hunt_and_resume_goes_on(tmp_path, served):
    with spawn(WEB) as gone, begin(tmp_path / "c", gone, pages=20) as running:
        for _ in running:
            pass
    with pytest.raises(Refused, match="proxy cannot be reached"), resume(tmp_path / "c", pages=40) as running:
        for _ in running:
            pass
    with resume(tmp_path / "c", pages=40, proxy=served.proxy) as running:
        assert len(list(running)) == 20


def test_a_hunt_is_stopped_before_it_began_and_left_while_it_runs(tmp_path, slowly_served):
    with begin(tmp_path / "c", slowly_served) as running:
        running.stop()
        assert list(running) == []
    with resume(tmp_path / "c") as running:
        visits = iter(running)
        next(visits)
        scouts = [scout.process for scout in running.pool.scouts]
    assert all(scout.poll() is not None for scout in scouts)
    assert status(tmp_path / "c").state == "stopped"


def test_what_the_past_hangs_on_cannot_be_changed(tmp_path):
    with hunt(TOPIC.keywords, TOPIC.examples, out=tmp_path / "c", replay=WEB, pages=5) as running:
        assert len(list(running)) == 5
    with pytest.raises(Refused, match="retries cannot change"):
        Hunt.resume(tmp_path / "c", retries=9)


def test_why_shows_the_path_with_anchors_scores_and_ranks(finished):
    folder, visits = finished
    deep = next(visit for visit in reversed(visits) if visit.ticket.via)
    path = why(folder, deep.url)
    assert path[0].via is None
    assert path[0].url in TOPIC.examples
    assert path[-1].url == deep.url
    assert path[-1].score == pytest.approx(deep.ticket.score)
    assert path[-1].anchor
    assert all(hop.via == before.url for before, hop in pairwise(path))
    assert all(1 <= hop.rank <= hop.queued for hop in path)


def assert_whole(folder, urls):
    """Every page is in the log once, and its record can be read."""
    collection = Collection.open(Path(folder))
    try:
        rows = list(collection.log.pages())
        assert sorted(row.url for row in rows) == sorted(urls)
        assert all(collection.repository.holds(row.where) for row in rows)
        recorded = list(WarcSource(Path(folder) / "pages").urls())
        redirects = collection.log.counts()["redirects"]
        assert len(recorded) == len(rows) + redirects
    finally:
        collection.close()
