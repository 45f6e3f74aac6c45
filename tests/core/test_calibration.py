"""Probabilities: more evidence makes a page more likely on topic, and nothing that is only likely is certain."""

from __future__ import annotations

import numpy as np
import pytest

from lycosa.core.calibration import WEIGHTS, Calibration, Evidence, above_split


def evidence(scores: list[float], density: float = 0.01) -> Evidence:
    values = np.array(scores)
    return Evidence(
        values, values - values.mean(), np.full(len(values), 0.5), np.full(len(values), density), values * 0
    )


def test_a_better_score_is_a_higher_probability():
    calibration, seen = Calibration(), evidence([-2.0, -1.0, 0.0, 1.0, 2.0])
    calibration.learn(seen, np.zeros(5, bool), 0.0)
    chances = calibration.chances(seen)
    assert (np.diff(chances) > 0).all()
    assert (chances > 0).all()
    assert (chances < 1).all()


def test_keywords_make_a_page_more_likely_on_topic():
    calibration = Calibration()
    calibration.learn(evidence([0.0, 1.0]), np.zeros(2, bool), 0.0)
    assert calibration.chances(evidence([0.0], 0.05))[0] > calibration.chances(evidence([0.0], 0.0))[0]


def test_pages_that_score_like_the_known_ones_are_more_likely_on_topic_than_others():
    calibration, seen = Calibration(), evidence([3.0, 2.8, 0.0, -0.2, 0.1, -0.1, 2.7])
    calibration.learn(seen, np.array([True, True, False, False, False, False, False]), 0.2)
    chances = calibration.chances(seen)
    assert chances[6] > 2 * chances[2]


def test_every_weight_has_a_feature():
    calibration, seen = Calibration(), evidence([0.0, 1.0])
    calibration.learn(seen, np.array([True, False]), 0.0)
    assert calibration.features(seen).keys() == WEIGHTS.keys()


def test_what_was_learned_survives_a_checkpoint():
    calibration, again, seen = Calibration(), Calibration(), evidence([3.0, 0.0, 1.0])
    calibration.learn(seen, np.array([True, False, False]), 0.2)
    again.load(calibration.save())
    assert np.array_equal(again.chances(seen), calibration.chances(seen))


def test_the_share_above_the_split_is_that_of_the_better_group():
    dice = np.random.default_rng(1)
    scores = np.concatenate([dice.normal(0.0, 0.5, 80), dice.normal(5.0, 0.5, 20)])
    assert above_split(scores) == pytest.approx(0.2)
    assert above_split(np.ones(10)) == above_split(np.ones(1)) == 0.0
