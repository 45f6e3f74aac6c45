"""Real hunts in processes of their own, over a made web on loopback."""

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

from lycosa.app import hunts
from lycosa.app.jobs import Conflict, HuntJobs, Unknown, register
from lycosa.app.requests.hunt import HuntRequest
from lycosa.core.events import Rejudged, Visited
from lycosa.store.collection import Collection
from lycosa.system import os_errors
from lycosa.system.errors import Refused
from lycosa.system.locks import Lock

QUICK, SLOW = 0.0, 0.4
"""Seconds of rest: a hunt of a hundred pages takes one second or ten."""


@pytest.fixture
def desk_of(tmp_path, made_web):
    """Makes desks of one home, and closes them."""
    desks = []

    def make(delay=QUICK, **limits):
        jobs = HuntJobs(tmp_path / "home", http={"proxy": made_web.proxy}, delay=delay, **limits)
        desks.append(jobs)
        jobs.begin()
        return jobs

    yield make
    for jobs in desks:
        jobs.close()


@pytest.fixture
def hunt_request(made):
    def make(topic=0, **more):
        found = made.topics[topic]
        return HuntRequest(found.keywords, list(found.examples), **{"strategy": "best-first", "pages": 60, **more})

    return make


@pytest.fixture
def begun(tmp_path, made, made_web):
    """Begins a hunt in that home, and fetches nothing yet; its name. It makes no index, which is a process less."""

    def make(topic=0, delay=SLOW, **more):
        found, name = made.topics[topic], f"hunt-{topic}"
        how = {"proxy": made_web.proxy, "delay": delay, "strategy": "best-first", "index": False, **more}
        with hunts.hunt(found.keywords, found.examples, out=tmp_path / "home" / name, **how) as hunt:
            hunt.crawl.begin(time.time())
            hunt.collection.log.commit()
        return name

    return make


def state(jobs, name):
    return jobs.status(name).state


def visited(folder):
    """The URL of each visit, in order, as the log has them."""
    with Collection.open(folder) as collection:
        return [entry.event.visit.url for entry in collection.log.read(kinds=(Visited,))]


def offspring(jobs):
    """The processes of the hunts that run, and theirs; one may end while they are counted."""
    found = []
    for member in list(jobs._processes.children.values()):
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(member.child.pid)
            found += [process, *process.children(recursive=True)]
    return found


def alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="module")
def watched(tmp_path_factory, made, made_web):
    """A desk, the name of a hunt that has finished there, and every batch of it from its first moment on."""
    topic = made.topics[0]
    jobs = HuntJobs(tmp_path_factory.mktemp("home"), http={"proxy": made_web.proxy}, delay=QUICK)
    name = jobs.start(HuntRequest(topic.keywords, list(topic.examples), pages=60))
    feed, batches = jobs.feed(name), [jobs.feed(name).read()[0]]
    while batches[-1].state not in ("finished", "failed"):
        batches.append(feed.read(batches[-1].seq, 25)[0])
        time.sleep(0.02)
    yield jobs, name, batches
    jobs.close()


def last_rejudged(folder):
    with Collection.open(folder) as collection:
        return collection.log.last(Rejudged).seq


def test_a_hunt_is_watched_from_its_first_moment_to_its_end(watched):
    jobs, name, batches = watched
    states = list(dict.fromkeys(batch.state for batch in batches))
    assert (states[0], states[-1], set(states)) == ("starting", "finished", {"starting", "running", "finished"})
    came = [page for batch in batches for page in batch.pages]
    assert [page.url for page in came] == visited(jobs.folder(name))
    assert len(came) == batches[-1].counts.pages == 60
    known = [page.relevance for page in jobs.pages(name, limit=60).pages if page.relevance is not None]
    assert sum(known) / len(known) == pytest.approx(batches[-1].counts.harvest)
    assert batches[-1].rejudged == last_rejudged(jobs.folder(name)) > 0
    assert {page.via for page in came} & {page.url for page in came}
    status = jobs.status(name)
    assert (status.state, status.reason, status.pages) == ("finished", "budget spent: pages", 60)
    assert [(entry.name, entry.state, entry.pages, entry.budget) for entry in jobs.entries()] == [
        (name, "finished", 60, 60)
    ]


def test_pages_are_filtered_ordered_and_listed_in_pieces(watched):
    jobs, name, _ = watched
    everything = jobs.pages(name, limit=100)
    assert everything.total == len(everything.pages) == 60
    relevances = [page.relevance for page in everything.pages]
    assert relevances == sorted(relevances, reverse=True)
    pieces = [jobs.pages(name, start=start, limit=20).pages for start in (0, 20, 40)]
    assert [page for piece in pieces for page in piece] == everything.pages
    latest = jobs.pages(name, order="time").pages
    assert [page.seq for page in latest] == sorted((page.seq for page in latest), reverse=True)
    assert jobs.pages(name, latest[10].seq).total == 10
    one = latest[0]
    assert {page.host for page in jobs.pages(name, host=one.host).pages} == {one.host}
    above = one.host.partition(".")[2]
    assert one.host in {page.host for page in jobs.pages(name, host=above, limit=500).pages}
    word = one.title.split()[0].lower()
    found = jobs.pages(name, text=f"{word} http://", limit=500).pages
    assert one in found and all(word in f"{page.title} {page.url}".lower() for page in found)
    assert jobs.pages(name, text="%").total == jobs.pages(name, text="no_such").total == 0
    assert jobs.pages(name, min_relevance=0.5).total == sum(relevance >= 0.5 for relevance in relevances)


def test_people_judge_and_everybody_who_watches_hears_of_it(watched):
    jobs, name, _ = watched
    feed = jobs.feed(name)
    before, place = feed.read()
    good, bad = (page.url for page in before.pages[:2])
    jobs.judge(name, [(good, True), (bad, False)])
    batch, place = feed.read(place)
    assert [(said.url, said.relevant) for said in batch.judged] == [(good, True), (bad, False)]
    assert batch.counts.judged == 2
    assert feed.read(place)[0].judged == []
    assert {page.url: page.judged for page in jobs.pages(name, judged=True).pages} == {good: True, bad: False}
    assert not {good, bad} & {page.url for page in jobs.pages(name, judged=False, limit=500).pages}
    doubts = jobs.doubts(name, 2)
    assert doubts["learns"]
    assert not {good, bad} & {doubt["url"] for doubt in doubts["doubts"]}
    with pytest.raises(Refused):
        jobs.judge(name, [("http://nowhere.test/", True)])


def test_a_hunt_pauses_resumes_grows_and_stops(desk_of, begun, until):
    jobs, name = desk_of(SLOW), begun(pages=100)
    jobs.resume(name)
    until(lambda: jobs.status(name).pages >= 10)
    jobs.pause(name)
    jobs.pause(name)
    assert state(jobs, name) == "paused"
    until(lambda: not jobs._processes.children)
    assert state(jobs, name) == "paused"
    jobs.extend(name, pages=50)
    rested = jobs.status(name)
    assert (rested.state, rested.budget.pages) == ("paused", 150)
    jobs.resume(name)
    jobs.resume(name)
    until(lambda: jobs.status(name).pages > rested.pages)
    jobs.extend(name, pages=25)
    assert state(jobs, name) in ("starting", "running")
    assert jobs.status(name).budget.pages == 175
    until(lambda: state(jobs, name) == "running")
    assert jobs.feed(name).read()[0].budget["pages"] == 175
    jobs.stop(name)
    jobs.stop(name)
    assert state(jobs, name) == "stopped"
    until(lambda: not jobs._processes.children)
    with pytest.raises(Conflict, match="does not run"):
        jobs.pause(name)
    urls = visited(jobs.folder(name))
    assert len(urls) == len(set(urls)) < 175


def test_a_hunt_that_was_stopped_before_it_had_begun_begins_and_a_finished_one_grows(desk_of, hunt_request, until):
    jobs = desk_of(pages=50)
    name = jobs.start(hunt_request(pages=20))
    first = jobs.status(name)
    assert (first.state, first.pages, first.budget.pages) == ("starting", 0, 20)
    assert list(first.seeds) == hunt_request().seeds
    jobs.stop(name)
    until(lambda: not jobs._processes.children)
    assert state(jobs, name) == "stopped"
    jobs.resume(name)
    until(lambda: state(jobs, name) == "finished")
    assert len(visited(jobs.folder(name))) == 20
    with pytest.raises(Conflict, match="has finished"):
        jobs.resume(name)
    with pytest.raises(Conflict, match="does not run"):
        jobs.pause(name)
    jobs.stop(name)
    for wrong in ({}, {"pages": -1}, {"pages": 31}, {"pages": 2**63}, {"seconds": float("nan")}):
        with pytest.raises(Refused):
            jobs.extend(name, **wrong)
    jobs.extend(name, pages=30)
    until(lambda: jobs.status(name).pages == 50 and state(jobs, name) == "finished")
    urls = visited(jobs.folder(name))
    assert len(urls) == len(set(urls)) == 50


def test_only_so_many_run_together_and_the_others_wait_in_order(desk_of, begun, until):
    jobs = desk_of(SLOW, together=1)
    first, second, third = names = [begun(topic, pages=100) for topic in range(3)]
    for name in names:
        jobs.resume(name)
    assert [state(jobs, name) for name in (second, third)] == ["waiting", "waiting"]
    assert [jobs.status(name).ahead for name in (second, third)] == [0, 1]
    jobs.pause(second)
    jobs.stop(first)
    until(lambda: state(jobs, third) == "running")
    assert [state(jobs, name) for name in (first, second)] == ["stopped", "paused"]


def test_two_hunts_outlive_a_desk_that_is_killed(desk_of, begun, made_web, tmp_path, until):
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom lycosa.app.jobs import HuntJobs\n"
        "desk = HuntJobs(Path(sys.argv[1]), http={'proxy': sys.argv[2]})\ndesk.begin()\n"
        "for name in sys.argv[3:]:\n    desk.resume(name)\n"
        "print(flush=True)\ntime.sleep(60)\n"
    )
    wanted = {begun(topic, delay=0.3, pages=pages): pages for topic, pages in enumerate((40, 50))}
    names = list(wanted)
    command = [sys.executable, "-c", script, tmp_path / "home", made_web.proxy, *names]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as killed:
        killed.stdout.readline()
        crawl_reader = HuntJobs(tmp_path / "home")
        until(lambda: all(crawl_reader.status(name).pages >= 5 for name in names))
        running = [name for name in names if state(crawl_reader, name) == "elsewhere"]
        with pytest.raises(Conflict, match="another process"):
            crawl_reader.pause(running[-1])
        crawl_reader.begin()
        assert not crawl_reader._processes.children
        killed.kill()
    jobs = desk_of(0.0)
    assert {state(jobs, name) for name in running} <= {"starting", "running"}
    until(lambda: {state(jobs, name) for name in names} == {"finished"}, seconds=30)
    for name, pages in wanted.items():
        urls = visited(jobs.folder(name))
        assert len(urls) == len(set(urls)) == pages


def test_a_desk_that_closes_leaves_what_ran_meant_to_run_and_what_rested_at_rest(desk_of, hunt_request, begun, until):
    jobs = desk_of(SLOW, together=2)
    going, resting, waiting = jobs.start(hunt_request(pages=25)), begun(1, pages=300), begun(2, pages=25)
    for name in (resting, waiting):
        jobs.resume(name)
    until(lambda: jobs.status(going).pages >= 3 and jobs.status(resting).pages >= 3)
    jobs.pause(resting)
    until(lambda: state(jobs, waiting) in ("starting", "running"))
    processes = offspring(jobs)
    assert processes
    began = time.monotonic()
    jobs.close()
    assert time.monotonic() - began < 60
    assert not [process for process in processes if alive(process)]
    with pytest.raises(Conflict):
        jobs.start(hunt_request())
    again = desk_of(QUICK)
    until(lambda: {state(again, name) for name in (going, waiting)} == {"finished"})
    assert state(again, resting) == "paused"


def test_what_a_hunt_was_given_is_kept_when_it_is_paused_or_dies_before_it_begins(desk_of, begun, until):
    jobs, name = desk_of(SLOW), begun(pages=5)
    jobs.resume(name)
    until(lambda: state(jobs, name) == "finished" and not jobs._processes.children)
    jobs.extend(name, pages=7)
    jobs.pause(name)
    until(lambda: not jobs._processes.children)
    assert state(jobs, name) == "paused"
    jobs.resume(name)
    os.kill(jobs._processes.children[name].child.pid, signal.SIGKILL)
    until(lambda: state(jobs, name) == "failed")
    jobs.resume(name)
    until(lambda: state(jobs, name) == "finished")
    assert len(visited(jobs.folder(name))) == 12


def test_a_process_that_dies_fails_its_own_hunt_and_no_other(desk_of, begun, until):
    jobs, doomed, other = desk_of(SLOW), begun(0, pages=20), begun(1, pages=30)
    for name in (doomed, other):
        jobs.resume(name)
    until(lambda: jobs.status(doomed).pages >= 3)
    os.kill(jobs._processes.children[doomed].child.pid, signal.SIGKILL)
    until(lambda: state(jobs, doomed) == "failed")
    assert jobs.status(doomed).problem == "the hunt's process was killed by signal 9"
    assert jobs.feed(doomed).read()[0].problem == jobs.status(doomed).problem
    assert state(jobs, other) == "running"
    jobs.resume(doomed)
    assert jobs.status(doomed).problem == ""
    until(lambda: {state(jobs, name) for name in (doomed, other)} == {"finished"})
    assert len(visited(jobs.folder(doomed))) == 20


def test_a_hunt_whose_folder_is_deleted_fetches_nothing_more(desk_of, hunt_request, until):
    jobs = desk_of(SLOW)
    name = jobs.start(hunt_request(pages=300))
    until(lambda: jobs.status(name).pages >= 3)
    folder = jobs.folder(name)
    # Its process still writes, so that a folder may be filled again while it is removed.
    until(lambda: shutil.rmtree(folder, ignore_errors=True) or not folder.exists())
    until(lambda: jobs.at_rest(name))
    assert name not in [entry.name for entry in jobs.entries()]


def test_a_disk_without_room_is_told_and_keeps_nobody_waiting(desk_of, hunt_request, begun, until, monkeypatch):
    jobs, first, second = desk_of(SLOW, together=1), begun(0, pages=5), begun(1, pages=5)
    for name in (first, second):
        jobs.resume(name)

    def full(file, content):
        raise os_errors.of_system(file, OSError(errno.ENOSPC, "No space left on device"))

    with monkeypatch.context() as patched:
        patched.setattr(register, "write_whole", full)
        with pytest.raises(Refused, match="disk full"):
            jobs.start(hunt_request(2, name="third"))
        os.kill(jobs._processes.children[first].child.pid, signal.SIGKILL)
        until(lambda: state(jobs, second) == "running")
        assert "signal 9" in jobs.status(first).problem
    assert {entry.name for entry in jobs.entries()} == {first, second}
    jobs.resume(first)
    until(lambda: {state(jobs, name) for name in (first, second)} == {"finished"})
    assert jobs.status(first).problem == ""


def test_what_a_hunt_complains_of_is_told_in_one_line(tmp_path, hunt_request, until):
    jobs = HuntJobs(tmp_path, http={"proxy": "http://127.0.0.1:9"}, delay=0)
    try:
        name = jobs.start(hunt_request())
        until(lambda: state(jobs, name) == "failed")
        status = jobs.status(name)
        assert (status.problem, bool(status.fix)) == ("the proxy cannot be reached", True)
    finally:
        jobs.close()


def test_a_collection_of_the_command_line_is_resumed_where_it_lies(desk_of, tmp_path, made, made_web, until):
    topic, folder = made.topics[0], tmp_path / "elsewhere" / "Mine"
    options = {"proxy": made_web.proxy, "delay": 0.0, "strategy": "best-first", "index": False}
    with hunts.hunt(topic.keywords, topic.examples, out=folder, pages=30, **options) as running:
        for _ in zip(running, range(10), strict=False):
            pass
    jobs = HuntJobs(tmp_path / "home", [tmp_path / "elsewhere"], pages=1000)
    try:
        assert [(entry.name, entry.state) for entry in jobs.entries()] == [("mine", "stopped")]
        lock = Lock(folder / "lock")
        assert state(jobs, "mine") == "elsewhere"
        with pytest.raises(Conflict):
            jobs.resume("mine")
        lock.release()
        jobs.resume("mine")
        until(lambda: state(jobs, "mine") == "finished")
        assert len(visited(folder)) == 30
    finally:
        jobs.close()


def test_what_is_meant_with_hunts_is_for_the_owner_s_eyes_only(watched):
    assert (watched[0].home / ".desk").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "wrong",
    [
        {"http": {"proxy": "nonsense"}},
        {"http": {"allow": ("10.0.0.0/99",)}},
        {"http": {"contact": "a\nb"}},
        {"delay": -1.0},
        {"delay": float("nan")},
        {"pages": 0},
        {"together": 0},
    ],
)
def test_what_every_hunt_would_be_refused_for_is_refused_at_once(tmp_path, wrong):
    with pytest.raises(Refused):
        HuntJobs(tmp_path, **wrong)


def test_an_unknown_hunt_is_unknown_to_every_verb(tmp_path):
    jobs = HuntJobs(tmp_path)
    for verb in (jobs.status, jobs.pause, jobs.resume, jobs.stop, jobs.pages, jobs.feed, jobs.doubts, jobs.folder):
        with pytest.raises(Unknown):
            verb("nothing")
