"""E4: no page of another site can change anything: every writing route, by every means such a page has."""

import json

import pytest

HEADERS = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://localhost.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "chrome-extension://abcdefgh"},
)
KINDS = ("application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "")


@pytest.mark.row("E4")
def test_no_foreign_page_can_write(figure, size, door):
    document = json.loads(door.ask("/api/openapi.json")[2])
    routes = [(path, method) for path, known in document["paths"].items() for method in known if method != "get"]
    routes += [("/mcp", "post"), ("/login", "post")]
    assert len(routes) > 15
    tried, accepted = 0, []
    body = json.dumps({"keywords": "x", "seeds": ["http://a.test/"]}).encode()
    for path, method in routes:
        place = path.replace("{name}", "hostile")
        for headers in HEADERS:
            for kind in KINDS[: size(2, len(KINDS))]:
                sent = {**headers, "Content-Type": kind} if kind else headers
                status = door.ask(place, method.upper(), sent, body)[0]
                tried += 1
                if status < 400:
                    accepted.append((method, path, headers, kind, status))
        # What a form or an image of another site can send without saying where it comes from.
        for way, kind in (("POST", "text/plain"), ("POST", "application/x-www-form-urlencoded"), ("GET", "")):
            if (way == "GET" and "get" in document["paths"].get(path, {"get": 1})) or path == "/login":
                continue
            status = door.ask(place, way, {"Content-Type": kind} if kind else {}, body if way == "POST" else None)[0]
            tried += 1
            if status < 400:
                accepted.append((way, path, kind, status))
    assert json.loads(door.ask("/api/hunts")[2])
    figure(f"{len(accepted)} accepted of {tried} requests to {len(routes)} routes")
    assert not accepted
