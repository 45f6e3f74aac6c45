"""Who is ahead early, and who late."""

import pytest

from lycosa.lab.statistics.crossing import crossing


def curves(*rows):
    return {"target_recall": [list(row) for row in rows]}


def test_the_change_of_leader_is_found_between_points(compared):
    comparison = compared({"a": curves((0.3, 0.4, 0.5, 0.6)), "b": curves((0.1, 0.3, 0.6, 0.8))})
    found = crossing(comparison, "a", "b")
    assert (found.early, found.late) == ("a", "b")
    assert found.at == pytest.approx(350)  # from +0.1 at 200 to -0.1 at 500
    assert (found.lead, found.lead_at) == (pytest.approx(0.2), 100)
    assert crossing(comparison, "b", "a") == found


def test_where_low_is_good_the_lower_is_ahead(compared):
    comparison = compared({"a": {"rank_lexical": [[10, 90]]}, "b": {"rank_lexical": [[50, 40]]}}, points=[100, 200])
    found = crossing(comparison, "a", "b", "rank_lexical")
    assert (found.early, found.late) == ("a", "b")


def test_curves_that_touch_or_differ_by_noise_do_not_cross(compared):
    touching = compared({"a": curves((0.3, 0.4)), "b": curves((0.3, 0.3))})
    assert crossing(touching, "a", "b") is None
    noisy = compared({"a": curves((0.9, 0.9), (0.2, 0.9)), "b": curves((0.2, 0.1), (0.8, 0.1))})
    assert crossing(noisy, "a", "b") is None


def test_without_curves_nothing_crosses(compared):
    comparison = compared({"a": {"target_recall_auc": [0.5]}, "b": {"target_recall_auc": [0.6]}})
    assert crossing(comparison, "a", "b") is None


def test_points_that_nobody_reached_are_passed_over(compared):
    nan = float("nan")
    comparison = compared({"a": curves((0.3, nan, 0.5, nan)), "b": curves((0.2, nan, 0.6, nan))})
    assert crossing(comparison, "a", "b").at == pytest.approx(300)
