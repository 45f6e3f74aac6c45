"""What may be wished for."""

from dataclasses import replace

import pytest
from lycosa.app.jobs.hunt_request import make_plan

from lycosa.app.jobs import HuntRequest, Unknown
from lycosa.system.errors import Refused

GOOD = HuntRequest("wolf spiders", ["http://spiders.test/"])


def nowhere(name):
    raise Unknown(name)


def plan(hunt_request, delay=1.0, pages=1000, **http):
    return make_plan(hunt_request, http=http, delay=delay, pages=pages, folder=nowhere)


def test_a_wish_becomes_a_plan_within_the_desk_s_limits():
    hunt_request = replace(GOOD, strategy="dom", settings={"alpha": "0.5"}, within=["Spiders.test", ".arachnids.test"])
    hunt_request = replace(hunt_request, without=["Webs.arachnids.test"])
    made = plan(
        replace(hunt_request, judge="centroid:keywords=0.5", bytes=1000, seconds=9, on_topic=True), contact="me@x.test"
    )
    assert (made.topic.keywords, made.seeds, made.topic.examples) == (
        hunt_request.keywords,
        *[("http://spiders.test/",)] * 2,
    )
    assert (made.budget.pages, made.budget.bytes, made.budget.seconds) == (200, 1000, 9)
    assert (made.strategy, made.settings, made.judge_settings) == ("dom", {"alpha": "0.5"}, {"keywords": "0.5"})
    assert made.rules.without == ("webs.arachnids.test",)
    assert (made.rules.within, made.http.contact) == (("spiders.test", ".arachnids.test"), "me@x.test")


def test_nobody_is_less_polite_than_the_desk():
    assert plan(replace(GOOD, delay=0.0)).rules.delay == 1.0
    assert plan(replace(GOOD, delay=5.0)).rules.delay == 5.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"keywords": " "},
        {"keywords": "x" * 5000},
        {"keywords": "wolf\0spider"},
        {"keywords": "\ud800"},
        {"seeds": []},
        {"seeds": ["nonsense"]},
        {"seeds": ["file:///etc/passwd"]},
        {"seeds": ["http://127.0.0.1/"]},
        {"seeds": ["http://192.168.1.1/", "http://spiders.test/"]},
        {"seeds": ["http://spiders.test/"] * 1001},
        {"strategy": "nonsense"},
        {"strategy": "os:system"},
        {"strategy": "lycosa.strategy.dom:Dom"},
        {"judge": "subprocess:Popen"},
        {"judge": "embedding:model=/etc"},
        {"judge": "cosine:"},
        {"strategy": "context-graph"},
        {"strategy": "focused"},
        {"settings": {"no": 1}},
        {"strategy": "dom", "settings": {"alpha": "much"}},
        {"strategy": "dom", "settings": {"ancestor": float("inf")}},
        {"strategy": "dom", "settings": {"ancestor": 10**40}},
        {"pages": 0},
        {"pages": -1},
        {"pages": 1001},
        {"bytes": 0},
        {"bytes": 2**70},
        {"seconds": -1.0},
        {"seconds": float("nan")},
        {"delay": float("inf")},
        {"delay": -1.0},
        {"within": ["http://spiders.test/"]},
        {"within": ["a b"]},
        {"without": ["a b"]},
        {"without": ["spiders.test"]},
        {"without": ["a.test"] * 1001},
        {"seeds_from": ["../secret"]},
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(wrong):
    with pytest.raises(Refused) as refused:
        plan(replace(GOOD, **wrong))
    assert refused.value.problem


def test_no_module_is_imported_because_somebody_names_it(tmp_path, monkeypatch):
    (tmp_path / "harmful.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    for hunt_request in (replace(GOOD, strategy="harmful:Strategy"), replace(GOOD, judge="harmful:Judge:a=1")):
        with pytest.raises(Refused):
            plan(hunt_request)


def test_a_private_address_of_any_kind_is_named_so_that_it_can_be_allowed():
    with pytest.raises(Refused) as refused:
        plan(replace(GOOD, seeds=["http://[::1]:8080/"]))
    assert "--allow ::1 " in refused.value.fix
