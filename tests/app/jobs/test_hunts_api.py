"""Hunts over HTTP, with the real server in a process of its own."""

import json
import threading
import time

import httpx
import pytest

from lycosa.system.errors import Code


@pytest.fixture(scope="module")
def server(serving, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("home"), delay="0.3") as running:
        yield running


@pytest.fixture
def api(server):
    with httpx.Client(base_url=f"{server.url}/api", timeout=60, trust_env=False) as client:
        yield client


@pytest.fixture(scope="module")
def hunt_request(made):
    def make(topic=0, **more):
        found = made.topics[topic]
        plain = {"keywords": found.keywords, "seeds": list(found.examples), "strategy": "best-first", "pages": 40}
        return plain | more

    return make


def batches(lines):
    """Events of a stream as (id, batch)."""
    seen = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if line == "" and "data" in seen:
            yield seen["id"], json.loads(seen["data"])
            seen = {}
        elif name in ("id", "data", "event"):
            seen[name] = value


def test_a_hunt_is_begun_steered_and_listed(api, hunt_request, until):
    answer = api.post("/hunts", json=hunt_request(pages=300))
    assert answer.status_code == 201
    name, begun = answer.json()["name"], answer.json()
    assert (begun["state"], begun["pages"], begun["budget"]["pages"]) == ("starting", 0, 300)
    until(lambda: api.get(f"/hunts/{name}").json()["pages"] > 3)
    assert api.post(f"/hunts/{name}/pause").json()["state"] == "paused"
    assert api.post(f"/hunts/{name}/extend", json={"pages": 50}).json()["budget"]["pages"] == 350
    assert api.post(f"/hunts/{name}/resume").json()["state"] in ("starting", "running")
    assert api.post(f"/hunts/{name}/stop").json()["state"] == "stopped"
    assert [entry["state"] for entry in api.get("/hunts").json() if entry["name"] == name] == ["stopped"]
    found = api.get(f"/hunts/{name}/pages", params={"limit": 3, "min_relevance": 0.01, "order": "time"}).json()
    assert len(found["pages"]) == 3 <= found["total"]
    page = found["pages"][0]["url"]
    heard = api.post(f"/hunts/{name}/judgements", json={"judgements": [{"url": page, "relevant": True}]}).json()
    assert heard["judged"] == [{"url": page, "relevant": True}]
    assert [row["url"] for row in api.get(f"/hunts/{name}/pages", params={"judged": "yes"}).json()["pages"]] == [page]
    assert page not in [doubt["url"] for doubt in api.get(f"/hunts/{name}/doubts").json()["doubts"]]
    unknown = api.post(f"/hunts/{name}/judgements", json={"judgements": [{"url": "http://no.test/", "relevant": True}]})
    assert unknown.json()["problem"] == f"http://no.test/ is not a page of {name}"
    batch = api.get(f"/hunts/{name}/batch", params={"limit": 2}).json()
    assert batch["more"] and len(batch["pages"]) == 2


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (("GET", "/hunts/nothing"), 404),
        (("GET", "/hunts/nothing/events"), 404),
        (("GET", "/hunts/nothing/pages"), 404),
        (("POST", "/hunts/nothing/pause"), 404),
        (("GET", "/hunts/%2e%2e"), 422),
        (("GET", "/hunts/%2e%2e%2fetc"), 404),
        (("GET", "/hunts/a%00b"), 422),
        (("POST", "/hunts", {"keywords": "wolf spiders"}), 400),
        (("POST", "/hunts", {"keywords": "x", "seeds": ["http://10.0.0.1/"]}), 400),
        (("POST", "/hunts", {"keywords": "x", "seeds": ["http://a.test/"], "name": "../x"}), 400),
        (("POST", "/hunts", {"keywords": "x", "seeds": ["http://a.test/"], "seeds_from": ["no"]}), 404),
        (("POST", "/hunts", {"keywords": "x", "seeds": ["http://a.test/"], "settings": {"d": 10**400}}), 400),
        (("POST", "/hunts", {"seeds": ["http://a.test/"]}), 422),
        (("POST", "/hunts", {"keywords": "\ud800", "seeds": ["http://a.test/"]}), 400),
    ],
)
def test_what_cannot_be_answered_says_why(api, call, status):
    method, path, *body = call
    content = json.dumps(body[0]).encode() if body else None
    answer = api.request(method, path, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status and problem["title"] and problem["detail"] == problem["problem"]
    assert problem["code"] in set(Code) and isinstance(problem["field"], str)


def test_strategies_and_judges_say_what_can_be_set(api):
    strategies = {kind["name"]: kind for kind in api.get("/strategies").json()}
    alpha = next(option for option in strategies["dom"]["options"] if option["name"] == "alpha")
    assert (alpha["type"], alpha["default"]) == ("float", 0.25)
    assert alpha["help"].startswith("How much the whole page counts")
    assert strategies["best-first"]["usable"] and not strategies["focused"]["usable"]
    assert "a taxonomy" in strategies["focused"]["needs"]
    assert {kind["name"]: kind["usable"] for kind in api.get("/judges").json()}["cosine"]


def test_a_stream_goes_on_where_it_was_when_the_server_is_killed_and_back(api, server, hunt_request):
    name = api.post("/hunts", json=hunt_request(1, pages=30)).json()["name"]
    came, last, state, reconnected = [], "0", "", 0
    end = time.monotonic() + 100
    while state != "finished" and time.monotonic() < end:
        try:
            with api.stream("GET", f"/hunts/{name}/events", headers={"Last-Event-ID": last}) as stream:
                for seen, batch in batches(stream.iter_lines()):
                    last = seen
                    came += [page["url"] for page in batch["pages"]]
                    state = batch["state"]
                    if state == "finished":
                        break
                    if not reconnected and len(came) > 10:
                        server.kill()
        except httpx.TransportError:
            if not reconnected:
                server.start()
            reconnected += 1
    assert reconnected
    assert len(came) == len(set(came)) == batch["counts"]["pages"] == 30


def test_a_hunt_none_of_whose_seeds_can_be_fetched_fails_with_the_reason_of_each(api, until):
    seeds = ["http://nowhere.test/", "http://nobody.test/"]
    name = api.post("/hunts", json={"keywords": "spiders", "seeds": seeds, "pages": 9}).json()["name"]
    until(lambda: api.get(f"/hunts/{name}").json()["state"] == "failed", seconds=60)
    told = api.get(f"/hunts/{name}").json()
    assert told["problem"] == "none of its 2 seeds could be fetched" and "resume" in told["fix"]
    assert [(each["url"], each["reason"], each["problem"], each["fix"]) for each in told["failures"]] == [
        (seed, "status 404", "there is no such page (status 404)", "check the URL") for seed in seeds
    ]
    assert [entry["state"] for entry in api.get("/hunts").json() if entry["name"] == name] == ["failed"]
    (reason,) = api.get(f"/hunts/{name}/misses").json()["reasons"]
    assert (reason["reason"], reason["problem"]) == ("status 404", "there is no such page (status 404)")
    # It may be that they can be fetched now: nobody knows before they are asked again.
    assert api.post(f"/hunts/{name}/resume").json()["state"] in ("starting", "running", "failed")
    until(lambda: api.get(f"/hunts/{name}").json()["misses"] == {"status 404": 4}, seconds=60)
    until(lambda: api.get(f"/hunts/{name}").json()["state"] == "failed", seconds=60)


def test_a_hunt_that_ends_early_says_why(api, made, until):
    seed = made.topics[0].examples[0]
    host = seed.split("/")[2]
    hunt_request = {
        "keywords": made.topics[0].keywords,
        "seeds": [seed],
        "pages": 5000,
        "within": [host],
        "delay": 0.02,
    }
    name = api.post("/hunts", json=hunt_request).json()["name"]
    until(lambda: api.get(f"/hunts/{name}").json()["state"] == "finished", seconds=60)
    told = api.get(f"/hunts/{name}").json()
    assert told["early"].startswith(f"Ended early: nothing was left to fetch after {told['pages']:,} of 5,000 pages.")
    assert "it leads outside the scope of the hunt" in told["early"]


def test_a_server_with_open_streams_ends_soon_when_it_is_told_to(api, server, hunt_request):
    name = api.get("/hunts").json()[0]["name"]
    watching, ended = threading.Event(), threading.Event()

    def watch():
        try:
            with httpx.stream("GET", f"{server.url}/api/hunts/{name}/events", trust_env=False) as stream:
                for _ in stream.iter_lines():
                    watching.set()
        except httpx.TransportError:
            pass
        ended.set()

    threading.Thread(target=watch).start()
    assert watching.wait(60)
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 60
    assert ended.wait(60)
