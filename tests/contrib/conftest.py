"""Scrapy in a process of its own, which can reach nothing but loopback, over webs that are served there."""

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
CONFINED = "import loopback; loopback.keep_to_loopback(); from scrapy.cmdline import execute; execute()"
QUIET = {"LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False}


class Ran:
    """What a Scrapy process said, the items that it found, and its statistics where the spider prints them."""

    def __init__(self, done, feed):
        assert done.returncode == 0, done.stderr
        self.said = done.stderr.strip().splitlines()
        self.items = [json.loads(line) for line in feed.read_text().splitlines()] if feed.exists() else []
        self.stats = json.loads(done.stdout or "{}")


@pytest.fixture
def scrapy(tmp_path):
    """Runs a Scrapy command with settings, everything through a proxy; in the example project or without one."""

    def run(proxy, *command, project=False, **settings):
        feed = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        line = [sys.executable, "-W", "error", "-c", CONFINED, *command, "-o", str(feed)]
        for name, value in (QUIET | settings).items():
            line += ["-s", f"{name}={json.dumps(value) if isinstance(value, dict) else value}"]
        proxies = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": ""}
        done = subprocess.run(
            line,
            cwd=ROOT / "examples" / "scrapy_project" if project else tmp_path,
            env=os.environ | proxies | {"PYTHONPATH": str(ROOT / "bench")},
            capture_output=True,
            text=True,
            timeout=90,
        )
        return Ran(done, feed)

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
