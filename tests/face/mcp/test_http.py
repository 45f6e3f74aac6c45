"""Agents over HTTP: the real server on loopback, and who may not use it."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest
from mcp.client import Client
from starlette.applications import Starlette

from lycosa.face.cli.mcp import mcp
from lycosa.face.mcp.http_transport import HttpTransport
from lycosa.face.server.request_guard import RequestGuard
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Refused

TOKEN = "a-token-of-24-characters"
HEADERS = {"accept": "application/json, text/event-stream"}
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}
"""The first words of a client."""


def hello(url, **headers):
    """The status of the answer of a server."""
    return httpx.post(url, json=HELLO, headers=HEADERS | headers, trust_env=False).status_code


@asynccontextmanager
async def asking(app):
    """The same of an app in this process: `await status(origin=...)`."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8081") as client:

        async def status(**headers):
            return (await client.post("/mcp", json=HELLO, headers=HEADERS | headers)).status_code

        yield status


@pytest.fixture(scope="module")
def url(by_http, tmp_path_factory):
    with by_http(tmp_path_factory.mktemp("agents") / "hunts") as found:
        yield found


def test_agents_hunt_over_http(url, topic, agent_of):
    async def main():
        async with Client(url) as client:
            agent = agent_of(client)
            hunt = (await agent.start_hunt(**topic, pages=20)).structured_content
            assert hunt["pages"] == 20 and agent.progress
        # Another agent finds what the first one has made.
        async with Client(url, mode="legacy") as client:
            hits = (
                await agent_of(client).search(collections=[hunt["name"]], query=topic["keywords"])
            ).structured_content
            assert hits["results"] and hits["budget_left"]["pages"] == 980

    asyncio.run(main())


def test_a_foreign_page_is_refused(url):
    assert hello(url) == 200
    assert hello(url, origin=url.removesuffix("/mcp")) == 200
    assert hello(url, origin="http://evil.example") == 403
    assert hello(url, origin="null") == 403
    assert hello(url, **{"sec-fetch-site": "cross-site"}) == 403


def test_a_rebound_name_is_refused(url):
    port = url.split(":")[2].partition("/")[0]
    assert hello(url, host=f"localhost:{port}") == 200
    assert hello(url, host=f"evil.example:{port}") == 403
    assert hello(url, host="evil.example", origin="http://evil.example") == 403


def test_what_a_foreign_form_can_send_is_refused(url):
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = httpx.post(url, content="{}", headers={"content-type": kind}, trust_env=False)
        assert answer.status_code in (400, 415)


def test_a_body_has_its_limit(url):
    assert httpx.post(url, content=b"x" * (2 << 20), headers=HEADERS, trust_env=False).status_code == 413


def test_a_token_is_needed_where_there_is_one(tool_context):
    async def main(tool_context):
        settings = ServerSettings("0.0.0.0", 8081, TOKEN)
        app = RequestGuard(Starlette(routes=(door := HttpTransport(tool_context, settings)).routes), settings)
        async with door.open(), asking(app) as status:
            assert await status() == 401
            assert await status(authorization="Bearer wrong") == 401
            assert await status(authorization=f"Bearer {TOKEN}") == 200
            assert await status(authorization=f"Bearer {TOKEN}", host="evil.example:8081") == 403
            assert await status(authorization=f"Bearer {TOKEN}", origin="http://evil.example") == 403

    with tool_context() as opened:
        asyncio.run(main(opened))


def test_other_addresses_than_loopback_need_a_token(tmp_path):
    with pytest.raises(Refused, match="give a token") as refused:
        mcp(home=tmp_path, http=True, address="0.0.0.0", port=0)
    assert refused.value.field == "token"


def test_the_sdk_checks_host_and_origin_too(tool_context):
    """Even if our own guard were forgotten."""

    async def main(tool_context):
        door = HttpTransport(tool_context, ServerSettings(port=8081))
        async with door.open(), asking(Starlette(routes=door.routes)) as status:
            assert await status(host="evil.example:8081") == 421
            assert await status(origin="http://evil.example") == 403
            assert await status(origin="http://127.0.0.1:8081") == 200

    with tool_context() as opened:
        asyncio.run(main(opened))


def test_the_server_of_pages_has_the_door_too(serving, tmp_path, agent_of):
    async def main(url):
        async with Client(url) as client:
            listed = await agent_of(client).list_collections()
            assert listed.structured_content["collections"] == []

    with serving(tmp_path / "hunts") as running:
        asyncio.run(main(f"{running.url}/mcp"))
        assert hello(f"{running.url}/mcp", origin="http://evil.example") == 403
        assert hello(f"{running.url}/mcp", host="evil.example") == 403
