"""Who may talk to the companion over HTTP: our own page, and an extension that shows the key; nobody else."""

import httpx
import pytest

EXTENSION = {"Origin": "chrome-extension://abcdefghijklmnop"}
FIREFOX = {"Origin": "moz-extension://0a1b2c3d"}


@pytest.fixture(scope="module")
def running(serving, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("home")) as server:
        yield server


@pytest.fixture(scope="module")
def api(running):
    with httpx.Client(base_url=f"{running.url}/api/companion", trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def key(api):
    return {"Authorization": f"Bearer {api.get('/key').json()['key']}"}


@pytest.fixture
def switched_off(api):
    yield
    api.put("/state", json={"on": False})
    api.post("/erase")


@pytest.mark.parametrize("origin", [EXTENSION, FIREFOX])
def test_an_extension_needs_the_key(api, key, origin):
    assert api.get("/state", headers=origin).status_code == 401
    assert api.put("/state", json={"on": True}, headers=origin).status_code == 401
    assert not api.get("/state").json()["on"]
    answer = api.get("/state", headers={**origin, **key})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == origin["Origin"]


def test_a_preflight_is_answered_for_extensions_only(api):
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    answer = api.options("/read", headers={**EXTENSION, **asked})
    assert answer.status_code == 204
    assert "authorization" in answer.headers["access-control-allow-headers"].lower()
    foreign = api.options("/read", headers={"Origin": "https://evil.example", **asked})
    assert "access-control-allow-origin" not in foreign.headers


def test_a_foreign_page_is_refused_even_with_the_key(api, key):
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        answer = api.get("/profile", headers={"Origin": origin, "Sec-Fetch-Site": "cross-site", **key})
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_the_key_opens_nothing_but_the_companion(running, key):
    for path in ("/api/hunts", "/api/search?query=x", "/"):
        answer = httpx.get(running.url + path, headers={**EXTENSION, **key})
        assert answer.status_code == 403


def test_what_is_sent_while_it_is_off_is_refused_and_not_kept(api, key, running):
    page = {"url": "http://a.test/", "title": "Spiders", "text": "spiders and more spiders", "links": []}
    answer = api.post("/read", json=page, headers={**EXTENSION, **key})
    assert answer.status_code == 409
    assert "off" in answer.json()["problem"]
    assert api.get("/profile").json() == {"words": [], "pages": []}
    assert not (running.home / ".companion" / "profile").exists()


def test_what_is_read_is_seen_forgotten_and_erased(api, key, switched_off):
    assert api.put("/state", json={"on": True}, headers={**EXTENSION, **key}).json()["on"]
    for name in ("one", "two"):
        page = {"url": f"http://a.test/{name}", "title": f"Spiders {name}", "text": "wolf spiders", "seconds": 20}
        assert api.post("/read", json=page, headers={**EXTENSION, **key}).json()["learned"]
    known = api.get("/profile").json()
    assert [page["url"] for page in known["pages"]] == ["http://a.test/two", "http://a.test/one"]
    assert known["words"][0]["weight"] == 1
    assert "spiders" in {one["word"] for one in known["words"]}
    assert api.post("/forget", json={"url": "http://a.test/two"}).status_code == 200
    assert api.post("/forget", json={"url": "http://a.test/two"}).status_code == 404
    assert len(api.get("/profile").json()["pages"]) == 1
    assert api.post("/erase").status_code == 200
    assert api.get("/profile").json()["pages"] == []


def test_sizes_and_values_are_bounded(api, switched_off):
    api.put("/state", json={"on": True})
    page = {"url": "http://a.test/", "title": "Spiders", "text": "spiders"}
    assert api.post("/read", json=page | {"text": "x" * 200_001}).status_code == 422
    assert api.post("/read", json=page | {"links": [{"url": "http://a.test/x"}] * 401}).status_code == 422
    assert api.post("/read", json=page | {"url": "javascript:alert(1)"}).status_code == 400
    assert api.post("/read", json=page | {"seconds": -1}).status_code == 422
    assert api.put("/state", json={"strategy": "\x00"}).status_code == 400
    assert api.put("/state", json={"pages": 1000}).status_code == 422
    assert api.get("/suggestions", params={"of": "../../state"}).status_code == 422
    assert api.get("/suggestions", params={"of": "1234567890123-00000000"}).status_code == 404


def test_scouts_are_no_collections(running, api):
    assert httpx.get(f"{running.url}/api/hunts").json() == []


def test_a_new_key_locks_the_old_one_out_and_wrong_ones_are_slowed_down(serving, tmp_path):
    token = {"Authorization": "Bearer a-token-that-is-long-enough"}
    with (
        serving(tmp_path / "home", (), "--token", "a-token-that-is-long-enough") as running,
        httpx.Client(base_url=f"{running.url}/api/companion", trust_env=False) as api,
    ):
        assert api.get("/key").status_code == 401
        old = {"Authorization": f"Bearer {api.get('/key', headers=token).json()['key']}"}
        new = {"Authorization": f"Bearer {api.post('/key', headers=token).json()['key']}"}
        assert api.get("/state", headers={**EXTENSION, **old}).status_code == 401
        for origin in (EXTENSION, {}):
            assert api.get("/state", headers={**origin, **new}).status_code == 200, "the key is enough, with or without"
        assert httpx.get(f"{running.url}/api/hunts", headers=new).status_code == 401, "and no token"
        guesses = [
            api.get("/state", headers={**EXTENSION, "Authorization": f"Bearer {n}"}).status_code for n in range(15)
        ]
        assert guesses[0] == 401
        assert guesses[-1] == 429
        assert api.get("/state", headers={**EXTENSION, **new}).status_code == 200
