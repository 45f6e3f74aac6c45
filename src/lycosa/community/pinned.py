"""The bookmarks of a community: it begins with them, people add and remove them, and no refresh drops their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from lycosa.community.bookmarks import Bookmark
from lycosa.community.freshness import Freshness
from lycosa.community.home import Home
from lycosa.community.page_history import PRESENT
from lycosa.core.urls import canonical
from lycosa.store.collection import Collection
from lycosa.store.rows import PageRow
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused

FILE = "bookmarks.json"
HELD, GONE, WAITING = "held", "gone", "waiting"


class KeptBookmark(Struct, frozen=True):
    """A bookmark, and what the collection has of it."""

    url: str
    title: str
    folder: str
    state: str
    """held: its page is in the collection; gone: so it is, but the Web had no such page at the last check; waiting: not
    fetched yet."""
    why: str = ""
    """Why it is gone, or why it could not be fetched."""
    fetched: float | None = None
    """When the version in the collection was fetched."""


def kept_bookmarks(home: Home) -> list[Bookmark]:
    """The bookmarks of a community; Refused if it has none."""
    file = home.folder / FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Bookmark])
    except FileNotFoundError:
        problem, code = f"{home.folder} has no bookmarks yet", Code.MISSING
    except (OSError, msgspec.DecodeError) as error:
        problem, code = f"{file} cannot be read ({error})", Code.DAMAGED
    raise Refused(problem, "name a file of bookmarks", code=code, field="bookmarks")


def write_bookmarks(home: Home, bookmarks: Iterable[Bookmark]) -> None:
    """Replace the bookmarks of a community, atomically."""
    write_whole(home.folder / FILE, msgspec.json.format(msgspec.json.encode(list(bookmarks)), indent=1))


def bookmarked(home: Home) -> list[str]:
    """The URLs of the bookmarks, none if there is no file of them."""
    return [one.url for one in kept_bookmarks(home)] if (home.folder / FILE).exists() else []


def pinned(home: Home) -> frozenset[str]:
    """The pages that nothing but a person removes from the collection."""
    return frozenset(bookmarked(home)) if home.settings.keep_bookmarks else frozenset()


def add_bookmarks(home: Home, bookmarks: Sequence[Bookmark]) -> list[Bookmark]:
    """Add bookmarks that are not there yet; returns these. The next refresh fetches their pages."""
    with home.changing():
        home.current()
        before = kept_bookmarks(home) if (home.folder / FILE).exists() else []
        known = {one.url for one in before}
        new = list({one.url: one for one in bookmarks if one.url not in known}.values())
        room = home.settings.max_in_index
        if home.settings.keep_bookmarks and len(before) + len(new) > room:
            problem = f"{len(before) + len(new):,} bookmarks do not fit into a collection of {room:,} pages"
            fix = "remove some, or let the collection hold more pages"
            raise Refused(problem, fix, code=Code.OUT_OF_RANGE, field="bookmarks")
        if new:
            write_bookmarks(home, [*before, *new])
        return new


def remove_bookmarks(home: Home, urls: Sequence[str]) -> list[str]:
    """Remove bookmarks; their pages stay until a refresh needs their places. Refused if one is not a bookmark."""
    with home.changing():
        home.current()
        before = kept_bookmarks(home)
        known, gone = {one.url for one in before}, {canonical(url) or url for url in urls}
        if unknown := sorted(gone - known):
            problem = f"{unknown[0]} is not a bookmark of {home.folder}"
            raise Refused(problem, "list the bookmarks to see their URLs", code=Code.NOT_FOUND, field="urls")
        write_bookmarks(home, (one for one in before if one.url not in gone))
        return sorted(gone)


def states(home: Home) -> list[KeptBookmark]:
    """Every bookmark in the order they were added, with what the current generation has of it."""
    bookmarks = kept_bookmarks(home)
    with home.holding() as current, Collection.open(current) as collection:
        rows = {one.url: collection.log.page(one.url) for one in bookmarks}
    report = next((each.record.report for each in home.generations() if each.current), {})
    unreached: dict[str, str] = report.get("bookmarks_waiting", {})
    with Freshness(home.freshness_file) as freshness:
        histories = freshness.of([one.url for one in bookmarks])
    found = []
    for one in bookmarks:
        history = histories.get(one.url)
        absent = history is not None and history.state != PRESENT and history.absences > 0
        why = history.why if history and absent else ""
        found.append(_state(one, rows[one.url], why, unreached.get(one.url, "")))
    return found


def _state(one: Bookmark, row: PageRow | None, gone: str, unreached: str) -> KeptBookmark:
    if row is None:
        return KeptBookmark(one.url, one.title, one.folder, WAITING, unreached)
    return KeptBookmark(one.url, one.title or row.title, one.folder, GONE if gone else HELD, gone, row.at)
