"""Search and reading: search, why a page was fetched, votes, hubs, archived copies, seeds, exports."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Body, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from msgspec import structs

from lycosa.app import completion, hunts, page_copies
from lycosa.app import search as searching
from lycosa.app.answers.hunt import Why
from lycosa.app.answers.page import (
    FoundSeeds,
    Hubs,
    PageFacts,
    PageText,
    SearchableCollection,
    SearchableCollections,
    VoteTable,
)
from lycosa.app.answers.search import Completions, SearchAnswer
from lycosa.app.jobs import Conflict, HuntJobs
from lycosa.app.jobs.catalog import COMMUNITY, LAB
from lycosa.app.jobs.seed_preview import preview_of
from lycosa.app.requests.option import check_remote
from lycosa.app.requests.search import CompleteRequest, ExportRequest, SearchRequest
from lycosa.app.requests.seeds import FindRequest
from lycosa.app.search_feed import as_rss
from lycosa.face.server.answer_models import answer_model, answered
from lycosa.face.server.dependencies import Name, TheIndexes, TheJobs
from lycosa.face.server.files import sent
from lycosa.face.server.problems import problems
from lycosa.face.server.request_models import FormerNamesRoute, FromFields, from_query
from lycosa.system.errors import Code, Refused

router = APIRouter(tags=["search"], route_class=FormerNamesRoute)

Url = Annotated[str, Query(max_length=4096, description="The address of a page.")]
Limit = Annotated[int, Query(ge=1, le=100, description="How many at most.")]
Filters = Annotated[
    list[Annotated[str, Query(max_length=200)]],
    Query(max_length=20, description="NAME=VALUE with host, lang, category, type, after, before or relevance."),
]
_TEXT = 200_000
"""Most characters of a page's text in one answer."""
_SHUT_IN = {
    "Content-Security-Policy": page_copies.POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
}
_exporting = threading.Lock()


@router.get("/collections", response_model=answer_model(SearchableCollections))
def collections(jobs: TheJobs) -> Response:
    """All collections and communities that can be searched."""
    found = [
        SearchableCollection(
            name=each.name,
            kind=each.kind,
            title=each.title,
            state=each.state,
            pages=each.pages,
            at=each.at,
            remembers=each.kind == COMMUNITY and searching.remembers(jobs.folder(each.name)),
            tags=each.tags,
        )
        for each in jobs.entries()
        if each.kind != LAB
    ]
    return answered(SearchableCollections(collections=found))


@router.get("/search", response_model=answer_model(SearchAnswer))
def search(
    jobs: TheJobs, indexes: TheIndexes, request: Annotated[SearchRequest, Depends(from_query(SearchRequest))]
) -> Response:
    """Search one or more collections, by what pages say and by what other pages say about them."""
    check_remote(request)
    found = searching.search_many(_folders(jobs, request.collections), request, opening=indexes.open)
    found.remark = jobs.pathless(found.remark)
    found.left_out = {name: jobs.pathless(why) for name, why in found.left_out.items()}
    return answered(found)


@router.get("/complete", response_model=answer_model(Completions))
def complete(
    jobs: TheJobs, indexes: TheIndexes, request: Annotated[CompleteRequest, Depends(from_query(CompleteRequest))]
) -> Response:
    """What a question that is being typed may become: titles, names that others use, words, earlier questions."""
    check_remote(request)
    folders = _folders(jobs, request.collections)
    return answered(completion.complete_many(folders, request, opening=indexes.open))


@router.get(
    "/search/feed",
    response_class=Response,
    responses={200: {"content": {"application/rss+xml": {}}, "description": "The feed."}},
)
def feed(
    jobs: TheJobs,
    indexes: TheIndexes,
    http: Request,
    request: Annotated[SearchRequest, Depends(from_query(SearchRequest))],
) -> Response:
    """A search as an RSS feed: its newest results, for a feed reader that tells when there are more."""
    check_remote(request)
    asked = structs.replace(request, sort="time", page=1, private=True, facets=False)
    found = searching.search_many(_folders(jobs, request.collections), asked, opening=indexes.open)
    return Response(as_rss(request.query, found, str(http.url)), media_type="application/rss+xml; charset=utf-8")


@router.get("/collections/{name}/why", response_model=answer_model(Why))
def why(jobs: TheJobs, name: Name, url: Url) -> Response:
    """The path from a seed to a page: which links were followed, what score each had, and what each led to."""
    path = hunts.why(jobs.folder(name), url)
    return answered(Why(url=path[-1].url, collection=name, path=path))


@router.get("/collections/{name}/similar", response_model=answer_model(SearchAnswer))
def similar(
    jobs: TheJobs,
    indexes: TheIndexes,
    name: Name,
    url: Url,
    limit: Limit = 10,
    filter: Filters = [],  # noqa: B006
) -> Response:
    """The pages of a collection that are most similar to one of them."""
    filters = searching.read_filters(filter)
    with indexes.asking(jobs.folder(name)) as index:
        return answered(searching.similar_to(index, url, limit, filters, name))


@router.get("/collections/{name}/votes", response_model=answer_model(VoteTable))
def votes(
    jobs: TheJobs,
    indexes: TheIndexes,
    name: Name,
    url: Url,
    term: Annotated[str, Query(max_length=200, description="Only those who use this word or phrase.")] = "",
    limit: Limit = 10,
) -> Response:
    """The terms that other pages use when they link to a page, how many pages use each, and which pages those are."""
    with indexes.asking(jobs.folder(name)) as index:
        return answered(searching.votes_for(index, url, term, limit))


@router.get("/collections/{name}/hubs", response_model=answer_model(Hubs))
def hubs(
    jobs: TheJobs,
    indexes: TheIndexes,
    name: Name,
    topic: Annotated[str, Query(max_length=2000, description="Only pages about these words, and around them.")] = "",
    limit: Limit = 10,
) -> Response:
    """The hubs, which link to the pages that matter, and the authorities, which matter because they are linked to."""
    with indexes.asking(jobs.folder(name)) as index:
        best, authorities = index.hubs(topic, limit)
    return answered(Hubs(hubs=best, authorities=authorities))


@router.get("/collections/{name}/page", response_model=answer_model(PageFacts))
def page(jobs: TheJobs, name: Name, url: Url) -> Response:
    """What is known about a page that was fetched."""
    return answered(page_copies.about(jobs.folder(name), url))


@router.get("/collections/{name}/text", response_model=answer_model(PageText))
def text(
    jobs: TheJobs,
    name: Name,
    url: Url,
    limit: Annotated[int, Query(ge=1, le=_TEXT, description="Characters at most.")] = 50_000,
) -> Response:
    """The text of a page, from its archived copy; it was written by strangers and must not be trusted."""
    about, said = page_copies.text_of(jobs.folder(name), url)
    facts = {**msgspec.structs.asdict(about), "cut": about.cut or len(said) > limit}
    return answered(PageText(**facts, text=said[:limit]))


@router.get("/collections/{name}/cached", response_class=HTMLResponse)
def cached(
    jobs: TheJobs,
    name: Name,
    url: Url,
    q: Annotated[str, Query(max_length=2000, description="Words that are marked.")] = "",
    theme: Literal["", "light", "dark"] = "",
) -> HTMLResponse:
    """The archived copy of a page in a sandbox: structure, text, tables and links; nothing runs, nothing is loaded."""
    body = page_copies.shown(jobs.folder(name), url, q, theme)
    return HTMLResponse(body, headers=_SHUT_IN)


@router.post("/seeds", response_model=answer_model(FoundSeeds))
def seeds(jobs: TheJobs, indexes: TheIndexes, request: Annotated[FindRequest, FromFields(), Body()]) -> Response:
    """Find pages from which a hunt for some keywords can start, in collections and by the sources of this server."""
    return answered(preview_of(jobs, request, indexes.open))


@router.get("/finders")
def finders(jobs: TheJobs) -> dict[str, list[str]]:
    """The names of the sources of seeds that the owner of this server has set up."""
    return {"finders": list(jobs.finders)}


@router.get(
    "/collections/{name}/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "The file."}, **problems(409)},
)
def export(
    jobs: TheJobs,
    name: Name,
    request: Annotated[ExportRequest, Depends(from_query(ExportRequest))],
) -> StreamingResponse:
    """All pages of a collection as one file; it is complete before it is sent, so its length is known."""
    folder = jobs.folder(name)
    if not _exporting.acquire(blocking=False):
        raise Conflict("another export is being made", "wait for its end", code=Code.IN_USE)
    room = Path(tempfile.mkdtemp(prefix="lycosa-export-"))
    try:
        target = room / f"{name}.{request.format}"
        hunts.export_request(folder, target, request)
        file = target.open("rb")
    finally:
        # The open file stays readable, and nothing is left on disk whatever happens to the request.
        shutil.rmtree(room, ignore_errors=True)
        _exporting.release()
    return sent(file, "application/octet-stream", {"Content-Disposition": f'attachment; filename="{target.name}"'})


def _folders(jobs: HuntJobs, names: Sequence[str]) -> Mapping[str, Path]:
    folders = jobs.folders(names)
    if not folders:
        raise Refused("there are no pages to search yet", "start a hunt first", code=Code.EMPTY)
    return folders
