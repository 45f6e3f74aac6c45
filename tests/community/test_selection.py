"""Which pages make the new collection: those that were found, and those that stay."""

from __future__ import annotations

from lycosa.community.selection import choose, select


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


def test_empty_places_are_filled_with_the_best_old_pages_and_no_others():
    made = select(found(a=[("x", 0.9)]), ["best", "good", "worst"], 3)
    assert made.urls == {"x", "best", "good"}
    assert select(found(a=[("x", 0.9)]), ["best"], 3, fill=False).urls == {"x"}


def test_a_share_of_the_old_pages_stays_however_much_was_found():
    made = select(found(a=[(f"x{n}", 0.9) for n in range(10)]), [f"old{n}" for n in range(10)], 10, least=6)
    assert made.carried == [f"old{n}" for n in range(6)]
    assert len(made.urls) == 10


def test_an_old_page_that_was_found_again_counts_among_those_that_stay_and_is_taken_from_its_crawl():
    made = select(found(a=[("new", 0.9), ("old", 0.1)]), ["old", "older"], 2, least=1)
    assert made.found == {"a": ["new", "old"]} and made.carried == []


def test_firm_pages_come_before_all_others_even_the_worst_ones():
    made = select(found(a=[("x", 0.9)]), ["best", "worst"], 2, firm=["worst", "unheard of"], least=1)
    assert made.urls == {"worst", "x"}
    assert select({}, ["a", "b", "c"], 2, firm=["c", "b", "a"]).urls == {"c", "b"}, "never more than there is room for"


def test_a_firm_page_that_a_crawl_found_is_taken_from_it_whatever_its_relevance():
    made = select(found(a=[("x", 0.9), ("y", 0.8), ("mark", 0.0)]), [], 2, firm=["mark"])
    assert made.found == {"a": ["x", "mark"]}
