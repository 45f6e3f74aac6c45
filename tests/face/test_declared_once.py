"""Requests and answers are declared once: every face has every option, and the same fields with the same names."""

import asyncio
import inspect
import json
import warnings
from typing import Annotated

import msgspec
import pytest
import typer
from mcp.client import Client
from starlette.testclient import TestClient
from typer.testing import CliRunner

import lycosa
from lycosa.app.answers.search import NearDuplicate, SearchAnswer, SearchResult
from lycosa.app.jobs import HuntJobs
from lycosa.app.requests.hunt import GROUPS, HuntRequest
from lycosa.app.requests.option import Option, local_options, options_of, remote_options, takes
from lycosa.app.requests.scope import SCOPE
from lycosa.face.cli import app as command_line
from lycosa.face.cli.request_options import flag, from_request
from lycosa.face.mcp.agent_budget import AgentBudget
from lycosa.face.mcp.request_arguments import takes_request
from lycosa.face.mcp.tool_context import ToolContext
from lycosa.face.mcp.tool_server import ToolServer
from lycosa.face.server.app import make_app
from lycosa.face.server.request_models import model_of
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused

SITE = "http://spiders.test/"
LONG = " ".join(f"Wolf spiders hunt on ground number {n * 37 % 101} in night {n} of the year." for n in range(40))
PAGES = {
    SITE: f'<title>Spiders</title><p>All spiders: <a href="{SITE}wolf">wolf spiders that hunt</a>, '
    f'<a href="{SITE}copy">the same again</a>, <a href="{SITE}orb">orb weavers</a>.',
    f"{SITE}wolf": f"<title>Wolf spiders</title><p>{LONG}",
    f"{SITE}copy": f"<title>Wolf spiders</title><p>{LONG}",
    f"{SITE}orb": "<title>Orb weavers</title><p>Orb weavers are spiders that build round webs.",
}
OPTIONS = {field.name: field for field in options_of(HuntRequest)}
LOCAL = {field.name for field in local_options(HuntRequest)}
REMOTE = {field.name for field in remote_options(HuntRequest)}


@pytest.fixture(scope="module")
def jobs(collected, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    collected(home / "spiders", PAGES, "wolf spiders")
    jobs = HuntJobs(home)
    yield jobs
    jobs.close()


@pytest.fixture(scope="module")
def client(jobs):
    with TestClient(make_app(jobs, ServerSettings(port=8123)), base_url="http://127.0.0.1:8123") as client:
        yield client


@pytest.fixture(scope="module")
def agent(jobs):
    """agent(act) is what `await act(client)` gives with a client of the tools."""

    def run(act):
        async def main():
            async with Client(ToolServer(ToolContext(jobs, AgentBudget(jobs, 100, 1 << 20)))) as client:
                return await act(client)

        return asyncio.run(main())

    return run


@pytest.fixture(scope="module")
def tools(agent):
    """The tools by name."""
    found = agent(lambda client: client.list_tools())
    return {tool.name: tool for tool in found.tools}


@pytest.fixture(scope="module")
def help_of_crawl():
    return CliRunner().invoke(command_line, ["crawl", "--help"], env={"COLUMNS": "300", "NO_COLOR": "1"}).output


def as_json(value):
    return json.loads(msgspec.json.encode(value))


# Options


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_of_a_hunt_is_in_the_help_of_the_command(help_of_crawl, name):
    if name == "keywords":
        assert "[keywords]..." in help_of_crawl and OPTIONS[name].option.help in help_of_crawl
    else:
        assert (f" {flag(OPTIONS[name])} " in help_of_crawl) == (name in LOCAL)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_of_a_hunt_is_in_the_rest_document_unless_it_is_local(client, name):
    shown = client.get("/api/openapi.json").json()["components"]["schemas"]["HuntRequest"]
    assert shown["additionalProperties"] is False and set(shown["properties"]) == REMOTE
    if name in REMOTE:
        assert shown["properties"][name]["description"].startswith(OPTIONS[name].option.help)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_of_a_hunt_is_an_argument_of_the_tool_unless_it_is_local(tools, name):
    shown = tools["start_hunt"].input_schema["properties"]
    assert (name in shown) == (name in REMOTE)
    if name in shown:
        assert shown[name]["description"].startswith(OPTIONS[name].option.help)
        assert name == "keywords" or shown[name].get("default") == as_json(OPTIONS[name].default)


def test_the_tool_has_no_argument_besides_the_options_but_how_long_to_wait(tools):
    assert set(tools["start_hunt"].input_schema["properties"]) == {*REMOTE, "wait_seconds"}
    assert tools["start_hunt"].input_schema["required"] == ["keywords"]


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_of_a_hunt_is_an_argument_in_python(name):
    shown = inspect.signature(lycosa.hunt).parameters
    assert (name in shown) == (name in LOCAL)
    if name in shown:
        assert shown[name].default == OPTIONS[name].default


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_of_a_hunt_is_told_to_programs_unless_it_is_local(client, name):
    shown = {each["name"]: each for each in client.get("/api/options").json()["hunt"]}
    assert (name in shown) == (name in REMOTE)
    if name in shown:
        field = OPTIONS[name]
        about = (field.option.help, field.option.group, field.option.low, field.option.high)
        assert tuple(shown[name][each] for each in ("help", "group", "low", "high")) == about
        assert shown[name]["default"] == as_json(field.default)


def test_programs_are_told_the_options_of_every_request(client):
    shown = client.get("/api/options").json()
    assert {"hunt", "search", "pages", "export"} <= shown.keys()
    assert [each["name"] for each in shown["search"]] == [
        *(
            "query",
            "collections",
            "by",
            "sort",
            "limit",
            "page",
            "filters",
            "facets",
            "duplicates",
            "verbatim",
            "private",
        )
    ]


class Deeper(HuntRequest, frozen=True, kw_only=True):
    """A hunt with an option more."""

    depth: Annotated[int, Option("How many links to follow from a seed.", SCOPE, low=1, high=9, unit="links")] = 3


def test_a_new_field_is_an_option_of_the_command():
    given = []

    @from_request(Deeper, groups=GROUPS, arguments=["keywords"])
    def dig(request):
        """Dig."""
        given.append(request)

    made = typer.Typer()
    made.command()(dig)
    shown = CliRunner().invoke(made, ["--help"], env={"COLUMNS": "300", "NO_COLOR": "1"}).output
    assert " --depth " in shown and "How many links to follow from a seed." in shown and "[default: 3]" in shown
    for words in (["spiders"], ["wolf", "spiders", "--depth", "5"]):
        CliRunner().invoke(made, words, catch_exceptions=False)
    assert given == [Deeper("spiders"), Deeper("wolf spiders", depth=5)]
    with pytest.raises(Refused, match="depth cannot be 99: give 1 to 9"):
        CliRunner().invoke(made, ["spiders", "--depth", "99"], catch_exceptions=False)


def test_a_new_field_is_in_the_model():
    shown = model_of(Deeper).model_json_schema()["properties"]
    assert shown["depth"] | {"title": ""} == {
        "default": 3,
        "description": "How many links to follow from a seed.",
        "maximum": 9,
        "minimum": 1,
        "title": "",
        "type": "integer",
    }
    assert set(shown) == {*REMOTE, "depth"}


def test_a_new_field_is_in_the_signature():
    @takes(Deeper)
    def dig(request):
        return request

    assert str(inspect.signature(dig).parameters["depth"]) == "depth: int = 3"
    assert dig("spiders", depth=5) == Deeper("spiders", depth=5)

    class Tools:
        """Tools with the request."""

        @takes_request(Deeper)
        def dig(self, request) -> int:
            return request.depth

    assert inspect.signature(Tools.dig).parameters["depth"].default == 3
    assert Tools().dig(keywords="spiders", depth=5) == 5


# Answers


QUERY = {"query": "wolf spiders", "limit": 2, "by": "hybrid"}


@pytest.fixture(scope="module")
def by_rest(client):
    found = client.get("/api/search", params={**QUERY, "collection": "spiders", "facets": True, "private": True})
    assert found.status_code == 200
    return found.json()


def without_time(answer):
    return {name: value for name, value in answer.items() if name != "took_ms"}


def test_rest_and_python_give_the_same_answer_field_by_field(jobs, by_rest):
    query, *_ = QUERY.values()
    answer = lycosa.search(jobs.folder("spiders"), query, limit=2, facets=True, private=True)
    assert isinstance(answer, SearchAnswer) and answer.results[0].copies and answer.more
    assert without_time(as_json(answer)) == without_time(by_rest)


def test_rest_and_the_command_line_give_the_same_answer_field_by_field(run, jobs, by_rest):
    code, out, err = run(
        *("search", jobs.folder("spiders"), "wolf", "spiders", "--limit", 2, "--facets", "--private", "--json")
    )
    assert (code, err) == (0, "")
    assert without_time(json.loads(out)) == without_time(by_rest)


def flattened(answer):
    """An answer of a tool with the words of strangers beside our own."""
    if isinstance(answer, dict):
        flat = {name: flattened(value) for name, value in answer.items() if name != "untrusted"}
        return flat | flattened(answer["untrusted"]) if "untrusted" in answer else flat
    return [flattened(each) for each in answer] if isinstance(answer, list) else answer


def test_the_tool_gives_the_same_values_by_the_same_names_and_no_others(agent, by_rest):
    found = agent(lambda client: client.call_tool("search", {**QUERY, "collections": ["spiders"]})).structured_content
    for each in found["results"]:
        assert {"url", "title", "snippet"} == each["untrusted"].keys() and not each["untrusted"].keys() & each.keys()
    flat = flattened(found)
    own = {"notice", "budget_left"}
    assert {"results", "total", "page", "more", "remark", "corrected", "suggestion"} == flat.keys() - own
    assert len(flat["results"]) == len(by_rest["results"])
    for name in flat.keys() - own - {"results"}:
        assert flat[name] == by_rest[name], name
    for tool, rest in zip(flat["results"], by_rest["results"], strict=True):
        assert tool == {name: rest[name] for name in tool}
        assert {"url", "title", "snippet", "score", "relevance", "fetched", "collection"} <= tool.keys()


@pytest.mark.parametrize("kind", [SearchAnswer, SearchResult, NearDuplicate])
def test_the_document_has_the_fields_of_an_answer_with_their_descriptions(client, kind):
    shown = client.get("/api/openapi.json").json()["components"]["schemas"][kind.__name__]
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    assert list(shown["properties"]) == shown["required"] == names
    if kind is SearchAnswer:
        assert shown["properties"]["more"]["description"] == "Whether there is another page of results."


def test_a_scope_is_tested_by_rest_as_on_the_command_line(run, client):
    urls = ["https://a.test/tag/x", "https://a.test/docs/1", "https://b.test/"]
    body = {"urls": urls, "exclude": ["*/tag/*"], "within": ["a.test"]}
    options = ["--exclude", "*/tag/*", "--within", "a.test"]
    told = client.post("/api/scope", json=body)
    code, out, _ = run("scope", "test", *urls, *options, "--json")
    assert (told.status_code, code) == (200, 1) and told.json() == json.loads(out) and told.json()["outside"] == 2
    # The scope of a hunt, with a change; it has no rules of its own.
    assert client.post("/api/hunts/spiders/scope", json={"urls": urls}).json()["outside"] == 0
    assert client.post("/api/hunts/spiders/scope", json=body).json() == told.json()


def test_a_scope_that_cannot_be_tested_is_refused_by_rest(client):
    assert client.post("/api/scope", json={"urls": []}).status_code in (400, 422)
    refused = client.post("/api/scope", json={"urls": ["http://a.test/"], "exclude": ["re:("]})
    assert refused.status_code in (400, 422) and refused.json()["field"] == "exclude"
    assert client.post("/api/scope", json={"urls": ["http://a.test/"] * 1001}).status_code in (400, 422)
    assert client.post("/api/hunts/nowhere/scope", json={"urls": ["http://a.test/"]}).status_code == 404
    # A folder of the server cannot be named.
    assert client.post("/api/scope", json={"urls": ["http://a.test/"], "collection": "/etc"}).status_code in (400, 422)


def test_similar_pages_are_an_answer_of_the_same_kind(run, jobs, client):
    url, folder = f"{SITE}wolf", jobs.folder("spiders")
    rest = client.get("/api/collections/spiders/similar", params={"url": url, "limit": 2}).json()
    here = as_json(lycosa.similar(folder, url, limit=2))
    typed = json.loads(run("similar", folder, url, "--limit", 2, "--json").stdout)
    assert rest["results"] and without_time(rest) == without_time(here) == without_time(typed)


# Earlier names in Python and on the command line


@pytest.mark.parametrize(("old", "new", "value"), [("q", "query", "wolf"), ("text", "query", "wolf")])
def test_an_earlier_name_of_a_search_works_with_a_warning(jobs, old, new, value):
    folder = jobs.folder("spiders")
    with pytest.warns(DeprecationWarning, match=f"^{old} is now called {new}$") as warned:
        answer = lycosa.search(folder, **{old: value})
    assert answer.total == lycosa.search(folder=folder, **{new: value}).total  # type: ignore[call-arg]
    assert [each.filename for each in warned] == [__file__]


def test_twins_and_hits_work_with_a_warning(jobs):
    folder = jobs.folder("spiders")
    with pytest.warns(DeprecationWarning, match="^twins is now called duplicates$"):
        answer = lycosa.search(folder, "wolf spiders", twins=True)  # type: ignore[call-arg]
    assert not any(each.copies for each in answer.results)
    with pytest.warns(DeprecationWarning, match="^hits is now called results$") as warned:
        assert answer.hits is answer.results
    assert [each.filename for each in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lycosa.search(folder, "wolf spiders", duplicates=True)


def test_the_earlier_option_of_a_search_works_with_a_line_that_names_the_new_one(run, jobs):
    folder = jobs.folder("spiders")
    done, now = (run("search", folder, "wolf spiders", option, "--json") for option in ("--twins", "--duplicates"))
    assert (done.returncode, done.stderr) == (0, "lycosa: --twins is now called --duplicates\n")
    assert (now.returncode, now.stderr) == (0, "")
    assert without_time(json.loads(done.stdout)) == without_time(json.loads(now.stdout))


def test_what_only_a_server_has_is_no_argument_of_a_search(jobs):
    assert "collections" not in inspect.signature(lycosa.search).parameters
    with pytest.raises(Refused, match="unknown option 'collections'"):
        lycosa.search(jobs.folder("spiders"), "wolf", collections=["spiders"])
