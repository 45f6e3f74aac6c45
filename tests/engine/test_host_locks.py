"""Host locks: crawls in processes of their own are polite together."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import time

import pytest

from lycosa.core.nouns import Miss, Visit
from lycosa.engine.crawl import Crawl, Wait
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import ScoutOrder

ANOTHER = """
import sys
from pathlib import Path
from lycosa.engine.politeness.host_locks import HostLocks
locks = HostLocks(Path(sys.argv[1]))
for line in sys.stdin:
    verb, host, seconds = line.split()
    print(getattr(locks, verb)(host, float(seconds)), flush=True)
"""


class Another:
    """A hunt in a process of its own, which does what it is told."""

    def __init__(self, file):
        self.process = subprocess.Popen(
            [sys.executable, "-c", ANOTHER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, verb, host, seconds):
        self.process.stdin.write(f"{verb} {host} {seconds}\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline().strip()
        return None if said == "None" else float(said)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.close()

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


class Time:
    """A clock that stands still unless it is moved."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def file(tmp_path):
    return tmp_path / "hosts"


@pytest.fixture
def another(file):
    found = Another(file)
    yield found
    if found.process.returncode is None:
        found.close()


@pytest.fixture
def clock():
    return Time()


@pytest.fixture
def hunts(file, clock):
    """Three hunts with one clock. They are in one process, so it is their notes that keep them apart, not locks."""
    made = [HostLocks(file, clock=clock) for _ in range(3)]
    yield made
    for each in made:
        each.close()


def ask(host_locks, host, pause):
    """Claim a host, ask it, come back, let it rest."""
    assert host_locks.claim(host, pause) == 0
    host_locks.begin(host, pause)
    host_locks.end(host, pause)


def test_a_host_that_another_process_asks_is_not_free_until_it_is_back_and_has_rested(file, another):
    with HostLocks(file) as ours:
        assert another("claim", "a.test", 0.01) == 0
        another("begin", "a.test", 0.01)
        time.sleep(0.02)
        # However long that takes.
        assert 0 < ours.claim("a.test", 0.01) < 1
        assert ours.claim("b.test", 0.01) == 0
        another("end", "a.test", 600.0)
        time.sleep(0.01)
        assert 500 < ours.claim("a.test", 0.01) <= 600


def test_a_process_that_is_killed_holds_no_host(file, another):
    with HostLocks(file) as ours:
        another("claim", "a.test", 0.05)
        another("begin", "a.test", 0.05)
        another.kill()
        deadline = time.monotonic() + 30
        while ours.claim("a.test", 0.05) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert ours.claim("a.test", 0.05) == 0


def test_what_was_claimed_and_is_not_asked_is_free_for_others(file, another):
    with HostLocks(file) as ours:
        for host in ("a.test", "b.test"):
            assert ours.claim(host, 0.01) == 0
            assert another("claim", host, 0.01) > 0
        ours.begin("a.test", 0.01)
        time.sleep(0.02)
        assert another("claim", "a.test", 0.01) > 0
        assert another("claim", "b.test", 0.01) == 0


def test_two_requests_at_once_to_one_host_are_both_awaited(file, another):
    with HostLocks(file) as ours:
        for _ in range(2):
            assert ours.claim("a.test", 0.01) == 0
            ours.begin("a.test", 0.01)
        ours.end("a.test", 0.01)
        time.sleep(0.02)
        assert another("claim", "a.test", 0.01) > 0
        ours.end("a.test", 0.01)
        deadline = time.monotonic() + 30
        while another("claim", "a.test", 0.01) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert another("claim", "a.test", 0.01) == 0


def test_a_rest_that_a_host_asks_one_hunt_for_it_has_from_all(hunts, clock):
    one, two, _ = hunts
    assert one.claim("a.test", 1.0) == 0
    one.begin("a.test", 1.0)
    one.end("a.test", 120.0)
    clock.now += 119
    assert two.claim("a.test", 1.0) == 1
    clock.now += 1
    ask(two, "a.test", 1.0)


def test_a_shorter_rest_does_not_end_a_longer_one(hunts, clock):
    one, two, three = hunts
    one.end("a.test", 100.0)
    two.end("a.test", 1.0)
    assert three.claim("a.test", 1.0) == 100


def test_hunts_that_want_one_host_take_turns(hunts, clock):
    asked, last = [], dict.fromkeys(hunts, 0.0)
    for _ in range(400):
        for hunt in hunts:  # the first would always be the first
            # Of what it has asked itself every hunt knows better.
            if clock.now >= last[hunt] + 1 and hunt.claim("a.test", 1.0) == 0:
                hunt.begin("a.test", 1.0)
                hunt.end("a.test", 1.0)
                last[hunt] = clock.now
                asked.append((clock.now, hunts.index(hunt)))
        clock.now += 0.125
    assert [at for at, _ in asked] == [1000.0 + number for number in range(50)], "not a moment is lost"
    assert [who for _, who in asked] == [number % 3 for number in range(50)]


def test_one_that_has_waited_and_does_not_come_is_not_waited_for(hunts, clock):
    one, two, _ = hunts
    ask(one, "a.test", 1.0)
    assert two.claim("a.test", 1.0) == 1
    clock.now += 1
    # It is the other's turn, for a moment.
    wait = one.claim("a.test", 1.0)
    assert 0 < wait < 0.5
    clock.now += wait
    ask(one, "a.test", 1.0)
    clock.now += 1
    ask(one, "a.test", 1.0)


def test_a_hunt_alone_is_never_held_up(hunts, clock):
    for _ in range(10):
        ask(hunts[0], "a.test", 1.0)
        clock.now += 1


def test_a_hunt_without_pauses_waits_for_nobody_but_a_host_that_wants_its_rest(hunts, clock):
    one, two, _ = hunts
    for _ in range(3):
        ask(one, "a.test", 0.0)
        ask(two, "a.test", 0.0)
    one.end("a.test", 30.0)
    assert two.claim("a.test", 0.0) == 30


def test_a_hunt_that_hangs_is_not_waited_for_for_ever(file, another, clock):
    another("claim", "a.test", 0.01)
    another("begin", "a.test", 0.01)
    clock.now = time.monotonic() + 100
    with HostLocks(file, clock=clock) as ours:
        for _ in range(15):
            assert ours.claim("a.test", 0.01) > 0
            clock.now += 10
        clock.now += 100
        assert ours.claim("a.test", 0.01) == 0


@pytest.mark.parametrize("ahead", [1e9, float("inf"), float("nan")])
def test_times_that_cannot_be_are_ignored(file, hunts, clock, ahead):
    for hunt in hunts:
        hunt.end("a.test", 5.0)
    written = file.read_bytes()
    at = written.index(struct.pack("<d", clock.now + 5))
    file.write_bytes(written[:at] + struct.pack("<d", ahead) + written[at + 8 :])
    assert hunts[0].claim("a.test", 1.0) == 0


def test_what_was_before_the_machine_was_started_is_forgotten(file):
    with HostLocks(file) as before:
        before.end("a.test", 600.0)
    with HostLocks(file) as after:
        assert after.claim("a.test", 1.0) > 500
    written = bytearray(file.read_bytes())
    (started,) = struct.unpack_from("<d", written, 8)
    struct.pack_into("<d", written, 8, started - 7200)
    file.write_bytes(written)
    with HostLocks(file) as after:
        assert after.claim("a.test", 1.0) == 0


@pytest.mark.parametrize("found", [b"", b"lycosa", os.urandom(5000), b"\xff" * 2_000_000])
def test_a_damaged_or_foreign_file_is_begun_anew(file, found):
    file.write_bytes(found)
    with HostLocks(file) as ours, HostLocks(file) as theirs:
        ask(ours, "a.test", 60.0)
        assert 50 < theirs.claim("a.test", 60.0) <= 60


def test_a_file_that_is_cut_while_it_is_used_harms_nobody(file):
    with HostLocks(file) as ours:
        ask(ours, "a.test", 60.0)
        os.truncate(file, 0)
        ask(ours, "a.test", 60.0)


@pytest.mark.parametrize("trouble", ["folder", "link", "nowhere"])
def test_without_the_file_a_hunt_is_as_polite_as_it_is_alone(tmp_path, file, trouble):
    if trouble == "folder":
        file.mkdir()
    elif trouble == "link":
        file.symlink_to(tmp_path / "elsewhere")
    else:
        file = tmp_path / "no" / "folder" / "hosts"
    with HostLocks(file) as ours:
        ask(ours, "a.test", 1.0)
        ask(ours, "a.test", 1.0)
    assert not (tmp_path / "elsewhere").exists()


def crawl(plan, host_locks):
    made = Crawl(plan)
    made.politeness.locks = host_locks
    made.begin(0.0)
    return made


def wanted(step):
    return step.ticket.url if isinstance(step, ScoutOrder) else step


def test_a_crawl_asks_another_host_meanwhile_and_takes_no_place_for_one_that_is_not_free(plan, hunts, clock):
    one, two, _ = hunts
    ask(two, "a.test", 10.0)
    ours = crawl(plan("a.test/1", "a.test/2", "b.test/1", delay=10.0, workers=8, reach=16), one)
    assert wanted(ours.want(0.0)) == "http://b.test/1"
    assert ours.want(0.0) == Wait(10.0)
    clock.now += 10
    assert wanted(ours.want(10.0)) == "http://a.test/1"


def test_a_crawl_tells_others_of_every_rest_a_host_has_from_it(plan, hunts, clock):
    ours = crawl(plan("a.test/1", "b.test/1", "c.test/1", delay=2.0, workers=8), hunts[0])
    for outcome in (
        lambda ticket: Visit(ticket, 0.5),
        lambda ticket: Miss(ticket, "status 503", again=True, rest=40.0),
        lambda ticket: Miss(ticket, "robots", asked=False),
    ):
        ours.absorb(outcome(ours.want(0.0).ticket), 0.0)
    assert [hunts[1].claim(host, 2.0) for host in ("a.test", "b.test", "c.test")] == [2, 40, 2]


def test_the_rule_of_different_hosts_holds_all_the_same(plan, hunts, clock):
    rules = PolitenessRules(delay=1.0, spread=2)
    ours = crawl(plan("a.test/1", "a.test/2", "b.test/1", rules=rules, workers=8, reach=16), hunts[0])
    assert [wanted(ours.want(0.0)) for _ in range(2)] == ["http://a.test/1", "http://b.test/1"]


def test_a_hung_crawl_is_not_waited_for_at_every_request(file, another, clock):
    another("claim", "a.test", 0.01)
    another("begin", "a.test", 0.01)
    clock.now = time.monotonic() + 1
    with HostLocks(file, clock=clock) as ours:
        while ours.claim("a.test", 0.01) > 0:
            clock.now += 10
        for _ in range(3):
            ours.begin("a.test", 0.01)
            ours.end("a.test", 0.01)
            clock.now += 1
            assert ours.claim("a.test", 0.01) == 0


def test_two_crawls_of_one_process_do_not_ask_a_host_at_the_same_time(file, another):
    with HostLocks(file) as one, HostLocks(file) as two:
        assert one.claim("a.test", 0.01) == 0
        one.begin("a.test", 0.01)
        time.sleep(0.02)
        assert two.claim("a.test", 0.01) > 0
        two.close()
        time.sleep(0.02)
        assert another("claim", "a.test", 0.01) > 0, "the lock is still the first one's"
        one.end("a.test", 0.01)
