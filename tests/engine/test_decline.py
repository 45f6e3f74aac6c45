"""How much less the waiting links are worth than those that were followed, by their scores."""

import numpy as np
import pytest

from lycosa.core.page_model import sigmoid
from lycosa.engine.decline import decline

DICE = np.random.default_rng(1)


def crawl(slope, count=4000):
    """Scores of followed links, the best first as a strategy takes them, and whether each led to a relevant page."""
    scores = np.sort(DICE.normal(0.0, 1.5, count))[::-1]
    return scores, (DICE.random(count) < sigmoid(-1 + slope * scores)).astype(float)


def test_waiting_links_with_lower_scores_are_worth_as_much_less_as_the_scores_have_shown():
    scores, outcomes = crawl(slope=1.0)
    waiting = DICE.normal(-4.0, 1.0, 10_000)
    truth = sigmoid(-1 + waiting).mean() / outcomes[-400:].mean()
    assert decline(scores, outcomes, 400, waiting) == pytest.approx(truth, rel=0.3)


def test_where_scores_say_nothing_waiting_links_are_as_good_as_the_followed_ones():
    scores, outcomes = crawl(slope=0.0)
    assert decline(scores, outcomes, 400, DICE.normal(-4.0, 1.0, 1000)) == pytest.approx(1.0, abs=0.25)
    assert decline(np.full(100, 0.3), outcomes[:100], 50, np.full(50, 0.3)) == 1.0
    scores, outcomes = crawl(slope=-1.0)
    assert decline(scores, outcomes, 400, DICE.normal(-4.0, 1.0, 1000)) == 1.0


def test_scores_that_are_log_odds_are_believed_before_there_is_much_to_learn_from():
    scores, waiting = np.linspace(0.5, -0.5, 40), np.full(1000, -4.0)
    outcomes = np.tile([1.0, 0.0], 20)  # nothing to be learned from these
    assert decline(scores, outcomes, 40, waiting) > 0.5
    assert decline(scores, outcomes, 40, waiting, log_odds=True) < 0.2


@pytest.mark.parametrize("scores", [np.full(100, np.nan), np.zeros(10)])
def test_too_little_evidence_changes_nothing(scores):
    assert decline(scores, np.ones(len(scores)), 5, np.zeros(10)) == 1.0
    assert decline(np.linspace(1, 0, 100), np.zeros(100), 50, np.zeros(10)) == 1.0
    assert decline(np.linspace(1, 0, 100), np.ones(100), 50, np.zeros(0)) == 1.0
