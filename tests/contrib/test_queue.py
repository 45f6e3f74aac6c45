"""The queue's promises: the strategy's order, for what was asked for and nothing else."""

import math
import pickle

import pytest

from lycosa.contrib.scrapy.queue import Queue
from lycosa.core.nouns import Move, Ticket
from lycosa.core.strategy import make


def queue(strategy="best-first", capacity=1000, **settings):
    return Queue(make(strategy, settings), capacity)


def url(name):
    return f"http://{name}.test/"


def drained(queue, ready=lambda host: 0.0):
    found = []
    while not isinstance(popped := queue.pop(ready, 1.0, 16, idle=True), float):
        found.append(popped[0])
    return found


def test_only_what_was_asked_for_is_handed_out_in_the_order_of_the_scores():
    requests = queue()
    requests.apply([Ticket(url(name), score) for name, score in (("a", 0.1), ("b", 0.9), ("c", 0.5))])
    assert len(requests) == 0
    assert [requests.add(name, Ticket(url(name), 0.3)) for name in "abd"] == [True, True, False]
    assert drained(requests) == ["b", "d", "a"]


def test_a_score_that_changes_moves_a_request_that_waits():
    requests = queue("apprentice")
    for name in "ab":
        requests.add(name, Ticket(url(name), 0.5))
    requests.apply([Ticket(url("a"), 0.1)])
    assert drained(requests) == ["b", "a"]


def test_a_wish_keeps_the_rule_of_its_strategy_until_somebody_asks():
    for strategy, kept in (("best-first", 0.9), ("apprentice", 0.1), ("random", 0.5)):
        requests = queue(strategy)
        requests.apply([Ticket(url("a"), 0.5), Ticket(url("a"), 0.9), Ticket(url("a"), 0.1)])
        requests.add("a", Ticket(url("a")))
        assert requests.pop(lambda host: 0.0, 1.0, 16, idle=True)[1].score == kept


def test_wishes_move_from_lane_to_lane_as_tickets_do():
    requests = queue()
    requests.apply([Ticket(url(name), score, "one") for name, score in (("a", 0.9), ("b", 0.5), ("c", 0.1))])
    requests.apply([Move("one", "two", 2)])
    for name in "abc":
        requests.add(name, Ticket(url(name)))
    lanes = {}
    while not isinstance(found := requests.pop(lambda host: 0.0, 1.0, 16, idle=True), float):
        lanes[found[0]] = found[1].lane
    assert lanes == {"a": "one", "b": "two", "c": "one"}


def test_two_requests_for_one_url_are_both_handed_out_each_in_its_turn():
    requests = queue()
    requests.add("first", Ticket(url("a"), 1.0))
    requests.add("second", Ticket(url("a"), 0.1))
    requests.add("other", Ticket(url("b"), 0.5))
    assert drained(requests) == ["first", "other", "second"]
    requests.add("third", Ticket(url("a")))
    assert drained(requests) == ["third"]


def test_a_host_that_is_busy_is_passed_over_and_told_when_to_ask_again():
    requests = queue()
    requests.add("a", Ticket(url("a"), 0.9))
    requests.add("b", Ticket(url("b"), 0.1))
    when = {"a.test": 7.0, "b.test": 0.0}.get
    assert requests.pop(when, 1.0, 16, idle=True)[0] == "b"
    assert requests.pop(when, 1.0, 16, idle=True) == 7.0
    assert requests.pop(lambda host: math.inf, 1.0, 16, idle=False) == math.inf
    assert len(requests) == 1


def test_what_comes_last_waits_until_nothing_else_is_left():
    requests = queue()
    requests.add_last("z", Ticket(url("z"), 0.9))
    requests.add("a", Ticket(url("a"), -math.inf))
    requests.apply([Ticket(url("z"), 1.0)])
    assert len(requests) == 2
    assert drained(requests) == ["a", "z"]


def test_the_least_promising_are_dropped_where_there_is_no_room():
    requests = queue(capacity=10)
    for number in range(3000):
        requests.add(number, Ticket(url(f"n{number}"), number / 3000))
    assert len(requests) == 10
    assert requests.dropped == 2990
    assert len(requests._waiting) < 1100
    assert drained(requests) == list(range(2999, 2989, -1))


def test_start_pages_get_the_tickets_with_which_the_strategy_begins():
    requests = queue("infospiders")
    for name in "abc":
        requests.add(name, Ticket(url(name), 1.0))
    requests.reseat([Ticket(url(name), 0.5, "seeds") for name in "abx"])
    requests.apply([Ticket(url("d"), 0.7, "main")])
    requests.add("d", Ticket(url("d")))
    assert sorted(drained(requests)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("strategy", ["best-first", "best-n-first"])
def test_what_was_saved_is_there_again(strategy):
    requests = queue(strategy)
    for name, score in (("a", 0.1), ("b", 0.9), ("c", 0.5), ("lambda", 0.7)):
        requests.add(name, Ticket(url(name), score))
    requests.add_last("z", Ticket(url("z")))
    requests.apply([Ticket(url("later"), 0.8)])
    popped = [requests.pop(lambda host: 0.0, 1.0, 16, idle=True)[0]]
    state = pickle.loads(pickle.dumps(requests.save(lambda name: None if name == "lambda" else {"name": name})))
    again = queue(strategy)
    again.load(state, lambda made: made["name"])
    assert again.add("later", Ticket(url("later")))
    popped += drained(again)
    assert sorted(popped) == sorted({"a", "b", "c", "later", "z", popped[0]})
    assert popped[-1] == "z"
