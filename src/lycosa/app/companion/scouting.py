"""Scouting ahead: one small polite hunt at a time, from the page that is read now; a newer page replaces the older.

A scout is an ordinary hunt in a process of its own, with robots.txt, delays and everything else. It starts from the
page that is read but never fetches it: the title and links that the browser sent are stored as a collection of one
page, which the hunt uses as it is. So every strategy sees the anchor texts, and a page behind a login is never fetched.
Pages that earlier scouts fetched within the last hour are not fetched again either.

    scouts/NAME/errand     the ScoutRun
    scouts/NAME/read/      the page that is read, as a collection
    scouts/NAME/found/     the hunt
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lycosa.app.jobs.hunt_process import HuntProcess
from lycosa.app.jobs.runner import RunnerOrder
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.events import Visited
from lycosa.core.nouns import Raw, Ticket, Visit
from lycosa.core.urls import LIMIT
from lycosa.engine.plan import Plan, Sources
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.system.errors import Code, Refused
from lycosa.system.private_files import PrivateFolder
from lycosa.web.http_options import HttpOptions

PAGES, SECONDS, BYTES = 12, 60.0, 8 << 20
"""The budget of a scout: pages, seconds and bytes."""
LINKS = 60
"""Links of the page from which it may start, at most."""
KEPT = 6
"""Scouts whose findings are kept, at most."""
DAY = 86400.0
FRESH = 3600.0
"""Seconds for which a page that a scout fetched is not fetched again."""
FOLDER = "scouts"


class ScoutRun(Struct):
    """What one scout is to do."""

    name: str
    url: str
    """The page that is read."""
    title: str
    at: float
    keywords: str = ""
    links: list[tuple[str, str]] = []
    """URLs to start from, most promising first, each with its anchor text."""
    strategy: str = "breadth-first"
    pages: int = PAGES
    excluded: tuple[str, ...] = ()
    """Hosts that are never asked."""
    counted: bool = False
    """Whether the words of its pages are in the word background."""

    @property
    def start(self) -> str:
        """The URL of the page as the hunt sees it: without its query, which may be private."""
        return self.url.partition("?")[0]


def new_name(at: float) -> str:
    """A name that no other scout has; later ones sort after earlier ones."""
    return f"{int(at * 1000):013d}-{secrets.token_hex(4)}"


class Scouting:
    """Sends scouts, one at a time; its methods may be called from any thread."""

    def __init__(
        self,
        files: PrivateFolder,
        http: Mapping[str, Any],
        delay: float,
        ended: Callable[[ScoutRun], None] = lambda run: None,
    ) -> None:
        """`ended` is called for each scout that has finished, from another thread."""
        self.files = files
        self.http = dict(http)
        self.delay = delay
        self._ended = ended
        self._lock = threading.RLock()
        self._out: tuple[ScoutRun, HuntProcess] | None = None
        self._next: ScoutRun | None = None
        self._pause: threading.Timer | None = None
        self._closed = False
        self.problems: dict[str, str] = {}
        """Why a scout failed, by name."""

    @property
    def folder(self) -> Path:
        """The folder with the scouts' findings."""
        return self.files.folder / FOLDER

    def found(self, name: str) -> Path:
        """The collection of a scout."""
        return self.folder / name / "found"

    def runs(self) -> list[ScoutRun]:
        """The scouts whose findings are kept, latest first."""
        names = sorted((path.name for path in self.folder.glob("*-*")), reverse=True)
        kept = (self.files.read(f"{FOLDER}/{name}/errand", ScoutRun) for name in names)
        return [run for run in kept if run]

    def is_out(self, name: str) -> bool:
        """Whether a scout is under way or about to start."""
        with self._lock:
            return name in ((self._out and self._out[0].name), (self._next and self._next.name))

    def send(self, run: ScoutRun) -> None:
        """Send a scout; one that is under way is stopped first."""
        with self._lock:
            if self._closed:
                return
            self._next = run
            if self._out:
                self._out[1].stop()
            elif not self._pause:
                self._go()

    def recall(self, url: str | None = None) -> None:
        """Stop the scout that is under way or next, or only one sent from this page; no other starts."""
        with self._lock:
            if self._next and url in (None, self._next.url):
                self._next = None
            child = self._out[1] if self._out and url in (None, self._out[0].url) else None
        if child:
            child.stop()
            child.join(time.monotonic() + 5.0)

    def throw_away(self, url: str | None = None) -> None:
        """Remove what was found from a page, or everything."""
        self.recall(url)
        for run in self.runs():
            if url in (None, run.url):
                self.files.remove(f"{FOLDER}/{run.name}")
        if url is None:
            self.files.remove(FOLDER)

    def close(self) -> None:
        """Stop all scouts and send no more."""
        with self._lock:
            self._closed = True
            if self._pause:
                self._pause.cancel()
        self.recall()

    def save(self, run: ScoutRun) -> None:
        """Store a ScoutRun, unless its folder was removed."""
        if (self.folder / run.name).is_dir():
            self.files.write(f"{FOLDER}/{run.name}/errand", run)

    def _go(self) -> None:
        run, self._next, self._pause = self._next, None, None
        if run is None or self._closed:
            return
        try:
            folder = self.files.make(FOLDER, run.name)
            self.save(run)
            lay_down(run, folder / "read")
            plan = self._plan(run).dump()
            order = RunnerOrder(str(folder / "found"), plan, http=self.http)
            self._out = run, HuntProcess(order, folder / "complaints", lambda child: self._back(run, child))
        except (Refused, OSError) as error:
            self.problems = {run.name: str(error)}

    def _back(self, run: ScoutRun, child: HuntProcess) -> None:
        if child.told.problem:
            self.problems = {run.name: child.told.problem}
        # An error such as a full disk must not stop the next scout.
        with suppress(Refused, OSError):
            self._ended(run)
            self.tidy()
        with self._lock:
            self._out = None
            if not self._closed:
                # Host locks cannot always be shared: then the next scout does not know which hosts were just asked.
                self._pause = threading.Timer(self.delay, self._rested)
                self._pause.daemon = True
                self._pause.start()

    def _rested(self) -> None:
        with self._lock:
            self._pause = None
            if not self._out:
                self._go()

    def _plan(self, run: ScoutRun) -> Plan:
        recent = [one.name for one in self.runs() if one.at > run.at - FRESH and one.name != run.name]
        brought = [str(self.found(name)) for name in recent if self.found(name).is_dir()]
        request = HuntRequest(
            run.keywords,
            [run.start],
            # The page that is read counts as one of them, but is not fetched.
            pages=run.pages + 1,
            bytes=BYTES,
            seconds=SECONDS,
            strategy=run.strategy,
            on_topic=False,
            delay=self.delay,
            workers=4,
            processes=1,
            # The promising links are often on one host: better to wait for it than to spend a small budget elsewhere.
            reach=2,
            retries=0,
            index=False,
            # Excluded with all subdomains, at any distance.
            without=[f".{host}" for host in run.excluded],
        )
        trusted = (str(self.folder / run.name / "read"), *brought)
        return replace(make_plan(request, HttpOptions(**self.http)), sources=Sources(trusted=trusted))

    def tidy(self) -> None:
        """Remove old findings: all but the last KEPT, and those older than a day."""
        old = time.time() - DAY
        for place, run in enumerate(self.runs()):
            if (place >= KEPT or run.at < old) and not self.is_out(run.name):
                self.files.remove(f"{FOLDER}/{run.name}")


def lay_down(run: ScoutRun, folder: Path) -> None:
    """Store the page that is read as a collection of one page, with only its title and links."""
    if len(run.start) > LIMIT:
        raise Refused(
            "the address of this page is too long to start from",
            "read another page",
            code=Code.OUT_OF_RANGE,
            field="url",
        )
    links = "\n".join(f'<li><a href="{escape(url)}">{escape(text)}</a></li>' for url, text in run.links[:LINKS])
    html = f"<!DOCTYPE html><title>{escape(run.title)}</title>\n<ul>\n{links}\n</ul>\n"
    raw = Raw(200, (("Content-Type", "text/html; charset=utf-8"),), html.encode(), reason="OK")
    with Collection.create(folder) as collection:
        writer = Writer(folder, "read")
        try:
            where = writer.write(run.start, raw, run.at)
        finally:
            writer.close()
        visit = Visit(Ticket(run.start), 0.0, [url for url, _ in run.links], title=run.title, where=where)
        collection.log.append(Visited(visit), run.at)
        collection.log.commit()


def check(strategy: str, pages: int) -> None:
    """Refuse a strategy or number of pages that a scout could not hunt with."""
    from lycosa.engine.preparation import prepare

    request = HuntRequest("lycosa", ["https://example.org/"], strategy=strategy, pages=pages, on_topic=False)
    prepare(make_plan(request)).close()
