"""`lycosa estimate`, `lycosa status` and `--until`: how much there is, for people and programs."""

import json
from pathlib import Path

import pytest

from lycosa.app.estimates import estimate
from lycosa.app.hunts import hunt, resume, status
from lycosa.app.judging import judge
from lycosa.core.nouns import Judgement
from lycosa.engine.capture_recapture import chapman
from lycosa.store.collection import Collection
from lycosa.system.errors import Refused
from lycosa.web.made import Made

WEB = "made:pages=800,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=800, topics=3, seed=5, page_bytes=2000).topics[0]
SMALLER = "made:pages=300,topics=3,seed=5,page_bytes=2000"
SMALLER_TOPIC = Made(pages=300, topics=3, seed=5, page_bytes=2000).topics[0]


def crawl(folder, **options):
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, index=False, **options) as running:
        list(running)
    return folder


@pytest.fixture(scope="module")
def collections(tmp_path_factory):
    folder = tmp_path_factory.mktemp("estimates")
    best = crawl(folder / "best", pages=150, strategy="best-first")
    broad = crawl(folder / "broad", pages=150, strategy="breadth-first")
    return best, broad


def test_status_tells_the_last_estimate(run, collections):
    told = status(collections[0]).estimate
    assert [getattr(told, name) for name in told.__struct_fields__] == [
        getattr(estimate(collections[:1]), name) for name in told.__struct_fields__
    ]
    assert told.found <= told.total and told.low <= told.total <= told.high
    shown = run("status", collections[0]).stdout
    assert f"{told.found} found, about {told.total} in all (90 % interval {told.low} to {told.high})" in shown


def test_a_threshold_of_one_s_own_counts_anew(collections):
    strict, lax = (estimate(collections[:1], relevant).found for relevant in (0.5, 0.06))
    assert strict < lax
    with Collection.open(Path(collections[0])) as opened:
        count = opened.log.page_count
        # The log follows changes of .02 and more, in steps of .005.
        assert count(0.525) <= strict <= count(0.475) and count(0.085) <= lax <= count(0.035)


def test_two_crawls_tell_from_what_they_share(run, collections):
    done = run("estimate", *collections, "--relevant", "0.2", "--json")
    found = json.loads(done.stdout)
    fetched, good = [], set()
    for folder in collections:
        with Collection.open(folder) as opened:
            fetched.append({row.url for row in opened.log.pages()})
            good |= {row.url for row in opened.log.pages(0.2)}
    # Crawls learn apart, so one of them may know of a page of both that it is relevant.
    first, second = (pages & good for pages in fetched)
    assert found["found"] == len(first | second)
    assert found["shared"] == len(first & second)
    unseen = chapman(len(first), len(second), len(first & second))
    assert found["total"] == round(found["found"] + unseen.number)
    assert [crawl["strategy"] for crawl in found["crawls"]] == ["best-first", "breadth-first"]
    assert "rather a lower bound" in run("estimate", *collections).stdout


def test_between_crawls_a_judged_page_counts_as_the_person_said(tmp_path):
    folders = [crawl(tmp_path / name, pages=30, strategy=name) for name in ("best-first", "breadth-first")]
    before = estimate(folders, 0.2).found
    with Collection.open(folders[0]) as opened:
        rows = sorted(opened.log.pages(), key=lambda row: row.relevance or 0.0)
    judge(folders[0], [Judgement(rows[-1].url, False)])
    assert estimate(folders, 0.2).found == before - 1
    judge(folders[0], [Judgement(rows[0].url, True), Judgement(rows[1].url, True)])
    assert estimate(folders, 0.2).found == before + 1


def test_what_cannot_be_estimated_is_refused(collections, tmp_path):
    with pytest.raises(Refused, match="named twice"):
        estimate([collections[0], collections[0]])
    with pytest.raises(Refused, match="relevant cannot be 0"):
        estimate(collections, 0.0)
    few = crawl(tmp_path / "few", pages=10)
    with pytest.raises(Refused, match=r"too early to tell.*an estimate needs at least 50 pages"):
        estimate([few])
    with hunt("gardens", TOPIC.examples, out=tmp_path / "other", replay=WEB, pages=10, index=False) as running:
        list(running)
    with pytest.raises(Refused, match="same topic"):
        estimate([collections[0], tmp_path / "other"])


def test_until_ends_a_crawl_and_resume_can_ask_for_more(run, tmp_path):
    folder = tmp_path / "c"
    seeds = [word for url in SMALLER_TOPIC.examples for word in ("--seed", url)]
    wanted = ["--replay", SMALLER, "--pages", 400, "--until", "0.4", "--no-index", "--out", folder, "--json"]
    done = run("crawl", SMALLER_TOPIC.keywords, *seeds, *wanted)
    report = json.loads(done.stdout)
    assert report["reason"] == "found about 40% of what there is"
    assert report["budget"]["until"] == 0.4
    assert report["estimate"]["found"] / report["estimate"]["total"] >= 0.4
    relevant = {*SMALLER_TOPIC.targets, *SMALLER_TOPIC.examples}
    with Collection.open(folder) as collection:
        fetched = {page.url for page in collection.log.pages()}
    assert len(relevant & fetched) / len(relevant) >= 0.4
    with resume(folder) as running:
        assert list(running) == []
    with resume(folder, until=0.7) as running:
        assert len(list(running)) > 0
    assert status(folder).reason == "found about 70% of what there is"
    assert "until 70 % of the relevant are found" in run("status", folder).stdout


@pytest.mark.parametrize(("option", "value"), [("--until", "1.5"), ("--until", "0"), ("--relevant", "2")])
def test_bad_shares_are_one_line_before_there_is_a_folder(run, tmp_path, option, value):
    done = run("crawl", "x", "--seed", "http://a.test/", "--replay", WEB, option, value, "--out", tmp_path / "c")
    assert done.returncode == 2
    assert option in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "c").exists()
