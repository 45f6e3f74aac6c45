"""The frontier hands out the best ticket whose host is ready, each URL once, and never holds more than it may."""

import math
from random import Random

import pytest

from lycosa.core.nouns import Ticket
from lycosa.frontier.frontier import Frontier, Lease


def best(lanes):
    return max(lanes, key=lambda lane: lanes[lane].score)


def always(host):
    return 0.0


def take_all(frontier, ready=always, reach=1):
    urls = []
    while isinstance(lease := frontier.lease(best, ready, 0.0, reach), Lease):
        urls.append(lease.ticket.url)
    return urls


def url(n, host="a.test"):
    return f"http://{host}/{n}"


def test_the_best_score_comes_first_and_among_equals_the_earlier_discovery():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.2), Ticket(url(2), 0.9), Ticket(url(3), 0.2), Ticket(url(4), 0.9)])
    frontier.put([Ticket(url(5), 0.9)])
    assert take_all(frontier) == [url(2), url(4), url(5), url(1), url(3)]


def test_a_url_is_queued_once_and_handed_out_once():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.5), Ticket(url(1), 0.4)])
    assert len(frontier) == 1
    assert take_all(frontier) == [url(1)]
    frontier.put([Ticket(url(1), 1.0)])
    assert take_all(frontier) == []


def test_urls_that_differ_in_a_session_id_are_one():
    frontier = Frontier()
    frontier.put([Ticket("http://a.test/x?PHPSESSID=0123456789abcdef"), Ticket("http://a.test/x?PHPSESSID=fedcba")])
    assert len(frontier) == 1


@pytest.mark.parametrize(
    ("merge", "expected"), [("max", 0.5), ("last", 0.1), ("sum", 0.7), ("first", 0.1)], ids=lambda value: str(value)
)
def test_a_second_ticket_rescores_as_the_strategy_wants(merge, expected):
    frontier = Frontier(merge=merge)
    for score in (0.1, 0.5, 0.1):
        frontier.put([Ticket(url(1), score)])
    lease = frontier.lease(best, always, 0.0, 1)
    assert lease.ticket.score == pytest.approx(expected)


def test_rescoring_moves_a_ticket_behind_those_that_had_the_score_before_it():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.1), Ticket(url(2), 0.5)])
    frontier.put([Ticket(url(1), 0.5), Ticket(url(3), 0.5)])
    assert take_all(frontier) == [url(2), url(1), url(3)]


def test_a_full_frontier_keeps_the_best():
    frontier = Frontier(3)
    frontier.put([Ticket(url(n), n / 10) for n in (5, 1, 4, 2, 3)])
    assert frontier.dropped["frontier full"] == 2
    assert take_all(frontier) == [url(5), url(4), url(3)]


def test_equal_scores_enter_only_while_there_is_room():
    frontier = Frontier(3)
    frontier.put([Ticket(url(n)) for n in range(6)])
    assert take_all(frontier) == [url(0), url(1), url(2)]


def test_the_papers_buffer_lets_a_new_link_replace_the_worst_even_if_it_is_worse_still():
    frontier = Frontier(2, full="replace-worst")
    frontier.put([Ticket(url(1), 0.9), Ticket(url(2), 0.5), Ticket(url(3), 0.1)])
    assert take_all(frontier) == [url(1), url(3)]


def test_a_dropped_url_may_be_found_again():
    frontier = Frontier(1)
    frontier.put([Ticket(url(1), 0.9), Ticket(url(2), 0.5)])
    assert take_all(frontier) == [url(1)]
    frontier.put([Ticket(url(2), 0.5)])
    assert take_all(frontier) == [url(2)]


def test_a_host_that_is_not_ready_is_passed_over_within_reach():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.9), Ticket(url(2), 0.8), Ticket(url(3, "b.test"), 0.7)])

    def ready(host):
        return 5.0 if host == "a.test" else 0.0

    assert frontier.lease(best, ready, 0.0, 2) == 5.0
    lease = frontier.lease(best, ready, 0.0, 3)
    assert (lease.ticket.url, lease.rank, lease.queued) == (url(3, "b.test"), 3, 3)


def test_a_host_that_rests_for_long_is_not_waited_for():
    frontier = Frontier()
    frontier.put([Ticket(url(n, "slow.test"), 0.9) for n in range(50)] + [Ticket(url(1, "b.test"), 0.1)])

    def ready(host):
        return 600.0 if host == "slow.test" else 0.0

    lease = frontier.lease(best, ready, 0.0, 1)
    assert lease.ticket.url == url(1, "b.test")
    assert frontier.lease(best, ready, 0.0, 1) == 600.0


def test_a_person_s_seeds_enter_whatever_they_look_like():
    frontier = Frontier(refuses=lambda link: "trap")
    frontier.put([Ticket(url(1))], trusted=True)
    assert take_all(frontier) == [url(1)]


def test_hosts_that_are_not_worth_waiting_for_hold_up_nobody():
    frontier = Frontier()
    frontier.put([Ticket(url(n, f"failing-{n}.test"), 0.9) for n in range(50)] + [Ticket(url(1, "b.test"), 0.1)])

    def ready(host):
        return 3.0 if host.startswith("failing") else 0.0

    def worth_waiting(host):
        return not host.startswith("failing")

    assert frontier.lease(best, ready, 0.0, 16) == 3.0
    assert frontier.lease(best, ready, 0.0, 16, worth_waiting).ticket.url == url(1, "b.test")
    assert frontier.lease(best, ready, 0.0, 16, worth_waiting) == 3.0


def test_a_busy_host_means_wait_for_what_is_under_way():
    frontier = Frontier()
    frontier.put([Ticket(url(1))])
    assert frontier.lease(best, lambda host: math.inf, 0.0, 1) == math.inf


def test_lanes_are_offered_side_by_side_and_the_strategy_chooses():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.9, "far"), Ticket(url(2), 0.1, "near")])
    assert frontier.lease(lambda lanes: min(lanes), always, 0.0, 1).ticket.url == url(1)
    assert frontier.lease(lambda lanes: "near", always, 0.0, 1).ticket.url == url(2)


def test_best_n_first_fetches_its_batch_before_anything_better():
    frontier = Frontier(batch=3)
    frontier.put([Ticket(url(n), n / 10) for n in range(6)])
    first = frontier.lease(best, always, 0.0, 1)
    frontier.put([Ticket(url("better"), 1.0)])
    rest = take_all(frontier)
    assert {first.ticket.url, *rest[:2]} == {url(5), url(4), url(3)}
    assert url("better") in rest[2:5]


def test_ranks_in_a_batch_are_among_all_that_were_queued():
    frontier = Frontier(batch=4)
    frontier.put([Ticket(url(n), n / 10) for n in range(5)])
    drawn = [frontier.lease(best, always, 0.0, 1) for _ in range(4)]
    assert sorted((lease.rank, lease.queued) for lease in drawn) == [(1, 5), (2, 5), (3, 5), (4, 5)]


def test_the_next_batch_waits_until_the_last_one_is_home():
    frontier = Frontier(batch=2)
    frontier.put([Ticket(url(n)) for n in range(4)])
    for _ in range(2):
        assert isinstance(frontier.lease(best, always, 0.0, 1, idle=True), Lease)
    assert frontier.lease(best, always, 0.0, 1, idle=False) == math.inf
    assert isinstance(frontier.lease(best, always, 0.0, 1, idle=True), Lease)


def test_a_ticket_given_back_is_first_among_its_equals():
    frontier = Frontier()
    frontier.put([Ticket(url(n), 0.5) for n in range(3)])
    lease = frontier.lease(best, always, 0.0, 1)
    frontier.put_first(lease.ticket)
    assert take_all(frontier) == [url(0), url(1), url(2)]


def test_a_redirect_takes_the_place_of_the_redirected_unless_its_target_was_handed_out():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.5), Ticket(url(2), 0.5)])
    frontier.lease(best, always, 0.0, 1)
    assert frontier.follow(Ticket(url("new"), 0.5, via=url(1)))
    assert take_all(frontier) == [url("new"), url(2)]
    assert not frontier.follow(Ticket(url(2), 0.5, via=url("new")))


def test_a_redirect_that_only_adds_a_session_id_is_followed():
    frontier = Frontier()
    frontier.put([Ticket(url(1))])
    take_all(frontier)
    assert frontier.follow(Ticket(url("1?PHPSESSID=0123456789abcdef"), via=url(1)))


def test_refused_urls_are_counted_not_queued():
    frontier = Frontier(refuses=lambda link: "trap" if "calendar" in link.url else None)
    frontier.put([Ticket(url("calendar")), Ticket(url(1))])
    assert len(frontier) == 1
    assert frontier.dropped["trap"] == 1


def test_a_host_can_be_purged():
    frontier = Frontier()
    frontier.put([Ticket(url(1)), Ticket(url(2, "b.test"))])
    frontier.purge(lambda ticket: ticket.url.startswith("http://a.test/"), "host given up")
    assert take_all(frontier) == [url(2, "b.test")]
    assert frontier.dropped["host given up"] == 1


def test_a_purge_looks_at_tickets_in_the_same_order_after_a_resume():
    rng = Random(5)
    frontier, resumed = Frontier(), Frontier()
    frontier.put([Ticket(url(n), rng.random(), rng.choice("ab")) for n in range(50)])
    resumed.load(frontier.save())
    orders = []
    for each in (frontier, resumed):
        seen = []
        each.purge(lambda ticket, seen=seen: bool(seen.append(ticket.url)), "nothing")  # type: ignore[misc]
        orders.append(seen)
    assert orders[0] == orders[1] and len(orders[0]) == 50


@pytest.mark.parametrize("batch", [1, 4])
def test_a_saved_frontier_goes_on_as_if_nothing_had_happened(batch):
    rng = Random(3)
    frontier = Frontier(50, batch=batch)
    frontier.put([Ticket(url(n), rng.random(), rng.choice("ab"), via=url(0), memo=[n]) for n in range(80)])
    for _ in range(7):
        frontier.lease(best, always, 0.0, 1)
    copy = Frontier(50, batch=batch)
    copy.load(frontier.save())
    more = [Ticket(url(n), rng.random()) for n in range(60, 120)]
    frontier.put(more)
    copy.put(more)
    assert len(copy) == len(frontier)
    assert take_all(copy) == take_all(frontier)


def test_every_second_ticket_of_a_lane_can_be_handed_to_another():
    frontier = Frontier()
    frontier.put([Ticket(url(n), n / 10, "parent", memo=[n]) for n in range(5)])
    frontier.put([Ticket(url(9), 0.25, "child")])
    frontier.move("parent", "child", 2)

    def lane(name):
        return [ticket.url for ticket in frontier.best(9) if ticket.lane == name]

    assert lane("parent") == [url(4), url(2), url(0)]
    assert lane("child") == [url(3), url(9), url(1)]
    assert len(frontier) == 6
    frontier.put([Ticket(url(3), 0.9, "parent")])
    assert lane("parent") == [url(3), url(4), url(2), url(0)]


def test_a_lane_that_is_moved_as_a_whole_keeps_scores_and_the_order_among_equals():
    frontier = Frontier()
    frontier.put([Ticket(url(1), 0.5, "b"), Ticket(url(2), 0.5, "a"), Ticket(url(3), 0.7, "a")])
    frontier.move("a", "b")
    frontier.move("nobody's", "b")
    frontier.move("b", "b")
    assert {ticket.lane for ticket in frontier.best(9)} == {"b"}
    assert take_all(frontier) == [url(3), url(1), url(2)]


@pytest.mark.parametrize("every", [1, 2, 3])
def test_moving_tickets_between_lanes_loses_none(every):
    rng = Random(every)
    frontier = Frontier()
    frontier.put([Ticket(url(n), rng.random(), rng.choice("abc")) for n in range(3000)])
    for _ in range(9):
        frontier.move(rng.choice("abc"), rng.choice("abc"), every)
    copy = Frontier()
    copy.load(frontier.save())
    taken = take_all(frontier)
    assert len(taken) == len(set(taken)) == 3000
    assert take_all(copy) == taken
