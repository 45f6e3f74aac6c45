"""`lycosa search`, `similar`, `hubs`, `votes` and `index`: search a collection."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from typer import Argument, Option

from lycosa.face.cli.look import Json
from lycosa.face.cli.stages import Stages
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.index.index import Index
    from lycosa.index.search_types import Answer

Folder = Annotated[Path, Argument(help="Collection or community.")]
Limit = Annotated[int, Option(help="Maximum number of results.")]
Url = Annotated[str, Argument(help="URL of a page in the collection.")]
_FILTER = "Condition on results: host=, lang=, category=, after=, before= or relevance=; repeatable."
Filter = Annotated[list[str] | None, Option(help=_FILTER)]


def search(
    folder: Folder,
    query: Annotated[
        list[str], Argument(help='Query: words, "a phrase", -excluded, title:word, host:example.org, lang:en.')
    ],
    by: Annotated[
        str, Option(help="Rank by content (what pages say), reference (what others say about them) or hybrid (both).")
    ] = ("hybrid"),
    limit: Limit = 10,
    page: Annotated[int, Option(help="Page of results to show, from 1.")] = 1,
    filter: Filter = None,
    facets: Annotated[bool, Option("--facets", help="Count all results by host, category and language.")] = False,
    twins: Annotated[bool, Option("--twins", help="Show near-duplicates as separate results.")] = False,
    why: Annotated[
        bool, Option("--why", help="Show the parts of each score, and who refers to the page in which words.")
    ] = False,
    private: Annotated[bool, Option("--private", help="Do not log this query in a community.")] = False,
    json: Json = False,
) -> None:
    """Search a collection by what its pages say and what other pages say about them."""
    from lycosa.app import search as searching
    from lycosa.app.communities import asked
    from lycosa.face.cli.search_view import SearchView

    for word in query:
        # A query may contain -word, so Typer is told to pass on unknown options.
        if word.startswith("--"):
            raise Refused(f"no such option: {word}", "see `lycosa search --help`", code=Code.UNKNOWN_NAME)
    question = searching.make_question(
        " ".join(query), by=by, limit=limit, page=page, filters=filter or (), facets=facets, twins=twins
    )
    with _asking(folder) as index:
        answer, took = searching.timed(lambda: index.search(question))
        voters = searching.voters_of(index, answer.hits) if why and not json else None
        pages = len(index)
    asked(folder, question.text, answer.total, private=private or page > 1)
    if json:
        _print_json(answer, took)
        return
    view = SearchView(Terminal())
    view.answer(answer, question.start, voters)
    view.summary(question, answer, took, pages)


def similar(folder: Folder, url: Url, limit: Limit = 10, filter: Filter = None, json: Json = False) -> None:
    """Find the pages of a collection that are most similar to one of them."""
    from lycosa.app import search as searching
    from lycosa.face.cli.search_view import SearchView

    searching.check_limit(limit)
    filters = searching.read_filters(filter or ())
    with _asking(folder) as index:
        answer, took = searching.timed(lambda: searching.similar_to(index, url, limit, filters))
    if json:
        _print_json(answer, took)
        return
    view = SearchView(Terminal())
    view.answer(answer)
    if not answer.hits:
        print("nothing in this collection is like it")


def hubs(
    folder: Folder,
    topic: Annotated[str, Option(help="Only pages about these words, and their neighbours.")] = "",
    limit: Limit = 10,
    json: Json = False,
) -> None:
    """List the best hubs, which link to many good pages, and authorities, which good hubs link to."""
    from lycosa.app import search as searching
    from lycosa.face.cli.search_view import SearchView

    searching.check_limit(limit)
    with _asking(folder) as index:
        best_hubs, authorities = index.hubs(topic, limit)
    if json:
        print(json_format.dumps(msgspec.to_builtins({"hubs": best_hubs, "authorities": authorities})))
        return
    SearchView(Terminal()).hubs(best_hubs, authorities)


def votes(
    folder: Folder,
    url: Annotated[str, Argument(help="URL of a page in the collection, or of one that its pages link to.")],
    term: Annotated[str, Option(help="Only show pages that use this word or phrase.")] = "",
    limit: Limit = 10,
    json: Json = False,
) -> None:
    """Show the words in which other pages refer to a page, how many use each, and which ones."""
    from lycosa.app import search as searching
    from lycosa.face.cli.search_view import SearchView

    searching.check_limit(limit)
    with _asking(folder) as index:
        found = searching.votes_for(index, url, term, limit)
    if json:
        print(json_format.dumps(found))
        return
    SearchView(Terminal()).votes(found, term)


def index(
    folder: Annotated[Path, Argument(help="Collection.")],
    anew: Annotated[bool, Option("--anew", help="Rebuild the index from scratch.")] = False,
    json: Json = False,
) -> None:
    """Build or update the index of a collection; searches do this automatically."""
    from lycosa.app import search as searching

    with Stages() as stages:
        pages, lacking = searching.make_index(folder, stages.counting("indexing"), anew=anew)
    if json:
        print(json_format.dumps({"folder": str(folder), "pages": pages, "lacking": lacking}))
        return
    print(f"{pages:,} pages can be searched")
    if lacking:
        print(f"{lacking:,} cannot: their turn comes while a crawl runs, or else their records are damaged")


@contextmanager
def _asking(folder: Path) -> Iterator[Index]:
    """An index that is up to date; a bar on standard error shows the progress of the update."""
    from lycosa.app.search import asking

    with ExitStack() as stack:
        with Stages() as stages:
            say = partial(stages.console.print, soft_wrap=True)
            index = stack.enter_context(asking(folder, stages.counting("indexing"), say))
        yield index


def _print_json(answer: Answer, took: float) -> None:
    plain: dict[str, Any] = msgspec.to_builtins(answer)
    print(json_format.dumps({**plain, "took_ms": round(took, 3)}))
