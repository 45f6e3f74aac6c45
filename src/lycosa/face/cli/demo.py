"""`lycosa demo`: hunts a made web over real HTTP on loopback, shows what was found and why, and serves a page."""

from __future__ import annotations

import asyncio
import json as json_format
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from shlex import quote
from socket import create_server
from typing import Annotated, Any

from rich.console import Console
from rich.table import Table
from typer import Argument, Option

from lycosa.app import hunts
from lycosa.core.nouns import Visit
from lycosa.engine.hunt import Hunt
from lycosa.face.cli.live_view import watch
from lycosa.face.cli.look import explain
from lycosa.face.server.run_server import serve
from lycosa.face.server.server_settings import ServerSettings
from lycosa.system.errors import Code, Interrupted, Refused, check_range

PAGES, TOPICS, SEED = 4000, 8, 7
OURS = "apprentice"
STRATEGIES = (OURS, "best-first", "breadth-first")
QUERY = "wireless sensor nodes"
WEB = f"made:pages={PAGES},topics={TOPICS},seed={SEED}"
DELAY = 0.05
_LIFE = 900
"""Seconds that the server of the page runs if no terminal waits for it."""


def demo(
    folder: Annotated[Path, Argument(help="New folder for what is found.")] = Path("demo"),
    pages: Annotated[int, Option(help="Maximum pages per strategy.")] = 400,
    open: Annotated[bool, Option(help="Serve a page at the end, to continue in a browser.")] = True,
    json: Annotated[bool, Option("--json", help="Print only one JSON object, and serve no page.")] = False,
) -> None:
    """Show what Lycosa does: three strategies hunt a small made web on this machine. No Internet is needed."""
    check_range("pages", pages, 1)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(
            f"{folder} is not empty", "remove it, or choose another folder", code=Code.NOT_EMPTY, field="folder"
        )
    console = Console(highlight=False, quiet=json)
    try:
        result = _show(folder, pages, console)
    except KeyboardInterrupt:
        rest = f"remove {folder} and " if folder.exists() else ""
        raise Interrupted("the demo was interrupted", f"{rest}start it again") from None
    if json:
        print(json_format.dumps(result))
    elif open:
        _open(folder, console)


def _show(folder: Path, pages: int, console: Console) -> dict[str, Any]:
    """Hunt one topic by each strategy and show what was found; returns the figures."""
    from lycosa.web.made import Made
    from lycosa.web.serving import spawn

    topic = Made(pages=PAGES, topics=TOPICS, seed=SEED).topics[0]
    targets = set(topic.targets)
    console.rule("A little web")
    console.print(f"{PAGES:,} pages about {TOPICS} topics, with hubs, mirrors, noise and traps, served on loopback.")
    known = len(topic.neighbors)
    console.print(
        f"The topic: [bold]{topic.keywords}[/]. Known: {known} portal pages nearby. Wanted: {len(targets)} pages."
    )
    found: dict[str, list[Visit]] = {}
    with spawn(WEB, preload=True) as served:
        for strategy in STRATEGIES:
            console.rule(f"{strategy}: the best {pages} pages it can get")
            hunt = hunts.hunt(
                topic.keywords,
                topic.neighbors,
                out=folder / strategy,
                pages=pages,
                strategy=strategy,
                on_topic=False,
                delay=DELAY,
                proxy=served.proxy,
            )
            with hunt:
                found[strategy] = asyncio.run(_run(hunt, console))
    _search(folder / OURS, console)
    likely = [page.url for page in hunts.status(folder / OURS, best=pages).best]
    best = min(likely, key=lambda url: url not in targets)
    console.rule("Why was this page fetched?")
    for line in explain(hunts.why(folder / OURS, best)):
        console.print(line, markup=False, soft_wrap=True)
    results = [_figures(folder / strategy, visits, targets) for strategy, visits in found.items()]
    console.rule("Three ways to hunt, same web, same budget")
    table = Table("strategy", "pages", "wanted pages found", box=None)
    for each in results:
        share = f"{each['found']} of {len(targets)} ({each['found'] / len(targets):.0%})"
        table.add_row(each["strategy"], f"{each['pages']}", share)
    console.print(table)
    _suggest(folder, best, pages, console)
    return {"folder": str(folder), "keywords": topic.keywords, "wanted": len(targets), "hunts": results}


async def _run(hunt: Hunt, console: Console) -> list[Visit]:
    return [outcome async for outcome in watch(hunt, console) if isinstance(outcome, Visit)]


def _search(folder: Path, console: Console) -> None:
    from lycosa.app.requests.search import SearchRequest
    from lycosa.app.search import question_of, search_many
    from lycosa.face.cli.search_view import SearchView

    console.rule(f"What was found can be searched: {QUERY}")
    request, view = SearchRequest(QUERY, limit=3), SearchView(console)
    answer = search_many([folder], request)
    view.answer(answer)
    view.summary(question_of(request), answer)


def _figures(folder: Path, visits: list[Visit], targets: set[str]) -> dict[str, Any]:
    return {
        "strategy": folder.name,
        "pages": len(visits),
        "harvest": hunts.status(folder).harvest,
        "found": len({visit.url for visit in visits} & targets),
    }


def _suggest(folder: Path, url: str, pages: int, console: Console) -> None:
    """Commands to go on with, as they must be typed here."""
    program, home, ours = _program(), quote(str(folder)), quote(str(folder / OURS))
    console.rule("Yours to look at")
    for command in (
        f"status {ours}",
        f"why {ours} {url}",
        f"search {ours} {QUERY} --why",
        f"export {ours} pages.jsonl",
    ):
        console.print(f"  {program} {command}", soft_wrap=True)
    console.print("And to go on, with the little web served once more:")
    console.print(f"  {program} bed serve {WEB} --port 8100 &", soft_wrap=True)
    for command in (f"resume {ours} --pages {2 * pages}", f"serve --home {home} --delay {DELAY}"):
        console.print(f"  {program} {command} --proxy http://127.0.0.1:8100", soft_wrap=True)


def _program() -> str:
    """How this program was called."""
    called = sys.argv[0]
    if called.endswith("__main__.py"):
        return f"{sys.executable} -m lycosa"
    return "lycosa" if shutil.which("lycosa") == called else called


def _open(folder: Path, console: Console) -> None:
    """Serve the page for what was found: in a terminal until Ctrl-C, otherwise for a while in the background."""
    console.rule("And a page to hunt, search and look with")
    try:
        import lycosa.face.server.app  # noqa: F401
    except ModuleNotFoundError as error:
        console.print(f"It needs {error.name}: pip install 'lycosa\\[serve]'")
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        serve_page(folder)
        return
    program = f"import sys; from {__name__} import *; serve_page(Path(sys.argv[1]), {_LIFE})"
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert child.stdout
    if not (line := child.stdout.readline().strip()):
        raise Refused("the page cannot be served", f"run {_program()} serve --home {folder}", code=Code.PROCESS_DIED)
    console.print(line, soft_wrap=True)
    console.print(f"It ends by itself after {_LIFE // 60} minutes, or with: kill {child.pid}", soft_wrap=True)


def serve_page(folder: Path, life: int = 0) -> None:
    """Serve the page, and the made web for new hunts, until Ctrl-C or for some seconds."""
    from lycosa.web.serving import spawn

    def ready(settings: ServerSettings) -> None:
        if life:
            signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
            signal.alarm(life)
        print(
            f"Lycosa is at {settings.url} with what was found, and the little web to hunt in; Ctrl-C ends it",
            flush=True,
        )

    with spawn(WEB, preload=True) as served:
        serve(folder, (), ServerSettings(port=_port()), http={"proxy": served.proxy}, delay=DELAY, ready=ready)


def _port(wanted: int = 8080) -> int:
    """The usual port, or any free one if it is taken."""
    try:
        create_server(("127.0.0.1", wanted)).close()
    except OSError:
        return 0
    return wanted
