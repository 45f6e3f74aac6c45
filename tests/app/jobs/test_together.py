"""Hunts of one home are polite together: real processes, over a made web on loopback that notes every request."""

import subprocess
import sys
import time
from collections import Counter, defaultdict
from itertools import pairwise

from lycosa.app.companion.scouting import Scouting, ScoutRun
from lycosa.app.jobs import HuntJobs
from lycosa.app.requests.hunt import HuntRequest
from lycosa.core.urls import host_of
from lycosa.engine.politeness.host_locks import HostLocks, user_file
from lycosa.system.private_files import PrivateFolder
from lycosa.web.http_options import HttpOptions
from lycosa.web.serving import spawn

WEB = "made:pages=1200,topics=4,seed=5"
REST, PAGES = 0.1, 8


def desk_with(home, web, **more):
    return HuntJobs(home, http={"proxy": web.proxy}, **more)


def largest_host(made):
    """Pages of the host that has most of them."""
    urls = list(made.urls())
    ((host, _),) = Counter(map(host_of, urls)).most_common(1)
    return [url for url in urls if host_of(url) == host][:PAGES]


def ended(jobs, names):
    return all(jobs.status(name).state in ("finished", "failed") for name in names)


def test_two_hunts_together_give_a_host_its_rest(tmp_path, made, until):
    seeds = largest_host(made)
    hunt_request = HuntRequest(
        made.topics[0].keywords, seeds, strategy="best-first", pages=PAGES, within=[host_of(seeds[0])]
    )
    with spawn(WEB, log=str(tmp_path / "asked")) as web:
        jobs = desk_with(tmp_path / "home", web, delay=REST)
        try:
            names = [jobs.start(hunt_request), jobs.start(hunt_request)]
            until(lambda: ended(jobs, names), "the end of both", 30)
        finally:
            jobs.close()
        asked = web.asked()
    assert [jobs.status(name).pages for name in names] == [PAGES, PAGES]
    assert len(asked) >= 2 * PAGES and len({request.host for request in asked}) == 1
    gaps = [later - earlier for earlier, later in pairwise(sorted(request.time for request in asked))]
    # What the server calls the moment of a request is when it has read it: allow it a few milliseconds.
    assert [gap for gap in gaps if gap < REST - 0.005] == []


def test_where_nothing_can_be_shared_hunts_run_all_the_same(tmp_path, made, made_web, until, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    user_file().mkdir(parents=True)
    jobs = desk_with(tmp_path / "home", made_web, delay=0.0)
    try:
        names = [
            jobs.start(HuntRequest(made.topics[0].keywords, largest_host(made), strategy="best-first", pages=PAGES))
        ]
        until(lambda: ended(jobs, names), "its end", 30)
        assert [(jobs.status(name).state, jobs.status(name).pages) for name in names] == [("finished", PAGES)]
    finally:
        jobs.close()


def test_a_scout_of_the_companion_asks_no_host_that_a_hunt_asks(tmp_path, made, until):
    by_host = defaultdict(list)
    for url in made.urls():
        by_host[host_of(url)].append(url)
    taken, free = sorted(by_host, key=lambda host: -len(by_host[host]))[:2]
    links = [(by_host[taken][0], ""), *((url, "") for url in by_host[free][:2])]
    run = ScoutRun("1-a", "http://read.test/", "Read", time.time(), keywords="embedded systems", links=links, pages=2)
    with spawn(WEB, log=str(tmp_path / "asked")) as web:
        jobs = desk_with(tmp_path / "home", web)
        jobs.make_home()
        scouting = Scouting(PrivateFolder(tmp_path / "home" / ".companion"), jobs.http, 0.05)
        try:
            with HostLocks(user_file(), HttpOptions(**jobs.http).network) as hunt:
                assert hunt.claim(taken, 0.05) == 0
                hunt.begin(taken, 0.05)
                scouting.send(run)
                until(lambda: not scouting.is_out(run.name), "the scout's return", 60)
        finally:
            scouting.close()
        asked = web.asked()
    assert scouting.problems == {}
    assert {request.host for request in asked} == {free} and len(asked) >= 2


def test_two_commands_side_by_side_give_a_host_its_rest_without_being_told(tmp_path, made):
    seeds = largest_host(made)
    scope = [f"--within={host_of(seeds[0])}", *(f"--seed={url}" for url in seeds)]
    with spawn(WEB, log=str(tmp_path / "asked")) as web:
        command = [sys.executable, "-m", "lycosa", "crawl", made.topics[0].keywords, *scope, f"--proxy={web.proxy}"]
        options = ["--strategy=best-first", f"--pages={PAGES}", f"--delay={REST}", "--no-index", "--json"]
        started = [subprocess.Popen([*command, *options, f"--out={tmp_path / name}"]) for name in ("one", "two")]
        assert [process.wait(120) for process in started] == [0, 0]
        asked = web.asked()
    assert len(asked) >= 2 * PAGES
    gaps = [later - earlier for earlier, later in pairwise(sorted(request.time for request in asked))]
    assert [gap for gap in gaps if gap < REST - 0.005] == []
