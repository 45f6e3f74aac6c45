"""The plan of a hunt request, and what other machines may ask for."""

import pytest
from msgspec.structs import replace

from lycosa.app.jobs import Unknown
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import folder_name, make_plan, make_remote_plan, read_seeds
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions

GOOD = HuntRequest("wolf spiders", ["http://spiders.test/"])


def nowhere(name):
    raise Unknown(name)


def remote_plan(request, delay=1.0, pages=1000, **http):
    return make_remote_plan(request, http=HttpOptions(**http), delay=delay, pages=pages, collection=nowhere)


def test_a_request_becomes_a_plan():
    request = replace(
        GOOD,
        timeout=8.0,
        robots=False,
        nofollow=False,
        allow=["10.0.0.0/8"],
        resolve={"a.test": "127.0.0.1:8080"},
        per_host=3,
        per_site=5,
        until=0.5,
        random_seed=7,
        inlinks=["made"],
        refile={"http://a.test/": "Top/Arts"},
        agent="Spider/2",
    )
    plan = make_plan(request)
    assert (plan.topic.keywords, plan.seeds, plan.topic.examples) == ("wolf spiders", *[("http://spiders.test/",)] * 2)
    assert (plan.http.timeout_total, plan.http.obey_robots, plan.http.obey_nofollow) == (8.0, False, False)
    assert (plan.http.allow, plan.http.resolve) == (("10.0.0.0/8",), {"a.test": "127.0.0.1:8080"})
    assert plan.http.agent == "Spider/2"
    assert (plan.rules.per_host, plan.rules.per_site, plan.budget.share, plan.seed) == (3, 5, 0.5, 7)
    assert (plan.sources.inlinks, plan.sources.refiled) == (("made",), {"http://a.test/": "Top/Arts"})


def test_the_live_web_is_asked_slowly_by_many_and_a_recording_at_once_by_one():
    live, recorded = make_plan(GOOD), make_plan(replace(GOOD, replay="made:pages=100"))
    assert (live.rules.delay, live.workers) == (1.0, 16)
    assert (recorded.rules.delay, recorded.workers) == (0.0, 1)
    given = make_plan(replace(GOOD, replay="made:pages=100", delay=2.0, workers=4))
    assert (given.rules.delay, given.workers) == (2.0, 4)


def test_no_pages_means_no_limit_and_500_are_usual():
    assert make_plan(GOOD).budget.pages == remote_plan(GOOD).budget.pages == 500
    assert make_plan(replace(GOOD, pages=0)).budget.pages is None


def test_seeds_come_from_the_request_and_from_a_file_and_each_once(tmp_path):
    (tmp_path / "seeds.txt").write_text("# mine\nhttp://b.test/ # good\n\nhttp://spiders.test/\n")
    for file in (tmp_path / "seeds.txt", str(tmp_path / "seeds.txt")):
        assert make_plan(replace(GOOD, seeds_file=file)).seeds == ("http://spiders.test/", "http://b.test/")
    (tmp_path / "latin").write_bytes(b"http://\xe4.test/")
    for name, code in (("nowhere", Code.UNREADABLE), ("latin", Code.BAD_FILE)):
        with pytest.raises(Refused) as refused:
            read_seeds(tmp_path / name)
        assert (refused.value.code, refused.value.field) == (code, "seeds_file")


@pytest.mark.parametrize(
    ("wrong", "code", "field"),
    [
        ({"keywords": " "}, Code.MISSING, "keywords"),
        ({"topic": "cats"}, Code.CONTRADICTION, "topic"),
        ({"within": ["other.test"]}, Code.OUT_OF_SCOPE, "seeds"),
        ({"without": ["spiders.test"]}, Code.OUT_OF_SCOPE, "seeds"),
        ({"seeds": ["http://127.0.0.1/"]}, Code.PRIVATE_ADDRESS, "allow"),
    ],
)
def test_what_cannot_become_a_plan_is_refused_with_code_and_field(wrong, code, field):
    with pytest.raises(Refused) as refused:
        make_plan(replace(GOOD, **wrong))
    assert (refused.value.code, refused.value.field) == (code, field)


def test_a_folder_is_named_after_the_topic_or_the_keywords():
    assert folder_name(GOOD) == "wolf-spiders"
    assert folder_name(replace(GOOD, topic="Business_12")) == "business_12"
    assert folder_name(replace(GOOD, keywords="!")) == "hunt"


def test_a_remote_request_becomes_a_plan_within_the_limits_of_the_server():
    request = replace(GOOD, strategy="dom", settings={"alpha": "0.5"}, within=["Spiders.test", ".arachnids.test"])
    request = replace(request, without=["Webs.arachnids.test"], judge="centroid:keywords=0.5", bytes=1000, seconds=9)
    made = remote_plan(request, contact="me@x.test")
    assert (made.topic.keywords, made.seeds, made.topic.examples) == (
        request.keywords,
        *[("http://spiders.test/",)] * 2,
    )
    assert (made.budget.pages, made.budget.bytes, made.budget.seconds) == (500, 1000, 9)
    assert (made.strategy, made.settings, made.judge_settings) == ("dom", {"alpha": "0.5"}, {"keywords": "0.5"})
    assert made.rules.without == ("webs.arachnids.test",)
    assert (made.rules.within, made.http.contact) == (("spiders.test", ".arachnids.test"), "me@x.test")


def test_nobody_is_less_polite_than_the_server():
    assert remote_plan(replace(GOOD, delay=0.0)).rules.delay == 1.0
    assert remote_plan(replace(GOOD, delay=5.0)).rules.delay == 5.0


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
        remote_plan(replace(GOOD, **wrong))
    assert refused.value.problem


def test_no_module_is_imported_because_somebody_names_it(tmp_path, monkeypatch):
    (tmp_path / "harmful.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    for request in (replace(GOOD, strategy="harmful:Strategy"), replace(GOOD, judge="harmful:Judge:a=1")):
        with pytest.raises(Refused) as refused:
            remote_plan(request)
        assert refused.value.code == Code.NOT_ALLOWED


def test_a_private_address_of_any_kind_is_named_so_that_it_can_be_allowed():
    with pytest.raises(Refused) as refused:
        remote_plan(replace(GOOD, seeds=["http://[::1]:8080/"]))
    assert "allow ::1" in refused.value.fix
    assert (refused.value.code, refused.value.field) == (Code.PRIVATE_ADDRESS, "seeds")


def test_the_network_options_of_a_remote_request_are_those_of_the_server():
    assert remote_plan(GOOD, contact="me@x").http.contact == "me@x"
    for given in ({"proxy": "http://evil.test:1"}, {"allow": ["10.0.0.0/8"]}, {"robots": False}):
        with pytest.raises(Refused) as refused:
            remote_plan(replace(GOOD, **given))
        assert (refused.value.code, refused.value.field) == (Code.NOT_ALLOWED, next(iter(given)))
