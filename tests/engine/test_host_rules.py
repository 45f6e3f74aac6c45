"""Politeness rules keep each host's pause, cap what is taken from it, and give up on those that only fail."""

import math

import msgspec
import pytest

from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.system.errors import Refused


def test_the_pause_counts_from_the_end_of_a_request():
    politeness = Politeness(PolitenessRules(delay=2.0))
    politeness.begin("a.test", 10.0)
    assert politeness.ready("a.test") == math.inf
    politeness.end("a.test", 13.0, page=True)
    assert politeness.ready("a.test") == 15.0
    assert politeness.ready("b.test") == 0.0


def test_crawl_delay_lengthens_the_pause_and_never_shortens_it():
    politeness = Politeness(PolitenessRules(delay=2.0))
    politeness.asked("slow.test", 5.0)
    politeness.asked("eager.test", 0.1)
    for host, pause in (("slow.test", 5.0), ("eager.test", 2.0)):
        politeness.begin(host, 0.0)
        politeness.end(host, 1.0)
        assert politeness.ready(host) == 1.0 + pause


def test_two_connections_still_start_a_pause_apart():
    politeness = Politeness(PolitenessRules(delay=2.0, connections=2))
    politeness.begin("a.test", 0.0)
    assert politeness.ready("a.test") == 2.0
    politeness.begin("a.test", 2.0)
    assert politeness.ready("a.test") == math.inf


def test_a_host_that_asks_for_rest_gets_it():
    politeness = Politeness(PolitenessRules(delay=1.0))
    politeness.begin("a.test", 0.0)
    politeness.end("a.test", 1.0, failed=True, rest=60.0)
    assert politeness.ready("a.test") == 61.0


def test_failures_in_a_row_back_off_and_end_in_giving_up():
    politeness = Politeness(PolitenessRules(delay=1.0, patience=3))
    waits = []
    for _ in range(3):
        assert not politeness.hopeless("a.test")
        politeness.begin("a.test", 0.0)
        politeness.end("a.test", 0.0, failed=True)
        waits.append(politeness.ready("a.test"))
    assert waits == [1.0, 2.0, 4.0]
    assert politeness.hopeless("a.test")


def test_a_page_clears_the_failures():
    politeness = Politeness(PolitenessRules(patience=2))
    for failed in (True, False, True):
        politeness.begin("a.test", 0.0)
        politeness.end("a.test", 0.0, failed=failed, page=not failed)
    assert not politeness.hopeless("a.test")


def test_a_host_that_failed_or_whose_answer_is_late_is_not_worth_waiting_for():
    politeness = Politeness(PolitenessRules(delay=1.0))
    politeness.begin("fails.test", 0.0)
    politeness.begin("drips.test", 0.0)
    assert politeness.worth_waiting("fails.test") and politeness.worth_waiting("drips.test")
    politeness.end("fails.test", 1.0, failed=True)
    assert not politeness.worth_waiting("fails.test")
    politeness.begin("other.test", 10.0)
    assert not politeness.worth_waiting("drips.test")
    assert politeness.worth_waiting("other.test") and politeness.worth_waiting("new.test")
    politeness.end("drips.test", 11.0)
    politeness.begin("fails.test", 12.0)
    politeness.end("fails.test", 12.5, page=True)
    assert politeness.worth_waiting("drips.test") and politeness.worth_waiting("fails.test")


def test_d_picks_in_a_row_come_from_d_hosts():
    politeness = Politeness(PolitenessRules(delay=0.0, spread=3))
    for host in ("a.test", "b.test"):
        politeness.begin(host, 0.0)
        politeness.end(host, 0.0)
    assert math.isnan(politeness.spread("a.test"))
    assert math.isnan(politeness.spread("b.test"))
    politeness.begin("c.test", 0.0)
    politeness.end("c.test", 0.0)
    assert politeness.spread("a.test") == 0.0
    assert politeness.ready("c.test") == 0.0


def test_a_host_is_full_after_its_pages_and_what_is_under_way_counts():
    politeness = Politeness(PolitenessRules(delay=0.0, connections=4, per_host=2))
    politeness.begin("a.test", 0.0)
    politeness.begin("a.test", 0.0)
    assert politeness.ready("a.test") == math.inf
    assert not politeness.full("a.test")
    politeness.end("a.test", 0.0, page=False)
    assert politeness.ready("a.test") == 0.0
    politeness.begin("a.test", 0.0)
    politeness.end("a.test", 0.0, page=True)
    politeness.end("a.test", 0.0, page=True)
    assert politeness.full("a.test")


def test_a_host_that_asks_for_a_day_is_given_up():
    politeness = Politeness(PolitenessRules())
    politeness.begin("a.test", 0.0)
    politeness.end("a.test", 1.0, failed=True, rest=86_400.0)
    assert politeness.hopeless("a.test")


def test_a_site_is_not_overrun_by_hosts_asked_at_the_same_time():
    politeness = Politeness(PolitenessRules(delay=0.0, per_site=2))
    for host in ("x.big.test", "y.big.test"):
        assert politeness.ready(host) == 0.0
        politeness.begin(host, 0.0)
    assert politeness.ready("z.big.test") == math.inf
    assert not politeness.full("z.big.test")
    politeness.end("x.big.test", 0.0, page=False)
    assert politeness.ready("z.big.test") == 0.0


def test_a_registrable_domain_is_one_site():
    politeness = Politeness(PolitenessRules(delay=0.0, per_site=2))
    for host in ("x.big.test", "y.big.test"):
        politeness.begin(host, 0.0)
        politeness.end(host, 0.0, page=True)
    assert politeness.full("z.big.test")
    assert not politeness.full("x.other.test")


def test_saved_manners_keep_their_promises():
    politeness = Politeness(PolitenessRules(delay=2.0, spread=3))
    politeness.asked("a.test", 7.0)
    politeness.begin("a.test", 0.0)
    politeness.end("a.test", 1.0, page=True)
    again = Politeness(PolitenessRules(delay=2.0, spread=3))
    again.load(politeness.save())
    assert again.ready("a.test") == 8.0
    assert math.isnan(again.spread("a.test"))


def test_without_a_scope_nothing_is_outside():
    assert not Politeness(PolitenessRules()).outside("a.test")


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("a.test", ["a.test", "a.test:8080"], ["www.a.test", "b.test", "aa.test", "a.test.evil.test"]),
        (".a.test", ["a.test", "www.a.test", "x.y.a.test:81"], ["aa.test", "test", "a.test.evil.test"]),
        ("a.test:81", ["a.test:81"], ["a.test", "a.test:82"]),
        (".a.test:81", ["a.test:81", "www.a.test:81"], ["www.a.test", "www.a.test:82"]),
        ("[::1]", ["[::1]", "[::1]:81"], ["[::2]", "[::2]:81"]),
        ("127.0.0.1:81", ["127.0.0.1:81"], ["127.0.0.1:82", "1.127.0.0.1"]),
    ],
)
def test_a_scope_names_hosts_and_with_a_leading_dot_all_beneath_them(name, inside, outside):
    politeness = Politeness(PolitenessRules(within=(name,)))
    assert not any(map(politeness.outside, inside))
    assert all(map(politeness.outside, outside))


@pytest.mark.parametrize(
    ("name", "shut", "open_"),
    [
        ("a.test", ["a.test", "a.test:8080"], ["www.a.test", "b.test", "aa.test"]),
        (".a.test", ["a.test", "www.a.test", "x.y.a.test:81"], ["aa.test", "test", "a.test.other.test"]),
        ("a.test:81", ["a.test:81"], ["a.test", "a.test:82"]),
        ("[::1]", ["[::1]", "[::1]:81"], ["[::2]"]),
    ],
)
def test_hosts_that_are_left_alone_are_outside(name, shut, open_):
    politeness = Politeness(PolitenessRules(without=(name,)))
    assert all(map(politeness.outside, shut))
    assert not any(map(politeness.outside, open_))


def test_a_part_of_a_scope_can_be_left_alone():
    politeness = Politeness(PolitenessRules(within=(".a.test",), without=("a.test", ".old.a.test")))
    assert all(map(politeness.outside, ("a.test", "old.a.test", "x.old.a.test", "b.test")))
    assert not any(map(politeness.outside, ("www.a.test", "very.old.www.a.test:81")))


@pytest.mark.parametrize(
    ("within", "without"),
    [
        ("a.test", "A.test"),
        (".a.test", ".a.test"),
        ("www.a.test", ".a.test"),
        (".www.a.test", ".a.test"),
        ("a.test:81", "a.test"),
        (".a.test:81", ".a.test"),
    ],
)
def test_a_host_to_stay_within_and_to_leave_alone_is_refused_in_one_line(within, without):
    with pytest.raises(Refused, match="to stay within and one to leave alone") as told:
        PolitenessRules(within=("b.test", within), without=(without,))
    assert "\n" not in str(told.value)


def test_a_scope_is_written_in_any_spelling_of_a_host():
    assert PolitenessRules(within=("Bücher.Example", " .A.test:80", "xn--bcher-kva.example")).within == (
        "xn--bcher-kva.example",
        ".a.test",
    )
    assert PolitenessRules(without=("A.test.", ".b.test.", "a.test.:8080", "0x7f.1")).without == (
        "a.test",
        ".b.test",
        "a.test:8080",
        "127.0.0.1",
    )


@pytest.mark.parametrize(
    "name", ["", ".", "..", "http://a.test/", "a.test/path", "a b", "a.test?x", "u@a.test", "*", "[::1"]
)
def test_a_scope_that_is_no_host_is_refused_in_one_line(name):
    with pytest.raises(Refused, match="not a host to stay within") as told:
        PolitenessRules(within=(name,))
    assert "\n" not in str(told.value)
    with pytest.raises(Refused, match="not a host to leave alone"):
        PolitenessRules(without=(name,))


def test_rules_from_before_there_were_scopes_have_none():
    plain = msgspec.to_builtins(PolitenessRules(delay=2.0))
    del plain["within"], plain["without"]
    assert msgspec.convert(plain, PolitenessRules) == PolitenessRules(delay=2.0)
