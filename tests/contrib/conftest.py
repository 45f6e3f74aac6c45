"""Scrapy in processes of its own, which can reach nothing but loopback, over webs that are served there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lycosa.core.nouns import Raw
from lycosa.store.repository import Writer

pytest.importorskip("scrapy", reason="Scrapy is not installed")

ROOT = Path(__file__).resolve().parents[2]
FORKS = """
import json, os, signal, sys
import itemadapter, loopback, lycosa.contrib.scrapy, lycosa.judge, lycosa.strategy.apprentice
from scrapy.cmdline import execute
from scrapy.utils.misc import walk_modules_iter
for part in "commands core.engine core.downloader.handlers.http11 downloadermiddlewares spidermiddlewares".split():
    list(walk_modules_iter(f"scrapy.{part}"))
for line in sys.stdin:
    said = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    signal.alarm(90)
    for number, name in enumerate((os.devnull, said["stdout"], said["stderr"])):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
    os.environ |= said["proxies"]
    os.chdir(said["cwd"])
    loopback.keep_to_loopback()
    execute(["scrapy", *said["command"]])
"""
"""Has imported Scrapy once: each line that it reads is a command, which runs in a process that is a fork of it."""
QUIET = {"LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False}


class Ran:
    """What a Scrapy process said, the items that it found, and its statistics where the spider prints them."""

    def __init__(self, out, feed):
        self.said = (out / "stderr").read_text().strip().splitlines()
        self.items = [json.loads(line) for line in feed.read_text().splitlines()] if feed.exists() else []
        self.stats = json.loads((out / "stdout").read_text() or "{}")


@pytest.fixture(scope="session")
def forks():
    """Runs a command of Scrapy in a fork; gives its exit code."""
    line = [sys.executable, "-W", "error", "-c", FORKS]
    env = os.environ | {"PYTHONPATH": str(ROOT / "bench")}
    with subprocess.Popen(line, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def run(**said):
            process.stdin.write(json.dumps(said) + "\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield run
        process.stdin.close()


@pytest.fixture
def scrapy(forks, tmp_path):
    """Runs a Scrapy command with settings, everything through a proxy; in the example project or without one."""

    def run(proxy, *command, project=False, **settings):
        out = tmp_path / f"scrapy-{len(list(tmp_path.iterdir()))}"
        out.mkdir()
        arguments = [*command, "-o", str(out / "feed.jsonl")]
        for name, value in (QUIET | settings).items():
            arguments += ["-s", f"{name}={json.dumps(value) if isinstance(value, dict) else value}"]
        code = forks(
            command=arguments,
            cwd=str(ROOT / "examples" / "scrapy_project" if project else tmp_path),
            proxies={"http_proxy": proxy, "https_proxy": proxy, "no_proxy": ""},
            stdout=str(out / "stdout"),
            stderr=str(out / "stderr"),
        )
        ran = Ran(out, out / "feed.jsonl")
        assert code == 0, ran.said
        return ran

    return run


@pytest.fixture
def recorded(tmp_path):
    """Writes pages, {path on a.test: (text, links)}, redirects, {path: path}, as a recording."""

    def record(pages):
        folder = tmp_path / "web"
        folder.mkdir()
        writer = Writer(folder, "web")
        for path, page in pages.items():
            writer.write(f"http://a.test/{path}", _raw(page), 0.0)
        writer.close()
        return folder

    return record


def _raw(page):
    if isinstance(page, str):
        return Raw(301, (("Location", f"http://a.test/{page}"),), b"", reason="Moved")
    text, links = page
    anchors = "".join(f'<li><a href="/{link}">more</a></li>' for link in links)
    body = f"<html><title>{text}</title><body><p>{text}</p><ul>{anchors}</ul></body></html>"
    return Raw(200, (("Content-Type", "text/html; charset=utf-8"),), body.encode(), reason="OK")
