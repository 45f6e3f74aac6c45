"""The table of links: how far each fetched page is from relevant ones, along the links that are known."""

import msgspec
import numpy as np
import pytest

from lycosa.strategy.link_table import GONE, IRRELEVANT, RELEVANT, WAITING, LinkTable
from lycosa.strategy.link_words import COLUMNS


def words(count, value=7):
    return np.full((count, COLUMNS), value, np.uint16)


def visit(table, url, links="", good=False):
    page = table.visited(url, RELEVANT if good else IRRELEVANT)
    return table.add_links(page, list(links), words(len(links)))


def levels(table, names):
    return [int(table.level[table.rows[name]]) for name in names]


def test_levels_count_the_steps_to_the_nearest_relevant_page():
    table = LinkTable(1000, 3)
    visit(table, "a", "b")
    visit(table, "b", "c")
    visit(table, "c", "d")
    visit(table, "d", "e")
    assert levels(table, "abcd") == [3, 3, 3, 3]
    visit(table, "e", good=True)
    assert levels(table, "edcba") == [0, 1, 2, 3, 3]


def test_a_page_that_links_to_known_ones_has_its_level_at_once():
    table = LinkTable(1000, 3)
    visit(table, "good", good=True)
    visit(table, "near", ["good", "new"])
    visit(table, "far", ["near"])
    assert levels(table, ["near", "far"]) == [1, 2]
    visit(table, "again", ["near", "good"])
    assert levels(table, ["again"]) == [1]


def test_links_in_a_circle_end():
    table = LinkTable(1000, 3)
    for one, two in ("ab", "bc", "ca"):
        visit(table, one, two)
    visit(table, "c", "x")
    visit(table, "x", good=True)
    assert levels(table, "xcba") == [0, 1, 2, 3]


def test_only_new_urls_are_told_and_keep_the_words_of_the_first_link():
    table = LinkTable(1000, 1)
    page = table.visited("p", IRRELEVANT)
    assert [table.urls[row] for row in table.add_links(page, ["a", "b", "a"], words(3, 1))] == ["a", "b"]
    other = table.visited("q", IRRELEVANT)
    assert [table.urls[row] for row in table.add_links(other, ["a", "c"], words(2, 2))] == ["c"]
    assert table.words[table.rows["a"]].tolist() == [1] * COLUMNS
    assert table.urls[table.found_on[table.rows["a"]]] == "p"


def test_outcomes_are_the_followed_links_and_the_latest_of_each_level():
    table = LinkTable(1000, 1)
    visit(table, "seed", [f"l{n}" for n in range(6)])
    for n in range(5):
        visit(table, f"l{n}", good=n % 2 == 0)
    rows, found = table.outcomes(2)
    assert [table.urls[row] for row in rows] == ["l1", "l2", "l3", "l4"]
    assert found.tolist() == [1, 0, 1, 0]


def test_a_hub_yields_what_its_links_lead_to():
    table = LinkTable(1000, 1)
    visit(table, "hub", "abcd")
    visit(table, "a", good=True)
    visit(table, "b")
    table.set_state("c", GONE)
    table.score[table.rows["d"]] = 0.5
    assert table.yield_of(table.rows["hub"]) == pytest.approx((1 + 0 + 0 + 0.5) / 4)
    assert list(table.pages_with(3)) == [table.rows["hub"]]
    assert list(table.pages_with(4)) == []
    assert table.waits("d") and not table.waits("c") and not table.waits("nobody") and not table.waits(None)


def test_the_older_half_is_forgotten_when_there_are_too_many():
    table = LinkTable(100, 3)
    for n in range(60):
        visit(table, f"p{n}", [f"p{n + 1}", f"x{n}"], good=n == 50)
    assert len(table.urls) <= 102
    assert "p0" not in table.rows and "p59" in table.rows
    assert levels(table, ["p50", "p49", "p48"]) == [0, 1, 2]
    for row, url in enumerate(table.urls):
        assert table.rows[url] == row
        if table.state[row] == WAITING and url != "p60":
            assert url == f"x{table.urls[table.found_on[row]][1:]}"
    assert all(0 <= row < len(table.urls) for rows in table.children.values() for row in rows)


def test_it_grows_and_survives_a_checkpoint():
    table, again = LinkTable(10_000, 2), LinkTable(10_000, 2)
    for n in range(300):
        visit(table, f"p{n}", [f"p{n + 1}", *(f"x{n}-{m}" for m in range(9))], good=n % 7 == 0)
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(table.save())))
    assert again.save() == table.save()
    for each in (table, again):
        visit(each, "x5-5", ["p5"], good=True)
    assert again.save() == table.save()
    assert again.parents[again.rows["p5"]][-1] == again.rows["x5-5"]
