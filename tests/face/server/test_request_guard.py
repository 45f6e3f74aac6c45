"""Nothing reaches a route that the guard has not let pass: asked over real HTTP."""

import json
import socket

import httpx
import pytest

TOKEN = "quite-a-long-token-for-tests"


@pytest.fixture(scope="module")
def local(serving, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def guarded(serving, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("guarded"), (), "--token", TOKEN) as running:
        yield running


def start(running, **more):
    hunt_request = {"keywords": "x", "seeds": ["http://a.test/"]}
    return httpx.post(f"{running.url}/api/hunts", json=hunt_request, **more)


@pytest.mark.parametrize("path", ["/", "/search", "/api/hunts", "/api/openapi.json", "/static/style.css", "/mcp"])
def test_a_rebound_host_is_refused_everywhere(local, path):
    answer = httpx.get(local.url + path, headers={"Host": f"evil.example:{local.port}"})
    assert answer.status_code == 403
    assert "name" in answer.json()["problem"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "chrome-extension://abcdefgh"},
        {"Origin": "moz-extension://abcdefgh", "Authorization": "Bearer guess"},
    ],
)
def test_a_foreign_page_can_neither_change_nor_ask_anything(local, headers):
    before = httpx.get(f"{local.url}/api/hunts").json()
    assert start(local, headers=headers).status_code == 403
    assert httpx.get(f"{local.url}/api/search", params={"query": "x"}, headers=headers).status_code == 403
    assert httpx.post(f"{local.url}/mcp", json={}, headers=headers).status_code == 403
    assert httpx.get(f"{local.url}/api/hunts").json() == before


def test_no_answer_allows_a_foreign_page_to_read_it(local):
    for method in ("GET", "OPTIONS"):
        answer = httpx.request(method, f"{local.url}/api/hunts", headers={"Origin": local.url})
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_what_a_foreign_form_can_send_is_not_understood(local, kind):
    body = json.dumps({"keywords": "x", "seeds": ["http://a.test/"]})
    answer = httpx.post(f"{local.url}/api/hunts", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 415


def test_a_request_that_is_too_large_is_refused_with_and_without_its_length(local):
    large = b'{"keywords": "' + b"x" * (2 << 20) + b'"}'
    headers = {"Content-Type": "application/json"}
    for path, content in (("/api/hunts", large), *((path, iter([large])) for path in ("/api/hunts", "/mcp", "/login"))):
        try:
            answer = httpx.post(local.url + path, content=content, headers=headers)
            assert answer.status_code == 413
        except httpx.HTTPError:
            pass  # hung up on
    # What is only announced is refused before it is sent.
    with socket.create_connection(("127.0.0.1", local.port), timeout=30) as line:
        line.sendall(f"POST /api/hunts HTTP/1.1\r\nHost: 127.0.0.1:{local.port}\r\n".encode())
        line.sendall(b"Content-Type: application/json\r\nContent-Length: 2097152\r\n\r\n")
        assert line.recv(4096).startswith(b"HTTP/1.1 413")
    assert httpx.get(f"{local.url}/api/hunts").status_code == 200


def test_pages_carry_a_strict_policy(local):
    headers = httpx.get(f"{local.url}/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e", "..%2f..%2fetc", "%2Fetc%2Fpasswd", "a%00b", ".desk", ".companion", "x" * 300, "%ff"]
)
@pytest.mark.parametrize("route", ["/api/hunts/{}", "/api/collections/{}/hubs", "/hunts/{}", "/lab/{}", "/static/{}"])
def test_a_name_is_never_a_path(local, route, name):
    with socket.create_connection(("127.0.0.1", local.port), timeout=30) as wire:
        # By hand, for clients tidy paths up before they send them.
        wire.sendall(f"GET {route.format(name)} HTTP/1.1\r\nHost: 127.0.0.1:{local.port}\r\n\r\n".encode())
        status = int(wire.recv(4096).split()[1])
    assert status in (400, 404, 422)


def test_where_there_is_a_token_nothing_is_shown_without_it(guarded):
    assert httpx.get(f"{guarded.url}/api/hunts").status_code == 401
    assert start(guarded).status_code == 401
    assert httpx.post(f"{guarded.url}/mcp", json={}).status_code == 401
    page = httpx.get(f"{guarded.url}/")
    assert page.status_code == 303 and page.headers["location"] == "/login"
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert httpx.get(f"{guarded.url}/api/hunts", headers=right).status_code == 200


def test_signing_in_gives_a_cookie_that_holds_no_token_and_that_no_foreign_page_can_use(guarded):
    with httpx.Client(base_url=guarded.url) as client:
        assert client.post("/login", data={"token": "wrong"}).status_code == 401
        assert client.get("/api/hunts").status_code == 401
        answer = client.post("/login", data={"token": TOKEN})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie and TOKEN not in cookie
        assert client.get("/api/hunts").status_code == 200
        assert (
            client.post("/login", data={"token": TOKEN}, headers={"Origin": "http://evil.example"}).status_code == 403
        )


def test_whoever_guesses_tokens_must_wait(guarded):
    guesses = [httpx.get(f"{guarded.url}/api/hunts", headers={"Authorization": f"Bearer {n}"}) for n in range(30)]
    assert guesses[0].status_code == 401
    # On a slow machine one more may be heard now and then, which may be the last.
    refused = [guess for guess in guesses if guess.status_code == 429]
    assert refused and all(guess.headers["retry-after"] for guess in refused)


def test_an_unknown_page_is_said_to_people_as_a_page_and_to_programs_as_json(local):
    page = httpx.get(f"{local.url}/hunts/nowhere", headers={"Accept": "text/html"})
    assert page.status_code == 404 and "<h1>" in page.text
    assert httpx.get(f"{local.url}/api/hunts/nowhere").json()["problem"]
