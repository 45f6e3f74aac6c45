"""Consecutive crawls from end to end: in virtual time, over HTTP, interrupted, killed and taken up again."""

import json
import signal
import subprocess
import sys
import time
from itertools import islice

import pytest

from lycosa.app.hunts import status, why
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.app.rounds import Rounds
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5"
TOPIC = Made(pages=600, topics=3, seed=5).topics[0]
SEEDS = [word for url in TOPIC.examples for word in ("--seed", url)]


def plan(**options):
    usual = {"pages": 30, "strategy": "tids", "replay": WEB, "index": False}
    return make_plan(HuntRequest(TOPIC.keywords, TOPIC.examples, **(usual | options)))


def crawl(rounds):
    for hunt in rounds:
        with hunt:
            for _ in hunt:
                pass
    return pages_of(rounds)


def pages_of(rounds):
    found = []
    for number in range(1, rounds.rounds + 1):
        with Collection.open(rounds.folder / f"round-{number}") as collection:
            found.append([row.url for row in collection.log.pages(order="time")])
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Three rounds that nothing disturbed, and their pages."""
    rounds = Rounds(tmp_path_factory.mktemp("whole"), rounds=3, plan=plan(), hubs=10)
    return rounds, crawl(rounds)


def test_each_round_is_a_collection_that_starts_from_the_hubs_of_the_one_before(whole):
    rounds, pages = whole
    assert [len(found) for found in pages] == [30, 30, 30]
    state = status(rounds.folder / "round-2")
    assert (state.state, state.strategy) == ("finished", "tids")
    assert pages[1][0] in pages[0]
    first, second = (why(rounds.folder / f"round-{number}", pages[number - 1][-1]) for number in (1, 2))
    assert set(first[0].parts) == {"page"}
    assert set(second[0].parts) == {"hub"}
    assert set(second[-1].parts) == {"page", "anchor"}


def test_the_figures_of_all_rounds_have_one_measure(whole):
    rounds, pages = whole
    told = rounds.as_dict()
    assert told["state"] == "finished"
    assert [each["pages"] for each in told["rounds"]] == [30, 30, 30]
    with Collection.open(rounds.folder / "round-1") as collection:
        relevance = [row.score for row in collection.log.pages()]
    assert told["relevant_from"] == pytest.approx(sum(relevance) / 30)
    assert told["rounds"][0]["precision"] == sum(value >= told["relevant_from"] for value in relevance) / 30
    assert told["rounds"][1]["new"] == len({*pages[1]} - {*pages[0]})


def test_new_rounds_fetch_no_page_again_but_the_hubs(tmp_path):
    rounds = Rounds(tmp_path, rounds=3, plan=plan(), hubs=4, new=True)
    pages = crawl(rounds)
    assert len({*pages[1]} & {*pages[0]}) <= 4
    assert len({*pages[2]} & ({*pages[0]} | {*pages[1]})) <= 4


def test_any_strategy_can_hunt_in_rounds(tmp_path):
    assert len(crawl(Rounds(tmp_path, rounds=2, plan=plan(strategy="best-first"), hubs=5))) == 2


def test_an_interrupted_round_goes_on_where_it_was(tmp_path, whole):
    with next(iter(Rounds(tmp_path, rounds=3, plan=plan(), hubs=10))) as hunt:
        assert len(list(islice(hunt, 12))) == 12
    assert Rounds(tmp_path, rounds=3).as_dict()["state"] == "interrupted"
    hunts = iter(Rounds(tmp_path, rounds=3, hubs=10))  # what to hunt for is known already
    with next(hunts) as hunt:
        list(hunt)
    with next(hunts) as hunt:
        assert hunt.collection.folder.name == "round-2"
        assert len(list(islice(hunt, 7))) == 7
    assert list(hunts) == []
    assert crawl(Rounds(tmp_path, rounds=3, plan=plan(), hubs=10)) == whole[1]


def test_killed_rounds_go_on_where_they_were(run, tmp_path, whole):
    words = ["rounds", TOPIC.keywords, *SEEDS, "--replay", WEB, "--rounds", 3, "--pages", 30, "--hubs", 10]
    words += ["--out", tmp_path, "--json"]
    command = [sys.executable, "-m", "lycosa", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as killed:
        until = time.monotonic() + 60
        while killed.poll() is None and not (tmp_path / "round-2" / "log.sqlite").exists() and time.monotonic() < until:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "finished"
    assert pages_of(Rounds(tmp_path, rounds=3)) == whole[1]


def test_rounds_over_http_are_those_in_virtual_time(tmp_path, whole):
    with spawn(WEB) as served:
        options = {"replay": None, "proxy": served.proxy, "delay": 0.0, "workers": 1, "processes": 1}
        assert crawl(Rounds(tmp_path, rounds=2, plan=plan(**options), hubs=10)) == whole[1][:2]


def test_the_command_shows_a_table(run, tmp_path):
    words = ("rounds", TOPIC.keywords, *SEEDS, "--replay", WEB, "--rounds", 2, "--pages", 15, "--out", tmp_path)
    done = run(*words)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-3].split() == ["round", "pages", "precision", "mean", "score", "new", "new", "and", "relevant"]
    assert [line.split()[:2] for line in lines[-2:]] == [["1", "15"], ["2", "15"]]


def test_what_cannot_be_is_refused_before_anything_is_fetched(tmp_path, whole):
    for options, line in (
        ({"rounds": 0}, "rounds cannot be 0"),
        ({"hubs": 0}, "hubs cannot be 0"),
        ({"relevant": 1.5}, "relevant cannot be 1.5"),
        ({"new": True, "plan": plan(strategy="best-first")}, "best-first has no option 'again'"),
        ({"plan": None}, "holds no rounds: say what to hunt for"),
    ):
        with pytest.raises(Refused, match=line):
            Rounds(tmp_path / "c", **({"plan": plan()} | options))
    assert not (tmp_path / "c").exists()
    with pytest.raises(Refused, match="holds rounds with another strategy"):
        Rounds(whole[0].folder, plan=plan(strategy="best-first"))
    with pytest.raises(Refused, match="holds rounds with another page budget"):
        Rounds(whole[0].folder, plan=plan(pages=31))


def test_a_bar_that_no_page_reaches_ends_the_rounds(tmp_path):
    with pytest.raises(Refused, match="round-1 holds no relevant page: lower"):
        crawl(Rounds(tmp_path, rounds=2, plan=plan(pages=5), relevant=1.0))


def test_where_no_page_has_a_keyword_none_is_relevant(tmp_path):
    request = HuntRequest("zebra", TOPIC.examples, strategy="tids", replay=WEB, pages=5)
    rounds = Rounds(tmp_path, rounds=2, plan=make_plan(request))
    with pytest.raises(Refused, match="round-1 holds no relevant page"):
        crawl(rounds)
    assert rounds.results()[0].precision == 0
