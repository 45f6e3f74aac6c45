"""`lycosa judge` beside real crawls: what a person says reaches the log once, whatever happens to the crawl."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import msgspec
import pytest

from lycosa.app import hunts
from lycosa.app.answers.hunt import JudgedCount
from lycosa.app.hunts import resume, status
from lycosa.app.judging import Sitting, doubts, judge, parse
from lycosa.core.events import Judged, Leased
from lycosa.core.excerpts import excerpt
from lycosa.core.nouns import Judgement
from lycosa.face.cli import judge as cli
from lycosa.store.collection import Collection
from lycosa.store.event_coding import decode
from lycosa.system.errors import Refused, SeedsFailed
from lycosa.web.made import Made
from lycosa.web.serving import spawn

WEB = "made:pages=600,topics=3,seed=5,page_bytes=2000"
TOPIC = Made(pages=600, topics=3, seed=5, page_bytes=2000).topics[0]
SEEDS = [word for url in TOPIC.examples for word in ("--seed", url)]
hunt = partial(hunts.hunt, index=False)
"""Nobody searches in here."""

# It follows nothing but the links of pages that a person called relevant, and of its seeds.
OBEDIENT = """
from lycosa.core.nouns import Ticket
from lycosa.core.strategy import Strategy

class Obedient(Strategy):
    def begin(self, brief):
        self.links, self.withdrawn_pages = {}, []
        return super().begin(brief)

    def learn(self, visit):
        self.links[visit.url] = list(visit.links)
        return [Ticket(url, 0.5, via=visit.url) for url in visit.links]

    def judged(self, judgement):
        links = self.links.get(judgement.url, ())
        return [Ticket(url, 1.0 if judgement.relevant else 0.0, via=judgement.url) for url in links]

    def withdrawn(self, url):
        self.withdrawn_pages.append(url)
        return [Ticket(link, 0.5, via=url) for link in self.links.get(url, ())]

    def save(self):
        return [self.links, self.withdrawn_pages]

    def load(self, state):
        self.links, self.withdrawn_pages = state
"""


@pytest.fixture
def obedient(tmp_path, monkeypatch):
    (tmp_path / "obedient.py").write_text(OBEDIENT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return "obedient:Obedient"


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged") / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=60, strategy="best-first") as running:
        list(running)
    return folder


def words(folder):
    """What the log says people said."""
    with Collection.open(Path(folder)) as opened:
        return [(entry.event.url, entry.event.relevant) for entry in opened.log.read(kinds=(Judged,))]


def wait_for(condition, seconds=100.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def leave_running(folder, served, strategy):
    """A crawl in a process of its own that takes a while."""
    command = [sys.executable, "-m", "lycosa", "crawl", TOPIC.keywords, *SEEDS, "--out", folder, "--pages", "400"]
    command += ["--no-index", "--json"]
    command += ["--delay", "0.3", "--workers", "2", "--strategy", strategy, "--proxy", served.proxy]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, start_new_session=True)


def pages(folder):
    try:
        return status(folder).pages
    except Refused:
        return 0  # it has not begun yet


def test_a_judgement_is_taken_in_while_the_crawl_runs(run, tmp_path, obedient):
    folder = tmp_path / "c"
    with spawn(WEB) as served:
        crawl = leave_running(folder, served, obedient)
        try:
            wait_for(lambda: pages(folder) >= 5)
            good = status(folder).best[0].url
            done = run("judge", folder, f"{good}=y", "--json")
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout) == {
                "folder": str(folder),
                "judged": [{"url": good, "relevant": True}],
                "running": True,
            }
            wait_for(lambda: words(folder) == [(good, True)])
            assert status(folder).judged == JudgedCount(pages=1, relevant=1, by={"person": 1})
        finally:
            os.killpg(crawl.pid, signal.SIGKILL)
            crawl.wait()
        # Whatever was committed is kept, and the judgement is not taken in a second time.
        with resume(folder, proxy=served.proxy, pages=pages(folder) + 10) as running:
            list(running)
    assert words(folder) == [(good, True)]
    with Collection.open(folder) as opened:
        scores = [entry.event.ticket.score for entry in opened.log.read(kinds=(Leased,)) if entry.event.ticket.via]
    assert 1.0 in scores


def test_a_crawl_at_rest_takes_it_in_before_anything_else(tmp_path, obedient):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=20, strategy=obedient) as running:
        visits = list(running)
    bad, good = visits[3].url, visits[5].url
    said = judge(folder, [parse(f"{bad}=n"), parse(f"{good}=yes")])
    assert not said["running"]
    with resume(folder, pages=25) as running:
        first = next(iter(running))
    assert words(folder) == [(bad, False), (good, True)]
    assert first.ticket.score == 1.0
    for count in (30, 35):
        with resume(folder, pages=count) as running:
            list(running)
    assert words(folder) == [(bad, False), (good, True)]


def test_a_crawl_killed_before_it_was_told_hears_it_on_resume(tmp_path, obedient):
    folder = tmp_path / "c"
    with spawn(WEB) as served:
        crawl = leave_running(folder, served, obedient)
        try:
            wait_for(lambda: pages(folder) >= 3)
            page = status(folder).best[0].url
        finally:
            os.killpg(crawl.pid, signal.SIGKILL)
            crawl.wait()
        judge(folder, [parse(f"{page}=y")])
        with (folder / "judgements.jsonl").open("ab") as inbox:
            inbox.write(b'{"url":"http://torn')
        assert words(folder) == []
        with resume(folder, proxy=served.proxy, pages=pages(folder) + 2) as running:
            list(running)
    assert words(folder) == [(page, True)]


def test_judged_crawls_refold_to_the_same_state(tmp_path, obedient):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=60, strategy=obedient) as running:
        for count, visit in enumerate(running, 1):
            if count % 20 == 0:
                running.collection.inbox.add([parse(f"{visit.url}=y")], 1.0)
                running._listen.read_at = 0.0
        state = running.crawl.save()
    assert len(words(folder)) >= 2
    (folder / "checkpoint").unlink()
    with resume(folder) as again:
        assert again.crawl.save() == state


def test_the_second_word_counts_and_the_same_word_twice_is_one(tmp_path, obedient):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=10, strategy=obedient) as running:
        page = next(iter(running)).url
    for word in ("y", "y", "n"):
        judge(folder, [parse(f"{page}={word}")])
    with resume(folder) as running:
        list(running)
    assert words(folder) == [(page, True), (page, False)]
    assert status(folder).judged == JudgedCount(pages=1, relevant=0, by={"person": 1})


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("http://nowhere.test/=y", "is not a page of"),
        ("http://nowhere.test/", "write URL=y or URL=n"),
        ("http://nowhere.test/=maybe", "write URL=y or URL=n"),
        ("ftp://a.test/=y", "only http:// and https://"),
        ("=y", "no page is named"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_kept(run, collection, answer, problem):
    good = status(collection).best[0].url
    done = run("judge", collection, f"{good}=y", answer)
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (collection / "judgements.jsonl").exists()


def test_a_list_is_shown_to_people_and_programs(run, collection):
    found = json.loads(run("judge", collection, "--list", 3, "--json").stdout)
    assert not found["learns"]
    assert len(found["doubts"]) == 3
    first = found["doubts"][0]
    assert set(first) == {"url", "title", "relevance", "path", "anchor", "excerpt"}
    assert first["path"][-1] == first["url"]
    shown = run("judge", collection, "--list", 3).stdout
    assert first["url"] in shown
    assert first["title"] in shown
    assert first["excerpt"][0] in shown
    assert run("judge", collection, "--list", 0).returncode == 2


def test_a_seed_is_shown_as_one(run, tmp_path):
    with hunt(TOPIC.keywords, TOPIC.examples[:1], out=tmp_path / "c", replay=WEB, pages=1, on_topic=False) as running:
        list(running)
    assert ", a seed\n" in run("judge", tmp_path / "c", "--list", 1).stdout


def test_a_sitting_without_a_terminal(run, tmp_path):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=60, strategy="best-first") as running:
        list(running)
    (first,) = (page["url"] for page in doubts(folder, 1)["doubts"])
    shown = run("judge", folder, typed="y\nx\no\nn\ns\nq\n").stdout
    assert "best-first does not learn from judgements" in shown
    assert shown.rstrip().endswith("2 judged")
    with Collection.open(folder) as opened:
        said = opened.inbox.all()
    # Each answer teaches, so which page is the second question is known only after the first answer.
    assert list(said.values()) == [True, False] and next(iter(said)) == first
    assert all(url in shown for url in said)
    # What was judged or is nobody's business any more is not asked again; the end of the input ends it.
    assert first not in run("judge", folder).stdout


def test_the_last_answer_can_be_taken_back(run, tmp_path):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=60) as running:
        list(running)
    first = doubts(folder, 1)["doubts"][0]["url"]
    shown = run("judge", folder, typed="u\ny\nu\nn\nu\nu\n").stdout
    assert shown.count("nothing to undo") == 2
    assert shown.count("what about this one, then?") == 2
    assert shown.rstrip().endswith("0 judged")
    with Collection.open(folder) as opened:
        assert opened.inbox.all() == {}
    run("judge", folder, typed="y\nu\nn\n")
    with Collection.open(folder) as opened:
        assert opened.inbox.all() == {first: False}


def test_so_can_those_before_it(collection, tmp_path):
    folder = shutil.copytree(collection, tmp_path / "c")
    with Sitting(folder) as sitting:
        asked = []
        for relevant in (True, False, True):
            asked.append(sitting.question().url)
            sitting.answer(asked[-1], relevant)
        assert sitting.crawl_reader.collection.inbox.all() == {asked[0]: True, asked[1]: False}
        assert [sitting.undo(), sitting.undo()] == [asked[2], asked[1]]
        assert sitting.crawl_reader.collection.inbox.all() == {asked[0]: True}
        assert sitting.given == 1
        assert sitting.question().url == asked[1]
        sitting.answer(asked[1], True)
    with Collection.open(folder) as opened:
        assert opened.inbox.all() == {asked[0]: True, asked[1]: True}


def test_a_word_is_taken_back(run, tmp_path, obedient):
    folder = tmp_path / "c"
    with hunt(TOPIC.keywords, TOPIC.examples, out=folder, replay=WEB, pages=20, strategy=obedient) as running:
        visits = list(running)
    slip, meant = visits[5].url, visits[6].url
    cli.judge(folder, [f"{slip}=y", f"{meant}=y"])
    with resume(folder, pages=22) as running:
        list(running)
    assert run("judge", folder, "--withdraw", slip).stdout == "1 taken back; taken in when the crawl goes on\n"
    done = judge(folder, [parse(f"{meant}=n"), Judgement(slip, None)])
    assert done["judged"] == [{"url": meant, "relevant": False}, {"url": slip, "relevant": None}]
    assert status(folder).judged == JudgedCount(pages=1, relevant=0, by={"person": 1})
    with resume(folder, pages=30) as running:
        list(running)
        state = running.crawl.save()
        assert (running.crawl.judgements, running.crawl.strategy.withdrawn_pages) == ({meant: False}, [slip])  # type: ignore[attr-defined]
    assert words(folder) == [(slip, True), (meant, True), (slip, None), (meant, False)]
    (folder / "checkpoint").unlink()
    with resume(folder) as again:
        assert again.crawl.save() == state
    with pytest.raises(Refused, match="is not a page of"):
        cli.judge(folder, withdraw=["http://nowhere.test/"])


def test_a_log_of_before_words_could_be_taken_back_is_read():
    event = msgspec.msgpack.encode({"type": "judged", "url": "http://a.test/", "relevant": True, "sum": 7})
    assert decode(event) == Judged("http://a.test/", True, 7)


def test_nothing_to_be_judged_is_said(run, tmp_path):
    folder = tmp_path / "c"
    with (
        hunt("spiders", ["http://nowhere.test/"], out=folder, replay=WEB, pages=5) as running,
        pytest.raises(SeedsFailed),
    ):
        list(running)
    assert "nothing is to be judged yet" in run("judge", folder, typed="y\n").stdout
    assert "nothing is to be judged" in run("judge", folder, "--list", 5).stdout


def test_a_question_holds_no_control_characters(collection, monkeypatch, capsys):
    monkeypatch.setattr(Sitting, "text", lambda self, url: "wolf \x1b[2J spiders hunt at night\x07 in the dark.")
    cli.judge(collection, list=1)
    assert "\x1b" not in (printed := capsys.readouterr().out)
    assert "\x07" not in printed


def test_an_excerpt_is_about_the_keywords():
    text = "Home\nAbout us\nThis page is about something else entirely. Wolf spiders hunt at night, alone.\n" * 2
    text += "They do not live in webs as many others do. The end of it."
    assert excerpt(text, "wolf spiders")[0] == "Wolf spiders hunt at night, alone."
    assert excerpt(text, "volcano", 1) == ("This page is about something else entirely.",)
    assert excerpt("", "volcano") == ()
    assert excerpt("Wolf spider", "spider") == ("Wolf spider",)


def test_a_judgement_may_be_about_a_url_with_an_equals_sign():
    assert parse("http://a.test/?q=y=n") == Judgement("http://a.test/?q=y", False)
    with pytest.raises(Refused):
        parse("y")
