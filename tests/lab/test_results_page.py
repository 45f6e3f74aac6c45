"""The table of all strategies: shares of the oracle by pages and by requests, and how each compares with ours."""

import importlib.util
from pathlib import Path

import pytest

from lycosa.lab.experiment import Tracks
from lycosa.lab.inquiry import Inquiry
from lycosa.lab.statistics.pairwise_tests import tests as pairwise
from lycosa.web.testbed import TASKS

SPEC = importlib.util.spec_from_file_location("results", Path(__file__).resolve().parents[2] / "bench" / "results.py")
results = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(results)


@pytest.fixture
def inquiry(compared):
    def way(area, by_requests):
        noise = [0.01, -0.01, 0.02, 0.0, -0.02, 0.0, 0.01, -0.01]
        return {
            "target_recall": [[area / 3, area / 2, area, area + each] for each in noise],
            "target_recall_auc": [area + each for each in noise],
            "target_recall_requests_auc": [by_requests] * 8,
        }

    better = way(0.7, 0.3)
    better["target_recall_auc"][0] += 0.01
    worse = way(0.3, 0.25)
    worse["target_recall_auc"][1] += 0.02
    ways = {"worse": worse, "apprentice": way(0.6, 0.4), "same": way(0.6, 0.35), "better": better}
    comparison = compared(ways, oracle=way(0.8, 0.5), reference="apprentice")
    return Inquiry(comparison, pairwise(comparison), [], [], Tracks("examples", 1000, 1, [], [], {}, []))


def test_rows_are_by_area_and_say_whether_ours_is_ahead_or_behind(inquiry):
    head, rule, *rows = results.table(inquiry)
    cells = [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in rows]
    assert head.count("|") == rule.count("|") == rows[1].count("|")
    assert [row[0] for row in cells] == ["better", "apprentice", "same", "worse", "oracle"]
    assert [row[6:8] for row in cells] == [
        ["0.88", "0.60"],
        ["0.75", "0.80"],
        ["0.75", "0.70"],
        ["0.38", "0.50"],
        ["1.00"] * 2,
    ]
    assert [row[8] if len(row) > 8 else "" for row in cells] == ["behind, p < .001", "", "level", "ahead, p < .001", ""]


def test_every_bed_and_made_web_is_crawled_for_a_thousand_pages_and_the_bimodal_one_from_several_seed_sets():
    found = {ground.title: ground for ground in results.grounds()}
    made = [ground for title, ground in found.items() if title.startswith("Made web")]
    assert [ground.tasks for ground in made] == [("examples",)] * 3
    assert results.PAGES == 1000
    if not results.BEDS.exists():
        pytest.skip("needs the test beds beside the project")
    assert found["R packages"].tasks == found["Schools bed"].tasks == TASKS
    assert (found["R packages"].subsets, found["Schools bed"].subsets) == (3, 1)
