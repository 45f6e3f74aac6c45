"""How hard topics are, against the ceiling."""

import math

import pytest

from lycosa.lab.statistics.difficulty import difficulties, discriminating


def test_difficulty_worked_by_hand(compared):
    comparison = compared(
        {"a": {"target_recall_auc": [0.8, 0.1, 0.45]}, "b": {"target_recall_auc": [0.6, 0.3, 0.45]}},
        oracle={"target_recall_auc": [1.0, 0.8, 0.9]},
    )
    found = difficulties(comparison)
    # t2: 1 - 0.2 / 0.8; t3: 1 - 0.45 / 0.9; t1: 1 - 0.7 / 1
    assert [each.topic for each in found] == ["t2", "t3", "t1"]
    assert [each.difficulty for each in found] == pytest.approx([0.75, 0.5, 0.3])
    assert [each.spread for each in found] == pytest.approx([0.2, 0, 0.2])
    assert (found[0].best, found[0].worst) == ("b", "a")


def test_the_widest_spread_discriminates_most(compared):
    comparison = compared(
        {"a": {"target_recall_auc": [0.8, 0.1]}, "b": {"target_recall_auc": [0.7, 0.9]}},
        oracle={"target_recall_auc": [1.0, 1.0]},
    )
    assert [each.topic for each in discriminating(difficulties(comparison))] == ["t2", "t1"]


def test_topics_without_figures_or_ceiling_come_last(compared):
    nan = math.nan
    comparison = compared(
        {"a": {"target_recall_auc": [nan, 0.0, 0.5]}, "b": {"target_recall_auc": [nan, 0.0, nan]}},
        oracle={"target_recall_auc": [1.0, 0.0, 1.0]},
    )
    found = difficulties(comparison)
    assert [each.topic for each in found] == ["t3", "t1", "t2"]
    assert math.isnan(found[1].difficulty)
    assert math.isnan(found[2].difficulty)
    assert [each.topic for each in discriminating(found)] == ["t2", "t3"]
