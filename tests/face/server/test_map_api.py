"""Maps over REST: what programs get, and what is refused."""

import json
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from lycosa.app.jobs import HuntJobs
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.events import Began, Stopped, Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings
from lycosa.store.collection import Collection


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    place = tmp_path_factory.mktemp("served")
    with Collection.create(place / "spiders") as collection:
        collection.log.append(Began(make_plan(HuntRequest("wolf spiders", ["http://h0.test/0"])).dump()), 0.0)
        for n in range(60):
            links = [f"http://h{m % 7}.test/{m}" for m in (n // 2, n * 3 % 60, n + 1)]
            visit = Visit(Ticket(f"http://h{n % 7}.test/{n}"), n / 60, links, title=f"<b>{n}</b>", size=9)
            collection.log.append(Visited(visit), float(n))
        collection.log.append(Stopped("budget spent: pages", True, 0), 60.0)
        collection.log.commit()
    with Collection.create(place / "empty") as collection:
        collection.log.append(Began(make_plan(HuntRequest("lost spiders", ["http://h0.test/"])).dump()), 0.0)
        collection.log.commit()
    jobs = HuntJobs(tmp_path_factory.mktemp("home"), [place])
    with TestClient(make_app(jobs, ServerSettings(port=8124)), base_url="http://127.0.0.1:8124") as client:
        yield client


def get(client, path, status=200, **query):
    answer = client.get(f"/api/collections/{path}", params=query)
    assert answer.status_code == status, answer.text
    return answer


@pytest.mark.parametrize(
    "query", [{}, {"kind": "links"}, {"kind": "site", "host": "h3.test"}, {"host": ".h3.test", "layout": "tree"}]
)
def test_every_array_has_an_entry_for_each_page(client, query):
    found = get(client, "spiders/map", **query).json()
    columns = ("origin", "path", "name", "x", "y", "radius", "shade", "relevance", "hub", "authority", "role")
    sizes = {len(found[column]) for column in columns}
    assert sizes == {found["counts"]["shown"] + found["counts"]["linked_shown"]}
    assert len(found["tails"]) == len(found["heads"])
    assert max([*found["tails"], *found["heads"], *found["guessed"]], default=0) < sizes.pop()
    assert max(found["origin"]) == len(found["origins"]) - 1
    assert found["running"] is False
    assert found["seq"] == 62


def test_sites_are_listed_with_their_pages(client):
    found = get(client, "spiders/sites", limit=3).json()
    assert (found["total"], found["pages"], len(found["sites"])) == (7, 60, 3)
    assert found["sites"][0]["host"] == "h0.test"


def test_the_picture_is_kept_apart_from_our_pages(client):
    answer = get(client, "spiders/map.svg", limit=10)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "script-src" not in answer.headers["content-security-policy"]
    assert ElementTree.fromstring(answer.text).get("role") == "img"
    assert "<b>" not in answer.text


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("spiders/map", {"host": "nowhere.test"}, 400),
        ("spiders/map", {"host": "a/../b"}, 400),
        ("spiders/map", {"host": "x" * 300}, 422),
        ("spiders/map", {"kind": "links", "host": "h1.test"}, 400),
        ("spiders/map", {"kind": "links", "layout": "tree"}, 400),
        ("spiders/map", {"layout": "cube"}, 422),
        ("spiders/map", {"limit": 0}, 422),
        ("spiders/map", {"limit": 2**70}, 422),
        ("empty/map", {}, 400),
        ("nowhere/map", {}, 404),
        ("nowhere/sites", {}, 404),
        ("nowhere/map.svg", {}, 404),
    ],
)
def test_what_cannot_be_drawn_is_a_problem_with_a_fix(client, path, query, status):
    told = get(client, path, status, **query).json()
    assert told["problem"]


def test_an_empty_collection_has_no_sites(client):
    assert get(client, "empty/sites").json()["sites"] == []


def test_the_document_describes_the_map(client):
    document = json.loads(client.get("/api/openapi.json").text)
    about = document["components"]["schemas"]["Map"]["properties"]
    assert about["shade"]["description"].startswith("How strongly a page is drawn")
