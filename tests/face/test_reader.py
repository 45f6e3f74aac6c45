"""`--judge llm` on the command line: what people are told, and where its key never is."""

import json
from pathlib import Path

import pytest
from tests.chat_peer import ChatPeer, judging, unused_port

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_remote_plan
from lycosa.lab.configurations import parse_configurations
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions
from lycosa.web.made import Made

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=600, topics=3, seed=5, page_bytes=2000).topics[0]
SEEDS = [word for url in TOPIC.examples for word in ("--seed", url)]
KEY = "hush-hush-0815"


def crawl(run, folder, judge, *more):
    return run("crawl", TOPIC.keywords, *SEEDS, "--replay", WEB, "--out", folder, "--judge", judge, *more)


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("LYCOSA_LLM_KEY", KEY)


def test_a_hunt_with_a_reader_from_begin_to_end(run, tmp_path, key):
    said = []
    with ChatPeer(judging(lambda page: "products" in page)) as peer:
        judge = f"llm:url={peer.url},model=small,calls=5,base=centroid:keywords=0.5"
        said.append(crawl(run, tmp_path / "c", judge, "--pages", "60", "--intent", "companies that do it,\nno news"))
        said.append(run("resume", tmp_path / "c", "--pages", "80"))
        said.append(run("status", tmp_path / "c"))
        said.append(run("status", tmp_path / "c", "--json"))
        said.append(run("export", tmp_path / "c", tmp_path / "out.csv"))
    assert [done.returncode for done in said] == [0] * 5, said
    assert len(peer.questions) == 5
    assert "companies that do it, no news" in peer.questions[0]["messages"][1]["content"]
    shown = said[2].stdout
    assert "5 pages" in shown and "(5 by llm:small)" in shown
    assert "small, 5 of 5 questions asked" in shown
    assert "companies that do it, no news" in shown
    told = json.loads(said[3].stdout)
    assert told["judged"]["by"] == {"llm:small": 5}
    assert told["reader"] == {"model": "small", "calls": 5, "budget": 5, "unusable": 0, "problem": ""}
    assert (tmp_path / "out.csv").read_text().count("llm:small") == 5
    # The key was sent, and is nowhere else.
    assert peer.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert not any(KEY in done.stdout + done.stderr for done in said)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) > 5
    assert not [file for file in files if KEY.encode() in file.read_bytes()]


def test_one_line_says_that_it_was_given_up(run, tmp_path, key):
    with unused_port() as url:
        done = crawl(run, tmp_path / "c", f"llm:url={url},model=small", "--pages", "40")
    assert done.returncode == 0
    assert done.stdout.count("the crawl goes on without it") == 1
    assert KEY not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("judge", "problem"),
    [
        ("llm", "judge llm needs its option url"),
        ("llm:url=http://127.0.0.1:1/v1", "judge llm needs its option model"),
        ("llm:url=nonsense,model=m", "'nonsense' is not the address of an endpoint"),
        ("llm:url=http://127.0.0.1:1/v1,model=m,calls=0", "llm cannot work with calls=0"),
        ("llm:url=http://127.0.0.1:1/v1,model=m,base=solomon", "unknown judge 'solomon'"),
        ("llm:url=http://127.0.0.1:1/v1,model=m,budget=3", "has no option 'budget'"),
        ("llm:url=http://127.0.0.1:1/v1,model=m,key=NOT_THERE", "NOT_THERE"),
        ("llm:url=http://127.0.0.1:1/v1,model=m,base=linear", "the frequencies of words are not known"),
    ],
)
def test_bad_input_is_one_line_and_makes_no_folder(run, tmp_path, judge, problem):
    done = crawl(run, tmp_path / "c", judge)
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "c").exists()


def test_it_is_listed_with_its_options(run):
    told = json.loads(run("judges", "llm", "--json").stdout)["llm"]
    assert {"url", "model", "calls", "base", "key", "timeout"} <= {option["name"] for option in told["options"]}
    assert "llm" in run("judges").stdout


def test_other_machines_cannot_choose_an_endpoint():
    for judge in ("llm:url=http://127.0.0.1:1/v1,model=m", "llm:url=http://127.0.0.1:1/v1", "llm:base=evil:Judge"):
        request = HuntRequest("spiders", ["http://a.test/"], judge=judge, intent="no toys")
        with pytest.raises(Refused, match="asks another machine") as refused:
            make_remote_plan(request, http=HttpOptions(), delay=1.0, pages=1000, collection=Path)
        assert refused.value.code is Code.NOT_ALLOWED


def test_an_intent_from_another_machine_is_kept_and_checked():
    request = HuntRequest("spiders", ["http://a.test/"], intent="no  toys")
    plan = make_remote_plan(request, http=HttpOptions(), delay=1.0, pages=1000, collection=Path)
    assert plan.topic.intent == "no toys"
    with pytest.raises(Refused, match="control characters"):
        make_remote_plan(
            HuntRequest("spiders", ["http://a.test/"], intent="no\x00toys"),
            http=HttpOptions(),
            delay=1.0,
            pages=1000,
            collection=Path,
        )


def test_where_nobody_asks_it_is_refused():
    with pytest.raises(Refused, match="which the laboratory cannot do"):
        parse_configurations(["best-first:judge=llm"])
