"""Requests about collections: search, the pages of a hunt, exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from lycosa.app.requests.option import Option, Request
from lycosa.index.search_types import BY, SORTS

FORMATS = ("jsonl", "csv", "parquet", "warc.gz", "wacz")
_LEAST = "Only pages that are on topic with at least this probability (0 to 1)."


class QueryWords(Request, frozen=True, kw_only=False):
    """The field that is given by position."""

    query: Annotated[
        str,
        Option(
            'Words, "a phrase", -excluded, a AND (b OR c), start*, title:word, host:example.org, type:pdf.',
            max_length=2000,
            required_remotely=True,
            words=True,
            formerly=("q", "text"),
        ),
    ] = ""


class SearchRequest(QueryWords, frozen=True, kw_only=True):
    """What to search for, in which collections, and how results are ranked and shown."""

    collections: Annotated[
        Sequence[str],
        Option(
            "Collection to search.",
            unset="all collections",
            max_length=64,
            each="collection",
            server_only=True,
            formerly=("in",),
        ),
    ] = ()
    by: Annotated[
        str,
        Option(
            "Rank by content (what pages say), reference (what others say about them) or hybrid (both).", choices=BY
        ),
    ] = "hybrid"
    sort: Annotated[
        str,
        Option("Best first, or latest fetched first: then only pages with all words.", choices=SORTS),
    ] = "relevance"
    limit: Annotated[int, Option("Maximum number of results.", low=1, high=1000, remote_high=100)] = 10
    page: Annotated[int, Option("Page of results to show, from 1.", low=1, high=1000)] = 1
    filters: Annotated[
        Sequence[str],
        Option(
            "Condition on results: host=, lang=, category=, type=, after=, before= or relevance= (0 to 1).",
            max_length=20,
            each="filter",
        ),
    ] = ()
    facets: Annotated[bool, Option("Count all results by host, category, language, type and year.")] = False
    duplicates: Annotated[bool, Option("Show near-duplicates as separate results.", formerly=("twins",))] = False
    verbatim: Annotated[bool, Option("Search the words as they are typed, with no spelling corrected.")] = False
    private: Annotated[bool, Option("Do not log this query in a community.")] = False


class TypedWords(Request, frozen=True, kw_only=False):
    """The field that is given by position."""

    query: Annotated[
        str, Option("The beginning of a question.", max_length=200, required_remotely=True, words=True)
    ] = ""


class CompleteRequest(TypedWords, frozen=True, kw_only=True):
    """What somebody has typed so far, to be completed."""

    collections: Annotated[
        Sequence[str],
        Option(
            "Collection whose titles and questions complete it.",
            unset="all collections",
            max_length=64,
            each="collection",
            server_only=True,
        ),
    ] = ()
    limit: Annotated[int, Option("Maximum number of completions.", low=1, high=50, remote_high=20)] = 8


YES_OR_NO: dict[str | None, bool] = {"yes": True, "no": False}


class PageFilters(Request, frozen=True, kw_only=True):
    """Which pages of a collection are wanted."""

    host: Annotated[str, Option("Only pages of this host and its subdomains.", max_length=300)] = ""
    text: Annotated[str, Option("Words that the title or the URL contains.", max_length=300)] = ""
    judged: Annotated[str | None, Option("Only judged (yes) or unjudged (no) pages.", choices=("yes", "no"))] = None


class PagesRequest(PageFilters, frozen=True, kw_only=True):
    """Which pages of a hunt to list, and in which order."""

    after: Annotated[int, Option("Only pages fetched after this event number.", low=0, high=2**53)] = 0
    min_relevance: Annotated[float, Option(_LEAST, low=0, high=1, formerly=("min",))] = 0.0
    order: Annotated[str, Option("Most likely on topic first, or latest first.", choices=("relevance", "time"))] = (
        "relevance"
    )
    start: Annotated[int, Option("Number of pages to skip.", low=0, high=10_000_000)] = 0
    limit: Annotated[int, Option("Maximum number of pages.", low=1, high=500)] = 50


class ExportRequest(PageFilters, frozen=True, kw_only=True):
    """Which pages to export, and in which format."""

    min_relevance: Annotated[float | None, Option(_LEAST, low=0, high=1, formerly=("relevance",))] = None
    format: Annotated[str, Option("Format of the file.", choices=FORMATS, server_only=True)] = "jsonl"
