"""Changes of collections as a whole: rename, delete and merge them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lycosa.app.communities import current_collection, is_community
from lycosa.core.events import Began
from lycosa.core.nouns import Judgement
from lycosa.engine.indexing import bring_up_to_date
from lycosa.store.collection import Collection
from lycosa.store.merge import Merged, Share, merge
from lycosa.store.page_selection import known_pages
from lycosa.system import locks, os_errors
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress

_LOCK = "lock"


def rename(folder: Path, name: str) -> Path:
    """Give a collection another name in the same folder, and return where it is then."""
    if folder.name in ("", ".."):
        folder = folder.resolve()
    _must_be_at_rest(folder)
    target = folder.parent / name
    if not name or name != Path(name).name or name.startswith(".") or not name.isprintable():
        fix = "give a name without /, line breaks and a dot at its beginning"
        raise Refused(f"{name[:60]!r} is no name", fix, code=Code.BAD_VALUE, field="name")
    if target.exists():
        raise Refused(f"there is something named {name} already", "choose another name", code=Code.NOT_EMPTY)
    _move(folder, target)
    return target


def delete(folder: Path) -> int:
    """Delete a collection and everything in it; returns how many pages it had.

    It disappears at once, because its folder is moved first; what is left of it after a crash begins with a dot. If it
    was named by a link, the link goes, too.
    """
    named, folder = folder, folder.resolve()
    _must_be_at_rest(folder)
    with Collection.open(folder) as collection:
        pages = collection.log.page_count()
    for place, _, _ in os.walk(folder):
        if not os.access(place, os.W_OK | os.X_OK):
            fix = "make it writable first"
            raise Refused(f"{place} is write-protected", fix, code=Code.UNWRITABLE, field="folder")
    gone = folder.with_name(f".deleted-{folder.name}-{os.getpid()}-{time.time_ns()}")
    _move(folder, gone)
    if named.is_symlink():
        named.unlink(missing_ok=True)
    shutil.rmtree(gone, ignore_errors=True)
    return pages


def merge_collections(
    named: Mapping[str, Path],
    target: Path,
    min_relevance: float | None = None,
    progress: StageProgress = no_progress,
) -> Merged:
    """Make a new collection of the pages of several collections or communities, and index it.

    A page that is in several of them is taken from the one that fetched it last. Its relevance is that to the topic of
    that collection, what was said of it there holds on, and the path to it remains, with the name of the collection at
    its start.
    """
    several: dict[Path, str] = {}
    for name, folder in named.items():
        several.setdefault(folder.resolve(), name)
    if len(several) < 2:
        raise Refused(
            "merging needs at least two collections", "name another one", code=Code.MISSING, field="collections"
        )
    if inside := next((name for folder, name in several.items() if folder in target.resolve().parents), ""):
        problem = f"{target} is inside {inside}, and would be deleted with it"
        raise Refused(problem, "choose another folder", code=Code.NOT_ALLOWED, field="out")
    with _removed_if_unfinished(target), ExitStack() as stack:
        places = {name: stack.enter_context(current_collection(folder)) for folder, name in several.items()}
        chosen, judged = _latest(places, min_relevance)
        total = sum(map(len, chosen.values()))
        if not total:
            raise Refused("no page was selected", "name other collections, or a lower relevance", code=Code.EMPTY)
        shares = [Share(places[name], urls, f"from {name}") for name, urls in chosen.items() if urls]
        with _new(target) as into:
            plan = _plan(list(places.values()))
            merged = merge(shares, into, plan, time.time(), lambda pages: progress("copying", pages, total))
            if kept := [judgement for judgement in judged if judgement.url not in merged.lost]:
                into.inbox.add(kept, time.time())
        bring_up_to_date(target, lambda done, total: progress("indexing", done, total))
    return merged


def _new(target: Path) -> Collection:
    """A new collection; one that was begun by a merge and has nothing yet is begun again."""
    try:
        return Collection.create(target)
    except Refused as refused:
        if refused.code != Code.NOT_EMPTY:
            raise
        raise Refused(refused.problem, "choose another folder", code=Code.NOT_EMPTY, field="out") from None


@contextmanager
def _removed_if_unfinished(folder: Path) -> Iterator[None]:
    """Remove a new folder if what fills it fails or is interrupted."""
    new = not folder.exists()
    try:
        yield
    except BaseException:
        if new:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _latest(places: Mapping[str, Path], min_relevance: float | None) -> tuple[dict[str, list[str]], list[Judgement]]:
    """The pages that are taken from each collection, best first, and what was said of them there."""
    newest: dict[str, tuple[float, str]] = {}
    order: dict[str, list[str]] = {}
    said: dict[str, Mapping[str, Judgement]] = {}
    for name, folder in places.items():
        with Collection.open(folder) as collection:
            known = known_pages(collection)
            rows = list(known.best_first(collection.log, min_relevance))
        order[name], said[name] = [row.url for row in rows], known.said
        for row in rows:
            if row.url not in newest or row.at > newest[row.url][0]:
                newest[row.url] = row.at, name
    chosen = {name: [url for url in urls if newest[url][1] == name] for name, urls in order.items()}
    return chosen, [said[name][url] for name, urls in chosen.items() for url in urls if url in said[name]]


def _plan(folders: Sequence[Path]) -> dict[str, object]:
    """The plan that the new collection names: that of the first one, with the keywords of all of them."""
    plans = []
    for folder in folders:
        with Collection.open(folder) as collection:
            began = next((entry.event for entry in collection.log.read(kinds=(Began,))), None)
        if isinstance(began, Began):
            plans.append(began.plan)
    if not plans:
        raise Refused("the collections hold no crawl", "name others", code=Code.EMPTY, field="collections")
    keywords = dict.fromkeys(str(plan["topic"]["keywords"]) for plan in plans)
    return {**plans[0], "topic": {**plans[0]["topic"], "keywords": ", ".join(keywords)}}


def _must_be_at_rest(folder: Path) -> None:
    place = folder.resolve()
    # Its generations are two folders deeper; `current` is a link to one of them.
    if community := next(filter(is_community, (place, *place.parents[:2])), None):
        problem = f"{folder.name} is a community"
        if community != place:
            problem = f"{folder} belongs to the community {community.name}"
        fix = "name a collection: a community changes by its refreshes"
        raise Refused(problem, fix, code=Code.NOT_ALLOWED)
    Collection.open(folder).close()
    if locks.is_held(folder / _LOCK):
        problem = f"a hunt is running in {folder.name}"
        raise Refused(problem, "stop it first, or wait for its end", code=Code.IN_USE)


def _move(folder: Path, target: Path) -> None:
    try:
        folder.rename(target)
    except OSError as error:
        raise os_errors.of_system(folder, error) from error
