"""Hunt jobs: start hunts, steer them, and continue them after a restart."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lycosa.app import collection_care, community_bookmarks, hunts, judging
from lycosa.app.answers.collections import CollectionsMerged
from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.jobs.budgets import grown
from lycosa.app.jobs.catalog import COLLECTION, LAB, Catalog, CatalogEntry, is_name
from lycosa.app.jobs.feed import Feed, Listed
from lycosa.app.jobs.hunt_processes import HuntProcesses
from lycosa.app.jobs.hunt_state import AT_WORK, HuntState, current_state, ending_of
from lycosa.app.jobs.job_errors import Conflict
from lycosa.app.jobs.register import PAUSE, RUN, STOP, Intent, Register
from lycosa.app.jobs.status_report import report
from lycosa.app.jobs.summaries import Summaries
from lycosa.app.requests.collections import MergeRequest
from lycosa.app.requests.community import NewCommunityRequest
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_remote_plan
from lycosa.app.seed_finding import sources_of
from lycosa.core.nouns import Judgement
from lycosa.engine.crawl_recovery import must_be_one_crawl
from lycosa.engine.plan import Budget, Plan, load_plan
from lycosa.store.collection import Collection
from lycosa.store.labels import read_tags
from lycosa.store.listing import Ending
from lycosa.system.errors import Code, Refused
from lycosa.web.access.declared import read_access
from lycosa.web.http_options import HttpOptions

_WAITING = 200
"""Hunts that may wait for their turn, at most."""


class HuntJobs:
    """Several hunts at once, by name; synchronous, and safe to use from any thread."""

    def __init__(
        self,
        home: Path,
        folders: Sequence[Path] = (),
        *,
        http: Mapping[str, Any] | None = None,
        delay: float = 1.0,
        pages: int = 100_000,
        together: int = 4,
        finders: Mapping[str, str] | None = None,
    ) -> None:
        """`pages` is the most a hunt may have; `together` hunts run at the same time, others wait.

        `finders` are the sources of seeds that requests may name; only the owner of the server sets them up.
        """
        self.home, self.http, self.delay, self.most = Path(home), dict(http or {}), delay, pages
        if self.http.get("access"):
            self.http["access"] = read_access(self.http["access"])
        self.finders = dict(finders or {})
        # A source that cannot be used is refused now, and not when somebody asks it.
        sources_of(tuple(self.finders), self.finders, HttpOptions(**self.http))
        _check(self.http, delay, pages, together)
        self.closing = False
        """Set when everything under way should end; a server that shuts down may set it early."""
        self._catalog = Catalog(self.home, folders)
        self._register = Register(self.home)
        self._summaries = Summaries()
        self._processes = HuntProcesses(self._register, self.folder, self.http, together)
        self._know_begun()

    def make_home(self) -> None:
        """Make the home folder, before anything relies on it."""
        self._register.make()

    def begin(self) -> None:
        """Continue every hunt that is meant to run, unless another process of this home does."""
        if not self._register.claim():
            return
        self._register.sweep()
        self._know_begun()
        self.closing = self._processes.closing = False
        intent = sorted(self._register.all(), key=lambda each: each[1].since)
        names = [self._catalog.named(folder) for folder, what in intent if what.what == RUN]
        self._processes.run(*filter(None, names))

    def close(self) -> None:
        """Stop every hunt; those that were running are still meant to run."""
        self.closing = True
        self._processes.close()
        self._register.release()

    def _know_begun(self) -> None:
        """Add hunts to the catalog whose folders are still empty."""
        for folder, intent in self._register.all():
            if intent.plan is not None:
                self._catalog.keep(folder)

    # -- names --------------------------------------------------------------------------------------------------------

    def entries(self) -> list[CatalogEntry]:
        """All collections, communities and laboratories, sorted by name."""
        found = []
        for name, kind, folder in self._catalog.places():
            title, pages, harvest, at, ending = self._summaries.of(folder, kind)
            if kind != COLLECTION:
                found.append(CatalogEntry(name, kind, title, "", pages, harvest, at))
                continue
            intent = self._register.get(folder)
            now = self._stands(name, folder, intent, ending)
            if intent and intent.plan and not title:
                title, at = intent.plan["topic"]["keywords"], intent.since
            found.append(
                CatalogEntry(name, kind, title, now.state, pages, harvest, at, now.budget.pages, tags=read_tags(folder))
            )
        return found

    def folder(self, name: str, kind: str | None = None) -> Path:
        """The folder of a name."""
        return self._catalog.place(name, kind).folder

    def folders(self, names: Sequence[str] = ()) -> dict[str, Path]:
        """The folders of the named collections and communities, or of all that have pages."""
        if names:
            return {name: self.folder(name) for name in names}
        places = [place for place in self._catalog.places() if place.kind != LAB]
        return {name: folder for name, kind, folder in places if self._summaries.of(folder, kind).pages}

    def pathless(self, text: str) -> str:
        """A message with names instead of paths, because clients must not see where folders are."""
        return self._catalog.pathless(text)

    # -- steering -----------------------------------------------------------------------------------------------------

    def plan_for(self, request: HuntRequest) -> Plan:
        """The plan of a hunt; this takes time if sources are asked where it could begin."""
        return make_remote_plan(
            request,
            http=HttpOptions(**self.http),
            delay=self.delay,
            pages=self.most,
            collection=self.folder,
            finders=self.finders,
        )

    def start(self, request: HuntRequest, plan: Plan | None = None) -> str:
        """Begin a hunt; returns its name. `plan` is the one for this request, if it is made already."""
        plan = plan or self.plan_for(request)
        with self._processes.guard:
            self._must_be_open()
            if len(self._processes.waiting) >= _WAITING:
                raise Conflict(f"{len(self._processes.waiting)} hunts wait already", "wait until some of them have run")
            name, _, folder = self._catalog.make(request.name, request.keywords)
            try:
                self._register.put(folder, Intent(what=RUN, since=time.time(), plan=plan.dump()))
            except Refused:
                self._catalog.give_back(folder)
                raise
            self._processes.run(name)
        return name

    def new_community(self, request: NewCommunityRequest) -> str:
        """Make a community with its bookmarks; returns its name. Its first crawl is still to be begun."""
        settings = community_bookmarks.check_new(request, self.http, self.delay)
        with self._processes.guard:
            self._must_be_open()
            name, _, folder = self._catalog.make(request.name, request.keywords or "community")
            try:
                community_bookmarks.make(folder, settings, request)
            except Refused:
                self._catalog.give_back(folder)
                raise
        return name

    def pause(self, name: str) -> None:
        """Pause a hunt."""
        with self._processes.guard:
            folder, intent, now = self._look(name)
            if now.state in ("finished", "failed", "stopped", "interrupted"):
                raise Conflict(f"{name} does not run", "resume it, or give it a larger budget")
            self._halt(name, folder, intent, PAUSE)

    def stop(self, name: str) -> None:
        """Stop a hunt for good, unless it is resumed later."""
        with self._processes.guard:
            folder, intent, now = self._look(name)
            if now.state not in ("finished", "failed", "stopped"):
                self._halt(name, folder, intent, STOP)

    def rename(self, name: str, new: str) -> str:
        """Give a collection another name."""
        with self._processes.guard:
            folder, intent, _ = self._resting(name)
            if not is_name(new):
                fix = "use small letters, digits and - only, 80 at most"
                raise Refused(f"{new[:80]!r} is no name", fix, code=Code.BAD_VALUE, field="name")
            if any(place.name == new for place in self._catalog.places()):
                fix = "choose another name"
                raise Conflict(f"there is something named {new} already", fix, code=Code.NOT_EMPTY, field="name")
            now = collection_care.rename(folder, new)
            if intent.place:
                self._register.drop(folder)
                self._register.put(now, intent)
            self._catalog.renamed(folder, now)
        return new

    def delete(self, name: str) -> int:
        """Delete a collection for good; returns how many pages it had."""
        with self._processes.guard:
            folder, _, _ = self._resting(name)
            pages = collection_care.delete(folder)
            self._register.drop(folder)
            self._catalog.forget(folder)
        return pages

    def merge(self, request: MergeRequest) -> CollectionsMerged:
        """Make a new collection of the pages of several."""
        named = {name: self.folder(name) for name in dict.fromkeys(request.collections)}
        new, _, folder = self._catalog.make(request.name, " ".join(named))
        try:
            merged = collection_care.merge_collections(named, folder, request.min_relevance)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            self._catalog.forget(folder)
            raise
        return CollectionsMerged(name=new, collections=tuple(named), pages=merged.pages, lost=len(merged.lost))

    def _resting(self, name: str) -> tuple[Path, Intent, HuntState]:
        folder, intent, now = self._look(name)
        if now.state in AT_WORK or now.state == "paused":
            raise Conflict(f"{name} is a hunt that is not finished", "stop it first", code=Code.WRONG_STATE)
        return folder, intent, now

    def _halt(self, name: str, folder: Path, intent: Intent, what: str) -> None:
        intent.what = what
        self._register.put(folder, intent)
        self._processes.rest(name)

    def resume(self, name: str) -> None:
        """Continue a hunt that does not run."""
        with self._processes.guard:
            folder, intent, now = self._look(name)
            if now.state in AT_WORK:
                return
            if now.state == "finished":
                raise Conflict(f"{name} has finished", "give it a larger budget")
            self._go_on(name, folder, intent, now.budget)

    def extend(self, name: str, *, pages: int = 0, bytes: int = 0, seconds: float = 0.0) -> None:
        """Extend the budget of a hunt, and continue it unless it is paused; a part without a limit stays so."""
        with self._processes.guard:
            folder, intent, now = self._look(name)
            more = grown(now.budget, pages, bytes, seconds)
            if pages and (more.pages or math.inf) > self.most:
                raise Refused(
                    f"a hunt may have {self.most:,} pages here", "ask for fewer", code=Code.OUT_OF_RANGE, field="pages"
                )
            if now.state == "paused":
                intent.budget = more
                self._register.put(folder, intent)
            else:
                self._go_on(name, folder, intent, more)

    def _go_on(self, name: str, folder: Path, intent: Intent, budget: Budget) -> None:
        self._must_be_open()
        self._must_be_able(folder, intent)
        if (budget.pages or math.inf) > self.most and self._summaries.of(folder, COLLECTION).pages >= self.most:
            raise Refused(
                f"{name} has {self.most:,} pages or more", "no hunt may have more of them here", code=Code.NOT_ALLOWED
            )
        intent.budget = Budget(min(budget.pages or self.most, self.most), budget.bytes, budget.seconds, budget.share)
        intent.what, intent.since, intent.problem, intent.fix = RUN, time.time(), "", ""
        self._register.put(folder, intent)
        self._processes.run(name)

    def _look(self, name: str) -> tuple[Path, Intent, HuntState]:
        """The folder, register entry and state of a hunt; Conflict if another process runs it."""
        folder = self.folder(name, COLLECTION)
        intent = self._register.get(folder) or Intent()
        now = self._stands(name, folder, intent, ending_of(folder))
        if now.state == "elsewhere":
            raise Conflict(f"another process runs {name}", "steer it there, or wait for its end", code=Code.IN_USE)
        return folder, intent, now

    def _stands(self, name: str, folder: Path, intent: Intent | None, ending: Ending) -> HuntState:
        now = current_state(name, folder, intent, ending, self._processes)
        return replace(now, problem=self.pathless(now.problem), fix=self.pathless(now.fix)) if now.problem else now

    def _must_be_able(self, folder: Path, intent: Intent) -> None:
        """Refuse a hunt that no process could continue."""
        hunts.refuse_generation(folder)
        if ending_of(folder).plan:
            with Collection.open(folder) as collection:
                must_be_one_crawl(collection)
        elif intent.plan is None:
            raise Conflict(f"{folder.name} holds no crawl", "begin another one", code=Code.EMPTY)
        else:
            load_plan(intent.plan)

    def _must_be_open(self) -> None:
        if self.closing:
            raise Conflict("the server is about to end", "try again when it is back")

    # -- looking ------------------------------------------------------------------------------------------------------

    def status(self, name: str) -> HuntStatus:
        """The state of a hunt, what it was asked for and what it has found; works while it is still starting, too."""
        folder = self.folder(name, COLLECTION)
        intent, ending = self._register.get(folder), ending_of(folder)
        now = self._stands(name, folder, intent, ending)
        found = report(folder, ending, intent, now)
        for failure in found.failures:
            failure.problem, failure.fix = self.pathless(failure.problem), self.pathless(failure.fix)
        found.name = name
        return found

    def at_rest(self, name: str) -> bool:
        """Whether no process of ours works on a hunt any more; then everything it fetched can be searched."""
        with self._processes.guard:
            return name not in self._processes.children

    def pages(self, name: str, after: int = 0, **options: Any) -> Listed:
        """Pages fetched after an event, best or latest first; options as in `Feed.some`."""
        return self.feed(name).some(after=after, **options)

    def feed(self, name: str) -> Feed:
        """The feed of a hunt: what happens in it, as it happens."""
        folder = self.folder(name, COLLECTION)

        def now(ending: Ending) -> HuntState:
            return self._stands(name, folder, self._register.get(folder), ending)

        return Feed(folder, now)

    def judge(self, name: str, judgements: Sequence[tuple[str, bool | None]]) -> dict[str, Any]:
        """Store a person's judgements and withdrawals (None): all, or none if one URL is not a page of the hunt."""
        said = judging.judge(self.folder(name, COLLECTION), [Judgement(*each) for each in judgements])
        return {"judged": said["judged"], "running": said["running"]}

    def doubts(self, name: str, count: int = 5) -> dict[str, Any]:
        """The pages whose judgement would teach most, and whether the strategy learns from judgements."""
        found = judging.doubts(self.folder(name, COLLECTION), count)
        return {"learns": found["learns"], "doubts": found["doubts"]}


def _check(http: Mapping[str, Any], delay: float, pages: int, together: int) -> None:
    """Refuse options with which every hunt would be refused."""
    HttpOptions(**http).must_be_ready()
    if not 0 <= delay < math.inf:
        raise Refused(
            f"a delay of {delay:g} seconds is not possible", "give 0 or more", code=Code.OUT_OF_RANGE, field="delay"
        )
    for name, count in (("pages", pages), ("together", together)):
        if count < 1:
            raise Refused(
                f"--{name} {count} leaves nothing to do", "give 1 or more", code=Code.OUT_OF_RANGE, field=name
            )
