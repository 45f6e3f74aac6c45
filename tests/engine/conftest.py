"""A web small enough to hold in one's head, for the state machine's promises."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from lycosa.core.nouns import Failure, Link, Moved, Page, Topic
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver


class LittleWeb:
    """Pages as {host/path: (text, [links])}; strings are redirects, lists one answer after another."""

    def __init__(self, pages):
        self.pages = {name: list(page) if isinstance(page, list) else page for name, page in pages.items()}
        self.asked = []

    async def get(self, url, limit):
        name = url.removeprefix("http://")
        self.asked.append(name)
        found = self.pages.get(name, Failure("status 404"))
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if isinstance(found, Failure):
            return found
        if isinstance(found, str):
            return Moved("http://" + found)
        text, links = found
        text = text[:limit]
        return Page(url, text, [Link("http://" + link, (0, 0)) for link in links], digest=text, size=len(text))

    async def close(self):
        pass


def plan_for(*seeds, keywords="wolf spider", pages=100, strategy="best-first", delay=0.0, **more):
    budget = more.pop("budget", Budget(pages))
    rules = more.pop("rules", PolitenessRules(delay=delay))
    more.setdefault("workers", 1)
    return Plan(
        topic=Topic(keywords),
        seeds=tuple("http://" + seed for seed in seeds),
        strategy=strategy,
        budget=budget,
        rules=rules,
        **more,
    )


class Run:
    """A crawl of a little web in virtual time, run to its end or for a number of outcomes."""

    def __init__(self, plan, web, events=None, state=None, steps=None):
        self.web = web
        self.told = []
        self.crawl = Crawl(plan, lambda event, at: self.told.append((at, event)))
        if state is not None:
            self.crawl.load(state)
        if events is not None:
            self.crawl.refold(events)
        scout = Scout(web, plan.topic, plan.make_strategy(), plan.make_judge())
        now = max([at for at, _ in events or []], default=0.0)
        self.driver = VirtualDriver(self.crawl, scout, now=now)
        self.crawl.begin(now)
        self.outcomes = asyncio.run(self._run(steps))

    async def _run(self, steps):
        outcomes = []
        run = self.driver.run()
        async for outcome in run:
            outcomes.append(outcome)
            if len(outcomes) == steps:
                await run.aclose()
                break
        return outcomes

    @property
    def pages(self):
        return [o.url.removeprefix("http://") for o in self.outcomes if hasattr(o, "links")]


@pytest.fixture
def little_web():
    return LittleWeb


@pytest.fixture
def plan():
    return plan_for


@pytest.fixture
def run():
    return Run


@pytest.fixture
def alone(tmp_path):
    """Runs Python code in a network namespace of its own, where nothing but a loopback that is down exists."""
    refused = subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True, text=True)
    if refused.returncode or not shutil.which("ip"):
        pytest.skip(f"no network namespace of our own: {refused.stderr.strip() or 'there is no command «ip»'}")

    def run(code):
        home = Path(__file__).parents[2]
        done = subprocess.run(
            ["unshare", "--net", "--mount", sys.executable, "-c", dedent(code)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": f"{home / 'bench'}{os.pathsep}{home / 'src'}"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run
