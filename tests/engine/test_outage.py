"""A crawl whose own side fails slows down, asks now and then, and gives up after a while."""

from lycosa.core.nouns import LOST, Miss, Ticket, Visit
from lycosa.engine.outage import OutageWait

TICKET = Ticket("http://a.test/")
SHORT = Miss(TICKET, "short of file descriptors", again=True, ours=True)
VISIT = Visit(TICKET, 0.5)


def test_all_is_well_until_our_own_side_fails():
    hold = OutageWait(64, 100.0)
    hold.saw(Miss(TICKET, "timeout", again=True), 1.0, 64)
    assert (hold.width, hold.until, hold.reason, hold.said(1.0)) == (64, 0.0, "", "")
    assert not hold.is_over(1e9)


def test_many_failures_at_once_are_one_shortage():
    hold = OutageWait(64, 100.0)
    for _ in range(40):
        hold.saw(SHORT, 10.0, 60)
    assert (hold.width, hold.until) == (30, 10.5)
    assert hold.said(12.0) == "waiting for 2 s: short of file descriptors"


def test_pauses_double_until_one_page_is_asked_for_now_and_then():
    hold = OutageWait(64, 1000.0)
    now, pauses = 0.0, []
    for _ in range(10):
        hold.saw(SHORT, now, hold.width)
        pauses.append(hold.until - now)
        now = hold.until
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0, 15.0, 15.0]
    assert hold.width == 1


def test_an_answer_ends_the_wait_and_speed_comes_back_by_and_by():
    hold = OutageWait(8, 10.0)
    hold.saw(SHORT, 0.0, 8)
    hold.saw(VISIT, 5.0, 3)
    assert (hold.reason, hold.width) == ("", 4)
    for _ in range(100):
        hold.saw(VISIT, 6.0, 3)
    assert hold.width == 8
    hold.saw(SHORT, 30.0, 8)
    assert not hold.is_over(39.0)
    assert hold.is_over(40.0)


def test_a_lost_scout_is_no_sign_of_life():
    hold = OutageWait(8, 10.0)
    hold.saw(SHORT, 0.0, 8)
    hold.saw(Miss(TICKET, LOST, again=True), 5.0, 3)
    assert hold.is_over(10.0)
