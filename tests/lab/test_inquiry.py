"""The JSON object: means over topics, at round numbers of pages, with null for what does not exist."""

import json
from math import nan

import numpy as np

from lycosa.lab.inquiry import plain
from lycosa.lab.metrics import METRICS


def known(told):
    """Without what is null everywhere."""
    return {key: value for key, value in told.items() if value is not None and value != {} and any_number(value)}


def any_number(value):
    return not isinstance(value, dict) or any(each is not None for each in value.values())


def test_it_has_the_shape_that_was_promised(compared):
    made = compared(
        {
            "best-first": {
                "target_recall": [[0.1, 0.2, 0.3, 0.4], [0.3, 0.4, 0.5, 0.6]],
                "target_recall_auc": [0.25, 0.5],
                "precision": [[0.5] * 4, [0.6] * 4],
                "harvest_rate": [[1.0] * 4, [0.0] * 4],
                "oracle_share": [0.5, 0.75],
            },
        },
        oracle={"target_recall": [[1.0] * 4, [0.5] * 4], "target_recall_auc": [0.9, 0.8]},
    )
    told = plain(made)
    for strategy in told["strategies"].values():
        assert strategy.keys() == {*METRICS, "reliability", "missing_share"}, "every metric, null if it does not exist"
    assert told["strategies"]["oracle"]["precision"] == {"100": None, "200": None, "500": None, "1000": None}
    by_topic = told.pop("by_topic")
    assert known(by_topic["t2"]["best-first"]) == {
        "target_recall": {"100": 0.3, "200": 0.4, "500": 0.5, "1000": 0.6},
        "target_recall_auc": 0.5,
        "precision": {"100": 0.6, "200": 0.6, "500": 0.6, "1000": 0.6},
        "harvest_rate": {"100": 0.0, "200": 0.0, "500": 0.0, "1000": 0.0},
        "oracle_share": 0.75,
    }
    assert {topic: ways["oracle"]["target_recall_auc"] for topic, ways in by_topic.items()} == {"t1": 0.9, "t2": 0.8}
    assert told | {"strategies": {way: known(strategy) for way, strategy in told["strategies"].items()}} == {
        "bed": "schools",
        "task": "examples",
        "pages": 1000,
        "strategies": {
            "best-first": {
                "target_recall": {"100": 0.2, "200": 0.3, "500": 0.4, "1000": 0.5},
                "target_recall_auc": 0.375,
                "precision": {"100": 0.55, "200": 0.55, "500": 0.55, "1000": 0.55},
                "harvest_rate": {"100": 0.5, "200": 0.5, "500": 0.5, "1000": 0.5},
                "oracle_share": 0.625,
                "missing_share": 0,
            },
            "oracle": {
                "target_recall": {"100": 0.75, "200": 0.75, "500": 0.75, "1000": 0.75},
                "target_recall_auc": 0.85,
                "oracle_share": 1,
                "oracle_share_requests": 1,
                "missing_share": 0,
            },
        },
    }


def test_probabilities_are_told_over_all_topics_together(compared):
    made = compared({"sure": {"target_recall_auc": [0.5, 0.5]}, "silent": {"target_recall_auc": [0.5, 0.5]}})
    bins = np.zeros((2, 10, 3))
    bins[0, 2], bins[1, 2] = [10, 2.5, 5], [10, 2.5, 3]
    made.arms["sure"].reliability = bins
    told = plain(made)["strategies"]
    assert told["silent"]["reliability"] is None
    assert told["sure"]["reliability"]["calibration_error"] == 0.15
    assert told["sure"]["reliability"]["bins"][2] == {"said": 0.25, "seen": 0.4, "pages": 20}
    assert told["sure"]["reliability"]["bins"][0] == {"said": None, "seen": None, "pages": 0}


def test_curves_over_time_have_ten_moments_in_hours(compared):
    moments = [360 * n for n in range(1, 51)]
    curve = [[n / 50 for n in range(1, 51)]]
    made = compared({"one": {"target_recall_hours": curve, "target_recall_auc": [0.5]}}, moments=moments)
    found = plain(made)["strategies"]["one"]["target_recall_hours"]
    assert list(found)[:2] == ["0.5", "1"] and list(found)[-1] == "5"
    assert (len(found), found["0.5"], found["5"]) == (10, 0.1, 1.0)
    made.moments = []
    made.arms["one"].curves.clear()
    assert plain(made)["strategies"]["one"]["target_recall_hours"] == {}


def test_keys_are_round_numbers_and_the_last_page(compared):
    found = {"target_recall": [[0.1, 0.2, 0.3, 0.4]], "coverage_lexical": [[0.5, 0.6, 0.7]]}
    made = compared({"one": found}, pages=750, points=[15, 100, 150, 750], top=[50, 100, 750])
    assert known(plain(made)["strategies"]["one"]) == {
        "target_recall": {"100": 0.2, "750": 0.4},
        "coverage_lexical": {"100": 0.6, "750": 0.7},
        "missing_share": 0,
    }


def test_topics_without_a_number_do_not_count_and_no_number_is_null(compared):
    found = {"target_recall": [[nan, nan, 0.5, nan], [nan, 0.25, 0.75, nan]], "search_length": [nan, nan]}
    told = plain(compared({"one": found}))["strategies"]["one"]
    assert told["target_recall"] == {"100": None, "200": 0.25, "500": 0.625, "1000": None}
    assert told["search_length"] is None


def test_it_is_strict_json_with_six_digits(compared):
    made = plain(compared({"one": {"target_recall_auc": [1 / 3], "bytes": [[1e9 / 3]], "search_length": [nan]}}))
    text = json.dumps(made, allow_nan=False)
    assert json.loads(text) == made
    assert '"target_recall_auc": 0.333333' in text
