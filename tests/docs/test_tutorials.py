"""The tutorials and the page for users of Scrapy work: a shell runs their commands, which print what is shown."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from socket import create_connection, create_server
from urllib.request import urlopen

import pytest

from lycosa.web.made import Made

pytestmark = pytest.mark.timeout(900)  # minutes of crawls where the machine is busy

DOCS = Path(__file__).resolve().parents[2] / "docs"
STEP = re.compile(r"<!-- run(?:: (?P<what>\S+))? -->\n```\w+\n(?P<code>.*?)```", re.S)
PORTS = ("8100", "8080")
"""Ports of the tutorials; a test takes free ones instead."""


def free_port():
    with create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


PROGRAM = f"""#!{sys.executable}
import os
import sys

# Lycosa is the one that is tested, wherever PYTHONPATH leads; its child processes must find it too.
sys.path[1:1] = {[path for path in sys.path if path]}
os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[1:])
from lycosa.face.start import main

main()
"""


@pytest.fixture
def follow(tmp_path):
    """Do what a tutorial says; what its commands printed, step by step, and the ports that it used."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "lycosa"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    paths = [str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(paths), "COLUMNS": "120"}
    place = {"cwd": tmp_path, "env": environment}
    beside = []

    def steps(page):
        ports = {port: str(free_port()) for port in PORTS}
        printed, exports = [], ""
        for step in STEP.finditer((DOCS / page).read_text()):
            code = re.sub("|".join(PORTS), lambda port: ports[port[0]], step["code"])
            if step["what"] == "aside":
                beside.append(subprocess.Popen(["bash", "-c", f"exec {code}"], **place))
                wait_for(int(re.search(r"--port (\d+)", code)[1]))
            elif step["what"]:
                (tmp_path / step["what"]).write_text(code)
            else:
                done = subprocess.run(["bash", "-e", "-c", exports + code], capture_output=True, text=True, **place)
                assert done.returncode == 0, (code, done.stdout, done.stderr)
                printed.append(done.stdout)
                exports += "".join(re.findall(r"^export .*\n", code, re.M))
        return printed, ports

    yield steps
    for process in beside:
        process.terminate()
    for process in beside:
        process.wait(20)


def wait_for(port):
    for _ in range(300):
        try:
            return create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nothing listens on port {port}")


def test_from_zero_to_a_searchable_collection(follow, tmp_path):
    (hunted, status, why, found, judged, more, exported), ports = follow("tutorials/first-collection.md")
    assert "300 pages in embedded" in hunted
    assert "finished: budget spent: pages" in status
    assert why.startswith(("http://regal-systems-448.test/\n  a seed", "http://vertex-systems-118.test/\n  a seed"))
    assert "usual" in why
    assert "1 to 2 of " in found
    assert "2 judged" in judged
    assert "400 pages in embedded" in more
    assert "relevant pages: " in more
    assert "pages in pages.jsonl" in exported
    assert all(json.loads(line)["relevance"] >= 0.2 for line in (tmp_path / "pages.jsonl").read_text().splitlines())
    with urlopen(f"http://127.0.0.1:{ports['8080']}/api/search?q=sensor&in=embedded") as answer:
        assert json.load(answer)["results"]


def test_from_zero_to_a_strategy_of_your_own(follow, tmp_path):
    (hunted, first, second), _ = follow("tutorials/own-strategy.md")
    page = (DOCS / "tutorials/own-strategy.md").read_text()
    _, table, findings, better = [code for kind, code in re.findall(r"```(\w*)\n(.*?)```", page, re.S) if not kind]
    assert "(page 0.542, anchor 0.408)" in hunted
    assert table in first
    assert words(findings) in words(first)
    assert better in second
    assert (tmp_path / "lab" / "report.html").exists()


def test_the_same_job_in_scrapy_and_in_lycosa(follow, tmp_path):
    follow("how-to/scrapy.md")
    targets = set(Made(pages=4000, topics=8, seed=7).topics[0].targets)

    def found(file):
        pages = {json.loads(line)["url"] for line in (tmp_path / file).read_text().splitlines()}
        assert 190 < len(pages) < 250
        return len(pages & targets)

    assert found("hunted.jsonl") > 2 * found("plain.jsonl")
    assert found("ordered.jsonl") > 2 * found("plain.jsonl")


def words(text):
    return " ".join(text.split())
