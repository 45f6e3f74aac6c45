"""What programs are told: problems in words of the interface, and nowhere a path of this machine."""

import shutil

import pytest
from starlette.testclient import TestClient

from lycosa.app import search
from lycosa.app.jobs import HuntJobs
from lycosa.app.progress_file import Notes
from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings

SITE = "http://wolves.test/"
PAGES = {
    SITE: f'<title>Wolf spiders</title><p>Wolf spiders hunt. <a href="{SITE}night">At night</a>'
    f' <a href="{SITE}later">Later, wolf spiders</a>',
    f"{SITE}night": "<title>At night</title><p>Wolf spiders run at night.",
}
STREAMS = ("/api/hunts/{name}/events",)
NEEDED = {"url": SITE, "query": "wolf spiders", "file": "report.html", "number": 1}


@pytest.fixture(scope="module")
def place(collected, tmp_path_factory):
    """A hunt, a broken one, a community and an experiment under way."""
    place = tmp_path_factory.mktemp("somewhere-on-this-machine")
    collected(place / "spiders", PAGES, "wolf spiders", strategy="best-first", pages=2)
    shutil.copytree(place / "spiders", place / "broken")
    (place / "broken" / "log.sqlite").write_bytes(b"no database at all" * 100)
    club = Home.create(place / "club", CommunitySettings(max_in_index=50))
    with club.changing():
        generation = club.next_folder()
        shutil.copytree(place / "spiders", generation, dirs_exist_ok=True)
        search.make_index(generation)
        club.swap(generation, "init")
    (place / "experiment").mkdir()
    (place / "experiment" / "report.html").write_text("<title>An experiment</title>")
    notes = Notes(place / "experiment", f"lycosa lab run {place}/bed --out {place}/experiment")
    notes("crawling", 1, 2)
    yield place
    notes.close()


@pytest.fixture(scope="module")
def client(place):
    jobs = HuntJobs(place)
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        yield client


def test_no_answer_names_a_path_of_this_machine(client, place):
    document = client.get("/api/openapi.json").json()
    asked = 0
    for path, methods in document["paths"].items():
        if "get" not in methods or path in STREAMS:
            continue
        needed = {one["name"] for one in methods["get"].get("parameters", []) if one["required"]}
        for name in ("spiders", "broken", "club", "experiment") if "name" in needed else ("",):
            values = {**NEEDED, "name": name}
            query = {one: values[one] for one in needed if f"{{{one}}}" not in path}
            answer = client.get(path.format(**values), params=query)
            assert answer.status_code in (200, 400, 404, 409), f"{path} of {name}: {answer.text}"
            assert str(place) not in answer.text and place.name not in answer.text, f"{path} of {name}"
            asked += answer.status_code == 200
    assert asked > 30


@pytest.mark.parametrize(
    ("method", "path", "hunt_request"),
    [
        ("POST", "/hunts", {"keywords": "x", "seeds": ["http://10.0.0.1/"]}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "within": ["elsewhere.test"]}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "without": ["wolves.test"]}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "strategy": "focused"}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "strategy": "context-graph"}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "strategy": "nonesuch"}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "judge": "embedding"}),
        ("POST", "/hunts", {"keywords": "x", "seeds": []}),
        ("POST", "/hunts", {"keywords": "x", "seeds": [SITE], "pages": 0}),
        ("POST", "/hunts/broken/resume", {}),
        ("POST", "/hunts/spiders/judgements", {"judgements": [{"url": "http://no.test/", "relevant": True}]}),
        ("POST", "/communities/club/undo", {}),
        ("POST", "/seeds", {"keywords": " "}),
        ("GET", "/search", {"query": "x", "page": 1000, "limit": 100}),
        ("GET", "/search", {"query": "x", "filter": "nonsense"}),
        ("GET", "/search", {"query": "x", "filter": "after=whenever"}),
        ("GET", "/search", {"query": "x", "collection": "broken"}),
        ("GET", "/collections/spiders/why", {"url": f"{SITE}later"}),
        ("GET", "/collections/spiders/why", {"url": "http://nowhere.test/"}),
        ("GET", "/collections/spiders/similar", {"url": "http://nowhere.test/"}),
        ("GET", "/collections/spiders/map", {"kind": "links", "host": "wolves.test"}),
        ("GET", "/collections/spiders/map", {"kind": "links", "layout": "tree"}),
        ("GET", "/collections/broken/why", {"url": SITE}),
    ],
)
def test_what_is_refused_is_said_without_a_command_line(client, place, method, path, hunt_request):
    given = {"json": hunt_request} if method == "POST" else {"params": hunt_request}
    answer = client.request(method, f"/api{path}", **given)
    assert answer.status_code in (400, 409), answer.text
    told = answer.json()
    assert told["problem"] and told["fix"]
    for text in map(str, told.values()):
        assert "--" not in text and "`" not in text and place.name not in text, text


def test_the_status_of_a_hunt_names_it_and_not_its_folder(client):
    told = client.get("/api/hunts/spiders").json()
    assert told["name"] == "spiders" and told["folder"] == ""
