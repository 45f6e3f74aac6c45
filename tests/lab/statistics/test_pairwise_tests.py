"""The pairs of a comparison that were asked for, tested together."""

import json

import numpy as np
import pytest
from scipy import stats

from lycosa.lab.statistics import pairwise_tests
from lycosa.system.errors import Refused

KEYS: tuple[str, ...] = ("metric", "at", "better", "worse", "difference", "p", "p_corrected", "significant", "interval")
KEYS += ("effect", "wins", "ties", "losses", "n", "p_wilcoxon")
METRICS = ("target_recall", "precision", "target_recall_auc")


def made(rng, topics, means, metrics=METRICS):
    """Ways with these true means on every metric, topics of their own difficulty, and noise."""
    hard = rng.normal(0, 0.15, topics)
    draw = {
        metric: {way: mean + hard + rng.normal(0, 0.05, topics) for way, mean in means.items()} for metric in metrics
    }
    return {
        way: {
            metric: draw[metric][way].tolist() if metric.endswith("auc") else draw[metric][way][:, None].tolist()
            for metric in metrics
        }
        for way in means
    }


def test_each_pair_is_told_once_with_the_better_first(compared):
    recall = {"a": [[0.1], [0.2], [0.3]], "b": [[0.2], [0.4], [0.6]], "c": [[0.0], [0.1], [0.1]]}
    comparison = compared({way: {"target_recall": rows} for way, rows in recall.items()})
    found = pairwise_tests.tests(comparison)
    assert [(test.better, test.worse) for test in found] == [("b", "a"), ("a", "c"), ("b", "c")]
    first = found[0]
    assert (first.metric, first.at, first.n) == ("target_recall", 1000, 3)
    assert first.difference == pytest.approx(0.2)
    assert first.p == pytest.approx(stats.ttest_rel([0.2, 0.4, 0.6], [0.1, 0.2, 0.3], alternative="greater").pvalue)
    assert (first.wins, first.ties, first.losses) == (3, 0, 0)
    assert first.interval[0] <= 0.2 <= first.interval[1]


def test_with_a_reference_only_its_pairs_are_tested_and_corrected_for(compared):
    rng = np.random.default_rng(5)
    ways = made(rng, 12, {"a": 0.5, **{f"w{n}": 0.5 + n / 100 for n in range(1, 11)}}, ["target_recall_auc"])
    every = pairwise_tests.tests(compared(ways))
    against = pairwise_tests.tests(compared(ways, reference="w3"))
    assert (len(every), len(against)) == (55, 10)
    assert all("w3" in (test.better, test.worse) for test in against)
    before = {frozenset((test.better, test.worse)): test for test in every}
    for test in against:
        same = before[frozenset((test.better, test.worse))]
        assert (test.better, test.p) == (same.better, same.p)
        assert test.p_corrected <= same.p_corrected
    smallest = min(against, key=lambda test: test.p)
    assert smallest.p_corrected == pytest.approx(min(1, 20 * smallest.p)), "ten pairs, in both directions"


def test_metrics_are_different_questions_and_corrected_apart(compared):
    rng = np.random.default_rng(6)
    ways = made(rng, 12, {"a": 0.5, "b": 0.55, "c": 0.6})
    together = pairwise_tests.tests(compared(ways))
    for metric in METRICS:
        alone = pairwise_tests.tests(compared(ways), [metric])
        assert [test for test in together if test.metric == metric] == alone


def test_a_direction_chosen_after_looking_is_paid_for(compared):
    comparison = compared({"a": {"precision": [[0.5], [0.2], [0.3]]}, "b": {"precision": [[0.6], [0.4], [0.6]]}})
    looked = pairwise_tests.tests(comparison)[0]
    named = pairwise_tests.tests(comparison, hypotheses=[("b", "a")])[0]
    assert looked.p == named.p
    assert looked.p_corrected == pytest.approx(2 * named.p_corrected)
    assert named.p_corrected == named.p


def test_a_hypothesis_that_was_wrong_has_a_negative_difference_and_no_p(compared):
    comparison = compared({"a": {"precision": [[0.5], [0.2], [0.3]]}, "b": {"precision": [[0.6], [0.4], [0.6]]}})
    wrong = pairwise_tests.tests(comparison, hypotheses=[("a", "b")])[0]
    assert (wrong.better, wrong.worse) == ("a", "b")
    assert wrong.difference < 0
    assert wrong.p > 0.9
    assert not wrong.significant
    with pytest.raises(Refused, match="nobody is not among the configurations compared"):
        pairwise_tests.tests(comparison, hypotheses=[("a", "nobody")])


def test_where_low_is_good_the_lower_is_the_better(compared):
    comparison = compared({"a": {"search_length": [100, 200]}, "b": {"search_length": [50, 160]}})
    test = pairwise_tests.tests(comparison, ["search_length"])[0]
    assert (test.better, test.worse, test.difference, test.at) == ("b", "a", 45, None)
    assert (test.wins, test.losses) == (2, 0)


def test_what_was_not_measured_is_not_tested(compared):
    nan = float("nan")
    ways = {"a": {"target_recall_auc": [0.5, nan, nan]}, "b": {"target_recall_auc": [nan, 0.5, nan]}}
    assert pairwise_tests.tests(compared(ways)) == []
    assert pairwise_tests.tests(compared({"alone": {"target_recall_auc": [0.5]}})) == []


def test_degenerate_comparisons_are_plain_json(compared):
    for rows in ([0.5], [0.5, 0.5, 0.5]):
        same = compared({"a": {"target_recall_auc": rows}, "b": {"target_recall_auc": rows}})
        test = pairwise_tests.tests(same)[0]
        assert not test.significant
        told = json.loads(json.dumps(test.plain(), allow_nan=False))
        assert tuple(told) == KEYS
        assert told["p"] == (None if len(rows) == 1 else 1)
        assert told["ties"] == len(rows)


def test_a_true_difference_is_found(compared):
    rng = np.random.default_rng(7)
    comparison = compared(made(rng, 24, {"a": 0.5, "b": 0.5, "c": 0.6}))
    found = pairwise_tests.tests(comparison)
    assert {(test.better, test.worse) for test in found if test.significant} == {("c", "a"), ("c", "b")}
    assert sum(test.significant for test in found) == 6


@pytest.mark.parametrize("reference", ["", "b"])
def test_without_a_difference_hardly_any_family_has_a_false_claim(compared, reference):
    rng = np.random.default_rng(8)
    runs = 120
    false = naive = 0
    for _ in range(runs):
        ways = made(rng, 20, dict.fromkeys("abcd", 0.5), ["target_recall_auc"])
        found = pairwise_tests.tests(compared(ways, reference=reference))
        false += any(test.significant for test in found)
        naive += any(test.p < 0.05 for test in found)
    assert false / runs <= 0.09  # 0.05, and two standard errors of 120 runs
    assert naive / runs >= 0.15  # what the correction is for
