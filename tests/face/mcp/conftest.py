"""What the tests for agents share: a desk over the made web in this process, and the real `lycosa mcp` in its own."""

import asyncio
import re
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import lycosa
from lycosa.app.insight import questions
from lycosa.app.jobs import HuntJobs
from lycosa.face.mcp.agent_budget import AgentBudget
from lycosa.face.mcp.tool_context import ToolContext
from lycosa.face.mcp.tool_server import ToolServer


class Agent:
    """Calls tools by name: `await agent.search(...)` gives the result."""

    def __init__(self, client):
        self.client = client
        self.progress = []

    def __getattr__(self, tool):
        async def call(**arguments):
            if tool in ("start_hunt", "crawl_more"):
                # It answers as soon as it has finished; a busy machine takes its time.
                arguments = {"wait_seconds": 60, **arguments}
            return await self.client.call_tool(tool, arguments, progress_callback=self._saw)

        return call

    async def _saw(self, done, total, message):
        self.progress.append((done, total, message))


@pytest.fixture(scope="session")
def agent_of():
    """Makes an agent of a client."""
    return Agent


@pytest.fixture(scope="session")
def topic(made):
    """A topic of the made web: keywords and seeds for start_hunt."""
    found = made.topics[0]
    return {"keywords": found.keywords, "seeds": list(found.examples[:3])}


@pytest.fixture(scope="session")
def taxes(made_web, topic, tmp_path_factory):
    """A collection of 40 pages that was made before."""
    folder = tmp_path_factory.mktemp("collections") / "taxes"
    with lycosa.hunt(**topic, out=folder, proxy=made_web.proxy, delay=0.0, pages=40) as hunt:
        assert sum(1 for _ in hunt) == 40
    return folder


@pytest.fixture
def tool_context(tmp_path, made_web):
    """Makes an office over the made web: `with office(pages=60) as office`."""

    @contextmanager
    def make(*folders, pages=1000, bytes=1 << 30, proxy=made_web.proxy):
        jobs = HuntJobs(tmp_path / "hunts", folders, http={"proxy": proxy}, delay=0.0)
        try:
            yield ToolContext(jobs, AgentBudget(jobs, pages, bytes))
        finally:
            questions.close()
            jobs.close()

    return make


@pytest.fixture
def meeting(tool_context):
    """Runs what an agent does with a server in this process: `meeting(act, pages=60)`."""

    def run(act, *folders, **options):
        async def main(tool_context):
            wrong = None
            async with Client(ToolServer(tool_context)) as client:
                try:
                    await act(Agent(client))
                except Exception as error:
                    # Else it would come out as a group of groups.
                    wrong = error
            if wrong:
                raise wrong

        with tool_context(*folders, **options) as opened:
            asyncio.run(main(opened))

    return run


@pytest.fixture(scope="session")
def by_stdio(made_web):
    """The real server, started by the SDK's client: `async with by_stdio(home, log) as agent`."""

    @asynccontextmanager
    async def start(home, log, *options):
        command = ["-m", "lycosa", "mcp", "--home", str(home), "--proxy", made_web.proxy, "--delay", "0.02", *options]
        with log.open("a") as errors:
            async with Client(
                stdio_client(StdioServerParameters(command=sys.executable, args=command), errors)
            ) as client:
                yield Agent(client)

    return start


@pytest.fixture(scope="session")
def by_http(made_web):
    """The real server, listening on loopback: `with by_http(home, "--token", ...) as url`."""

    @contextmanager
    def start(home, *options):
        command = [sys.executable, "-m", "lycosa", "mcp", "--http", "--port", "0", "--home", str(home)]
        command += ["--proxy", made_web.proxy, "--delay", "0.02", *options]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            said = process.stderr.readline()
            found = re.search(r"http://\S+/mcp", said)
            assert found, f"the server did not start: {said}"
            yield found[0]
        finally:
            process.terminate()
            process.wait(30)
            process.stderr.close()

    return start
