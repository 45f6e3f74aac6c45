"""The refresh: figure 1 of the paper. Queries decide what is crawled, and what was crawled answers the next ones.

    for each query: search, seed set, crawl, index; until MAX_ITER, or until seed sets overlap by more than THETA
    then a new collection and its index replace the old ones in a single step

Queries run side by side in rounds of a fixed size: all queries of a round search the same working index, then all that
they fetched is indexed. So the result does not depend on the number of processes. The work folder records all that
happened, and a killed refresh resumes from there with the same result.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing

import msgspec
from msgspec.structs import replace

from lycosa.community.home import Generation, Home
from lycosa.community.next_generation import NextGeneration, least_kept, old_pages
from lycosa.community.query_crawls import CrawlContext, CrawlJob, Live, QueryCrawls, Replayed
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.community.refresh_state import Loop, QueryCrawl, RefreshState, throw_away
from lycosa.community.seed_set import SeedSet, overlap, seed_set
from lycosa.community.working_index import WorkingIndex
from lycosa.core.priors import Background, Priors, Usual
from lycosa.engine.hub_rounds import OVER, state_of
from lycosa.engine.preparation import prepare
from lycosa.index.index import Index
from lycosa.store.collection import Collection
from lycosa.store.folders import INDEX
from lycosa.store.rows import PageRow
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress


def refresh(home: Home, loop: Loop | None = None, progress: StageProgress = no_progress) -> Generation:
    """Make the next generation and make it current; without a loop, resume the interrupted refresh."""
    if loop:
        _check(home, loop)
    with home.changing():
        work = RefreshState.begin(home.work, loop) if loop else _left(home)
        if work is None or not interrupted(home):
            raise Refused(f"no refresh of {home.folder} was interrupted", "begin one", code=Code.WRONG_STATE)
        if made := _outcome(home, work.loop):
            throw_away(home.work)
            return made
        work.loop.settings.must_be_ready()
        return _Refresh(home, work, progress).run()


def interrupted(home: Home) -> Loop | None:
    """The interrupted refresh, if there is one and the collection has not changed since."""
    work = _left(home)
    if work and (home.current() == home.folder_of(work.loop.generation) or _outcome(home, work.loop)):
        return work.loop
    return None


def _left(home: Home) -> RefreshState | None:
    """The state of an interrupted refresh, with the community's present proxy settings."""
    work = RefreshState.found(home.work)
    if work:
        http = home.settings.http
        work.loop = replace(work.loop, settings=work.loop.settings.through(http.proxy, http.ca))
    return work


def preview(home: Home, loop: Loop) -> list[SeedSet]:
    """For each query, the seeds of its first crawl."""
    with home.holding() as current, Index.open(current / INDEX) as index:
        return [_seeds(index, query, loop) for query in loop.queries]


def leaving(home: Home, loop: Loop) -> tuple[int, list[PageRow]]:
    """How many pages the collection has, and those that may leave it, the most valuable first.

    What the crawls will find is not known yet, so they count with all the pages that they may fetch: no other page that
    still exists will leave.
    """
    old, settings = old_pages(home, loop), loop.settings
    fetched = len(loop.queries) * loop.max_pages * (settings.max_iter if loop.keep == "all" else 1)
    places = max(0, settings.max_in_index - fetched) if settings.fill else 0
    stay = max(least_kept(settings.keep_share, len(old)), places)
    firm = frozenset(loop.pinned)
    loose = [row for row in old if row.url not in firm]
    return len(old), loose[max(0, stay - (len(old) - len(loose))) :]


class _Refresh:
    """One refresh, from the state in its work folder to the new generation."""

    def __init__(self, home: Home, work: RefreshState, progress: StageProgress) -> None:
        self.home = home
        self.work = work
        self.loop = work.loop
        self.progress = progress
        self.old = home.current()
        self.listens = any(student.listens for student in self.loop.students())
        self._began = time.monotonic() - work.spent
        self._queries = self._crawls = self._under_way = 0

    def run(self) -> Generation:
        """Run the refresh to its end."""
        self._show()
        with ExitStack() as stack:
            self.fetches = stack.enter_context(closing(RefreshFetches(self.work.fetches, self.loop.plan().dump())))
            for crawl in self.work.begun():
                # A killed crawl may have fetched pages not noted yet. Unfinished replayed crawls are made again.
                if not self.loop.settings.recorded or state_of(crawl) in OVER:
                    self.fetches.take_in(crawl)
            self.index = stack.enter_context(closing(WorkingIndex(self.work.index, self.old, self.fetches)))
            with closing(self._crawler()) as crawler:
                for number, queries in enumerate(self.loop.rounds, 1):
                    self._round(number, queries, crawler)
                    self.work.spent = time.monotonic() - self._began
                self._fetch_bookmarks(len(self.loop.rounds) + 1, crawler)
            self.index.close()
            succession = NextGeneration(self.home, self.work, self.fetches, self.progress)
            made = succession.take_place(lambda: time.monotonic() - self._began)
        throw_away(self.work.folder)
        return made

    def _round(self, number: int, queries: Sequence[int], crawler: QueryCrawls) -> None:
        """The loop of figure 1, for the queries of a round."""
        most = self.loop.settings.max_iter
        going, before = queries, dict[int, QueryCrawl]()
        for iteration in range(1, most + 1):
            crawls = self.work.crawls(number, iteration)
            if crawls is None:
                crawls = [self._crawl(query, iteration, before.get(query)) for query in going]
                self.work.plan_crawls(number, iteration, crawls)
            for folder in crawler([self._job(crawl) for crawl in crawls]):
                self.fetches.take_in(folder)
                self.index.follow()
                self._crawls, self._under_way = self._crawls + 1, 0
                self._show()
            self.index.commit()
            before = {crawl.query: crawl for crawl in crawls}
            going = [crawl.query for crawl in crawls if not self._converged(crawl)]
            self._crawls += (len(crawls) - len(going)) * (most - iteration)
            if not going:
                break
        self._queries += len(queries)
        self._show()

    def _fetch_bookmarks(self, number: int, crawler: QueryCrawls) -> None:
        """Fetch the bookmarks that the old collection does not hold; this crawl comes after those of the last query."""
        crawls = self.work.crawls(number, 1)
        if crawls is None:
            with Collection.open(self.old) as collection:
                missing = tuple(url for url in self.loop.pinned if collection.log.page(url) is None)
            crawls = [QueryCrawl(len(self.loop.queries), 1, SeedSet(missing))] if missing else []
            self.work.plan_crawls(number, 1, crawls)
        for folder in crawler([self._job(crawl) for crawl in crawls]):
            self.fetches.take_in(folder)

    def _crawl(self, query: int, iteration: int, before: QueryCrawl | None) -> QueryCrawl:
        seeds = _seeds(self.index.index, self.loop.queries[query], self.loop)
        return QueryCrawl(query, iteration, seeds, overlap(before.seeds.urls, seeds.urls) if before else None)

    def _converged(self, crawl: QueryCrawl) -> bool:
        theta = self.loop.settings.theta
        return theta is not None and crawl.overlap is not None and crawl.overlap > theta

    def _job(self, crawl: QueryCrawl) -> CrawlJob:
        sources = (str(self.old.absolute()), str(self.work.fetches.absolute()))
        if crawl.query == len(self.loop.queries):
            return CrawlJob(self.loop.bookmarks_plan(crawl.seeds.urls, *sources), self.work.folder_of(crawl))
        query = self.loop.queries[crawl.query]
        described = self.index.index.described(query) if self.listens else {}
        return CrawlJob(self.loop.plan(query, crawl.seeds.urls, *sources), self.work.folder_of(crawl), described)

    def _crawler(self) -> QueryCrawls:
        settings, background = self.loop.settings, self._background()
        if settings.recorded:
            file = self.work.background if background else None
            return Replayed(CrawlContext(self.loop.plan(), self.work.fetches, file), self._more, settings.processes)
        live = Live(self.fetches, settings.rules, background, self._more, settings.http.network)
        if begun := self.work.begun():
            live.beware(begun, settings.rules.delay)
        return live

    def _background(self) -> Background | None:
        """Word frequencies of the old index, if the judge or the strategy needs them; computed once."""
        if not _needs_background(self.loop):
            return None
        if not self.work.background.exists():
            with Index.open(self.old / INDEX) as index:
                write_whole(self.work.background, msgspec.msgpack.encode(index.background()))
        return msgspec.msgpack.decode(self.work.background.read_bytes(), type=Background)

    def _more(self, pages: int) -> None:
        self._under_way += pages
        self._show()

    def _show(self) -> None:
        loop = self.loop
        done = self._crawls * loop.max_pages + self._under_way
        total = len(loop.queries) * loop.settings.max_iter * loop.max_pages
        self.progress("queries", self._queries, len(loop.queries))
        self.progress("pages", min(done, total), total)


def _seeds(index: Index, query: str, loop: Loop) -> SeedSet:
    return seed_set(
        index,
        query,
        n_hits=loop.settings.n_hits,
        # Seeds are fetched first, and a crawl that fetches nothing else finds nothing new.
        most=max(1, loop.max_pages // 2),
        by=loop.by,
        referrers=loop.referrers,
        hubs=loop.hubs,
        otherwise=loop.bookmarks,
    )


def _check(home: Home, loop: Loop) -> None:
    """Refuse what cannot be done before anything is done."""
    loop.settings.must_be_ready()
    priors = Priors(background=Background(1, {}) if _needs_background(loop) else None)
    for query in loop.queries:
        prepare(loop.plan(query), priors).close()
    Index.open(home.current() / INDEX).close()


def _needs_background(loop: Loop) -> bool:
    topic, students = loop.plan().topic, [student for student in loop.students() if not student.taxonomy]
    return any(Usual() in tuple(student.study(topic, Priors())) for student in students)


def _outcome(home: Home, loop: Loop) -> Generation | None:
    """The generation made by a refresh that was killed before it could remove its work folder."""
    for made in home.generations():
        if (made.current or made.record.held) and made.record.report.get("started") == loop.started:
            return made
    return None
