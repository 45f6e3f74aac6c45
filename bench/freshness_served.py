"""How fresh `lycosa community revisit` keeps a collection over HTTP: a site on loopback that changes, day after day.

    python bench/freshness_served.py [--pages 200] [--budget 20] [--days 70] [--warm-up 30] [--fast 20] [--seed 1]

A tenth of the pages is checked each simulated day; the clock of this process is put forward. A change rewrites half of
a page's main text. Besides, every second page shows the time, a counter, an advertisement and links with session
numbers, other ones at each request. A third of the pages has entity tags, a third says when it was modified, a third
has neither. What other rules would have reached is computed from the same changes.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import numpy as np

from freshness import WORLDS, Numbers, Pages, optimum
from lycosa.community.home import Home
from lycosa.community.revisit import revisit
from lycosa.community.revisit_value import LEAST_RELEVANCE
from lycosa.community.settings import CommunitySettings
from lycosa.core.nouns import Topic
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.store.collection import Collection
from lycosa.web.http_options import HttpOptions

DAY = 86400.0
WORDS = (
    *("spider", "burrow", "hunt", "night", "wolf", "web", "silk", "leg", "eye", "prey", "desert", "forest", "garden"),
    *("field", "winter", "summer", "egg", "young", "male", "female", "species", "family", "genus", "venom", "bite"),
    *("colour", "brown", "grey", "pattern", "stone", "leaf", "water", "river", "mountain", "valley"),
)
ADVERTISEMENTS = ("Buy shoes now, two for one!", "Holidays by the sea from tomorrow.", "Your bank, at your side.")


class Clock:
    """The time of this process, put forward day by day; the server reads it too."""

    def __init__(self) -> None:
        self._real = time.time
        self.ahead = 0.0
        self.began = self._real()
        time.time = self.now

    def now(self) -> float:
        """Seconds since 1970."""
        return self._real() + self.ahead

    @property
    def day(self) -> float:
        """Days since the beginning."""
        return (self.now() - self.began) / DAY

    def put_to(self, day: float) -> None:
        """Set the clock to a day."""
        self.ahead += (day - self.day) * DAY


class Changing:
    """The pages, and when each of them changes."""

    def __init__(self, pages: Pages, days: int, seed: int) -> None:
        self.pages = pages
        self.place = {row.url: i for i, row in enumerate(pages.rows)}
        source = np.random.default_rng(seed)
        self.changes = [np.cumsum(source.exponential(1 / rate, int(days * rate * 2 + 50))) for rate in pages.rates]

    def version(self, i: int, day: float) -> int:
        """How often a page has changed."""
        return int(np.searchsorted(self.changes[i], day, "right"))

    def text(self, i: int, version: int) -> str:
        """The main text: each version has half of the sentences of the one before."""
        parts = []
        for part in range(40):
            source = random.Random(f"{i} {part} {(version + part % 2) // 2}")
            parts.append(" ".join(source.choices(WORDS, k=12)).capitalize() + ".")
        return " ".join(parts)

    def fresh(self, i: int, version: int, day: int) -> float:
        """The share of a day for which a copy of this version is as the page is."""
        return float(np.clip(self.changes[i][version] - day, 0.0, 1.0))


class ChangingSite(BaseHTTPRequestHandler):
    """Serves the pages of all hosts."""

    protocol_version = "HTTP/1.1"
    web: ClassVar[Changing]
    clock: ClassVar[Clock]
    statuses: ClassVar[Counter[int]] = Counter()

    def do_GET(self) -> None:
        """Answer with the page as it is now."""
        place = self.web.place.get(f"http://{self.headers['Host'].partition(':')[0]}{self.path}")
        if place is None:
            self._answer(404, b"", {})
            return
        day = self.clock.day
        version = self.web.version(place, day)
        headers = {}
        if place % 3 == 0:
            headers["ETag"] = f'"{version}"'
        elif place % 3 == 1 and version:
            headers["Last-Modified"] = formatdate(
                self.clock.began + self.web.changes[place][version - 1] * DAY, usegmt=True
            )
        same = (headers.get("ETag") or "-") == self.headers["If-None-Match"] or (
            headers.get("Last-Modified") or "-"
        ) == self.headers["If-Modified-Since"]
        noise = self._noise() if place % 2 else ""
        text = f"<html><title>Page {place}</title><!-- version {version} --><body><p>"
        text += f"{self.web.text(place, version)}{noise}"
        self._answer(304 if same else 200, b"" if same else text.encode(), headers)

    def _noise(self) -> str:
        links = "".join(f'<a href="/other?session={random.random()}">more {random.random()}</a> ' for _ in range(5))
        return f"<p>{formatdate(time.time())} visitor {random.random()} {random.choice(ADVERTISEMENTS)} {links}"

    def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.statuses[status] += not self.path.endswith("robots.txt")
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status == 200:
            self.send_header("Content-Type", "text/html")
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


def begin(folder: Path, port: int, pages: Pages) -> Home:
    """A community whose first generation has all pages."""
    http = HttpOptions(resolve={"*": f"127.0.0.1:{port}"})
    settings = CommunitySettings(http=http, rules=PolitenessRules(delay=0.0), workers=8, processes=1)
    home = Home.create(folder, settings)
    plan = Plan(
        topic=Topic("wolf spider"),
        seeds=tuple(row.url for row in pages.rows),
        strategy="breadth-first",
        budget=Budget(len(pages.rows)),
        rules=settings.rules,
        workers=8,
        processes=1,
        http=http,
        index=False,
    )
    with home.changing():
        made = home.next_folder()
        with Hunt.begin(plan, made) as hunt:
            list(hunt)
        home.swap(made, "init", pages=len(pages.rows))
    return home


def versions(home: Home) -> dict[str, int]:
    """The version of each page in the current generation."""
    found = {}
    with Collection.open(home.current()) as collection:
        for row in collection.log.pages():
            assert row.where
            body = collection.repository.read(row.where).body
            found[row.url] = int(body.partition(b"<!-- version ")[2].partition(b" ")[0])
    return found


def by_rule(web: Changing, budget: int, days: int, warm_up: int, value: Callable[[Numbers], Numbers]) -> Numbers:
    """How long each page is fresh if those are checked that are worth most at their age."""
    count = len(web.changes)
    copies, fresh, checked = [0] * count, np.zeros(count), np.zeros(count)
    for day in range(days):
        for i in range(count):
            fresh[i] += web.fresh(i, copies[i], day) * (day >= warm_up)
        for i in np.argsort(-value(day + 1 - checked), kind="stable")[:budget]:
            copies[i], checked[i] = web.version(i, day + 1), day + 1
    return fresh


def main() -> None:
    """Let the days pass, and say how fresh the collection was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--budget", type=int, default=20)
    parser.add_argument("--days", type=int, default=70)
    parser.add_argument("--warm-up", type=int, default=30)
    parser.add_argument("--fast", type=float, default=20, help="pages that change several times a day, in percent")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pages = WORLDS["log-normal"].pages(options.seed, options.pages, options.fast / 100)
    web = Changing(pages, options.days + 2, options.seed)
    clock = Clock()
    site = type("Site", (ChangingSite,), {"web": web, "clock": clock})
    server = ThreadingHTTPServer(("127.0.0.1", 0), site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    fresh, wrong, missed, checks, generations = np.zeros(options.pages), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        home = begin(Path(folder) / "team", server.server_port, pages)
        with Collection.open(home.current()) as collection:
            relevance = {row.url: max(row.relevance or 0.0, LEAST_RELEVANCE) for row in collection.log.pages()}
        copies = versions(home)
        ChangingSite.statuses.clear()
        for day in range(options.days):
            for url, version in copies.items():
                fresh[web.place[url]] += web.fresh(web.place[url], version, day) * (day >= options.warm_up)
            clock.put_to(day + 1)
            report = revisit(home, options.budget)
            before, copies = copies, versions(home)
            wrong += sum(before[url] == copies[url] for url in report.changed)
            missed += sum(before[url] != web.version(web.place[url], day + 1) for url in report.unchanged)
            checks += report.asked
            generations += report.generation is not None
    server.shutdown()
    worth = np.array([relevance[row.url] for row in pages.rows])
    period = options.days - options.warm_up

    def best_known(age: Numbers) -> Numbers:
        due = pages.rates * age
        return np.asarray(worth * (1 - (1 + due) * np.exp(-due)) / pages.rates)

    size = options.budget, options.days, options.warm_up
    rules = {
        "revisit": fresh,
        "oldest first": by_rule(web, *size, lambda age: age),
        "known rates": by_rule(web, *size, best_known),
    }
    print(f"{checks:,} checks on {options.days} days, {dict(ChangingSite.statuses)}, {generations} generations")
    print(f"unchanged pages taken for changed: {wrong}; changed ones taken for unchanged: {missed}")
    found = [f"{rule} {(worth * each).sum() / worth.sum() / period:.3f}" for rule, each in rules.items()]
    best = optimum(pages._replace(worth=worth), options.budget)
    print(f"freshness from day {options.warm_up}: {', '.join(found)}, expected optimum {best:.3f}")


if __name__ == "__main__":
    main()
