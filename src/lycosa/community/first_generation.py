"""The first generation: a breadth-first crawl from the members' bookmarks, up to MAX_IN_INDEX pages.

Breadth-first asks no judge, but every collection has a topic, and its pages a relevance that searches can filter by.
The topic of a new community is the words its bookmarks have in common: those that occur in most of their titles,
folders and descriptions, or in their URLs where there is no text (our choice; the paper names none).
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lycosa.community.bookmarks import Bookmark
from lycosa.community.home import Generation, Home
from lycosa.community.settings import CommunitySettings
from lycosa.core.events import Stopped
from lycosa.core.nouns import Topic
from lycosa.core.registry import named
from lycosa.core.stopwords import STOPWORDS
from lycosa.core.urls import host_of, site_of
from lycosa.core.words import stem
from lycosa.engine.crawl_recovery import plan_of
from lycosa.engine.hub_rounds import state_of
from lycosa.engine.hunt import Hunt
from lycosa.engine.indexing import Indexer
from lycosa.engine.plan import Budget, Plan
from lycosa.index.index_errors import Busy
from lycosa.store.collection import Collection
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused, SeedsFailed
from lycosa.system.progress import Progress
from lycosa.web.address_guard import AddressGuard

KEYWORDS = 20
"""Most words of a topic that is made from bookmarks."""
_WRITTEN_ANYWHERE = """
    bookmark bookmarks toolbar mobile favorites favourites folder unsorted imported untitled home homepage page
    pages site website welcome official index html htm php asp www com org net http https default main
"""
"""Words that browsers and web sites write on any topic."""
_nothing = STOPWORDS | frozenset(_WRITTEN_ANYWHERE.split())
_of_browsers = re.compile(r"\b(?:bookmarks?|favou?rites) (?:bar|menu|toolbar)\b", re.I)
_word = re.compile(r"[^\W\d_]{2,40}")

_PATIENCE = 30.0
"""Seconds that the indexer of a killed crawl may take to notice that it was killed."""


def keywords_of(bookmarks: Iterable[Bookmark]) -> str:
    """The words that most of the bookmarks have in common."""
    said = [(f"{one.title} {_of_browsers.sub('', one.folder)} {one.description}", one.url) for one in bookmarks]
    if words := _common(text for text, _ in said):
        return words
    return _common(f"{site_of(host_of(url)).partition('.')[0]} {url[url.index('/', 8) :]}" for _, url in said)


def _common(texts: Iterable[str]) -> str:
    bookmarks: Counter[str] = Counter()
    spelt: dict[str, Counter[str]] = {}
    for text in texts:
        words = [word for word in _word.findall(text.lower()) if word not in _nothing]
        bookmarks.update(dict.fromkeys(map(stem, words), 1))
        for word in words:
            spelt.setdefault(stem(word), Counter())[word] += 1
    return " ".join(spelt[each].most_common(1)[0][0] for each, _ in bookmarks.most_common(KEYWORDS))


def crawlable(bookmarks: Iterable[Bookmark], settings: CommunitySettings) -> list[Bookmark]:
    """The bookmarks that may be fetched: not those on a private network, unless they are allowed."""
    if settings.recorded or "*" in settings.http.resolve:
        return list(bookmarks)
    guard = AddressGuard((*settings.http.allow, *settings.http.resolve))
    return [one for one in bookmarks if not guard.refuses_host(host_of(one.url))]


def first_plan(settings: CommunitySettings, bookmarks: Sequence[Bookmark], keywords: str = "") -> Plan:
    """The plan of the crawl that makes the first generation."""
    wanted = crawlable(bookmarks, settings)
    if not wanted:
        raise Refused(
            "none of the bookmarks is on the public Internet",
            "add --allow HOST for those that are meant",
            code=Code.PRIVATE_ADDRESS,
            field="bookmarks",
        )
    keywords = keywords.strip() or keywords_of(wanted)
    if not keywords:
        raise Refused(
            "the bookmarks say nothing in words",
            "say what the community is about with --keywords",
            code=Code.MISSING,
            field="keywords",
        )
    judge, judge_settings = named(settings.judge)
    seeds = tuple(one.url for one in wanted)
    return Plan(
        topic=Topic(keywords, "", seeds),
        seeds=seeds,
        strategy="breadth-first",
        judge=judge,
        judge_settings=judge_settings,
        budget=Budget(settings.max_in_index),
        rules=settings.rules,
        workers=settings.workers,
        processes=settings.processes,
        http=settings.http,
        recorded=settings.recorded,
        seed=settings.seed,
    )


def first_hunt(home: Home, bookmarks: Sequence[Bookmark] = (), keywords: str = "") -> Hunt | None:
    """The crawl of the first generation, begun or resumed; None if it has finished and only needs `complete`.

    Without bookmarks it takes those that it was begun with.
    """
    if home.begun:
        raise Refused(
            f"{home.folder} is a community already",
            f"renew it with `lycosa community refresh {home.folder}`",
            code=Code.NOT_EMPTY,
            field="folder",
        )
    folder = home.next_folder(keep=True)
    state = state_of(folder)
    if state == "none":
        plan = first_plan(home.settings, bookmarks or kept_bookmarks(home), keywords)
        if bookmarks:
            write_whole(_file(home), msgspec.json.format(msgspec.json.encode(list(bookmarks)), indent=1))
        return Hunt.begin(plan, folder)
    with Collection.open(folder) as collection:
        begun = plan_of(collection)
    plan = first_plan(home.settings, bookmarks or kept_bookmarks(home), keywords or begun.topic.keywords)
    if other := _difference(plan, begun):
        raise Refused(
            f"the first crawl of {home.folder} was begun with {other}",
            "give the same again, or choose another folder",
            code=Code.CONTRADICTION,
        )
    if state == "finished" and plan.budget == begun.budget:
        return None
    return Hunt.resume(folder, budget=plan.budget, workers=plan.workers, processes=plan.processes, http=plan.http)


def complete(home: Home, progress: Progress | None = None) -> Generation:
    """Make the finished crawl searchable and current."""
    folder = home.next_folder(keep=True)
    report = _report(folder, len(kept_bookmarks(home)))
    if not report["pages"]:
        misses = ", ".join(f"{why} ×{count:,}" for why, count in list(report["misses"].items())[:3])
        home.next_folder()
        raise SeedsFailed(
            f"none of the bookmarks of {home.folder} could be fetched ({misses})",
            "check them and the network, and run the same command again",
        )
    index_whole(folder, progress)
    return home.swap(folder, "init", report, pages=report["pages"])


def index_whole(folder: Path, progress: Progress | None = None) -> None:
    """Index all of a finished collection: nothing in it changes once it is current."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            indexer = Indexer(folder)
            break
        except Busy:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    with indexer:
        indexer.catch_up(progress)
        indexer.settle()
        indexer.sweep()


def kept_bookmarks(home: Home) -> list[Bookmark]:
    """The bookmarks that a community was begun with."""
    try:
        return msgspec.json.decode(_file(home).read_bytes(), type=list[Bookmark])
    except FileNotFoundError:
        raise Refused(
            f"{home.folder} has no bookmarks yet", "name a file with --bookmarks", code=Code.MISSING, field="bookmarks"
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise Refused(
            f"{_file(home)} cannot be read ({error})", "name the bookmarks again with --bookmarks", code=Code.DAMAGED
        ) from None


def _file(home: Home) -> Path:
    return home.folder / "bookmarks.json"


def _report(folder: Path, bookmarks: int) -> dict[str, Any]:
    with Collection.open(folder) as collection:
        counts, stopped = collection.log.counts(), collection.log.last(Stopped)
        return {
            "bookmarks": bookmarks,
            "pages": int(counts["pages"]),
            "misses": counts["misses"],
            "reason": stopped.event.reason if stopped else "",
        }


def _difference(wanted: Plan, begun: Plan) -> str:
    """In what a plan differs from the one that was begun, among what can no longer change."""
    for what, ours, theirs in (
        ("other bookmarks", wanted.seeds, begun.seeds),
        ("other --keywords", wanted.topic.keywords, begun.topic.keywords),
        ("another --replay", wanted.recorded, begun.recorded),
        ("another --judge", (wanted.judge, wanted.judge_settings), (begun.judge, begun.judge_settings)),
        ("another --delay or --per-host", wanted.rules, begun.rules),
    ):
        if ours != theirs:
            return what
    return ""
