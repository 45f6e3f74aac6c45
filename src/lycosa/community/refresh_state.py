"""The folder of a refresh in progress: everything that a killed one needs to resume.

refresh.json         the request
rounds/0001-1.json   the query crawls of a round, written before they begin
crawls/0003-1        the crawl for a query in an iteration, an ordinary collection
tonight              what all crawls have fetched (refresh_fetches.py)
index                the working index: the old one, and what was fetched (working_index.py)
background           word frequencies of the old index, if the strategy or judge needs them
spent                seconds that it has taken so far
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lycosa.community.home import Home
from lycosa.community.pinned import bookmarked
from lycosa.community.revisit_value import ByValue
from lycosa.community.seed_set import SeedSet
from lycosa.community.settings import CommunitySettings
from lycosa.core import judge as judging
from lycosa.core.nouns import Topic
from lycosa.core.priors import Student
from lycosa.core.query import Query
from lycosa.core.registry import named
from lycosa.core.strategy import make
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.plan import Budget, Plan, Sources
from lycosa.index.search_types import BY
from lycosa.store.collection import Collection
from lycosa.system import os_errors
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import LARGEST, Code, Refused, check_range

_FILE = "refresh.json"
_NOWHERE = "http://nowhere.invalid/"
"""The seed of a plan that is never crawled; every plan must have one."""


class Loop(Struct, frozen=True, kw_only=True):
    """A refresh as it was requested: the loop of the paper's figure 1 with its parameters."""

    queries: tuple[str, ...]
    settings: CommunitySettings
    generation: int
    """The generation whose index answers at first."""
    keep: str = "last"
    """From which iterations the new collection is made: "last", as in the paper's text, or "all", as in its figure."""
    by: str = "hybrid"
    """Which index answers."""
    referrers: int = 10
    """Most pages that link to a result and become seeds, for each result."""
    hubs: int = 0
    """Hubs of a query's results that become seeds."""
    left_out: tuple[str, ...] = ()
    """Queries without a word to search for, only stop words and signs."""
    given: dict[str, Any] = {}
    """The options that a person gave, besides the community's settings."""
    started: float = 0.0
    bookmarks: tuple[str, ...] = ()
    """The community's bookmarks when it began."""
    topic: str = ""
    """What the collection is about if nothing was asked."""

    def __post_init__(self) -> None:
        for name, known in (("keep", ("last", "all")), ("by", BY)):
            if getattr(self, name) not in known:
                problem = f"{name} cannot be {getattr(self, name)!r}"
                raise Refused(problem, f"give one of: {', '.join(known)}", code=Code.BAD_VALUE, field=name)
        check_range("referrers", self.referrers, 0, LARGEST)
        check_range("hubs", self.hubs, 0, LARGEST)

    @property
    def max_pages(self) -> int:
        """MAX_PAGES = MAX_IN_INDEX / |representative queries|, unless it is given."""
        return self.settings.max_pages or max(1, self.settings.max_in_index // max(1, len(self.queries)))

    @property
    def pinned(self) -> tuple[str, ...]:
        """The pages that are in the next collection whatever was asked."""
        return self.bookmarks if self.settings.keep_bookmarks else ()

    @property
    def rounds(self) -> list[range]:
        """The numbers of the queries that are crawled side by side; the same on any machine."""
        step = self.settings.parallel
        return [range(start, min(start + step, len(self.queries))) for start in range(0, len(self.queries), step)]

    def parameters(self) -> dict[str, Any]:
        """The parameters of the loop as plain data, for people and programs."""
        of_loop = ("max_in_index", "max_iter", "n_hits", "theta", "parallel", "strategy", "judge")
        of_settings = (*of_loop, "keep_bookmarks", "fill", "keep_share", "max_loss")
        own = ("max_pages", "by", "keep", "referrers", "hubs")
        return {
            **{name: getattr(self.settings, name) for name in of_settings},
            **{name: getattr(self, name) for name in own},
        }

    def students(self) -> tuple[Student, Student]:
        """Strategy and judge."""
        return make(self.settings.strategy, self.settings.options), judging.make(*named(self.settings.judge))

    def plan(self, query: str = "", seeds: Sequence[str] = (), known: str = "", trusted: str = "") -> Plan:
        """The crawl for a query: pages of the old collection are requested only if changed (`known`), and pages that
        were fetched in this refresh not at all (`trusted`)."""
        settings, words = self.settings, query or ", ".join(self.queries) or self.topic
        return settings.plan(
            topic=Topic(words, words),
            seeds=tuple(seeds) or (_NOWHERE,),
            sources=Sources(known=(known,) if known else (), trusted=(trusted,) if trusted else ()),
            budget=Budget(self.max_pages if query else settings.max_in_index),
            # Crawls that run side by side do not need several processes each.
            processes=1 if settings.parallel > 1 else settings.processes,
            index=False,
        )

    def bookmarks_plan(self, urls: Sequence[str], known: str, trusted: str) -> Plan:
        """The crawl that fetches bookmarks and follows no link."""
        plan = self.plan(seeds=urls, known=known, trusted=trusted)
        return replace(
            plan,
            strategy=f"{ByValue.__module__}:{ByValue.__name__}",
            settings={},
            budget=Budget(len(urls)),
            rules=replace(plan.rules, per_host=None, per_site=None),
        )


def make_loop(home: Home, given: Mapping[str, Any]) -> Loop:
    """A refresh with a community's settings, replaced by what is given: fields of CommunitySettings, and `query`,
    `keep`, `by`, `referrers` and `hubs`. Without a `query`, it takes the representative ones of the log.

    If nothing was asked, there must be bookmarks to fetch."""
    own = {name: given[name] for name in ("keep", "by", "referrers", "hubs") if name in given}
    settings = replace(home.settings, **{name: given[name] for name in given if name not in (*own, "query")})
    wanted = list(
        given.get("query") or home.queries.representative(settings.queries, seed=settings.seed, days=settings.recent)
    )
    marked = tuple(bookmarked(home))
    waiting = settings.keep_bookmarks and not _holds(home, marked)
    if not wanted and not waiting:
        lately = "" if settings.recent is None else f" in the last {settings.recent:g} days"
        problem = f"{home.folder} was not searched{lately}"
        raise Refused(problem, "search it first, or give a query", code=Code.EMPTY, field="query")
    queries = [query for query in dict.fromkeys(map(str.strip, wanted)) if _has_words(query)]
    if wanted and not queries:
        raise Refused(
            "none of the queries has a word to search for", "give another", code=Code.BAD_VALUE, field="query"
        )
    return Loop(
        queries=tuple(queries),
        settings=settings,
        generation=int(home.current().name),
        left_out=tuple(query for query in dict.fromkeys(wanted) if query.strip() not in queries),
        given=dict(given),
        started=time.time(),
        bookmarks=marked,
        topic=_topic_of(home),
        **own,
    )


def _holds(home: Home, urls: Iterable[str]) -> bool:
    """Whether all these pages are in the current generation."""
    with Collection.open(home.current()) as collection:
        return all(collection.log.page(url) for url in urls)


def _topic_of(home: Home) -> str:
    with Collection.open(home.current()) as collection:
        return plan_of(collection).topic.keywords


def _has_words(query: str) -> bool:
    try:
        Query(query)
    except Refused:
        return False
    return True


class QueryCrawl(Struct, frozen=True):
    """A crawl for a query."""

    query: int
    iteration: int
    seeds: SeedSet
    overlap: float | None = None
    """Of the seeds with those of the iteration before."""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.query:04}-{self.iteration}"


_decode = msgspec.json.Decoder(list[QueryCrawl]).decode


class RefreshState:
    """A refresh in progress."""

    def __init__(self, folder: Path, loop: Loop) -> None:
        self.folder = folder
        self.loop = loop
        self.fetches = folder / "tonight"
        """The collection of all that was fetched."""
        self.index = folder / "index"
        self.background = folder / "background"

    @classmethod
    def found(cls, folder: Path) -> RefreshState | None:
        """The interrupted refresh in a folder, if there is one."""
        try:
            return cls(folder, msgspec.json.decode((folder / _FILE).read_bytes(), type=Loop))
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, Refused) as error:
            problem = f"{folder / _FILE} cannot be read ({error})"
            raise Refused(problem, "discard the interrupted refresh", code=Code.DAMAGED, field="fresh") from None

    @classmethod
    def begin(cls, folder: Path, loop: Loop) -> RefreshState:
        """Begin a new refresh; what was in the folder is removed."""
        throw_away(folder)
        try:
            (folder / "rounds").mkdir(parents=True)
            (folder / "crawls").mkdir()
        except OSError as error:
            raise os_errors.of_system(folder, error) from error
        write_whole(folder / _FILE, msgspec.json.encode(replace(loop, settings=loop.settings.written())))
        return cls(folder, loop)

    def folder_of(self, crawl: QueryCrawl) -> Path:
        """The folder of a query crawl."""
        return self.folder / "crawls" / crawl.name

    def begun(self) -> list[Path]:
        """The folders of all crawls that were begun."""
        return sorted(path.parent for path in (self.folder / "crawls").glob("*/log.sqlite"))

    def crawls(self, round: int, iteration: int) -> list[QueryCrawl] | None:
        """The query crawls of a round in an iteration; None if it did not get that far."""
        try:
            return _decode(self._round(round, iteration).read_bytes())
        except FileNotFoundError:
            return None

    def plan_crawls(self, round: int, iteration: int, crawls: list[QueryCrawl]) -> None:
        """Write the query crawls of a round, before they begin."""
        write_whole(self._round(round, iteration), msgspec.json.encode(crawls))

    def all_crawls(self) -> dict[int, list[QueryCrawl]]:
        """The query crawls of each query, in their order."""
        found: dict[int, list[QueryCrawl]] = {}
        files = (self.folder / "rounds").glob("*.json")
        crawls = (crawl for file in files for crawl in _decode(file.read_bytes()))
        for crawl in sorted(crawls, key=lambda crawl: (crawl.query, crawl.iteration)):
            found.setdefault(crawl.query, []).append(crawl)
        return found

    @property
    def spent(self) -> float:
        """Seconds that it has taken so far."""
        try:
            return float((self.folder / "spent").read_text())
        except (OSError, ValueError):
            return 0.0

    @spent.setter
    def spent(self, seconds: float) -> None:
        (self.folder / "spent").write_text(f"{seconds:.3f}")

    def _round(self, round: int, iteration: int) -> Path:
        return self.folder / "rounds" / f"{round:04}-{iteration}.json"


def throw_away(folder: Path) -> None:
    """Remove the folder of a refresh; its request goes first, so a half-deleted one is never resumed."""
    (folder / _FILE).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
