"""Tables of a comparison, as rows and as files."""

import csv
import math
import re

import pytest

from lycosa.lab.statistics import pairwise_tests
from lycosa.lab.tables import columns, stars, summary_rows, write_tables

NAN = float("nan")


@pytest.fixture
def schools(compared):
    def curve(*ends):
        return [[end / 4, end / 3, end / 2, end] for end in ends]

    def way(base, lengths):
        ends = [base + step / 50 for step in range(6)]
        return {
            "target_recall": curve(*ends),
            "target_recall_auc": [end / 2 for end in ends],
            "precision": curve(*(1 - end for end in ends)),
            "search_length": lengths,
        }

    base, close = way(0.5, [100, 200, 300, NAN, NAN, NAN]), way(0.5, [100] * 6)
    close["target_recall"][0] = [0.1, 0.2, 0.3, 0.52]
    best = way(0.8, [50, 50, 50, NAN, NAN, NAN])
    best["target_recall"][3][-1] += 0.01
    ways = {"breadth_first": base, "best-first:n=16|64": best, "close": close}
    return compared(ways, oracle={"target_recall": curve(*[1.0] * 6), "target_recall_auc": [0.9] * 6})


def cell(comparison, way, title):
    place = [column.title for column in columns(comparison)].index(title)
    rows = summary_rows(comparison, pairwise_tests.tests(comparison))
    return next(row for row in rows if row.label == way).cells[place]


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_recall_has_a_column_for_each_named_point(schools):
    assert [column.title for column in columns(schools)] == [
        *("Recall@100", "Recall@200", "Recall@500", "Recall@1000"),
        *("AUC", "Precision", "Search length"),
    ]


def test_rows_come_as_the_ways_were_named_and_the_oracle_last(schools):
    rows = summary_rows(schools, [])
    assert [row.label for row in rows] == ["breadth_first", "best-first:n=16|64", "close", "oracle"]
    assert math.isnan(rows[-1].cells[-1].mean)


def test_a_cell_has_mean_error_and_stars_against_the_first_way(schools):
    best = cell(schools, "best-first:n=16|64", "Recall@1000")
    assert best.mean == pytest.approx(0.85 + 0.01 / 6)
    assert best.n == 6
    assert best.error > 0
    assert best.stars == "***"
    assert best.best
    assert cell(schools, "close", "Recall@1000").stars == ""
    assert cell(schools, "breadth_first", "Recall@1000").stars == ""
    assert cell(schools, "best-first:n=16|64", "Recall@100").stars == ""  # no such test was made


def test_nobody_is_best_on_different_topics(schools):
    assert not any(cell(schools, way, "Search length").best for way in schools.arms)
    assert cell(schools, "breadth_first", "Search length").n == 3


def test_where_no_ranking_is_due_there_are_no_marks(schools):
    schools.complete = False
    first = next(iter(schools.arms.values()))
    first.wanted, first.missing = 10, 5
    assert not any(
        cell.stars or cell.best for row in summary_rows(schools, pairwise_tests.tests(schools)) for cell in row.cells
    )


def test_stars():
    assert [stars(p) for p in (0.05, 0.049, 0.009, 0.0009, NAN)] == ["", "*", "**", "***", ""]


def test_all_files_are_written_and_numbers_come_back_in_full(schools, tmp_path):
    tests = pairwise_tests.tests(schools)
    written = write_tables(schools, tests, tmp_path / "new" / "tables")
    names = ["curves.csv", "values.csv", "summary.csv", "tests.csv", "summary.tex", "tests.tex"]
    assert [path.name for path in written] == names
    curves, values, summary, told = (read(path) for path in written[:4])
    assert len(curves) == (3 * 2 + 1) * 6 * 4
    assert list(curves[3].values()) == ["breadth_first", "t1", "target_recall", "1000", "0.5"]
    lengths = [line["value"] for line in values if line["metric"] == "search_length"]
    assert lengths[:6] == ["100.0", "200.0", "300.0", "", "", ""]
    assert {line["stars"] for line in summary} == {"", "***"}
    assert [float(line["p"]) for line in told] == [test.p for test in tests]
    assert told[0]["point"] == "1000"
    assert told[-1]["point"] == ""


def test_latex_rows_have_as_many_cells_as_columns_and_labels_are_escaped(schools, tmp_path):
    write_tables(schools, pairwise_tests.tests(schools), tmp_path)
    for name, width in (("summary.tex", 8), ("tests.tex", 9)):
        text = (tmp_path / name).read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", line)) for line in lines} == {width - 1}
        assert r"best-first:n=16\textbar{}64" in text
        assert r"breadth\_first" in text
        assert text.count("{") == text.count("}")
    assert r"\textbf{0.852}$^{***}$" in (tmp_path / "summary.tex").read_text(encoding="utf-8")


def test_a_single_way_has_tables_too(compared, tmp_path):
    write_tables(compared({"alone": {"target_recall_auc": [0.5]}}), [], tmp_path)
    assert [line["mean"] for line in read(tmp_path / "summary.csv")] == ["0.5", ""]
    assert read(tmp_path / "tests.csv") == []


def test_what_nobody_has_has_no_column(compared):
    comparison = compared({"a": {"target_recall_auc": [0.5, 0.6], "search_length": [NAN, NAN]}})
    assert [column.metric for column in columns(comparison)] == ["target_recall_auc"]


def test_nothing_compared_is_an_empty_table(compared, tmp_path):
    write_tables(compared({}), [], tmp_path)
    assert read(tmp_path / "summary.csv") == []
