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

from lycosa.community.bookmarks import Bookmark
from lycosa.community.home import Generation, Home, already_begun
from lycosa.community.pinned import kept_bookmarks, write_bookmarks
from lycosa.community.settings import CommunitySettings
from lycosa.core.events import Stopped
from lycosa.core.nouns import Topic
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
    texts = [(f"{one.title} {_of_browsers.sub('', one.folder)} {one.description}", one.url) for one in bookmarks]
    if words := _common(text for text, _ in texts):
        return words
    return _common(f"{site_of(host_of(url)).partition('.')[0]} {url[url.index('/', 8) :]}" for _, url in texts)


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
        fix = "allow the private hosts that are meant, or name public pages"
        raise Refused(
            "none of the bookmarks is on the public Internet", fix, code=Code.PRIVATE_ADDRESS, field="bookmarks"
        )
    keywords = keywords.strip() or keywords_of(wanted)
    if not keywords:
        fix = "say in a few words what the community is about"
        raise Refused("the bookmarks have no words in common", fix, code=Code.MISSING, field="keywords")
    seeds = tuple(one.url for one in wanted)
    return settings.plan(
        topic=Topic(keywords, "", seeds),
        seeds=seeds,
        strategy="breadth-first",
        settings={},
        budget=Budget(settings.max_in_index),
    )


def first_hunt(home: Home, bookmarks: Sequence[Bookmark] = (), keywords: str = "") -> Hunt | None:
    """The crawl of the first generation, begun or resumed; None if it has finished and only needs `complete`.

    Without bookmarks it takes those that it was begun with.
    """
    if home.begun:
        raise already_begun(home.folder)
    folder = home.next_folder(keep=True)
    state = state_of(folder)
    if state == "none":
        plan = first_plan(home.settings, bookmarks or kept_bookmarks(home), keywords)
        if bookmarks:
            write_bookmarks(home, bookmarks)
        return Hunt.begin(plan, folder)
    with Collection.open(folder) as collection:
        begun = plan_of(collection)
    plan = first_plan(home.settings, bookmarks or kept_bookmarks(home), keywords or begun.topic.keywords)
    for field, ours, theirs in (
        ("bookmarks", plan.seeds, begun.seeds),
        ("keywords", plan.topic.keywords, begun.topic.keywords),
        ("replay", plan.recorded, begun.recorded),
        ("judge", (plan.judge, plan.judge_settings), (begun.judge, begun.judge_settings)),
        ("delay", plan.rules.delay, begun.rules.delay),
        ("per_host", plan.rules, begun.rules),
    ):
        if ours != theirs:
            problem = f"the first crawl of {home.folder} was begun with another value for {field.replace('_', ' ')}"
            raise Refused(
                problem, "give the same value, or choose another folder", code=Code.CONTRADICTION, field=field
            )
    if state == "finished" and plan.budget == begun.budget:
        return None
    return Hunt.resume(folder, budget=plan.budget, workers=plan.workers, processes=plan.processes, http=plan.http)


def complete(home: Home, progress: Progress | None = None) -> Generation:
    """Make the finished crawl searchable and current."""
    folder = home.next_folder(keep=True)
    with Collection.open(folder) as collection:
        counts, stopped = collection.log.counts(), collection.log.last(Stopped)
    report: dict[str, Any] = {
        "bookmarks": len(kept_bookmarks(home)),
        "pages": int(counts["pages"]),
        "misses": counts["misses"],
        "reason": stopped.event.reason if stopped else "",
    }
    if not report["pages"]:
        misses = ", ".join(f"{why} ×{count:,}" for why, count in list(counts["misses"].items())[:3])
        home.next_folder()
        raise SeedsFailed(
            f"none of the bookmarks of {home.folder} could be fetched ({misses})",
            "check them and the network, then begin again",
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
