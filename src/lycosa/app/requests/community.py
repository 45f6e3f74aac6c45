"""Requests that begin and refresh a community. What is not given stays as the community's settings have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from lycosa.app.requests.hunt import BUDGET, NETWORK, OUTPUT, POLITENESS, START, STRATEGY, Setting
from lycosa.app.requests.network import ALLOW, CA, CONTACT, PROXY, RESOLVE
from lycosa.app.requests.option import Option, Request
from lycosa.index.search_types import BY

QUERIES, RUN, LOG, KEEP = "Queries", "Run", "Query log", "What stays"
GROUPS = (START, QUERIES, BUDGET, KEEP, STRATEGY, LOG, POLITENESS, NETWORK, RUN, OUTPUT)
"""The groups of options in the order in which faces show them."""


class CommunityFolder(Request, frozen=True, kw_only=False):
    """The field that is given by position."""

    folder: Annotated[Path | str, Option("Folder of the community.")]


class RefreshSettings(CommunityFolder, frozen=True, kw_only=True):
    """The settings of a refresh; the community keeps those that it was begun with."""

    queries: Annotated[
        int | None,
        Option("Maximum queries from the log; a sample is drawn if there are more.", QUERIES, low=1),
    ] = None
    recent: Annotated[
        str | None,
        Option("Use only queries from this recent period, such as 7d, 12h or 2w.", QUERIES, unset="all queries"),
    ] = None
    n_hits: Annotated[
        int | None,
        Option("Number of results of a query that become its seeds.", START, low=1, unset="25"),
    ] = None
    max_in_index: Annotated[int | None, Option("Maximum pages in the collection.", BUDGET, low=1, unset="10000")] = None
    max_pages: Annotated[int | None, Option("Pages to crawl per query and iteration.", BUDGET, low=1)] = None
    max_iter: Annotated[int | None, Option("Maximum iterations per query.", BUDGET, low=1, unset="3")] = None
    theta: Annotated[
        float | None,
        Option(
            "Stop a query when two consecutive seed sets overlap by more than this share (0 to 1).",
            BUDGET,
            low=0,
            high=1,
        ),
    ] = None
    keep_bookmarks: Annotated[
        bool | None, Option("Keep the bookmarks' pages in every collection.", KEEP, unset="yes")
    ] = None
    fill: Annotated[
        bool | None,
        Option("Fill places that a refresh leaves empty with the best old pages.", KEEP, unset="yes"),
    ] = None
    keep_share: Annotated[
        float | None,
        Option("Least share of the old pages that a refresh keeps (0 to 1).", KEEP, low=0, high=1, unset="0.5"),
    ] = None
    max_loss: Annotated[
        float | None,
        Option(
            "Do not make a refresh current by itself in which more than this share of the pages would leave.",
            KEEP,
            low=0,
            high=1,
            unset="0.5",
        ),
    ] = None
    strategy: Annotated[str | None, Option("Strategy that scores links.", STRATEGY, unset="best-first")] = None
    settings: Annotated[
        Mapping[str, Setting], Option("Option of the strategy, as option=value.", STRATEGY, each="set")
    ] = {}
    judge: Annotated[str | None, Option("Judge that scores pages.", STRATEGY, unset="cosine")] = None
    processes: Annotated[int | None, Option("Scout processes; 0 = CPU cores - 1.", NETWORK, low=0)] = None
    proxy: Annotated[str | None, PROXY] = None
    ca: Annotated[str | None, CA] = None
    parallel: Annotated[int | None, Option("Number of queries to crawl at the same time.", RUN, low=1, unset="4")] = (
        None
    )


class RefreshRequest(RefreshSettings, frozen=True, kw_only=True):
    """Which queries to renew a community's collection for, and how."""

    query: Annotated[Sequence[str], Option("Query to refresh for, instead of the logged ones.", QUERIES)] = ()
    queries_file: Annotated[Path | None, Option("Text file with one query per line.", QUERIES)] = None
    referrers: Annotated[
        int | None,
        Option("Maximum linking pages per result that become seeds too.", START, low=0, unset="10"),
    ] = None
    hubs: Annotated[
        int | None,
        Option("Number of hubs among a query's results that become seeds too.", START, low=0, unset="0"),
    ] = None
    by: Annotated[
        str | None,
        Option("Index to search for seeds: content, reference or hybrid.", START, choices=BY, unset="hybrid"),
    ] = None
    keep: Annotated[
        str | None,
        Option("Iterations whose pages are kept: last or all.", BUDGET, choices=("last", "all"), unset="last"),
    ] = None
    fresh: Annotated[bool, Option("Discard an interrupted refresh and start again.", RUN)] = False


class CommunityRequest(RefreshSettings, frozen=True, kw_only=True):
    """What a new community is about, where its first crawl starts, and its settings."""

    bookmarks: Annotated[
        Sequence[str], Option("Bookmarks exported by a browser, OPML file or list of URLs.", START)
    ] = ()
    keywords: Annotated[str, Option("Topic of the community.", START, unset="most common words of the bookmarks")] = ""
    replay: Annotated[
        str | None,
        Option("Replay this WARC, test bed, collection or made web instead of using HTTP.", START),
    ] = None
    per_host: Annotated[int | None, Option("Maximum pages per host and crawl.", BUDGET, low=1)] = None
    random_seed: Annotated[int | None, Option("Random seed.", STRATEGY, unset="1", formerly=("dice",))] = None
    log_queries: Annotated[bool | None, Option("Log queries.", LOG)] = None
    leave_out: Annotated[
        Sequence[str], Option("Regular expression of queries that are never logged or used.", LOG)
    ] = ()
    delay: Annotated[
        float | None,
        Option("Seconds between two requests to the same host.", POLITENESS, low=0, high=1e9, unset="1"),
    ] = None
    spread: Annotated[
        int | None,
        Option("Number of consecutive pages that must come from different hosts.", POLITENESS, low=1),
    ] = None
    robots: Annotated[bool | None, Option("Obey robots.txt.", POLITENESS)] = None
    contact: Annotated[str | None, CONTACT] = None
    agent: Annotated[str | None, Option("Name of the user agent.", POLITENESS)] = None
    workers: Annotated[int | None, Option("Maximum concurrent requests.", NETWORK, low=1, unset="16")] = None
    timeout: Annotated[float | None, Option("Maximum seconds per request.", NETWORK, above=0, high=1e9, unset="30")] = (
        None
    )
    allow: Annotated[Sequence[str], ALLOW] = ()
    resolve: Annotated[Mapping[str, str], RESOLVE] = {}


class BookmarksRequest(Request, frozen=True, kw_only=True):
    """Bookmarks, as URLs and as the content of bookmarks files."""

    urls: Annotated[Sequence[str], Option("URL of a page.", START, each="url", max_length=10_000)] = ()
    file: Annotated[
        Sequence[str],
        Option("Bookmarks exported by a browser, OPML file or list of URLs.", START, local=True),
    ] = ()
    text: Annotated[
        str,
        Option(
            "Content of a bookmarks file: a browser's export, OPML, or one URL per line.",
            START,
            max_length=1 << 20,
            server_only=True,
        ),
    ] = ""


class NewCommunityRequest(BookmarksRequest, frozen=True, kw_only=True):
    """A community that is begun on a server."""

    name: Annotated[
        str, Option("Name of the community: lower-case letters, digits and dashes.", START, max_length=80)
    ] = ""
    keywords: Annotated[
        str,
        Option("Topic of the community.", START, max_length=2000, unset="most common words of the bookmarks"),
    ] = ""
    max_in_index: Annotated[int, Option("Maximum pages in the collection.", BUDGET, low=1, remote_high=100_000)] = 1000


def settings_given(request: RefreshSettings) -> dict[str, Any]:
    """The fields of CommunitySettings that a request sets."""
    from lycosa.app.communities import days_of

    loop = ("queries", "n_hits", "max_in_index", "max_pages", "max_iter", "theta", "strategy", "judge")
    names = (*loop, "keep_bookmarks", "fill", "keep_share", "max_loss")
    found: dict[str, Any] = {name: getattr(request, name) for name in (*names, "processes", "parallel")}
    found["recent"] = None if request.recent is None else days_of(request.recent)
    # A strategy that is named without options has none, whatever another one had.
    found["options"] = dict(request.settings) if request.settings or request.strategy else None
    return {name: value for name, value in found.items() if value is not None}
