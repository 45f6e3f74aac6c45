"""The refresh: figure 1 of the paper, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from lycosa.app.community_refresh import CommunityRefresh
from lycosa.app.community_start import CommunityStart
from lycosa.app.hunts import export, status, why
from lycosa.community import query_crawls
from lycosa.community.home import Home
from lycosa.community.refresh import interrupted, preview, refresh
from lycosa.community.refresh_state import RefreshState, make_loop
from lycosa.community.settings import AS_PUBLISHED
from lycosa.community.working_index import WorkingIndex
from lycosa.core.priors import Priors
from lycosa.core.urls import host_of
from lycosa.engine.hunt import Hunt
from lycosa.face.cli import app
from lycosa.index.index import Index
from lycosa.index.search_types import Question
from lycosa.judge.tfidf import Tfidf
from lycosa.store.collection import Collection
from lycosa.strategy.symbiotic import Symbiotic
from lycosa.system.errors import Code, Refused
from lycosa.web.serving import spawn
from lycosa.web.source_names import open_made

WEB = "made:pages=400,topics=4,seed=3,page_bytes=2000,traps=no"
TOPICS = open_made(WEB).topics
QUERIES = [topic.keywords for topic in TOPICS[:3]]
MOST = 36


def begin(folder, pages=MOST, **options):
    """A community whose bookmarks are pages of all topics."""
    bookmarks = folder.with_suffix(".txt")
    bookmarks.write_text("\n".join(url for topic in TOPICS for url in topic.examples[:2]))
    settings = {"recorded": WEB, "processes": 1, "max_in_index": pages, **AS_PUBLISHED, **options}
    beginning = CommunityStart(folder, [bookmarks], keywords="companies", **settings)
    with beginning as hunt:
        with hunt:
            list(hunt)
        beginning.complete()
    return Home.open(folder)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A community after its first crawl; copied for each test."""
    return begin(tmp_path_factory.mktemp("made") / "team", parallel=2).folder


@pytest.fixture
def home(made, tmp_path):
    shutil.copytree(made, tmp_path / "team", symlinks=True)
    return Home.open(tmp_path / "team")


def run(home, **given):
    given = {"query": QUERIES, **given}
    return refresh(home, make_loop(home, given))


def pages_of(folder):
    with Collection.open(folder) as collection:
        return [(row.url, row.score, row.digest) for row in collection.log.pages(order="time")]


def urls_of(folder):
    return [url for url, *_ in pages_of(folder)]


def outcome(generation):
    """All that must not hang on chance, time or the number of processes."""
    report = {name: value for name, value in generation.record.report.items() if name not in ("started", "seconds")}
    return pages_of(generation.folder), report


@pytest.fixture(scope="module")
def done(made, tmp_path_factory):
    """A community that was refreshed once, and the generation that came of it."""
    folder = tmp_path_factory.mktemp("done") / "team"
    shutil.copytree(made, folder, symlinks=True)
    home = Home.open(folder)
    return home, run(home)


# -- what comes of it --------------------------------------------------------------------------------------------------


def test_the_new_generation_is_current_and_the_old_one_is_kept(done):
    home, made = done
    assert home.current() == made.folder
    assert [each.number for each in home.generations()] == [1, 2]
    assert home.generations()[0].folder.is_dir()
    assert not home.work.exists()


def test_it_holds_no_url_twice_and_no_more_than_max_in_index(done):
    _, made = done
    with Collection.open(made.folder) as collection:
        assert collection.log.counts()["visits"] == collection.log.page_count() == made.record.pages <= MOST


def test_every_page_has_its_record_and_is_found(done):
    _, made = done
    with Collection.open(made.folder) as collection, Index.open(made.folder / "index") as index:
        rows = list(collection.log.pages())
        assert all(collection.repository.read(row.where).body for row in rows)
        assert {row.url for row in rows} == set(index.urls())
        assert index.search(Question(QUERIES[0])).hits


def test_why_leads_from_every_page_to_an_answer_of_the_engine(done):
    _, made = done
    for url in urls_of(made.folder):
        way = why(made.folder, url)
        assert way[-1].url == url
        assert way[0].via is None and any("answer to «" in part for part in way[0].parts)


def test_it_is_an_ordinary_collection(done, tmp_path):
    _, made = done
    assert status(made.folder).state == "finished"
    assert export(made.folder, tmp_path / "pages.jsonl").pages == made.record.pages


def test_it_cannot_be_resumed_because_it_is_not_one_crawl(done):
    _, made = done
    with pytest.raises(Refused, match="merged from several crawls"):
        Hunt.resume(made.folder)


def test_who_names_the_community_for_its_collection_is_told_where_that_is(done):
    home, _ = done
    with pytest.raises(Refused, match=r"not a collection: name .*current"):
        status(home.folder)


def test_it_is_about_the_questions(done):
    home, made = done
    before = [score for _, score, _ in pages_of(home.folder_of(1))]
    after = [score for _, score, _ in pages_of(made.folder)]
    assert sum(after) / len(after) > sum(before) / len(before)


def test_the_report_says_what_changed_and_why(done):
    home, made = done
    report, old, new = made.record.report, set(urls_of(home.folder_of(1))), set(urls_of(made.folder))
    assert (report["before"], report["pages"]) == (len(old), len(new))
    assert (report["kept"], report["new"], report["dropped"]) == (len(old & new), len(new - old), len(old - new))
    assert sum(report["reasons"].values()) == report["dropped"]
    assert [each["query"] for each in report["answered"]] == QUERIES
    for each in report["answered"]:
        assert len(each["iterations"]) == 3
        assert each["iterations"][0]["overlap"] is None and 0 <= each["iterations"][1]["overlap"] <= 1
        for one in each["iterations"]:
            assert one["pages"] == one["fetched"] + one["from_cache"] <= MOST // 3
            assert one["seeds"] == one["hits"] + one["referrers"] + one["hubs"]
    fetched = sum(one["fetched"] for each in report["answered"] for one in each["iterations"])
    assert fetched == report["fetched"]
    assert sum(each["kept"] for each in report["answered"]) == report["pages"]


# -- the loop ----------------------------------------------------------------------------------------------------------


def test_the_pages_of_the_last_iteration_are_kept_or_those_of_all(home, done):
    every = run(home, keep="all", max_in_index=10 * MOST, max_pages=MOST // 3)
    assert set(urls_of(done[1].folder)) < set(urls_of(every.folder))


def test_with_theta_a_query_ends_when_its_seeds_stay_the_same(home):
    report = run(home, theta=0.0, max_iter=5).record.report
    assert [len(each["iterations"]) for each in report["answered"]] == [2, 2, 2]


def test_theta_is_never_looked_at_unless_it_is_set(home):
    report = run(home, max_iter=4, max_pages=10).record.report
    assert [len(each["iterations"]) for each in report["answered"]] == [4, 4, 4]


def test_more_pages_than_room_are_shared_fairly(home):
    made = run(home, max_pages=25, max_in_index=18)
    assert made.record.pages == 18
    assert min(each["kept"] for each in made.record.report["answered"]) >= 5


def test_what_is_fetched_for_a_query_is_found_by_those_after_it(home):
    first = run(home, parallel=1, max_iter=1, max_pages=40)
    seeds = [each["iterations"][0]["from_cache"] for each in first.record.report["answered"]]
    assert seeds[0] == 0 and sum(seeds) > 0


def test_the_number_of_processes_makes_no_difference(home, done):
    assert outcome(run(home, processes=2)) == outcome(done[1])


def test_any_strategy_hunts(home):
    assert run(home, strategy="shark-search", max_iter=1, max_pages=20).record.pages >= 20


def test_links_are_scored_with_the_statistics_of_the_old_index(home, monkeypatch):
    given: list[Priors] = []
    prepare = Tfidf.prepare
    monkeypatch.setattr(Tfidf, "prepare", lambda self, *known: given.append(known[1]) or prepare(self, *known))
    run(home, judge="tfidf", max_iter=1, max_pages=10)
    with Index.open(home.folder_of(1) / "index") as index:
        assert given[-1].background.pages == len(index)


def test_the_words_of_others_and_hubs_guide_the_crawl_when_asked_for(home, monkeypatch):
    given: list[Priors] = []
    prepare = Symbiotic.prepare
    monkeypatch.setattr(Symbiotic, "prepare", lambda self, *known: given.append(known[1]) or prepare(self, *known))
    report = run(home, strategy="symbiotic", hubs=5, max_iter=1, max_pages=20).record.report
    assert any(priors.described for priors in given)
    assert report["answered"][0]["iterations"][0]["hubs"] >= 0
    assert report["settings"]["hubs"] == 5


def test_a_query_without_any_answer_begins_at_hubs_and_bookmarks(home):
    report = run(home, query=["zyzzyva", *QUERIES], max_iter=1, max_pages=20).record.report
    first = report["answered"][0]
    assert first["iterations"][0]["fallback"] and "bookmarks" in first["remark"]
    assert first["iterations"][0]["pages"] == 20


def test_questions_come_from_the_log_without_those_that_say_nothing(home):
    for text in (*QUERIES, "the"):
        home.queries.add(text, 1)
    loop = make_loop(home, {})
    assert set(loop.queries) == set(QUERIES)
    assert loop.left_out == ("the",)
    assert loop.max_pages == MOST // 3
    assert len(make_loop(home, {"queries": 1}).queries) <= 1


def test_an_empty_log_is_one_clear_line(home):
    with pytest.raises(Refused, match="was not searched"):
        make_loop(home, {})
    with pytest.raises(Refused, match="last 7 days"):
        make_loop(home, {"recent": 7.0})
    with pytest.raises(Refused, match="none of the queries"):
        make_loop(home, {"query": ["the", "!!"]})


@pytest.mark.parametrize(
    "given", [{"keep": "none"}, {"by": "magic"}, {"referrers": -1}, {"hubs": -1}, {"strategy": "magic"}, {"theta": 2.0}]
)
def test_what_is_not_possible_is_refused_before_anything_is_done(home, given):
    with pytest.raises(Refused):
        run(home, **given)
    assert not home.work.exists()


def test_a_strategy_that_must_know_more_is_refused_before_anything_is_done(home):
    with pytest.raises(Refused):
        run(home, strategy="focused")
    assert not home.work.exists()


# -- interruptions -----------------------------------------------------------------------------------------------------

REFRESH = """
import sys
from lycosa.app.community_refresh import CommunityRefresh
CommunityRefresh(sys.argv[1], query=sys.argv[2:])()
"""


def start(home, *more):
    return subprocess.Popen([sys.executable, "-c", REFRESH, str(home.folder), *QUERIES, *more])


def go_on(home):
    return CommunityRefresh(home.folder)()


EARLY, LATER, LAST = ("0000-1", 0.0), ("0001-3", 0.02), ("0002-2", 0.05)


@pytest.mark.parametrize(("processes", "moments"), [(1, (EARLY, LATER, LAST)), (2, (LATER,))], ids=["1", "2"])
def test_killed_at_any_moment_it_goes_on_to_the_same_end(home, done, processes, moments):
    with home.changing():
        home.settle(replace(home.settings, processes=processes))
    for crawl, patience in moments:
        process = start(home)
        while process.poll() is None and not (home.work / "crawls" / crawl).exists():
            time.sleep(0.005)
        time.sleep(patience)
        process.kill()
        process.wait()
        if home.current() != home.folder_of(1):
            break
        assert Index.open(home.current() / "index").close() is None
    if home.current() == home.folder_of(1):
        CommunityRefresh(home.folder, query=QUERIES)()
    assert outcome(home.generations()[-1]) == outcome(done[1])
    # Killed while it tidied up, it leaves what the next refresh removes, and nothing to go on with.
    assert RefreshState.found(home.work) is None


def test_pages_of_half_a_replayed_crawl_are_not_taken_for_fetched(home, done, monkeypatch):
    """Its records are gone when it is made anew."""
    whole = query_crawls.Replayer.crawl

    def half(self, job):
        if job.folder.name == "0001-1":
            with Hunt(job.plan, Collection.create(job.folder), self, Priors()) as hunt:
                next(iter(hunt))
            raise Stop
        return whole(self, job)

    with monkeypatch.context() as patched:
        patched.setattr(query_crawls.Replayer, "crawl", half)
        with pytest.raises(Stop):
            run(home)
    assert outcome(go_on(home)) == outcome(done[1])


class Stop(BaseException):
    pass


@pytest.mark.parametrize("what", ["queries", "copying", "indexing"])
def test_stopped_in_any_stage_it_goes_on_to_the_same_end(home, done, what):
    def stop(stage, done, total):
        if stage == what and done:
            raise Stop

    with pytest.raises(Stop):
        refresh(home, make_loop(home, {"query": QUERIES}), stop)
    assert home.current() == home.folder_of(1)
    assert outcome(go_on(home)) == outcome(done[1])


def test_killed_in_the_middle_of_a_round_it_goes_on_to_the_same_end(home, done, monkeypatch):
    """After the crawls were told to the working index, and before that was made safe."""
    commit, times = WorkingIndex.commit, []

    def stop(self):
        times.append(1)
        if len(times) == 2:
            raise Stop
        commit(self)

    with monkeypatch.context() as patched:
        patched.setattr(WorkingIndex, "commit", stop)
        with pytest.raises(Stop):
            run(home)
    assert outcome(go_on(home)) == outcome(done[1])


def test_a_working_index_that_is_lost_is_made_again(home, done):
    def stop(stage, done, total):
        if stage == "queries" and done:
            raise Stop

    with pytest.raises(Stop):
        refresh(home, make_loop(home, {"query": QUERIES}), stop)
    shutil.rmtree(home.work / "index")
    assert outcome(go_on(home)) == outcome(done[1])


def test_killed_right_after_the_swap_it_only_tidies_up(home, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("lycosa.community.refresh.throw_away", lambda folder: None)
        made = run(home)
    assert interrupted(home)
    assert go_on(home).number == made.number
    assert not home.work.exists() and len(home.generations()) == 2


def test_fresh_throws_an_interrupted_one_away(home):
    RefreshState.begin(home.work, make_loop(home, {"query": ["old question"]}))
    (home.work / "crawls" / "0000-1").mkdir()
    made = CommunityRefresh(home.folder, fresh=True, query=QUERIES, max_iter=1, max_pages=10)()
    assert [each["query"] for each in made.record.report["answered"]] == QUERIES
    assert not home.work.exists()


def test_an_interrupted_one_is_not_gone_on_with_under_other_options(home):
    RefreshState.begin(home.work, make_loop(home, {"query": QUERIES, "max_iter": 2}))
    assert CommunityRefresh(home.folder).goes_on
    assert CommunityRefresh(home.folder, query=QUERIES, max_iter=2).goes_on
    with pytest.raises(Refused, match="discard it") as refused:
        CommunityRefresh(home.folder, max_iter=1)
    assert (refused.value.code, refused.value.field) == (Code.WRONG_STATE, "fresh")


def test_one_that_was_begun_with_another_generation_is_thrown_away(home):
    """A revisit in between, for example: a nightly refresh must not stand still because of that."""
    RefreshState.begin(home.work, replace(make_loop(home, {"query": ["old question"]}), generation=7))
    refreshing = CommunityRefresh(home.folder, query=QUERIES, max_iter=1, max_pages=10)
    assert not refreshing.goes_on
    assert [each["query"] for each in refreshing().record.report["answered"]] == QUERIES
    with pytest.raises(Refused, match="was interrupted"):
        refresh(home)


def test_a_damaged_work_folder_is_one_clear_line(home):
    home.work.mkdir()
    (home.work / "refresh.json").write_text("{")
    with pytest.raises(Refused, match="discard the interrupted refresh"):
        CommunityRefresh(home.folder)
    assert CommunityRefresh(home.folder, fresh=True, query=QUERIES).loop.queries


def test_two_at_once_are_refused(home):
    with home.changing(), pytest.raises(Refused, match="in use"):
        refresh(Home.open(home.folder), make_loop(home, {"query": QUERIES}))


# -- meanwhile ---------------------------------------------------------------------------------------------------------


def test_searches_go_on_while_it_works_and_takes_over(home):
    answers, troubles, over = set(), [], threading.Event()

    def ask():
        while not over.is_set():
            try:
                with home.holding() as folder, Index.open(folder / "index") as index:
                    found = tuple(hit.url for hit in index.search(Question(QUERIES[0])).hits)
                answers.add((folder.name, found))
            except BaseException as trouble:
                troubles.append(trouble)
                return

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        run(home, max_iter=1)
        time.sleep(0.2)
    finally:
        over.set()
        asking.join()
    assert not troubles
    # One answer of each generation, and never half of both.
    assert sorted(name for name, _ in answers) == ["0001", "0002"]


# -- the live web ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A community that was begun over HTTP."""
    folder = tmp_path_factory.mktemp("live")
    with spawn(WEB) as served:
        home = begin(folder / "team", 40, recorded="", http={"proxy": served.proxy}, rules={"delay": 0.0})
    return home.folder


def connected(folder, tmp_path, served):
    shutil.copytree(folder, tmp_path / "team", symlinks=True)
    home = Home.open(tmp_path / "team")
    with home.changing():
        http = replace(home.settings.http, proxy=served.proxy)
        rules = replace(home.settings.rules, patience=1)
        home.settle(replace(home.settings, http=http, rules=rules, parallel=2, processes=1))
    return Home.open(home.folder)


def test_over_http_no_page_is_fetched_twice_and_what_is_known_is_asked_for_only_if_it_changed(live, tmp_path):
    with spawn(WEB, log=str(tmp_path / "asked"), etags=True) as served:
        home = connected(live, tmp_path, served)
        made = run(home, query=QUERIES[:2], max_iter=2, max_pages=20)
        pages = [(each.host, each.path) for each in served.asked() if each.path != "/robots.txt"]
    assert len(set(pages)) == len(pages)
    with Collection.open(made.folder) as collection:
        rows = list(collection.log.pages())
        assert all(collection.repository.read(row.where).body for row in rows)
    assert any(row.status == 304 for row in rows)
    assert sum(each["pages"] for one in made.record.report["answered"] for each in one["iterations"]) == 80


def test_pages_that_could_not_be_had_because_of_the_network_are_kept_as_unknown(live, tmp_path):
    victim = host_of(TOPICS[0].examples[0])
    with spawn(WEB, faults=(f"{victim}=reset",)) as served:
        home = connected(live, tmp_path, served)
        before = {url for url in urls_of(home.current()) if host_of(url) == victim}
        assert before
        made = run(home, query=[QUERIES[0]], max_iter=1, max_pages=20)
    report = made.record.report
    tried = set(report["unknown_urls"])
    assert tried == before, "none of a host that failed all night is dropped, tried or not"
    assert tried <= set(urls_of(made.folder))
    assert made.record.pages == report["pages"] <= 40
    with Collection.open(made.folder) as collection:
        assert all(collection.repository.read(collection.log.page(url).where).body for url in tried)


def test_a_night_without_a_network_changes_nothing(live, tmp_path):
    with spawn(WEB, faults=("*=reset",)) as served:
        home = connected(live, tmp_path, served)
        current = home.current()
        with pytest.raises(Refused, match="no page could be fetched"):
            run(home, query=[QUERIES[0]], max_iter=1, max_pages=5)
    assert home.current() == current
    assert not home.work.exists()


# -- the command line --------------------------------------------------------------------------------------------------


def invoke(*arguments):
    return CliRunner().invoke(app, ["community", "refresh", *map(str, arguments)], catch_exceptions=False)


def test_the_command_shows_what_it_did(home):
    said = invoke(home.folder, "--query", QUERIES[0], "--max-iter", 1, "--max-pages", 20)
    assert said.exit_code == 0
    assert QUERIES[0] in said.output and "pages before" in said.output


def test_the_command_speaks_json(home, tmp_path):
    (tmp_path / "questions.txt").write_text("\n".join(QUERIES))
    said = invoke(
        home.folder, "--queries-file", tmp_path / "questions.txt", "--max-iter", 1, "--max-pages", 9, "--json"
    )
    report = json.loads(said.stdout)
    assert report["generation"] == 2 and report["queries"] == 3


def test_a_dry_run_changes_nothing(home):
    before = sorted(path.name for path in home.folder.rglob("*"))
    said = invoke(home.folder, "--query", QUERIES[0], "--query", "the", "--dry-run", "--fresh")
    assert QUERIES[0] in said.output and "left out" in said.output
    plain = json.loads(invoke(home.folder, "--query", QUERIES[0], "--dry-run", "--json").stdout)
    assert plain["queries"][0]["hits"] > 0 and plain["max_pages"] == MOST
    assert sorted(path.name for path in home.folder.rglob("*")) == before
    assert preview(home, make_loop(home, {"query": QUERIES}))[0].urls


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_interrupts_it_is_told_how_to_go_on(home, done, number):
    command = [sys.executable, "-m", "lycosa", "community", "refresh", str(home.folder)]
    arguments = [part for query in QUERIES for part in ("--query", query)]
    process = subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    deadline = time.monotonic() + 100
    while not (home.work / "crawls" / "0000-1").exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(number)
    said, _ = process.communicate(timeout=100)
    assert process.returncode == 130
    assert f"lycosa community refresh {home.folder}" in said
    assert outcome(go_on(home)) == outcome(done[1])
