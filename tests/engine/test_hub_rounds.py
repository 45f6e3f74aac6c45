"""What one round makes of another: its hubs, its plan, its figures."""

from pathlib import Path

import pytest

from lycosa.core.hubs import hub_scores, mean_relevance
from lycosa.core.nouns import LISTS, Ticket, Topic, Visit
from lycosa.engine.hub_rounds import HubRound, hubs_of, measured, plan_of_round, state_of
from lycosa.engine.plan import Plan
from lycosa.system.errors import Refused


def visit(url, relevance, links=""):
    return Visit(Ticket(url), relevance, list(links))


VISITS = [visit("a", 0.2, "cd"), visit("b", 0.3, "c"), visit("c", 0.4), visit("d", 0.3, "x"), visit("x", 0.0, "abcd")]


def test_the_best_hubs_among_the_relevant_pages_come_first():
    found = hubs_of(VISITS, 0.1)
    assert [hub.url for hub in found] == ["a", "b", "c", "d"]  # of those without a hub score c is the most relevant
    assert dict(found) == hub_scores({"a": "cd", "b": "c", "c": "", "d": ""})
    assert hubs_of(VISITS, 0.1, 2) == found[:2]
    assert hubs_of(VISITS, 0.0)[0].url == "x"
    assert hubs_of(VISITS, 0.9) == []


@pytest.mark.parametrize("withheld", ["feed", "sitemap", "another address", "scope size 9 bytes"])
def test_what_is_no_page_of_its_own_is_not_counted_and_no_list_is_a_hub(withheld):
    other = Visit(Ticket("l"), 0.9, ["a", "b", "c", "d"], withheld=withheld)
    assert measured(1, Path("r"), [*VISITS, other], 0.1, set()) == measured(1, Path("r"), VISITS, 0.1, set())
    if withheld in LISTS:
        assert hubs_of([*VISITS, other], 0.1) == hubs_of(VISITS, 0.1)


def plan(strategy="tids", **settings):
    return Plan(topic=Topic("wolf", examples=("e",)), seeds=("e",), strategy=strategy, settings=settings)


def test_a_round_keeps_the_topic_and_starts_from_the_hubs():
    later = plan_of_round(plan(few=3), [Path("/r/round-1")], ["a", "b"])
    assert later.topic == plan().topic
    assert later.seeds == ("a", "b")
    assert later.sources.past == ("/r/round-1",)
    assert later.settings == {"few": 3}


def test_a_strategy_is_told_what_is_relevant_and_what_not_to_fetch_if_it_asks():
    later = plan_of_round(plan(), [Path("r")], ["a"], relevant=0.25, new=True)
    assert later.settings == {"relevant": 0.25, "again": False}
    assert plan_of_round(plan("best-first"), [Path("r")], ["a"], relevant=0.25).settings == {}
    with pytest.raises(Refused, match="best-first has no option 'again'"):
        plan_of_round(plan("best-first"), [Path("r")], ["a"], new=True)


def test_a_round_that_found_nothing_relevant_leads_nowhere():
    with pytest.raises(Refused, match="round-1 holds no relevant page: lower"):
        plan_of_round(plan(), [Path("round-1")], [])


def test_precision_is_the_share_of_relevant_pages():
    assert mean_relevance(VISITS) == pytest.approx(0.24)
    found = measured(2, Path("r"), VISITS, 0.3, {"b", "x"})
    assert found == HubRound(2, "r", 5, 3 / 5, pytest.approx(0.24), 3, 2)


def test_a_folder_without_a_crawl_is_not_begun(tmp_path):
    assert state_of(tmp_path) == state_of(tmp_path / "nowhere") == "none"
