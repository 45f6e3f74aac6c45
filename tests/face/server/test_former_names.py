"""Parameters by their earlier names: they work for a while with a warning, and nothing else knows them."""

import pytest
from starlette.testclient import TestClient

from lycosa.app.jobs import HuntJobs
from lycosa.app.requests import REQUESTS
from lycosa.app.requests.option import remote_options
from lycosa.face.server.app import make_app
from lycosa.face.server.server_settings import ServerSettings

SITE = "http://spiders.test/"
LONG = " ".join(f"Wolf spiders hunt on ground number {n * 37 % 101} in night {n} of the year." for n in range(40))
PAGES = {
    SITE: f'<title>Spiders</title><p>All spiders. <a href="{SITE}wolf">Wolf spiders</a> <a href="{SITE}copy">Again</a>',
    f"{SITE}wolf": f"<title>Wolf spiders</title><p>{LONG}",
    f"{SITE}copy": f"<title>Wolf spiders</title><p>{LONG}",
}
SEARCH, LISTED, EXPORT = "/search", "/hunts/spiders/pages", "/collections/spiders/export"
ROUTES = {"search": "/search", "pages": "/hunts/{name}/pages", "export": "/collections/{name}/export"}
"""The routes that read a request from the query of a URL."""


@pytest.fixture(scope="module")
def client(collected, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    collected(home / "spiders", PAGES, "wolf spiders")
    with TestClient(make_app(HuntJobs(home), ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        yield client


@pytest.fixture
def get(client):
    """get(path, a=1) is the response."""
    return lambda path, **query: client.get(f"/api{path}", params=query)


def warnings(response):
    return response.headers.get_list("Warning")


def same(response):
    """What a response says apart from how long it took, to be compared with that of another."""
    if response.headers["Content-Type"] != "application/json":
        return response.content
    return {name: value for name, value in response.json().items() if name != "took_ms"}


@pytest.mark.parametrize(
    ("path", "old", "new", "value", "more"),
    [
        (SEARCH, "q", "query", "wolf spiders", {}),
        (SEARCH, "text", "query", "wolf spiders", {}),
        (SEARCH, "in", "collection", ["spiders"], {"query": "wolf"}),
        (SEARCH, "twins", "duplicates", "true", {"query": "wolf spiders"}),
        (LISTED, "min", "min_relevance", 0.3, {}),
        (EXPORT, "relevance", "min_relevance", 0.3, {"format": "jsonl"}),
    ],
)
def test_an_earlier_name_means_the_same_with_a_header_that_names_the_new_one(get, path, old, new, value, more):
    before, now = get(path, **{old: value}, **more), get(path, **{new: value}, **more)
    assert before.status_code == now.status_code == 200, before.text
    assert same(before) == same(now)
    assert warnings(before) == [f'299 lycosa "{old} is now called {new}"']
    assert warnings(now) == []


@pytest.mark.parametrize(
    ("path", "old", "value", "more"),
    [
        (SEARCH, "twins", "true", {"query": "wolf spiders"}),
        (SEARCH, "in", "spiders", {"query": "wolf"}),
        (LISTED, "min", 0.9, {}),
        (EXPORT, "relevance", 0.9, {"format": "jsonl"}),
    ],
)
def test_an_earlier_name_has_an_effect(get, path, old, value, more):
    if old == "in":
        assert get(path, **{old: "nobody"}, **more).status_code == 404
    else:
        assert same(get(path, **{old: value}, **more)) != same(get(path, **more))


def test_several_earlier_names_are_several_warnings(get):
    found = get(SEARCH, **{"q": "wolf", "in": "spiders", "twins": "true"})
    assert sorted(warnings(found)) == [
        '299 lycosa "in is now called collection"',
        '299 lycosa "q is now called query"',
        '299 lycosa "twins is now called duplicates"',
    ]


def test_a_value_is_checked_by_whatever_name_it_comes(get):
    refused = get(LISTED, min=7)
    assert refused.status_code == 400 and refused.json()["field"] == "min_relevance"
    assert get(LISTED, min="much").status_code == 422


@pytest.mark.parametrize(
    ("path", "name", "more"),
    [
        (SEARCH, "min", {"query": "wolf"}),
        (SEARCH, "relevance", {"query": "wolf"}),
        (LISTED, "q", {}),
        (LISTED, "twins", {}),
        (LISTED, "relevance", {}),
        (EXPORT, "min", {}),
        ("/collections/spiders/similar", "q", {"url": SITE}),
        ("/collections/spiders/hubs", "in", {}),
        ("/hunts", "q", {}),
    ],
)
def test_an_earlier_name_of_another_route_is_refused(get, path, name, more):
    answer = get(path, **{name: "1"}, **more)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "unknown-name", name)


def test_a_refusal_never_proposes_an_earlier_name(get):
    fix = get(SEARCH, query="wolf", qq="1").json()["fix"]
    assert "query, collection, by, sort, limit, page, filter, facets, duplicates, verbatim, private" in fix
    assert " q," not in fix


@pytest.mark.parametrize("name", ROUTES)
def test_the_document_names_every_option_and_no_earlier_one(client, name):
    document = client.get("/api/openapi.json").json()
    shown = {
        each["name"]: each
        for each in document["paths"][f"/api{ROUTES[name]}"]["get"]["parameters"]
        if each["in"] == "query"
    }
    options = remote_options(REQUESTS[name])
    assert list(shown) == [field.single for field in options]
    assert not {old for field in options for old in field.option.formerly} & shown.keys()
    for field in options:
        assert shown[field.single]["description"].startswith(field.option.help), field.name
        high = field.option.remote_high or field.option.high
        assert shown[field.single]["schema"].get("maximum") == high, field.name


def test_an_earlier_name_beside_the_new_one_is_a_contradiction(get):
    response = get(SEARCH, q="wolf", query="spiders")
    assert response.status_code == 400
    assert (response.json()["code"], response.json()["field"]) == ("contradiction", "query")


@pytest.mark.parametrize("path", ["/hunts/spiders", LISTED, "/collections/spiders/hubs"])
def test_the_name_in_a_path_is_not_a_parameter(get, path):
    assert get(path, name="zzz").status_code == 422
