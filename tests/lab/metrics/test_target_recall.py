"""Target recall, its area and its search length, on crawls whose targets can be counted with the fingers."""

import numpy as np
import pytest

from lycosa.lab.metrics.search_length import search_length
from lycosa.lab.metrics.target_recall import target_recall
from lycosa.lab.metrics.target_recall_auc import target_recall_auc


def test_recall_is_the_share_of_targets_among_the_first_pages(evidence, track, blank):
    known = evidence(blank, ["abcd"], targets="bd")
    # a, b, c, d: nothing, then one of two, still one, both.
    assert target_recall(known, track("abcd"), np.array([1, 2, 3, 4])).tolist() == [0, 0.5, 0.5, 1]


def test_a_target_that_the_world_does_not_hold_still_counts(evidence, track, blank):
    known = evidence(blank, ["abcd"], targets="bdz")
    # Two of three can be found; the third is nowhere.
    assert target_recall(known, track("abcd"), np.array([4])).tolist() == [2 / 3]


def test_a_target_named_twice_is_one_target(evidence, track, blank):
    known = evidence(blank, ["ab"], targets="bbzz")
    assert target_recall(known, track("ab"), np.array([2])).tolist() == [1 / 2]


def test_a_crawl_that_ended_early_keeps_its_recall(evidence, track, blank):
    known = evidence(blank, ["ab"], targets="bd")
    assert target_recall(known, track("ab"), np.array([2, 9])).tolist() == [0.5, 0.5]
    assert target_recall(known, track(""), np.array([2, 9])).tolist() == [0, 0]


def test_the_area_is_the_mean_over_every_step(evidence, track, blank):
    known = evidence(blank, ["abcd"], targets="bdz", budget=10)
    # b counts at steps 2 to 10 (nine), d at steps 4 to 10 (seven), z never: 16 of 3 * 10.
    assert target_recall_auc(known, track("abcd")) == pytest.approx(16 / 30)
    every = target_recall(known, track("abcd"), np.arange(1, 11))
    assert target_recall_auc(known, track("abcd")) == pytest.approx(every.mean())


def test_without_targets_there_is_no_recall(evidence, track, blank):
    known = evidence(blank, ["ab"])
    assert np.isnan(target_recall(known, track("ab"), np.array([1, 2]))).all()
    assert np.isnan(target_recall_auc(known, track("ab")))
    assert np.isnan(search_length(known, track("ab")))


def test_search_length_is_the_page_at_which_half_of_the_targets_are_found(evidence, track, blank):
    known = evidence(blank, ["abcde"], targets="bdz")
    # Half of three targets is two: b at 2 and d at 4.
    assert search_length(known, track("abcde")) == 4
    assert search_length(known, track("abcde"), share=1 / 3) == 2


def test_search_length_is_the_budget_when_it_never_happens(evidence, track, blank):
    known = evidence(blank, ["abc"], targets="bdz")
    assert search_length(known, track("abc")) == known.budget
    assert search_length(known, track("abcdef"), share=1.0) == known.budget


def test_a_share_is_not_rounded_up_by_accident(evidence, track):
    letters = "abcdefghijklmnopqrstuvwxyz"
    known = evidence(dict.fromkeys(letters, ""), [letters], targets=letters + "0123")
    # 0.1 * 30 is 3.0000000000000004 to a computer; three targets will do.
    assert search_length(known, track(letters), share=0.1) == 3
