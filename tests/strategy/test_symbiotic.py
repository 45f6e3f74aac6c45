"""Symbiotic: best-first that listens to the search engine."""

from __future__ import annotations

import pytest

from lycosa.core.nouns import Ticket, Topic, Visit
from lycosa.core.priors import Priors
from lycosa.core.strategy import make
from lycosa.system.errors import Refused


def prepared(described, **settings):
    strategy = make("symbiotic", settings)
    strategy.prepare(Topic("bees"), Priors(described=described))
    return strategy


def visit(relevance, *links):
    return Visit(Ticket("http://page/"), relevance, links)


def test_a_link_of_which_others_speak_in_the_words_of_the_query_comes_first():
    strategy = prepared({"http://b/": 0.8}, weight=0.5)
    plain, described = strategy.learn(visit(0.4, "http://a/", "http://b/"))
    assert plain.score == pytest.approx(0.2)
    assert described.score == pytest.approx(0.2 + 0.4)


def test_without_an_engine_it_is_best_first():
    assert [ticket.score for ticket in prepared({}).learn(visit(0.4, "http://a/"))] == [0.4]


def test_the_parts_of_a_score_are_explained():
    strategy = prepared({"http://b/": 0.8})
    (ticket,) = strategy.learn(visit(0.4, "http://b/"))
    parts = strategy.explain(ticket)
    assert sum(parts.values()) == pytest.approx(ticket.score)
    assert parts["words of others"] == pytest.approx(0.4)
    assert strategy.explain(Ticket("http://seed/", 1.0)) == {}


@pytest.mark.parametrize("weight", [-0.1, 1.5])
def test_a_weight_is_a_share(weight):
    with pytest.raises(Refused, match="weight"):
        make("symbiotic", {"weight": weight})
