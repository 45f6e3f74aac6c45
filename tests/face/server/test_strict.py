"""A field or parameter that nobody knows is never dropped in silence: over real HTTP, on every route there is."""

import shutil

import httpx
import pytest

WISH = {"keywords": "wolf spiders", "seeds": ["http://a.test/"]}


@pytest.fixture(scope="module")
def running(serving, furnished, tmp_path_factory):
    home = tmp_path_factory.mktemp("strict") / "home"
    shutil.copytree(furnished, home, symlinks=True)
    with serving(home, (), "--rate", "2000") as server:
        yield server


@pytest.mark.parametrize(
    ("field", "value", "fix"),
    [
        ("robots", False, "the fields are: keywords, seeds, "),
        ("proxy", "http://127.0.0.1:1", "the fields are: keywords, seeds, "),
        ("dept", 2, "did you mean 'depth'?"),
        ("keyword", "x", "did you mean 'keywords'?"),
        ("Pages", 3, "did you mean 'pages'?"),
        ("on-topic", False, "did you mean 'on_topic'?"),
    ],
)
def test_a_wish_with_an_unknown_field_begins_no_hunt(running, field, value, fix):
    before = httpx.get(f"{running.url}/api/hunts").json()
    answer = httpx.post(f"{running.url}/api/hunts", json={**WISH, field: value})
    assert answer.status_code == 422
    assert answer.json()["problem"] == f"unknown field {field!r}"
    assert answer.json()["fix"].startswith(fix)
    assert httpx.get(f"{running.url}/api/hunts").json() == before


@pytest.mark.parametrize(
    ("method", "path", "body", "problem", "fix"),
    [
        ("POST", "hunts/spiders/extend", {"page": 1}, "unknown field 'page'", "did you mean 'pages'?"),
        (
            "POST",
            "seeds",
            {"keywords": "a", "min_relevance": 1},
            "unknown field 'min_relevance'",
            "the fields are: key",
        ),
        ("PUT", "communities/club/remembering", {"on": True, "of": 1}, "unknown field 'of'", "the fields are: on"),
        ("PUT", "companion/state", {"onn": True}, "unknown field 'onn'", "did you mean 'on'?"),
        ("POST", "hunts/spiders/pause", {"depth": 2}, "unknown field 'depth'", "leave it out"),
        (
            "POST",
            "hunts/spiders/judgements",
            {"judgements": [{"url": "http://a.test/", "relevant": True, "relevent": 1}]},
            "judgements.0: unknown field 'relevent'",
            "did you mean 'relevant'?",
        ),
    ],
)
def test_an_unknown_field_is_told_with_the_nearest_that_is_known(running, method, path, body, problem, fix):
    answer = httpx.request(method, f"{running.url}/api/{path}", json=body)
    assert answer.status_code == 422
    assert answer.json()["problem"] == problem and answer.json()["fix"].startswith(fix)


@pytest.mark.parametrize(
    ("path", "name", "fix"),
    [
        ("search?query=a", "limt", "did you mean 'limit'?"),
        ("search?query=a", "min_relevance", "the parameters are: query, collection, by, "),
        ("collections/spiders/export", "min_relevence", "did you mean 'min_relevance'?"),
        ("hunts/spiders/pages", "min_relevence", "did you mean 'min_relevance'?"),
        ("hunts", "limit", "leave it out"),
        ("collections/spiders/map", "hosts", "did you mean 'host'?"),
        ("hunts/spiders/events", "since", "the parameters are: after"),
        ("lab/experiment/report.html", "x" * 500, "leave it out"),
    ],
)
def test_an_unknown_parameter_is_told_with_the_nearest_that_is_known(running, path, name, fix):
    answer = httpx.get(f"{running.url}/api/{path}{'&' if '?' in path else '?'}{name}=1")
    assert answer.status_code == 422
    assert answer.json()["problem"] == f"unknown parameter {name[:80]!r}"
    assert answer.json()["fix"].startswith(fix)


def test_every_route_refuses_what_it_does_not_know(running):
    document = httpx.get(f"{running.url}/api/openapi.json").json()
    names = {"communities": "club", "lab": "experiment"}
    asked = 0
    for path, methods in document["paths"].items():
        name = names.get(path.split("/")[2], "spiders")
        url = running.url + path.replace("{name}", name).replace("{file}", "report.html").replace("{number}", "1")
        for method, about in methods.items():
            answer = httpx.request(method, url, params={"no_such_thing": 1})
            assert answer.status_code == 422, f"{method} {path} takes any parameter"
            asked += 1
            if method != "get":
                answer = httpx.request(method, url, json={"no_such_thing": 1})
                assert answer.status_code == 422 and "no_such_thing" in answer.json()["problem"], f"{method} {path}"
            if body := about.get("requestBody"):
                schema = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                assert document["components"]["schemas"][schema]["additionalProperties"] is False
    assert asked > 40


def test_what_is_known_is_still_taken(running):
    assert httpx.post(f"{running.url}/api/hunts/spiders/stop", json={}).status_code == 200
    assert httpx.post(f"{running.url}/api/hunts/spiders/stop").status_code == 200
    found = httpx.get(f"{running.url}/api/search", params={"query": "a", "collection": ["spiders", "club"], "limit": 3})
    assert found.status_code == 200
    # Pages are not calls: what others put behind their addresses is nobody's business.
    assert httpx.get(f"{running.url}/search", params={"q": "a", "utm_source": "x"}).status_code == 200
