from types import SimpleNamespace

import pytest

from lycosa.app.answers.hunt import BudgetAnswer
from lycosa.app.jobs import Unknown
from lycosa.face.mcp.agent_budget import PAGE, AgentBudget, Left
from lycosa.system.errors import Refused


class Hunts:
    """As much of a desk as a purse looks at."""

    def __init__(self):
        self.known = {}

    def put(self, name, state, pages=0, bytes=0, budget=(None, None)):
        limits = BudgetAnswer(pages=budget[0], bytes=budget[1])
        self.known[name] = SimpleNamespace(state=state, pages=pages, bytes=bytes, budget=limits)

    def status(self, name):
        if name not in self.known:
            raise Unknown(f"there is no collection named {name}")
        return self.known[name]


@pytest.fixture
def hunts():
    return Hunts()


@pytest.fixture
def agent_budget(hunts):
    return AgentBudget(hunts, 100, 100 * PAGE)


def start(hunts, agent_budget, pages, bytes=None, name="a"):
    def begin(granted):
        hunts.put(name, "running", budget=(pages, granted))
        return name

    return agent_budget.start(pages, bytes, begin)


def test_what_a_hunt_may_fetch_is_set_aside(hunts, agent_budget):
    start(hunts, agent_budget, 30)
    assert agent_budget.left() == Left(70, 70 * PAGE)


def test_what_a_hunt_has_not_used_comes_back_when_it_ends(hunts, agent_budget):
    start(hunts, agent_budget, 30)
    hunts.put("a", "paused", pages=12, bytes=5000)
    assert agent_budget.left() == Left(88, 100 * PAGE - 5000)
    # What people do with it afterwards costs the agents nothing.
    hunts.put("a", "finished", pages=500, bytes=500_000)
    assert agent_budget.left() == Left(88, 100 * PAGE - 5000)


def test_a_hunt_that_somebody_deletes_has_spent_what_it_was_granted_and_spoils_nothing_else(hunts, agent_budget):
    start(hunts, agent_budget, 30)
    del hunts.known["a"]
    assert agent_budget.left() == agent_budget.left() == Left(70, 70 * PAGE)
    start(hunts, agent_budget, 70, name="b")


def test_more_than_is_left_is_refused_and_nothing_begins(hunts, agent_budget):
    start(hunts, agent_budget, 90)
    with pytest.raises(Refused, match="budget spent: 11 pages cannot be had, 10 of 100 pages"):
        start(hunts, agent_budget, 11, name="b")
    assert "b" not in hunts.known


def test_bytes_that_were_asked_for_are_refused_but_the_usual_ones_are_made_fewer(hunts):
    agent_budget = AgentBudget(hunts, 100, 1000)
    with pytest.raises(Refused, match="2,000 bytes"):
        start(hunts, agent_budget, 10, 2000)
    start(hunts, agent_budget, 10)
    assert hunts.known["a"].budget.bytes == 1000
    with pytest.raises(Refused, match="budget spent"):
        start(hunts, agent_budget, 1, name="b")


def test_a_hunt_that_goes_on_is_granted_what_it_has_left_as_well(hunts, agent_budget):
    hunts.put("old", "interrupted", pages=50, bytes=1000, budget=(70, 2000))

    def go_on(granted):
        assert granted == 5 * PAGE
        hunts.put("old", "running", pages=50, bytes=1000, budget=(75, 2000 + granted))

    agent_budget.grant("old", 5, None, go_on)
    assert agent_budget.left().pages == 75
    hunts.put("old", "finished", pages=75, bytes=6000)
    assert agent_budget.left() == Left(75, 100 * PAGE - 5000)


def test_a_running_hunt_pays_for_what_it_fetched_before_it_gets_more(hunts, agent_budget):
    start(hunts, agent_budget, 30)
    hunts.put("a", "running", pages=20, bytes=20, budget=(30, 30 * PAGE))
    agent_budget.grant("a", 10, None, lambda granted: None)
    assert agent_budget.left().pages == 60
    hunts.put("a", "finished", pages=40, bytes=40, budget=(40, 40 * PAGE))
    assert agent_budget.left() == Left(60, 100 * PAGE - 40)


def test_what_fails_costs_nothing(hunts, agent_budget):
    start(hunts, agent_budget, 30)

    def fail(granted):
        raise Refused("no")

    for attempt in (lambda: agent_budget.grant("a", 10, None, fail), lambda: agent_budget.start(10, None, fail)):
        with pytest.raises(Refused, match="no"):
            attempt()
    assert agent_budget.left().pages == 70


def test_a_hunt_without_a_page_limit_is_not_for_agents(hunts, agent_budget):
    hunts.put("endless", "interrupted")
    with pytest.raises(Refused, match="no page limit"):
        agent_budget.grant("endless", 1, None, lambda granted: None)
