"""The SDK's client starts the real `lycosa mcp`, which is killed and started again."""

import asyncio
import json
import os
import signal
import subprocess
import sys

import psutil
import pytest
from mcp import MCPError


def server_of(home):
    """The process of the server that keeps its hunts there."""
    (found,) = [each for each in psutil.Process().children() if "mcp" in each.cmdline() and str(home) in each.cmdline()]
    return found


def test_a_hunt_goes_on_by_its_name_after_the_server_was_killed(by_stdio, topic, tmp_path):
    home, log = tmp_path / "hunts", tmp_path / "errors"

    async def first():
        async with by_stdio(home, log, "--max-pages", "200") as agent:
            begun = await agent.start_hunt(**topic, pages=80, name="taxes", wait_seconds=0)
            assert begun.structured_content["budget_left"]["pages"] == 120
            while not (await agent.hunt_status(name="taxes")).structured_content["pages"]:
                await asyncio.sleep(0.05)
            os.kill(server_of(home).pid, signal.SIGKILL)
            with pytest.raises(MCPError):
                await agent.hunt_status(name="taxes")

    async def second():
        async with by_stdio(home, log, "--max-pages", "200") as agent:
            (known,) = (await agent.list_collections()).structured_content["collections"]
            assert known["name"] == "taxes" and 0 < known["pages"] < 80
            more = await agent.crawl_more(name="taxes", pages=0)
            hunt = more.structured_content
            assert (hunt["state"], hunt["pages"]) == ("finished", 80), more.content[0].text
            assert agent.progress[-1][0] == hunt["fetched"] <= 80 - known["pages"]
            assert hunt["budget_left"]["pages"] == 200 - hunt["fetched"]
            found = await agent.search(collections=["taxes"], query=topic["keywords"])
            assert found.structured_content["results"]

    asyncio.run(first())
    asyncio.run(second())
    assert "Traceback" not in log.read_text()


def test_standard_output_carries_the_protocol_and_nothing_else(tmp_path, made_web, topic):
    command = [sys.executable, "-m", "lycosa", "mcp", "--home", str(tmp_path / "hunts"), "--proxy", made_web.proxy]
    command += ["--delay", "0.02"]
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    hunt = {"name": "start_hunt", "arguments": {**topic, "pages": 3}}
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        "this is no message",
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": hunt},
    ]
    with (
        (tmp_path / "errors").open("w") as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        for message in asked:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        said = []
        while not said or said[-1].get("id") != 2:
            said.append(json.loads(process.stdout.readline()))
        rest, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and not rest
    assert all(message["jsonrpc"] == "2.0" for message in said)
    assert said[-1]["result"]["structuredContent"]["pages"] == 3
    assert "Traceback" not in (tmp_path / "errors").read_text()


def test_ctrl_c_ends_it_although_its_input_stays_open(tmp_path):
    home = tmp_path / "hunts"
    with subprocess.Popen(
        [sys.executable, "-m", "lycosa", "mcp", "--home", str(home)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as server:  # fmt: skip
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        server.stdin.write(json.dumps(call).encode() + b"\n")
        server.stdin.flush()
        assert server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
        assert server.stderr.read() == b""
