"""The tables of the page."""

import math

import numpy as np
import pytest

from lycosa.lab.comparison import ORACLE
from lycosa.lab.report.table_views import cost_table, main_table, marks, pairs, topic_rows, wins
from lycosa.lab.statistics.pairwise_tests import tests as all_tests


def cells(table, label):
    row = next(row for row in table.rows if row.label == label)
    return {(column.metric, column.at): cell for column, cell in zip(table.columns, row.cells, strict=True)}


@pytest.fixture
def clear(measured):
    """Three ways on eight topics: c is clearly best, a and b cannot be told apart."""
    comparison = measured(("a", "b", "c"), topics=8, pages=100)
    noise = np.array([1, -1, 1, -1, 1, -1, 1, -1]) * 0.01
    ends = {"a": 0.5 + noise, "b": 0.5 - noise, "c": 0.8 + noise / 2}
    for label, end in ends.items():
        comparison.arms[label].curves["target_recall"][:, -1] = end
    return comparison


@pytest.mark.parametrize(
    ("points", "found"),
    [
        ([1, 10, 100, 200, 340, 500, 1000], [100, 200, 500, 1000]),
        ([1, 20, 50, 75], [1, 20, 50, 75]),
        ([7], [7]),
    ],
)
def test_recall_is_told_at_the_last_round_numbers_and_the_end(points, found):
    assert marks(points) == found


def test_a_cell_is_the_mean_and_its_standard_error(clear):
    cell = cells(main_table(clear, ()), "c")["target_recall", 100]
    assert (cell.text, cell.error) == ("0.800", "±0.002")


def test_ways_that_cannot_be_told_apart_share_a_letter_and_the_best_is_bold(clear):
    table = main_table(clear, all_tests(clear))
    at_end = {label: cells(table, label)["target_recall", 100] for label in ("a", "b", "c", ORACLE)}
    assert [at_end[label].letters for label in ("a", "b", "c", ORACLE)] == ["b", "b", "a", ""]
    assert [at_end[label].best for label in ("a", "b", "c", ORACLE)] == [False, False, True, False]
    assert cells(table, "a")["target_recall", 50].letters == ""


def test_no_letters_where_not_all_pairs_were_tested(clear):
    some = all_tests(clear, hypotheses=[("c", "a")])
    assert {cell.letters for row in main_table(clear, some).rows for cell in row.cells} == {""}


def test_nothing_is_best_in_a_recording_that_lacks_too_much(clear):
    clear.complete, clear.arms["a"].missing = False, 600
    table = main_table(clear, all_tests(clear))
    assert not any(cell.best or cell.letters for row in table.rows for cell in row.cells)


def test_nobody_is_best_who_was_measured_on_other_topics(clear):
    clear.arms["a"].values["search_length"][0] = math.nan
    table = main_table(clear, ())
    assert not any(cells(table, label)["search_length", None].best for label in "abc")
    assert any(cells(table, label)["oracle_share", None].best for label in "abc")
    clear.arms["b"].values["search_length"][1] = math.nan
    clear.arms["c"].values["search_length"][1] = math.nan
    table = main_table(clear, ())
    assert not any(cells(table, label)["search_length", None].best for label in "abc"), "equally many, but others"


def test_columns_without_a_number_are_left_out(measured):
    table = main_table(measured(without=("robustness", "precision")), ())
    assert not {"robustness", "precision"} & {column.metric for column in table.columns}
    assert sum(count for _, count in table.groups) == len(table.columns)


def test_requests_stand_beside_pages(measured):
    table = main_table(measured(pages=100), ())
    assert ("The first 100 requests, dead links counted", 3) in table.groups
    told = {column.metric: column.title for column in table.columns}
    assert told["oracle_share_requests"] == "Share of the oracle by requests"
    assert cells(table, ORACLE)["target_recall_requests", 100].text != "–"


def test_costs_have_units_and_no_best(measured):
    table = cost_table(measured())
    assert [column.title for column in table.columns] == [
        "Pages fetched",
        "Requests",
        "Hours",
        "Data fetched (MB)",
        "Processor time a page (ms)",
    ]
    assert not any(cell.best for row in table.rows for cell in row.cells)
    assert [row.label for row in table.rows] == ["breadth-first", "best-first"]


def test_tests_are_told_by_what_was_tested(clear):
    groups = dict(pairs(all_tests(clear)))
    assert list(groups) == [
        "Target recall after 100 pages",
        "Precision after 100 pages",
        "Target recall, area",
        "Target recall by requests, area",
        "Target recall by time, area",
    ]
    test, told, line = groups["Target recall after 100 pages"][1]
    assert (test.better, test.worse, told["difference"], told["p"]) == ("c", "a", "0.300", "< 0.001")
    assert told["record"] == "8–0–0"
    assert line.mark <= line.low < line.middle < line.high  # type: ignore[operator]


def test_a_single_topic_has_tests_without_numbers(measured):
    comparison = measured(topics=1)
    (_, ((_, told, line),)), *_ = pairs(all_tests(comparison))
    assert (told["p"], told["interval"], line) == ("–", "–", None)


def test_wins_are_told_from_both_sides(clear):
    found = wins(clear, all_tests(clear))
    assert found["c", "a"] == (8, 0, 0) and found["a", "c"] == (0, 0, 8)
    assert found["a", "b"] == tuple(reversed(found["b", "a"])) == (4, 0, 4)
    assert ("a", "a") not in found


def test_topics_are_told_the_hardest_first_with_the_best_way_of_each(clear):
    rows = topic_rows(clear)
    assert len(rows) == 8
    difficulties = [float(difficulty) for _, difficulty, _ in rows]
    assert difficulties == sorted(difficulties, reverse=True)
    assert all([cell.best for cell in row] == [False, False, True, False] for _, _, row in rows)
