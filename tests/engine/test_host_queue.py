"""The host queue: several crawls in one process are together as polite as one."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from lycosa.core.nouns import LOST, RESTING, Miss, Redirect, Ticket, Visit
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.politeness.host_queue import HostQueue
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import ScoutOrder


class Time:
    """A clock, and the timers of a loop that has it."""

    def __init__(self):
        self.now = 0.0
        self.timers = []

    def __call__(self):
        return self.now

    def call_later(self, delay, do, *what):
        self.timers.append((self.now + delay, do, what))

    def pass_to(self, now):
        self.now = now
        due, self.timers = [t for t in self.timers if t[0] <= now], [t for t in self.timers if t[0] > now]
        for _, do, what in due:
            do(*what)


class Scouts:
    """A crawl's scouts, as the gate sees them."""

    def __init__(self):
        self.handed = []
        self.answers = []

    def hand(self, order):
        self.handed.append(order.ticket.url)

    def answer(self, outcome):
        self.answers.append(outcome)


@pytest.fixture
def time(monkeypatch):
    time = Time()
    monkeypatch.setattr("lycosa.engine.politeness.host_queue.get_running_loop", lambda: time)
    return time


def order(url):
    return ScoutOrder(Ticket(url), 1000)


def visit(url):
    return Visit(Ticket(url), 0.5)


def test_a_host_is_asked_by_one_crawl_at_a_time_and_rests_in_between(time):
    host_queue, one, two = HostQueue(PolitenessRules(delay=2.0), time), Scouts(), Scouts()
    host_queue.enter(order("http://a/1"), one)
    host_queue.enter(order("http://a/2"), two)
    host_queue.enter(order("http://b/1"), two)
    assert (one.handed, two.handed) == (["http://a/1"], ["http://b/1"])
    time.pass_to(60.0)
    assert two.handed == ["http://b/1"]
    host_queue.left(visit("http://a/1"), one)
    time.pass_to(61.9)
    assert two.handed == ["http://b/1"]
    time.pass_to(62.1)
    assert two.handed == ["http://b/1", "http://a/2"]


def test_the_pause_that_a_host_asks_one_crawl_for_holds_for_all(time):
    host_queue, one, two = HostQueue(PolitenessRules(delay=1.0), time), Scouts(), Scouts()
    host_queue.enter(order("http://a/1"), one)
    host_queue.asked("a", 10.0)
    host_queue.left(visit("http://a/1"), one)
    host_queue.enter(order("http://a/2"), two)
    time.pass_to(9.0)
    assert not two.handed
    time.pass_to(10.1)
    assert two.handed


def test_a_host_that_wants_to_be_left_alone_is(time):
    host_queue, one, two = HostQueue(PolitenessRules(delay=1.0), time), Scouts(), Scouts()
    host_queue.enter(order("http://a/1"), one)
    host_queue.left(Miss(Ticket("http://a/1"), "status 503", again=True, rest=30.0), one)
    host_queue.enter(order("http://a/2"), two)
    time.pass_to(29.0)
    assert not two.handed
    time.pass_to(30.1)
    assert two.handed


def test_what_another_crawl_has_brought_passes_without_asking_its_host(time):
    there: dict[str, Any] = {}
    host_queue, one, two = (
        HostQueue(PolitenessRules(delay=5.0), time, lambda ticket: there.get(ticket.url, False)),
        Scouts(),
        Scouts(),
    )
    host_queue.enter(order("http://a/1"), one)
    host_queue.enter(order("http://a/1"), two)
    host_queue.enter(order("http://a/2"), two)
    there["http://a/1"] = True
    host_queue.left(visit("http://a/1"), one)
    assert two.handed == ["http://a/1"]
    # And nobody waits for its return.
    host_queue.left(visit("http://a/1"), two)
    time.pass_to(5.1)
    assert two.handed == ["http://a/1", "http://a/2"]


def test_what_is_known_to_lead_elsewhere_or_nowhere_is_answered_at_once(time):
    moved = Redirect(Ticket("http://a/1"), "http://b/")
    host_queue, one = HostQueue(PolitenessRules(), time, lambda ticket: moved), Scouts()
    host_queue.enter(order("http://a/1"), one)
    assert one.answers == [moved] and not one.handed


def test_a_crawl_that_is_over_holds_up_nobody(time):
    host_queue, one, two = HostQueue(PolitenessRules(delay=1.0), time), Scouts(), Scouts()
    host_queue.enter(order("http://a/1"), one)
    host_queue.enter(order("http://a/2"), one)
    host_queue.enter(order("http://a/3"), two)
    host_queue.gone(one)
    time.pass_to(1.1)
    assert two.handed == ["http://a/3"]
    assert one.handed == ["http://a/1"]


def test_an_order_whose_scout_was_lost_can_be_given_again(time):
    host_queue, one = HostQueue(PolitenessRules(delay=1.0), time), Scouts()
    host_queue.enter(order("http://a/1"), one)
    host_queue.left(Miss(Ticket("http://a/1"), LOST, again=True), one)
    host_queue.enter(order("http://a/1"), one)
    time.pass_to(1.1)
    assert one.handed == ["http://a/1", "http://a/1"]


def test_whoever_does_not_know_what_was_asked_a_moment_ago_waits(time):
    host_queue, one = HostQueue(PolitenessRules(delay=1.0), time), Scouts()
    host_queue.wary(1.0)
    host_queue.enter(order("http://a/1"), one)
    assert not one.handed
    time.pass_to(1.1)
    assert one.handed


def test_caps_on_pages_are_for_each_crawl_to_keep(time):
    host_queue, one = HostQueue(PolitenessRules(delay=0.0, per_host=1, per_site=1, spread=10), time), Scouts()
    for number in range(3):
        host_queue.enter(order(f"http://a/{number}"), one)
        host_queue.left(visit(f"http://a/{number}"), one)
    assert len(one.handed) == 3


def test_in_a_real_loop_nobody_is_forgotten():
    async def run():
        host_queue, doors, loop = (
            HostQueue(PolitenessRules(delay=0.01), asyncio.get_running_loop().time),
            [],
            asyncio.get_running_loop(),
        )
        asked = []

        class Door(Scouts):
            def hand(self, order):
                asked.append(loop.time())
                loop.call_later(0.001, host_queue.left, visit(order.ticket.url), self)

        for number in range(4):
            doors.append(Door())
            for page in range(3):
                host_queue.enter(order(f"http://a/{number}-{page}"), doors[-1])
        await asyncio.sleep(0.3)
        return asked

    asked = asyncio.run(run())
    assert len(asked) == 12
    assert all(later - sooner >= 0.01 for sooner, later in pairwise(asked))


def test_a_host_that_another_process_asks_is_waited_for(time, tmp_path):
    locks = [HostLocks(tmp_path / "hosts", clock=time) for _ in range(2)]
    host_queue, scouts = HostQueue(PolitenessRules(delay=1.0), time, locks=locks[0]), Scouts()
    assert locks[1].claim("a.test", 1.0) == 0
    locks[1].begin("a.test", 5.0)
    locks[1].end("a.test", 5.0)
    host_queue.enter(order("http://a.test/1"), scouts)
    host_queue.enter(order("http://b.test/1"), scouts)
    assert scouts.handed == ["http://b.test/1"]
    for now in (2.0, 4.9):
        time.pass_to(now)
    assert scouts.handed == ["http://b.test/1"]
    for now in (5.1, 5.6):
        time.pass_to(now)
    assert scouts.handed == ["http://b.test/1", "http://a.test/1"]
    host_queue.left(visit("http://a.test/1"), scouts)
    assert locks[1].claim("a.test", 1.0) > 0, "the others keep the rest, too"


def test_an_order_does_not_wait_long_for_the_rest_that_another_process_was_asked_for(time, tmp_path):
    locks = [HostLocks(tmp_path / "hosts", clock=time) for _ in range(2)]
    host_queue, scouts = HostQueue(PolitenessRules(delay=1.0), time, locks=locks[0]), Scouts()
    locks[1].end("a.test", 600.0)
    host_queue.enter(order("http://a.test/1"), scouts)
    (answer,) = scouts.answers
    assert (answer.reason, answer.again, answer.rest) == (RESTING, True, 600.0) and scouts.handed == []
