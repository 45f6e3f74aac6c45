"""The desk: starts hunts, steers them, and goes on with them after a restart."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any

from lycosa.core.errors import Refused
from lycosa.core.nouns import Judgement
from lycosa.engine.plan import Budget, Plan, load_plan
from lycosa.engine.recall import must_be_one_crawl, plan_of
from lycosa.face import judging, service
from lycosa.face.desk import wish as wishing
from lycosa.face.desk.budgets import grown, larger
from lycosa.face.desk.child import Child
from lycosa.face.desk.feed import Feed, Standing
from lycosa.face.desk.refusals import Conflict
from lycosa.face.desk.register import PAUSE, REST, RUN, STOP, Meant, Register
from lycosa.face.desk.runner import Order
from lycosa.face.desk.shelf import COLLECTION, Entry, Shelf
from lycosa.face.desk.summaries import Summaries, nothing_yet
from lycosa.face.desk.wish import Wish
from lycosa.store.collection import Collection
from lycosa.store.listing import Ending, Listing
from lycosa.store.lock import is_held
from lycosa.store.rows import PageRow

_CLOSING = 10.0
"""Seconds that hunts have to end when the desk closes."""
_WAITING = 200
"""Hunts that may wait for their turn."""


class Desk:
    """Several hunts at once, by name."""

    def __init__(
        self,
        home: Path,
        folders: Sequence[Path] = (),
        *,
        http: Mapping[str, Any] | None = None,
        delay: float = 1.0,
        pages: int = 100_000,
        together: int = 4,
    ) -> None:
        """`pages` is the most a hunt may have, `together` how many hunts run at the same time; others wait."""
        self.home = Path(home)
        self.http, self.delay, self.most, self.together = dict(http or {}), delay, pages, max(1, together)
        self.closing = False
        """Set when everything that goes on should come to an end; whoever shuts down a server may set it early."""
        self._shelf = Shelf(self.home, folders)
        self._register = Register(self.home)
        self._summaries = Summaries()
        self._children: dict[str, Child] = {}
        self._before: dict[str, int] = {}
        """The number of the last event when a hunt's process was started."""
        self._waiting: list[str] = []
        self._again: set[str] = set()
        """Hunts whose process is to end and to be followed by another."""
        self._guard = RLock()
        self._keep_begun()

    # -- life ---------------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Go on with every hunt that is meant to run, unless another desk of this home does."""
        if not self._register.claim():
            return
        with self._guard:
            self.closing = False
            self._keep_begun()
            meant = sorted(self._register.all(), key=lambda each: each[1].since)
            names = [self._shelf.knows(folder) for folder, what in meant if what.what == RUN]
            self._waiting += [name for name in names if name and name not in self._waiting]
            self._fill()

    def close(self) -> None:
        """Let every hunt come to rest; those that were running are meant to run on."""
        with self._guard:
            self.closing = True
            children = list(self._children.values())
            self._waiting.clear()
            self._again.clear()
            for child in children:
                child.stop()
        until = time.monotonic() + _CLOSING
        for child in children:
            child.join(until)
        self._register.release()

    def _keep_begun(self) -> None:
        """Know those hunts too that have not made anything of their folder yet."""
        for folder, meant in self._register.all():
            if meant.plan is not None:
                self._shelf.keep(folder)

    # -- names --------------------------------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        """Everything there is, by name."""
        found = []
        for place in self._shelf.places():
            summary = self._summaries.of(place.folder, place.kind)
            if place.kind != COLLECTION:
                found.append(Entry(place.name, place.kind, summary.title, "", summary.pages, 0.0, summary.at))
                continue
            state = self._standing(place.name, place.folder, summary.ending).state
            title, at = summary.title, summary.at
            if not title and (meant := self._register.get(place.folder)) and meant.plan:
                title, at = meant.plan["topic"]["keywords"], meant.since
            found.append(Entry(place.name, place.kind, title, state, summary.pages, summary.harvest, at))
        return found

    def folder(self, name: str, kind: str | None = None) -> Path:
        """The folder that a name means."""
        return self._shelf.place(name, kind).folder

    # -- steering -----------------------------------------------------------------------------------------------------

    def start(self, wish: Wish) -> str:
        """Begin a hunt; its name."""
        plan = wishing.make_plan(wish, http=self.http, delay=self.delay, pages=self.most, folder=self.folder)
        with self._guard:
            self._must_be_open()
            if len(self._waiting) >= _WAITING:
                raise Conflict(f"{len(self._waiting)} hunts wait already", "wait until some of them have run")
            name, _, folder = self._shelf.make(wish.name, wish.keywords)
            self._meant(folder, Meant("", RUN, time.time(), plan.dump()))
            self._waiting.append(name)
            self._fill()
        return name

    def pause(self, name: str) -> None:
        """Let a hunt rest for a while."""
        self._halt(name, PAUSE)

    def stop(self, name: str) -> None:
        """Let a hunt rest for good, unless somebody resumes it after all."""
        self._halt(name, STOP)

    def _halt(self, name: str, what: str) -> None:
        folder = self.folder(name, COLLECTION)
        with self._guard:
            state = self._state(name, folder)
            if state == "elsewhere":
                raise _elsewhere(name)
            idle = state in ("finished", "failed") or (what == PAUSE and state in ("stopped", "interrupted"))
            if idle and what == PAUSE:
                raise Conflict(f"{name} does not run", "resume it, or give it a larger budget")
            if idle:
                return
            meant = self._register.get(folder) or Meant("")
            meant.what = what
            self._meant(folder, meant)
            self._again.discard(name)
            if name in self._waiting:
                self._waiting.remove(name)
            if child := self._children.get(name):
                child.stop()

    def resume(self, name: str) -> None:
        """Go on with a hunt that rests."""
        folder = self.folder(name, COLLECTION)
        with self._guard:
            self._must_be_open()
            state = self._state(name, folder)
            if state in ("running", "starting", "waiting"):
                return
            if state == "elsewhere":
                raise _elsewhere(name)
            if state == "finished":
                raise Conflict(f"{name} has finished", "give it a larger budget")
            meant = self._register.get(folder) or Meant("")
            self._go_on(name, folder, meant, larger(meant.budget, self._plan(folder, meant).budget))

    def extend(self, name: str, *, pages: int = 0, bytes: int = 0, seconds: float = 0.0) -> None:
        """Let a hunt have so much more, and go on with it unless it is paused; what has no limit stays without."""
        folder = self.folder(name, COLLECTION)
        with self._guard:
            self._must_be_open()
            state = self._state(name, folder)
            if state == "elsewhere":
                raise _elsewhere(name)
            meant = self._register.get(folder) or Meant("")
            budget = larger(meant.budget, self._plan(folder, meant).budget)
            more = grown(budget, pages, bytes, seconds)
            if more.pages is not None and more.pages > self.most:
                raise Refused(f"a hunt may have {self.most:,} pages here", f"{budget.pages or self.most:,} are granted")
            if state in ("paused", "waiting"):
                meant.budget = more
                self._meant(folder, meant)
            else:
                self._go_on(name, folder, meant, more)

    def _go_on(self, name: str, folder: Path, meant: Meant, budget: Budget) -> None:
        meant.budget = Budget(min(budget.pages or self.most, self.most), budget.bytes, budget.seconds, budget.share)
        meant.what, meant.since, meant.problem = RUN, time.time(), ""
        self._meant(folder, meant)
        if child := self._children.get(name):
            self._again.add(name)
            child.stop()
        elif name not in self._waiting:
            self._waiting.append(name)
            self._fill()

    def _plan(self, folder: Path, meant: Meant) -> Plan:
        """The plan of a hunt, if it can go on."""
        service.refuse_generation(folder)
        try:
            with Collection.open(folder) as collection:
                must_be_one_crawl(collection)
                return plan_of(collection)
        except Refused:
            if meant.plan is None:
                raise
            return load_plan(meant.plan)

    def _must_be_open(self) -> None:
        if self.closing:
            raise Conflict("the server is about to end", "try again when it is back")

    # -- processes ----------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Start hunts that wait, as long as there is room."""
        while self._waiting and len(self._children) < self.together and not self.closing:
            self._launch(self._waiting.pop(0))

    def _launch(self, name: str) -> None:
        folder = self.folder(name, COLLECTION)
        meant = self._register.get(folder) or Meant("")
        self._before[name] = _last_event(folder)
        order = Order(str(folder), meant.plan, meant.budget, self.http)
        try:
            complaints = self._register.complaints(folder)
            self._children[name] = Child(order, complaints, lambda child: self._ended(name, folder, child))
        except OSError as error:
            meant.what, meant.problem = REST, f"no process can be started ({error.strerror})"
            self._meant(folder, meant)

    def _ended(self, name: str, folder: Path, child: Child) -> None:
        """A hunt's process is gone: what that means, and who is next."""
        with self._guard:
            self._children.pop(name, None)
            meant = self._register.get(folder) or Meant("")
            begun = _last_event(folder) > 0
            if begun:
                meant.plan = None
            if name in self._again:
                self._again.discard(name)
                self._waiting.insert(0, name)
            elif child.told.finished:
                meant.what, meant.budget = REST, None
            elif child.told.problem and meant.what == RUN and not self.closing:
                meant.what, meant.problem = REST, child.told.problem
            self._meant(folder, meant)
            self._fill()

    def _meant(self, folder: Path, meant: Meant) -> None:
        self._register.put(folder, meant)

    # -- looking ------------------------------------------------------------------------------------------------------

    def status(self, name: str) -> dict[str, Any]:
        """How a hunt stands; also while it is only just starting."""
        folder = self.folder(name, COLLECTION)
        meant = self._register.get(folder)
        try:
            found = service.status(folder)
        except Refused:
            found = nothing_yet(meant.plan if meant else None)
        found.pop("folder", None)
        if meant and meant.budget:
            # What it may spend from now on, though its log does not know yet.
            budget = larger(meant.budget, Budget(**found["budget"]))
            found["budget"] = {field: getattr(budget, field) for field in found["budget"]}
        standing = self._standing(name, folder, _ending(folder))
        return {"name": name, **found, **standing._asdict()}

    def pages(self, name: str, after: int = 0, **wishes: Any) -> tuple[list[PageRow], int]:
        """Pages of a hunt and how many there are; wishes as in `Listing.some`."""
        try:
            log = Listing(self.folder(name, COLLECTION))
        except Refused:
            self.folder(name, COLLECTION)
            return [], 0
        try:
            return log.some(after=after, **wishes)
        finally:
            log.close()

    def feed(self, name: str) -> Feed:
        """What happens in a hunt, as it happens."""
        folder = self.folder(name, COLLECTION)
        return Feed(folder, lambda ending: self._standing(name, folder, ending))

    def judge(self, name: str, judgements: Sequence[tuple[str, bool]]) -> dict[str, Any]:
        """Put down what a person says of pages."""
        said = judging.judge(self.folder(name, COLLECTION), [Judgement(*each) for each in judgements])
        return {"judged": said["judged"], "running": said["running"]}

    def doubts(self, name: str, count: int = 5) -> dict[str, Any]:
        """The pages whose judgement would teach most."""
        found = judging.doubts(self.folder(name, COLLECTION), count)
        return {"learns": found["learns"], "doubts": found["doubts"]}

    def _state(self, name: str, folder: Path) -> str:
        return self._standing(name, folder, _ending(folder)).state

    def _standing(self, name: str, folder: Path, ending: Ending) -> Standing:
        """What state a hunt is in, from its log, its process and what is meant with it."""
        with self._guard:
            meant = self._register.get(folder)
            what = meant.what if meant else ""
            if name in self._children:
                if what in (PAUSE, STOP):
                    return Standing("paused" if what == PAUSE else "stopped")
                if name in self._again or ending.began <= self._before[name]:
                    return Standing("starting")
                return Standing("finished" if ending.stopped and ending.stopped.finished else "running")
            if name in self._waiting:
                return Standing("waiting")
        if is_held(folder / "lock"):
            return Standing("elsewhere")
        if meant and meant.problem:
            return Standing("failed", meant.problem)
        if ending.stopped and ending.stopped.finished:
            return Standing("finished")
        if what in (PAUSE, STOP):
            return Standing("paused" if what == PAUSE else "stopped")
        return Standing("stopped" if ending.stopped and what != RUN else "interrupted")


def _elsewhere(name: str) -> Conflict:
    return Conflict(f"another process runs {name}", "steer it there, or wait for its end")


def _last_event(folder: Path) -> int:
    try:
        log = Listing(folder)
    except Refused:
        return 0
    try:
        return log.last_seq()
    finally:
        log.close()


def _ending(folder: Path) -> Ending:
    try:
        log = Listing(folder)
    except Refused:
        return Ending(0, None)
    try:
        return log.ending()
    finally:
        log.close()
