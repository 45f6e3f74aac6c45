"""Collections are renamed, tagged, merged and deleted as wholes: by command, over REST and by agents."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import lycosa
from lycosa.app.collection_care import merge_collections
from lycosa.app.index_pool import OpenIndexes
from lycosa.app.jobs import HuntJobs
from lycosa.core.nouns import Judgement
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.index.search_types import Question
from lycosa.store.collection import Collection
from lycosa.store.known_pages import JUDGED
from lycosa.store.labels import FILE, MOST, change_tags, read_tags
from lycosa.system.errors import Refused
from lycosa.system.locks import Lock

A, B = "http://a.test/", "http://b.test/"


def html(title: str, body: str, link: str = "") -> str:
    return f"<html lang=en><title>{title}</title><p>{body} <a href='{link or A}'>more about spiders</a></html>"


@pytest.fixture(scope="module")
def crawled(collected, tmp_path_factory):
    place = tmp_path_factory.mktemp("crawled")
    shared = html("Both", "Spiders of both collections.")
    collected(place / "wolves", {A: html("A", "wolf spiders", f"{A}x"), f"{A}x": shared}, "wolf spiders", [A])
    later = {B: html("B", "orb weavers are spiders", f"{A}x"), f"{A}x": shared.replace("both", "freshest")}
    collected(place / "weavers", later, "orb weavers", [B])
    return place


@pytest.fixture
def place(crawled, tmp_path):
    for name in ("wolves", "weavers"):
        shutil.copytree(crawled / name, tmp_path / name)
    return tmp_path


def urls(folder: Path) -> set[str]:
    with Collection.open(folder) as collection:
        return {row.url for row in collection.log.pages()}


def test_a_merged_collection_has_each_page_once_as_it_was_fetched_last(place):
    named = {name: place / name for name in ("wolves", "weavers")}
    merged = merge_collections(named, place / "both")
    assert urls(place / "both") == {A, B, f"{A}x"}
    assert (merged.pages, merged.lost) == (3, [])
    answer = lycosa.search(place / "both", "freshest")
    assert [hit.url for hit in answer.results] == [f"{A}x"]
    assert urls(place / "wolves") == {A, f"{A}x"}
    path = lycosa.why(place / "both", f"{A}x")
    assert path[0].url == B
    assert lycosa.status(place / "both").keywords == "wolf spiders, orb weavers"


def test_judgements_hold_on_in_a_merged_collection(place):
    for name, relevant in (("wolves", True), ("weavers", False)):
        with Collection.open(place / name) as collection:
            collection.inbox.add([Judgement(f"{A}x", relevant)], 1.0)
    merge_collections({name: place / name for name in ("wolves", "weavers")}, place / "both")
    found = {each.url: each for each in lycosa.search(place / "both", "spiders").results}
    assert (found[f"{A}x"].relevance, found[f"{A}x"].known) == (0.0, JUDGED)
    with Collection.open(place / "both") as collection:
        assert collection.inbox.all() == {f"{A}x": False}


def test_a_merger_of_nothing_is_refused_and_leaves_nothing_behind(place, run):
    for words, said in (
        ((place / "wolves",), "at least two"),
        ((place / "wolves", place / "weavers" / ".." / "wolves"), "at least two"),
        ((place / "wolves", place / "nowhere"), "is not a collection"),
        ((place / "wolves", place / "weavers", "--min-relevance", "2"), "min-relevance"),
    ):
        done = run("collection", "merge", *map(str, words), "--out", str(place / "new"))
        assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) <= 2, done.stderr
        assert not (place / "new").exists()
    inside = place / "wolves" / "new"
    done = run("collection", "merge", str(place / "wolves"), str(place / "weavers"), "--out", str(inside))
    assert done.returncode == 2 and "inside" in done.stderr and not inside.exists()


def test_the_commands_say_what_they_did_and_where(place, run):
    done = run("collection", "tag", str(place / "wolves"), "--add", "Spiders  of Europe", "--add", "draft", "--json")
    assert json.loads(done.stdout) == {"name": "wolves", "tags": ["draft", "spiders of europe"]}
    assert run("collection", "tag", str(place / "wolves"), "--remove", "DRAFT").stdout == "spiders of europe\n"
    assert run("collection", "rename", str(place / "wolves"), "hunters").stdout == f"{place / 'hunters'}\n"
    assert read_tags(place / "hunters") == ("spiders of europe",)
    done = run("collection", "merge", str(place / "hunters"), str(place / "weavers"), "--out", str(place / "all"))
    assert done.stdout == f"3 pages of 2 collections are in {place / 'all'}\n"
    done = run("collection", "delete", str(place / "hunters"))
    assert done.returncode == 2 and "--yes" in done.stderr and (place / "hunters").exists()
    assert json.loads(run("collection", "delete", str(place / "hunters"), "--yes", "--json").stdout)["pages"] == 2
    assert {each.name for each in place.iterdir()} == {"weavers", "all"}


def test_a_collection_that_is_being_crawled_is_neither_renamed_nor_deleted(place, run):
    held = Lock(place / "wolves" / "lock")
    try:
        for words in (("rename", str(place / "wolves"), "new"), ("delete", str(place / "wolves"), "--yes")):
            done = run("collection", *words)
            assert done.returncode == 2 and "running" in done.stderr
    finally:
        held.release()
    assert urls(place / "wolves") == {A, f"{A}x"}


def test_the_generations_of_a_community_are_neither_renamed_nor_deleted(place, run):
    club = place / "club"
    (club / "generations").mkdir(parents=True)
    (place / "wolves").rename(club / "generations" / "0001")
    (club / "current").symlink_to("generations/0001")
    (club / "community.json").write_text("{}")
    for folder in (club / "current", club / "generations" / "0001"):
        for words in (("rename", str(folder), "new"), ("delete", str(folder), "--yes")):
            done = run("collection", *words)
            assert done.returncode == 2 and "belongs to the community club" in done.stderr, done.stderr
    assert urls(club / "current") == {A, f"{A}x"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_write_protected_collection_is_not_deleted(place, run):
    (place / "wolves" / "pages").chmod(0o555)
    done = run("collection", "delete", str(place / "wolves"), "--yes")
    (place / "wolves" / "pages").chmod(0o755)
    assert done.returncode == 2 and "write-protected" in done.stderr
    assert urls(place / "wolves") == {A, f"{A}x"} and {each.name for each in place.iterdir()} == {"wolves", "weavers"}


@pytest.mark.parametrize("stage", ["copying", "indexing"])
def test_an_interrupted_merger_leaves_nothing_behind(place, stage):
    def interrupt(now, done, total):
        if now == stage:
            raise KeyboardInterrupt

    named = {name: place / name for name in ("wolves", "weavers")}
    with pytest.raises(KeyboardInterrupt):
        merge_collections(named, place / "both", progress=interrupt)
    assert not (place / "both").exists()
    assert merge_collections(named, place / "both").pages == 3


def test_a_killed_merger_leaves_an_empty_collection_that_the_next_one_fills(place):
    killed = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from lycosa.app.collection_care import merge_collections\n"
        "from lycosa.store import merge\n"
        "merge._BATCH = 1\n"
        "named = {name: Path(name) for name in ('wolves', 'weavers')}\n"
        "die = lambda stage, done, total: os._exit(9) if done == 2 else None\n"
        "merge_collections(named, Path('both'), progress=die)\n"
    )
    assert subprocess.run([sys.executable, "-c", killed], cwd=place).returncode == 9
    assert urls(place / "both") == set()
    named = {name: place / name for name in ("wolves", "weavers")}
    assert merge_collections(named, place / "both").pages == 3
    assert urls(place / "both") == {A, B, f"{A}x"}


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\nb", ".hidden", "weavers"])
def test_a_name_that_is_no_name_or_is_taken_is_refused(place, run, name):
    done = run("collection", "rename", str(place / "wolves"), name)
    assert done.returncode == 2 and (place / "wolves").exists() and "Traceback" not in done.stderr


def test_tags_are_few_and_short_and_a_damaged_file_has_none(place):
    for bad in ("", "  ", "x" * 61, "a\x00b"):
        with pytest.raises(Refused):
            change_tags(place / "wolves", [bad])
    with pytest.raises(Refused):
        change_tags(place / "wolves", map(str, range(MOST + 1)))
    assert read_tags(place / "wolves") == ()
    (place / "wolves" / FILE).write_text("{")
    assert read_tags(place / "wolves") == ()
    assert change_tags(place / "wolves", ["one"]) == ("one",)


def test_the_same_over_rest(place):
    jobs = HuntJobs(place)
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:

        def ask(method, path, status=200, **body):
            answer = client.request(
                method, f"/api{path}", json=body or None, headers={"Origin": "http://127.0.0.1:8123"}
            )
            assert answer.status_code == status, answer.text
            return answer.json()

        assert ask("GET", "/search?query=spiders&collection=wolves")["total"] == 2
        assert ask("POST", "/collections/wolves/tags", add=["one", "two"], remove=["two"])["tags"] == ["one"]
        assert ask("POST", "/collections/wolves/name", name="hunters") == {"name": "hunters", "before": "wolves"}
        listed = {each["name"]: each for each in ask("GET", "/collections")["collections"]}
        assert listed.keys() == {"hunters", "weavers"} and listed["hunters"]["tags"] == ["one"]
        assert ask("GET", "/search?query=spiders&collection=hunters")["total"] == 2
        ask("GET", "/search?query=spiders&collection=wolves", 404)
        made = ask("POST", "/collections", 201, collections=["hunters", "weavers"], name="all")
        assert (made["name"], made["pages"], made["lost"]) == ("all", 3, 0)
        assert ask("GET", "/search?query=spiders&collection=all")["total"] == 3
        ask("POST", "/collections", 409, collections=["hunters", "weavers"], name="all")
        ask("POST", "/collections", 400, collections=["hunters"], name="one")
        ask("POST", "/collections/hunters/name", 409, name="all")
        ask("POST", "/collections/hunters/name", 400, name="No Name")
        assert ask("DELETE", "/collections/hunters")["pages"] == 2
        ask("DELETE", "/collections/hunters", 404)
        assert {each["name"] for each in ask("GET", "/collections")["collections"]} == {"weavers", "all"}
    assert not (place / "one").exists()
    assert not [each for each in place.iterdir() if each.name.startswith(".deleted")]


def test_exports_have_the_same_conditions_as_the_list(place, run):
    def exported(*words):
        done = run("export", str(place / "wolves"), str(place / "out.jsonl"), *words)
        assert done.returncode == 0, done.stderr
        return [json.loads(line)["url"] for line in (place / "out.jsonl").read_text().splitlines()]

    assert set(exported()) == {A, f"{A}x"}
    assert exported("--text", "BOTH") == [f"{A}x"]
    assert exported("--host", "a.test", "--text", "both x") == [f"{A}x"]
    assert exported("--host", "test.a") == []
    assert exported("--judged", "yes") == []
    assert run("judge", str(place / "wolves"), f"{A}=y").returncode == 0
    assert exported("--judged", "yes") == [A]
    assert exported("--judged", "no") == [f"{A}x"]


def test_a_person_tags_renames_and_deletes_a_collection_in_the_browser(place, serving, page, screenshot):
    from playwright.sync_api import expect

    with serving(place) as server:
        page.goto(f"{server.url}/hunts/wolves")
        page.get_by_role("tab", name="About").click()
        page.get_by_text("Name, tags, deletion").click()
        page.get_by_label("Tags").fill("Europe, draft")
        page.get_by_role("button", name="Save tags").click()
        expect(page.get_by_text("Tags: draft, europe.")).to_be_visible()
        screenshot(page, "collection-care")
        page.get_by_label("Name", exact=True).fill("hunters")
        page.get_by_role("button", name="Rename").click()
        page.wait_for_url("**/hunts/hunters")
        page.goto(server.url)
        expect(page.locator("#entries")).to_contain_text("europe")
        page.goto(f"{server.url}/hunts/hunters")
        page.get_by_role("tab", name="About").click()
        page.get_by_text("Name, tags, deletion").click()
        page.get_by_label("Type hunters to delete it").fill("hunter")
        page.get_by_role("button", name="Delete for good").click()
        expect(page.get_by_text("Type hunters to delete it.")).to_be_visible()
        page.get_by_label("Type hunters to delete it").fill("hunters")
        page.get_by_role("button", name="Delete for good").click()
        page.wait_for_url(f"{server.url}/")
        assert page.complaints == []
    assert {each.name for each in place.iterdir() if not each.name.startswith(".")} == {"weavers"}


def test_a_folder_may_be_named_from_inside_or_by_a_link(place, run):
    assert run("collection", "rename", ".", "hunters", cwd=place / "wolves").returncode == 0
    assert run("collection", "delete", ".", "--yes", cwd=place / "hunters").returncode == 0
    (place / "link").symlink_to("weavers")
    assert run("collection", "rename", place / "link", "other").returncode == 0
    assert run("collection", "delete", place / "other", "--yes").returncode == 0
    assert list(place.iterdir()) == []


def test_a_collection_that_was_named_at_the_start_is_listed_under_its_new_name(place):
    jobs = HuntJobs(place / "home", folders=[place / "wolves"])
    jobs.rename("wolves", "hunters")
    assert [each.name for each in jobs.entries()] == ["hunters"]
    jobs.delete("hunters")
    assert jobs.entries() == [] and not (place / "hunters").exists()


def test_a_server_sees_another_collection_in_the_place_of_a_deleted_one(place):
    indexes = OpenIndexes()
    for name in ("wolves", "weavers"):
        with indexes.open(place / name) as index:
            before = {hit.url for hit in index.search(Question("spiders")).hits if hit.fetched}
    shutil.rmtree(place / "wolves")
    shutil.copytree(place / "weavers", place / "wolves")
    with indexes.open(place / "wolves") as index:
        found = index.search(Question("spiders")).hits
    indexes.close()
    assert {hit.url for hit in found if hit.fetched} == before == {B, f"{A}x"}


def test_a_merge_into_a_collection_proposes_another_folder(place, run):
    done = run("collection", "merge", str(place / "wolves"), str(place / "weavers"), "--out", str(place / "weavers"))
    assert done.returncode == 2 and "choose another folder" in done.stderr and "resume" not in done.stderr
    assert urls(place / "weavers") == {B, f"{A}x"}
