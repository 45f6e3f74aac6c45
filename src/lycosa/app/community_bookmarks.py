"""The bookmarks of a community: listed, added and removed; and communities that a server begins with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from lycosa.app.requests.community import BookmarksRequest, NewCommunityRequest
from lycosa.community import pinned
from lycosa.community.bookmarks import Bookmark, bookmarks_in, read_bookmarks
from lycosa.community.first_generation import crawlable, first_plan
from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings
from lycosa.core.urls import seed
from lycosa.system.errors import Code, Refused
from lycosa.web.http_options import HttpOptions


def bookmarks_of(request: BookmarksRequest) -> list[Bookmark]:
    """The bookmarks that a request names, each once; Refused if there are none."""
    found = [Bookmark(seed(url)) for url in request.urls]
    for file in request.file:
        found += read_bookmarks(file)
    if request.text.strip():
        found += bookmarks_in(request.text)
    if not found:
        fix = "give URLs, or a browser's export, an OPML file or a list of URLs"
        raise Refused("no bookmarks", fix, code=Code.MISSING, field="urls")
    return list({one.url: one for one in reversed(found)}.values())[::-1]


def listed(folder: str | Path) -> list[dict[str, Any]]:
    """Every bookmark of a community with what its collection has of it, as plain data."""
    found: list[dict[str, Any]] = to_builtins(pinned.states(Home.open(folder, searching=True)))
    return found


def add(folder: str | Path, request: BookmarksRequest) -> list[str]:
    """Add bookmarks to a community; returns the URLs of those that it did not have. A refresh fetches their pages."""
    home, wanted = Home.open(folder), bookmarks_of(request)
    public = crawlable(wanted, home.settings)
    if not public:
        raise Refused(
            "none of these pages is on the public Internet",
            "name public pages, or allow their hosts in the community's settings",
            code=Code.PRIVATE_ADDRESS,
            field="urls",
        )
    return [one.url for one in pinned.add_bookmarks(home, public)]


def remove(folder: str | Path, urls: Sequence[str]) -> list[str]:
    """Remove bookmarks from a community; their pages stay until a refresh needs their places."""
    if not urls:
        raise Refused("no bookmarks", "name the ones to remove", code=Code.MISSING, field="urls")
    return pinned.remove_bookmarks(Home.open(folder), urls)


def check_new(request: NewCommunityRequest, http: Mapping[str, Any], delay: float) -> CommunitySettings:
    """The settings of a community that a server begins; Refused if it could not be begun."""
    # Logins are not written down, and a community of a server has none of its own.
    usual = HttpOptions(**{name: value for name, value in http.items() if name != "access"})
    settings = CommunitySettings(max_in_index=request.max_in_index, http=usual)
    settings = replace(settings, rules=replace(settings.rules, delay=delay))
    first_plan(settings, bookmarks_of(request), request.keywords)
    return settings


def make(folder: Path, settings: CommunitySettings, request: NewCommunityRequest) -> None:
    """Write a community with its bookmarks into an empty folder; its first crawl is still to be made."""
    pinned.write_bookmarks(Home.create(folder, settings), bookmarks_of(request))
