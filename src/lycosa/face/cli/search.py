"""`lycosa search`, `similar`, `hubs`, `votes` and `index`: search a collection."""

from __future__ import annotations

import json as json_format
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from typer import Argument, Option

from lycosa.app.requests.search import SearchRequest
from lycosa.face.cli.look import Json
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.stages import Stages
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

if TYPE_CHECKING:
    from lycosa.index.index import Index

Folder = Annotated[Path, Argument(help="Collection or community.")]
Limit = Annotated[int, Option(help="Maximum number of results.")]
Url = Annotated[str, Argument(help="URL of a page in the collection.")]
_FILTER = "Condition on results: host=, lang=, category=, type=, after=, before= or relevance= (0 to 1); repeatable."
Filters = Annotated[list[str] | None, Option("--filter", help=_FILTER)]


@from_request(SearchRequest, arguments=["query"], before=["folder"])
def search(
    request: SearchRequest,
    folder: Folder,
    why: Annotated[
        bool, Option("--why", help="Show the parts of each score, and who refers to the page in which words.")
    ] = False,
    json: Json = False,
) -> None:
    """Search a collection by what its pages say and what other pages say about them."""
    from lycosa.app import search as searching
    from lycosa.face.cli.search_view import SearchView

    for word in request.query.split():
        # A query may contain -word, so Typer is told to pass on unknown options.
        if word.startswith("--"):
            raise Refused(f"unknown option {word}", "see `lycosa search --help`", code=Code.UNKNOWN_NAME)
    answer = searching.search_many([folder], request, opening=_asking)
    if json:
        print(json_format.dumps(msgspec.to_builtins(answer)))
        return
    voters = None
    if why:
        with _asking(folder) as index:
            voters = searching.voters_of(index, answer.results)
    view = SearchView(Terminal())
    view.answer(answer, (request.page - 1) * request.limit, voters)
    view.summary(searching.question_of(request), answer)


def similar(folder: Folder, url: Url, limit: Limit = 10, filters: Filters = None, json: Json = False) -> None:
    """Find the pages of a collection that are most similar to one of them."""
    from lycosa.app import search as searching
    from lycosa.face.cli.search_view import SearchView

    searching.check_limit(limit)
    wanted = searching.read_filters(filters or ())
    with _asking(folder) as index:
        answer = searching.similar_to(index, url, limit, wanted, folder.name)
    if json:
        print(json_format.dumps(msgspec.to_builtins(answer)))
        return
    view = SearchView(Terminal())
    view.answer(answer)
    if not answer.results:
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
        print(json_format.dumps(msgspec.to_builtins(found)))
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
