"""Where this machine runs short of something, or loses its network, no page is lost and the crawl says why."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lycosa.app.hunts import status

BENCH = Path(__file__).parents[2] / "bench" / "descriptors.py"


def measured(*options):
    command = [sys.executable, str(BENCH), "--json", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_150_hosts_at_64_descriptors_lose_no_page_where_each_is_looked_up(alone):
    (row,) = measured("--hosts", 150, "--descriptors", 64, "--names")
    assert (row["lost"], row["misses"]) == (0, {})


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("names", [False, True])
def test_1500_hosts_at_few_descriptors_lose_no_page(alone, names):
    rows = measured("--hosts", 1500, "--descriptors", 256, 128, 64, *["--names"] * names)
    assert [(row["lost"], row["misses"]) for row in rows] == [(0, {})] * 3


CRAWL = """
    import json, subprocess, time
    from pathlib import Path
    from descriptors import HUB, make_web, serve_names
    from msgspec.structs import replace
    from lycosa.app.hunts import hunt, resume, status
    from lycosa.app.requests.hunt import HuntRequest
    from lycosa.app.requests.hunt_plan import make_plan
    from lycosa.engine.hunt import Hunt
    from lycosa.system.errors import Refused
    from lycosa.web.serving import spawn

    def loopback(way):
        subprocess.run(["ip", "link", "set", "lo", way], check=True)

    def crawl(running, at, change):
        # Run to the end; `change` is called when so many pages are here.
        pages, said = 0, ""
        try:
            with running:
                for pages, _ in enumerate(running, 1):
                    if pages == at:
                        change()
        except Refused as refused:
            said = str(refused)
        return said

    def tell(**what):
        report = status("c")
        chosen = {name: getattr(report, name) for name in ("pages", "misses", "state", "reason")}
        print(json.dumps(what | chosen))

    loopback("up")
    options = {"out": "c", "pages": 0, "workers": 8, "delay": 0.0, "retries": 0, "reach": 100, "index": False}
"""


def test_a_name_server_that_dies_stops_the_crawl_and_a_resume_loses_nothing(alone):
    told = alone(
        CRAWL
        + """
    dead = False
    serve_names(lambda name: dead)

    def kill():
        global dead
        dead = True

    Path("web").mkdir()
    with spawn(make_web(Path("web"), 40), port=80):
        said = crawl(hunt("wolf spider", [HUB], allow=["127.0.0.0/8"], outage=2.0, **options), 10, kill)
        first = status("c")
        dead = False
        again = crawl(resume("c"), 0, None)
    tell(said=said, again=again, first=first.pages, stopped=first.reason, early=first.misses)
    """
    )
    assert told["said"].startswith("the network cannot be reached (name server failure): check the connection")
    assert "then resume" in told["said"] and "\n" not in told["said"]
    assert told["stopped"] == "the network cannot be reached (name server failure)"
    assert 10 <= told["first"] < 41 and told["early"] == {}
    assert (told["again"], told["pages"], told["misses"]) == ("", 41, {})
    assert (told["state"], told["reason"]) == ("finished", "nothing left to fetch")


def test_a_network_that_goes_and_comes_back_costs_no_page(alone):
    told = alone(
        CRAWL
        + """
    import threading
    waited = []

    def come_back(running):
        while not (waiting := running.waiting):
            time.sleep(0.05)
        waited.append(waiting)
        waited.append(status("c").reason)
        loopback("up")

    Path("web").mkdir()
    with spawn(make_web(Path("web"), 40)) as served:
        resolve = {"*": f"127.0.0.1:{served.port}"}
        plan = make_plan(HuntRequest("wolf spider", [HUB], resolve=resolve, outage=100.0, **options))
        http = replace(plan.http, timeout_connect=2.0, timeout_read=2.0)
        running = Hunt.begin(replace(plan, http=http), Path("c"))
        helper = threading.Thread(target=come_back, args=(running,), daemon=True)

        def cut():
            loopback("down")
            helper.start()

        said = crawl(running, 10, cut)
    tell(said=said, waited=waited)
    """
    )
    waiting, reason = told["waited"]
    assert waiting.startswith("waiting for ") and reason.startswith("waiting: ")
    assert (told["said"], told["pages"], told["misses"]) == ("", 41, {})


def test_one_site_whose_name_server_fails_is_a_miss_while_others_answer(alone):
    told = alone(
        CRAWL
        + """
    serve_names(lambda name: b"host-3" in name)
    Path("web").mkdir()
    with spawn(make_web(Path("web"), 20), port=80):
        said = crawl(hunt("wolf spider", [HUB], allow=["127.0.0.0/8"], outage=2.0, **options), 0, None)
    tell(said=said)
    """
    )
    assert (told["said"], told["pages"], told["misses"]) == ("", 20, {"name server failure": 1})
    assert (told["state"], told["reason"]) == ("finished", "nothing left to fetch")


@pytest.mark.slow
def test_too_few_local_ports_make_a_crawl_slow_and_cost_no_page(alone):
    told = alone(
        CRAWL
        + """
    # The namespace has its own range; where it cannot be changed, there is nothing to see.
    ports = Path("/proc/sys/net/ipv4/ip_local_port_range")
    Path("web").mkdir()
    with spawn(make_web(Path("web"), 40), latency=(0.02, 0.05)) as served:
        try:
            ports.write_text("50000 50003")
        except OSError:
            print(json.dumps(None))
            raise SystemExit
        options |= {"resolve": {"*": f"127.0.0.1:{served.port}"}, "robots": False}
        said = crawl(hunt("wolf spider", [HUB], outage=100.0, **options), 0, None)
    tell(said=said)
    """
    )
    if told is None:
        pytest.skip("the range of local ports cannot be changed here")
    assert (told["said"], told["pages"], told["misses"]) == ("", 41, {})


def test_an_archive_that_cannot_be_opened_costs_no_page(tmp_path):
    code = """
import os, sys
from pathlib import Path
from lycosa.core.nouns import Raw
from lycosa.system.shortage import Shortage
from lycosa.store.repository import Repository, Writer

writer = Writer(Path("."), "w")
where = writer.write("http://a.test/", Raw(200, (), b"hello"), 0.0)
writer.close()
taken = []
try:
    while True:
        taken.append(os.dup(0))
except OSError:
    pass
said = []
write = lambda: writer.write("http://b.test/", Raw(200, (), b"there"), 0.0)
for work in (write, lambda: Repository(Path(".")).holds(where)):
    try:
        said.append(str(work()))
    except Shortage as short:
        said.append(short.reason)
for descriptor in taken:
    os.close(descriptor)
print("|".join([*said, Repository(Path(".")).read(write()).body.decode()]))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "short of file descriptors|short of file descriptors|there\n", done.stderr


def test_the_command_line_says_in_one_line_that_there_is_no_network(alone, tmp_path):
    told = alone(
        """
    import json, subprocess, sys
    crawl = ["crawl", "wolf", "spider", "--seed", "http://a.test/", "--out", "c", "--outage", "1"]
    done = subprocess.run([sys.executable, "-m", "lycosa", *crawl], capture_output=True, text=True)
    print(json.dumps([done.returncode, done.stderr]))
    """
    )
    code, said = told
    report = status(tmp_path / "c")
    assert code == 2
    assert said.startswith("lycosa: the network cannot be reached (name server failure): ") and said.count("\n") == 1
    assert (report.state, report.misses, report.queued) == ("stopped", {}, 1)


def test_a_scout_that_cannot_be_started_again_for_want_of_descriptors_is_started_later(tmp_path):
    code = """
import json, os, resource, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from descriptors import HUB, make_web
from lycosa.app.hunts import hunt, status
from lycosa.web.serving import spawn

resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
taken, waited, pages = [], "", 0
Path("web").mkdir()

def take_all():
    try:
        while True:
            taken.append(os.dup(0))
    except OSError:
        pass

def give_back():
    while taken:
        os.close(taken.pop())

with spawn(make_web(Path("web"), 40)) as served:
    resolve = {"*": f"127.0.0.1:{served.port}"}
    options = {"pages": 0, "workers": 4, "processes": 2, "delay": 0.0, "reach": 100, "index": False}
    with hunt("wolf spider", [HUB], out="c", resolve=resolve, **options) as running:
        listen = running._listen
        def listening():
            global waited
            listen()
            if taken and running.pool.shortage:
                waited = running.waiting
                give_back()
        running._listen = listening
        for pages, _ in enumerate(running, 1):
            if pages == 10:
                take_all()
                os.kill(running.pool.scouts[0].process.pid, signal.SIGKILL)
print(json.dumps([pages, waited, status("c").misses]))
"""
    command = [sys.executable, "-c", code, str(BENCH.parent)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pages, waited, misses = json.loads(done.stdout)
    assert (pages, misses) == (41, {})
    assert waited.endswith("short of file descriptors")
