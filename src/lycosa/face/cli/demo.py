"""`make demo`: serves a made web on loopback, hunts it over real HTTP, shows the result, and opens the web page."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from socket import create_server

from rich.console import Console
from rich.table import Table

from lycosa.app import hunts
from lycosa.app.requests.search import SearchRequest
from lycosa.app.search import question_of, search_many
from lycosa.core.nouns import Visit
from lycosa.engine.hunt import Hunt
from lycosa.face.cli.live_view import watch
from lycosa.face.cli.look import explain
from lycosa.face.cli.search_view import SearchView
from lycosa.face.server.run_server import serve
from lycosa.face.server.server_settings import ServerSettings
from lycosa.web.made import Made
from lycosa.web.serving import spawn

PAGES, TOPICS, SEED, BUDGET = 4000, 8, 7, 400
OURS = "apprentice"
ASKED = "wireless sensor nodes"
WEB = f"made:pages={PAGES},topics={TOPICS},seed={SEED}"
_LIFE = 900
"""Seconds that the server of the page runs if no terminal waits for it."""


def main(place: str = "demo", then: str = "open") -> None:
    """Hunt one topic of a made web by three strategies, then open the page; `end` skips the page, `page` the hunt."""
    if then == "page":
        _page(Path(place), _LIFE)
        return
    _show(place)
    if then == "open":
        _open(place)


def _open(place: str) -> None:
    """Serve the page for what was found: in a terminal until Ctrl-C, otherwise for a while in the background."""
    console = Console(highlight=False)
    console.rule("And a page to hunt, search and look with")
    if sys.stdin.isatty() and sys.stdout.isatty():
        _page(Path(place))
        return
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else "lycosa.face.cli.demo", place, "page"]
    quiet = {"stdin": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True, **quiet)  # type: ignore[call-overload]
    console.print(child.stdout.readline().strip(), soft_wrap=True)
    console.print(f"It ends by itself after {_LIFE // 60} minutes, or with: kill {child.pid}", soft_wrap=True)


def _page(folder: Path, life: int = 0) -> None:
    def ready(settings: ServerSettings) -> None:
        if life:
            signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
            signal.alarm(life)
        print(
            f"Lycosa is at {settings.url} with what was found, and the little web to hunt in; Ctrl-C ends it",
            flush=True,
        )

    with spawn(WEB, preload=True) as served:
        serve(folder, (), ServerSettings(port=_port()), http={"proxy": served.proxy}, delay=0.05, ready=ready)


def _port(wanted: int = 8080) -> int:
    """The usual port, or any free one if it is taken."""
    try:
        create_server(("127.0.0.1", wanted)).close()
    except OSError:
        return 0
    return wanted


def _show(place: str) -> None:
    console, folder = Console(highlight=False), Path(place)
    shutil.rmtree(folder, ignore_errors=True)
    topic = Made(pages=PAGES, topics=TOPICS, seed=SEED).topics[0]
    console.rule("A little web")
    console.print(f"{PAGES:,} pages about {TOPICS} topics, with hubs, mirrors, noise and traps, served on loopback.")
    known, wanted = len(topic.neighbors), len(topic.targets)
    console.print(f"The topic: [bold]{topic.keywords}[/]. Known: {known} portal pages nearby. Wanted: {wanted} pages.")
    found: dict[str, list[Visit]] = {}
    with spawn(WEB, preload=True) as served:
        for strategy in (OURS, "best-first", "breadth-first"):
            console.rule(f"{strategy}: the best {BUDGET} pages it can get")
            hunt = hunts.hunt(
                topic.keywords,
                topic.neighbors,
                out=folder / strategy,
                pages=BUDGET,
                strategy=strategy,
                on_topic=False,
                delay=0.05,
                proxy=served.proxy,
            )
            with hunt:
                found[strategy] = asyncio.run(_run(hunt, console))
    console.rule(f"What was found can be searched: {ASKED}")
    request = SearchRequest(ASKED, limit=3)
    answer, view = search_many([folder / OURS], request), SearchView(console)
    view.answer(answer)
    view.summary(question_of(request), answer)
    targets = set(topic.targets)
    best = max((visit for visit in found[OURS] if visit.url in targets), key=lambda visit: visit.relevance)
    console.rule("Why was this page fetched?")
    for line in explain(hunts.why(folder / OURS, best.url)):
        console.print(line, markup=False, soft_wrap=True)
    console.rule("Three ways to hunt, same web, same budget")
    table = Table("strategy", "pages", "mean relevance", "wanted pages found", box=None)
    for strategy, visits in found.items():
        hits = len({visit.url for visit in visits} & targets)
        mean = sum(visit.relevance for visit in visits) / len(visits)
        table.add_row(
            strategy, f"{len(visits)}", f"{mean:.3f}", f"{hits} of {len(targets)} ({hits / len(targets):.0%})"
        )
    console.print(table)
    console.rule("Yours to look at")
    for command in ("status {}", "why {} " + best.url, f"search {{}} {ASKED} --why", "export {} pages.jsonl"):
        console.print(f"  .venv/bin/lycosa {command.format(folder / OURS)}", soft_wrap=True)
    console.print("And to go on, with the little web served once more:")
    console.print(f"  .venv/bin/lycosa bed serve {WEB} --port 8100 &", soft_wrap=True)
    for command in (f"resume {folder / OURS} --pages 800", f"serve --home {folder} --delay 0.05"):
        console.print(f"  .venv/bin/lycosa {command} --proxy http://127.0.0.1:8100", soft_wrap=True)


async def _run(hunt: Hunt, console: Console) -> list[Visit]:
    return [outcome async for outcome in watch(hunt, console) if isinstance(outcome, Visit)]


if __name__ == "__main__":
    main(*sys.argv[1:])
