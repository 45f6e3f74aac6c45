"""Which pages make the new collection."""

from __future__ import annotations

from lycosa.community.selection import choose


def found(**crawls):
    return {name: dict(pages) for name, pages in crawls.items()}


def test_no_url_is_there_twice_and_each_comes_from_the_query_it_answers_best():
    chosen = choose(found(a=[("x", 0.1), ("y", 0.9)], b=[("x", 0.7), ("y", 0.9)]), 10)
    assert chosen == {"a": ["y"], "b": ["x"]}


def test_where_there_is_room_everything_stays_in_the_order_it_was_found():
    assert choose(found(a=[("x", 0.1), ("y", 0.9), ("z", 0.5)]), 3) == {"a": ["x", "y", "z"]}


def test_where_there_is_too_little_room_every_query_keeps_its_best():
    chosen = choose(
        found(rich=[(f"r{n}", 0.9) for n in range(100)], poor=[("p1", 0.01), ("p2", 0.03), ("p3", 0.02)]), 4
    )
    assert chosen == {"rich": ["r0", "r1"], "poor": ["p2", "p3"]}


def test_the_room_of_a_query_that_has_little_goes_to_the_others():
    chosen = choose(found(rich=[(f"r{n}", 0.9) for n in range(100)], poor=[("p1", 0.01)]), 5)
    assert [len(urls) for urls in chosen.values()] == [4, 1]


def test_what_two_queries_share_takes_one_place():
    chosen = choose(found(a=[("x", 0.9), ("y", 0.2)], b=[("x", 0.8), ("z", 0.1)]), 2)
    assert chosen == {"a": ["x"], "b": ["z"]}


def test_pages_that_are_there_already_take_no_room():
    assert choose(found(a=[("x", 0.9), ("y", 0.2)]), 1, ["x"]) == {"a": ["y"]}


def test_no_room_is_no_page():
    assert choose(found(a=[("x", 0.9)]), 0) == {"a": []}
