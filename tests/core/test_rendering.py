"""The cost of rendering is counted from the visits, and follows from the counts."""

import pytest

from lycosa.app.rendering_costs import rendering_answer, rendering_words
from lycosa.core.events import Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.core.rendering import Rendering, render_cost, render_counts
from lycosa.engine.tally import Tally
from lycosa.store.event_coding import decode, encode


def visit(rendering=None, shell=False):
    return Visit(Ticket("http://a.test/"), 0.5, rendering=rendering, shell=shell)


def test_a_rendered_page_costs_what_its_visit_says():
    tally = Tally()
    for one in (visit(), visit(Rendering(0.1, 0.9, 3)), visit(Rendering(0.3, 1.1, 1)), visit(shell=True)):
        tally.count(one)
    cost = render_cost(tally.rendering)
    assert (cost.pages, cost.shells, cost.requests) == (2, 1, 4)
    assert cost.seconds == pytest.approx(1.0) and cost.slower == pytest.approx(6.0)


def test_an_ordinary_page_adds_nothing():
    assert render_counts(visit()) == {}
    assert rendering_words(rendering_answer({}, 10)) == "" and render_cost({}).slower is None


def test_a_checkpoint_of_an_earlier_version_has_no_such_counts():
    state = Tally().save()
    del state["rendering"]
    tally = Tally()
    tally.load(state)
    tally.count(visit(shell=True))
    assert tally.save()["rendering"] == {"shells": 1}


def test_the_log_keeps_it_and_reads_visits_that_have_none():
    assert decode(encode(Visited(visit(Rendering(0.1, 0.9, 3))))).visit.rendering == Rendering(0.1, 0.9, 3)
    assert not decode(encode(Visited(visit()))).visit.shell


@pytest.mark.parametrize(("shells", "pages", "said"), [(1, 1, True), (5, 100, True), (4, 100, False), (0, 0, False)])
def test_many_empty_pages_are_worth_a_word(shells, pages, said):
    assert bool(rendering_answer({"shells": shells}, pages).advice) == said
