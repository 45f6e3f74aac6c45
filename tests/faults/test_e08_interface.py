"""E8: whatever is sent to the REST interface, the answer is never an error of the server."""

import json
import random
from urllib.parse import quote

import pytest

ODD = (
    None,
    True,
    -1,
    0,
    10**9,
    10**30,
    1e308,
    "",
    "x" * 5000,
    "\u0000",
    "\ud800",
    "𝔘𝔫𝔦",
    [],
    {},
    [[[]]],
    {"a": {}},
    -0.5,
)


@pytest.mark.row("E8")
def test_nothing_that_is_sent_is_an_error_of_the_server(figure, size, door):
    document = json.loads(door.ask("/api/openapi.json")[2])
    chance = random.Random(1)
    calls, failed = 0, []

    def send(path, method, body=None, headers=None):
        nonlocal calls
        calls += 1
        status = door.ask(path, method, {"Content-Type": "application/json", **(headers or {})}, body)[0]
        if status >= 500 and status != 503:
            failed.append((method, path, status, (body or b"")[:200]))

    routes = [(path, way, known[way]) for path, known in document["paths"].items() for way in known]
    routes = [route for route in routes if not route[0].endswith("/events")]  # these answer for ever
    for _ in range(size(3, 80)):
        for path, way, described in routes:
            place = path.replace("{name}", chance.choice(("hostile", "hostile", "nowhere", "%00", "%C3%A9")))
            place = place.replace("{number}", str(chance.choice((0, -1, 10**9)))).replace("{file}", "x")
            query = "&".join(
                f"{one['name']}={quoted(chance.choice(ODD))}"
                for one in described.get("parameters", ())
                if one["in"] == "query" and chance.random() < 0.7
            )
            send(f"{place}?{query}", way.upper(), body_of(described, document, chance) if way != "get" else None)
    for body in (
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        b'{"keywords": "\xff\xfe"}',
        b'{"pages": 1e400, "keywords": "x"}',
        b'{"keywords": NaN}',
        b"",
        b"null",
        b'{"keywords":"x","keywords":"y"}' * 1000,
    ):
        for path in ("/api/hunts", "/api/seeds", "/api/companion/read"):
            send(path, "POST", body)
    send("/api/hunts", "POST", None, {"Content-Length": str(1 << 30), "Expect": "100-continue"})
    alive = door.ask("/api/hunts")[0]
    figure(f"{len(failed)} errors of the server in {calls} calls of {len(routes)} routes")
    assert not failed and alive == 200


def quoted(value):
    """A value as it may stand in a query, as ASCII."""
    return quote(str(value).encode("utf-8", "surrogatepass"))


def body_of(described, document, chance):
    """A body with fields of the right names and senseless values."""
    schema = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    names = [*schema.get("properties", ()), "unknown", "\u2028"]
    return json.dumps({name: chance.choice(ODD) for name in names if chance.random() < 0.6}).encode()
