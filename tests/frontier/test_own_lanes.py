"""A frontier for each lane: a URL may wait in several, and is handed out once."""

from random import Random

import pytest

from lycosa.core.nouns import Ticket
from lycosa.core.strategy import make
from lycosa.frontier.frontier import Frontier, Lease
from lycosa.frontier.own_lanes import OwnLanes, frontier_for


def url(n):
    return f"http://a.test/{n}"


def waiting(frontier, lane):
    return [(ticket.url, ticket.score) for ticket in frontier.best(99) if ticket.lane == lane]


def lease(frontier, lane):
    found = frontier.lease(lambda lanes: lane, lambda host: 0.0, 0.0, 1)
    assert isinstance(found, Lease)
    return found.ticket


def test_a_url_waits_in_each_lane_with_the_score_it_has_there():
    frontier = OwnLanes()
    frontier.put(
        [Ticket(url(1), 0.3, "a"), Ticket(url(1), 0.9, "b"), Ticket(url(1), 0.5, "a"), Ticket(url(1), 0.1, "b")]
    )
    assert waiting(frontier, "a") == [(url(1), 0.5)]
    assert waiting(frontier, "b") == [(url(1), 0.9)]
    assert len(frontier) == 2
    assert frontier.knows(url(1)) and not frontier.knows(url(2))


def test_a_url_is_handed_out_once_for_the_lane_that_was_chosen():
    frontier = OwnLanes()
    frontier.put([Ticket(url(n), 0.5, lane) for lane in "abc" for n in (1, 2)])
    assert (lease(frontier, "b").lane, len(frontier)) == ("b", 3)
    frontier.put([Ticket(url(1), 1.0, "c")])
    assert len(frontier) == 3
    assert lease(frontier, "c").url == url(2)
    assert len(frontier) == 0


def test_all_tickets_count_for_the_capacity_and_the_worst_makes_room():
    frontier = OwnLanes(3)
    frontier.put(
        [Ticket(url(1), 0.1, "a"), Ticket(url(1), 0.4, "b"), Ticket(url(2), 0.3, "b"), Ticket(url(3), 0.2, "a")]
    )
    assert (waiting(frontier, "a"), len(frontier)) == ([(url(3), 0.2)], 3)
    assert waiting(frontier, "b") == [(url(1), 0.4), (url(2), 0.3)]


@pytest.mark.parametrize(("left", "kept"), [(0.9, 0.9), (0.1, 0.4)])
def test_a_lane_moved_to_one_that_has_the_url_keeps_the_better_of_the_two(left, kept):
    frontier = OwnLanes()
    frontier.put([Ticket(url(1), left, "dead"), Ticket(url(2), 0.2, "dead"), Ticket(url(1), 0.4, "orphans")])
    frontier.move("dead", "orphans")
    assert sorted(waiting(frontier, "orphans")) == [(url(1), kept), (url(2), 0.2)]
    assert len(frontier) == 2


def test_every_second_ticket_moves_best_first():
    frontier = OwnLanes()
    frontier.put([Ticket(url(n), n / 10, "parent") for n in range(5)])
    frontier.move("parent", "child", 2)
    assert [name for name, _ in waiting(frontier, "parent")] == [url(4), url(2), url(0)]
    assert [name for name, _ in waiting(frontier, "child")] == [url(3), url(1)]
    frontier.move("nobody's", "child")
    frontier.move("child", "child")
    assert len(frontier) == 5


def test_a_purged_url_is_gone_from_all_lanes_and_counted_once():
    frontier = OwnLanes()
    frontier.put([Ticket(url(1), 0.5, lane) for lane in "ab"] + [Ticket(url(2), 0.5, "a")])
    assert [ticket.url for ticket in frontier.purge(lambda ticket: ticket.url == url(1), "gone")] == [url(1)]
    assert (len(frontier), frontier.dropped["gone"]) == (1, 1)


def test_what_was_saved_goes_on_as_if_nothing_had_happened():
    dice = Random(4)
    frontier = OwnLanes(60)
    frontier.put([Ticket(url(dice.randrange(40)), dice.random(), dice.choice("abc")) for _ in range(200)])
    for lane in "abcab":
        lease(frontier, lane)
    copy = OwnLanes(60)
    copy.load(frontier.save())
    orders = []
    for each in (frontier, copy):
        order = []
        while len(each):
            order.append(each.lease(lambda lanes: sorted(lanes)[0], lambda host: 0.0, 0.0, 1).ticket)
        orders.append(order)
    assert orders[0] == orders[1]
    assert len({ticket.url for ticket in orders[0]}) == len(orders[0])


def test_a_redirect_is_followed_in_the_lane_of_its_link():
    frontier = OwnLanes()
    frontier.put([Ticket(url(1), 0.5, "a"), Ticket(url("new"), 0.1, "b")])
    frontier.take(Ticket(url(1), 0.5, "a"))
    assert frontier.follow(Ticket(url("new"), 0.5, "a", via=url(1)))
    assert lease(frontier, "a").url == url("new")
    assert len(frontier) == 0
    assert not frontier.follow(Ticket(url("new"), 0.5, "a", via=url(1)))


def test_strategies_get_the_frontier_they_ask_for():
    spiders, greedy, batches = (frontier_for(make(name), 77) for name in ("infospiders", "best-first", "best-n-first"))
    assert (type(spiders), spiders.capacity) == (OwnLanes, 16_384)
    assert (type(greedy), greedy.capacity, greedy.batch) == (Frontier, 77, None)
    assert (type(batches), batches.capacity, batches.batch, batches.full) == (Frontier, 256, 256, "replace-worst")
