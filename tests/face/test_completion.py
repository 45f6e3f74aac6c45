"""Questions are completed by every face that people type into, from what a community was asked as well."""

import shutil

import pytest
from starlette.testclient import TestClient

import lycosa
from lycosa.app import communities, completion
from lycosa.app.answers.search import Completions
from lycosa.app.jobs import HuntJobs
from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused

SITE = "http://spiders.test/"
PAGES = {
    SITE: f'<title>Spiders</title><p>All: <a href="{SITE}wolf">wolf spiders</a>, <a href="{SITE}orb">orb weavers</a>.',
    f"{SITE}wolf": "<title>Wolf spiders</title><p>Wolf spiders hunt by night.",
    f"{SITE}orb": "<title>Orb weavers</title><p>Orb weavers are spiders that build webs.",
}


@pytest.fixture(scope="module")
def place(collected, tmp_path_factory):
    place = tmp_path_factory.mktemp("home")
    collected(place / "spiders", PAGES, "wolf spiders")
    home = Home.create(place / "club", CommunitySettings())
    with home.changing():
        generation = home.next_folder()
        shutil.copytree(place / "spiders", generation, dirs_exist_ok=True)
        home.swap(generation, "init")
    return place


@pytest.fixture(scope="module")
def client(place):
    jobs = HuntJobs(place)
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        yield client
    jobs.close()


def texts(found: Completions) -> list[tuple[str, str]]:
    return [(each.text, each.kind) for each in found.completions]


def test_python_completes_from_titles(place):
    assert texts(lycosa.complete(place / "spiders", "wolf"))[0] == ("Wolf spiders", "title")
    assert texts(lycosa.complete(place / "spiders", "   ")) == []


def test_rest_gives_the_same(client, place):
    found = client.get("/api/complete", params={"query": "or", "collection": "spiders"}).json()
    assert found["completions"][0]["text"] == "Orb weavers"
    assert found["completions"][0]["marks"] == [[0, 2]]
    assert client.get("/api/complete", params={"query": "x" * 300}).status_code == 400


def test_an_unknown_collection_is_refused(place):
    with pytest.raises(Refused):
        lycosa.complete(place / "nothing", "wolf")


def test_questions_that_were_asked_twice_complete_it_until_they_are_forgotten(place, monkeypatch):
    folder = place / "club"
    monkeypatch.setattr(completion, "READ_AGAIN", 0.0)
    lycosa.search(folder, "night hunters")
    assert ("night hunters", "question") not in texts(lycosa.complete(folder, "nigh"))
    for _ in range(2):
        lycosa.search(folder, "spiders by night")
        lycosa.search(folder, "night of the private", private=True)
        lycosa.search(folder, "xyzzy nothing")
    assert ("spiders by night", "question") in texts(lycosa.complete(folder, "nigh"))
    everything = texts(lycosa.complete(folder, "p")) + texts(lycosa.complete(folder, "x"))
    assert not [text for text, kind in everything if kind == "question" and ("private" in text or "xyzzy" in text)]
    monkeypatch.setattr(completion, "READ_AGAIN", 60.0)
    assert ("spiders by night", "question") in texts(lycosa.complete(folder, "nigh"))
    communities.forget_questions(folder, texts=["spiders by night"])
    assert ("spiders by night", "question") not in texts(lycosa.complete(folder, "nigh"))


def test_a_community_that_logs_nothing_completes_from_no_questions(place):
    folder = place / "club"
    for _ in range(2):
        lycosa.search(folder, "orb webs")
    communities.remember(folder, on=False)
    assert ("orb webs", "question") not in texts(lycosa.complete(folder, "orb w"))
