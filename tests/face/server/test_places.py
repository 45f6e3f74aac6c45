"""The laboratory and the communities, asked over real HTTP."""

import shutil
import subprocess
import sys

import httpx
import pytest


@pytest.fixture(scope="module")
def running(serving, furnished, tmp_path_factory):
    home = tmp_path_factory.mktemp("places") / "home"
    shutil.copytree(furnished, home, symlinks=True)
    with serving(home) as server:
        yield server


def test_experiments_are_listed_with_their_reports_and_files(running):
    one = {found["name"]: found for found in httpx.get(f"{running.url}/api/lab").json()}["experiment"]
    assert one["report"] and one["running"] is None
    assert "best-first" in one["title"] or one["title"]
    assert any(file.endswith(".svg") for file in one["files"])
    report = httpx.get(f"{running.url}/api/lab/experiment/report.html")
    assert report.status_code == 200 and "breadth-first" in report.text
    # Its scripts run in a frame without an origin, and reach nobody.
    assert report.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert httpx.get(f"{running.url}/api/lab/experiment/{one['files'][0]}").status_code == 200


@pytest.mark.parametrize(
    "file", ["crawls", "../spiders/log.sqlite", "%2e%2e/spiders/log.sqlite", "/etc/passwd", "figures"]
)
def test_nothing_but_reports_figures_and_tables_can_be_had_of_the_laboratory(running, file):
    assert httpx.get(f"{running.url}/api/lab/experiment/{file}").status_code in (400, 404)
    assert httpx.get(f"{running.url}/api/lab/spiders/report.html").status_code == 404


def test_an_experiment_under_way_says_how_far_it_is(running, until):
    out = running.home / "under-way"
    command = [sys.executable, "-m", "lycosa", "lab", "run", "made:pages=400,topics=4,seed=2", "--out", str(out)]
    child = subprocess.Popen([*command, "--pages", "200", "--processes", "1"], stderr=subprocess.DEVNULL, stdout=-3)
    try:

        def seen():
            found = httpx.get(f"{running.url}/api/lab").json()
            return next((one["running"] for one in found if one["name"] == "under-way" and one["running"]), None)

        told = until(seen, "the experiment is seen to run", 60)
        assert told["command"].startswith("lycosa lab run")
        until(lambda: (seen() or {}).get("total"), "its crawls are counted", 60)
    finally:
        child.kill()
        child.wait(30)
    assert seen() is None


def test_a_community_shows_what_was_asked_and_can_forget_it(running, made):
    one = httpx.get(f"{running.url}/api/communities/club").json()
    asked = {question["text"] for question in one["questions"]}
    assert made.topics[0].keywords in asked and one["remembering"]
    first = one["questions"][-1]["text"]
    assert httpx.post(f"{running.url}/api/communities/club/forget", json={"questions": [first]}).json() == {
        "forgotten": 1
    }
    left = httpx.get(f"{running.url}/api/communities/club").json()["questions"]
    assert first not in {question["text"] for question in left}


def test_remembering_is_switched_and_then_means_it(running):
    path = f"{running.url}/api/communities/club"
    before = httpx.get(path).json()["asked"]
    assert httpx.put(f"{path}/remembering", json={"on": False}).json()["remembering"] is False
    httpx.get(f"{running.url}/api/search", params={"query": "something else", "collection": "club"}).raise_for_status()
    assert httpx.get(path).json()["asked"] == before
    assert httpx.put(f"{path}/remembering", json={"on": True}).json()["remembering"] is True
    httpx.get(f"{running.url}/api/search", params={"query": "something else", "collection": "club"}).raise_for_status()
    assert httpx.get(path).json()["asked"] == before + 1


def test_a_refresh_is_begun_once_watched_and_undone(running, until):
    path = f"{running.url}/api/communities/club"
    begun = httpx.post(f"{path}/refresh")
    assert begun.status_code == 202 and begun.json()["busy"]
    assert httpx.post(f"{path}/refresh").status_code == 409

    def done():
        one = httpx.get(path).json()
        assert not one["problem"]
        return one if not one["busy"] and one["generations"][0]["how"] == "refresh" else None

    one = until(done, "the refresh is done", 90)
    assert one["generations"][0]["current"] and "query" in one["generations"][0]["sentences"][0]
    assert httpx.post(f"{path}/undo").json()["generations"][0]["undone"]
