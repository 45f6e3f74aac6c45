"""Numbers as people read them."""

import pytest

from lycosa.app.rendering_costs import rendering_answer, rendering_words
from lycosa.app.scope_words import rule_words
from lycosa.app.wording import harvest_words, on_topic, percent, probability
from lycosa.engine.scope.scope import Rule


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0 %"),
        (0.001, "< 1 %"),
        (0.005, "1 %"),
        (0.605, "61 %"),
        (0.87, "87 %"),
        (0.996, "> 99 %"),
        (1.0, "100 %"),
    ],
)
def test_only_what_is_certain_is_zero_or_a_hundred_percent(value, said):
    assert percent(value) == said


def test_what_nobody_knows_is_said_in_words():
    assert probability(None) == harvest_words(None) == "not known yet"
    assert on_topic(None) == "not known yet whether it is on topic"


def test_one_is_not_many():
    assert rule_words(Rule("depth", "1")) == "it is more than 1 link away from every seed"
    assert rendering_words(rendering_answer({"shells": 1}, 3)).startswith(
        "1 page empty without JavaScript: it has text"
    )
    assert rendering_words(rendering_answer({"shells": 2}, 3)).startswith("2 pages empty without JavaScript: they have")


def test_it_is_said_how_a_page_is_known():
    assert probability(1.0, "example") == "100 % (example)"
    assert on_topic(0.0, "judged") == "0 % on topic (judged)"
    assert on_topic(0.87) == "87 % on topic"


def test_the_harvest_is_the_share_of_pages_on_topic():
    assert harvest_words(0.204) == "about 20 % of the pages on topic"
