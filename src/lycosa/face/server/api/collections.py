"""Collections as a whole: rename, tag, merge and delete them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Response
from pydantic import Field

from lycosa.app.answers.collections import CollectionDeleted, CollectionRenamed, CollectionsMerged, CollectionTags
from lycosa.app.requests.collections import MergeRequest, TagRequest
from lycosa.app.requests.option import check_remote
from lycosa.face.server.answer_models import answer_model, answered
from lycosa.face.server.dependencies import Name, TheHunt, TheIndexes, TheJobs
from lycosa.face.server.problems import problems
from lycosa.face.server.request_models import FromFields
from lycosa.face.server.strict import Payload
from lycosa.store.labels import change_tags

router = APIRouter(tags=["collections"])


class NewName(Payload):
    """A name."""

    name: Annotated[str, Field(max_length=80, description="The new name: small letters, digits and -.")]


@router.post("/collections", status_code=201, response_model=answer_model(CollectionsMerged), responses=problems(409))
def merge_collections(jobs: TheJobs, request: Annotated[MergeRequest, FromFields(), Body()]) -> Response:
    """Make a new collection of the pages of several: each page once, as it was fetched last."""
    check_remote(request)
    return answered(jobs.merge(request), 201)


@router.post("/collections/{name}/name", response_model=answer_model(CollectionRenamed), responses=problems(409))
def rename_collection(jobs: TheJobs, indexes: TheIndexes, name: Name, new: NewName) -> Response:
    """Rename a collection."""
    indexes.forget(jobs.folder(name))
    return answered(CollectionRenamed(name=jobs.rename(name, new.name), before=name))


@router.post("/collections/{name}/tags", response_model=answer_model(CollectionTags))
def tag_collection(folder: TheHunt, name: Name, request: Annotated[TagRequest, FromFields(), Body()]) -> Response:
    """Add tags to a collection, or remove some."""
    check_remote(request)
    return answered(CollectionTags(name=name, tags=change_tags(folder, request.add, request.remove)))


@router.delete("/collections/{name}", response_model=answer_model(CollectionDeleted), responses=problems(409))
def delete_collection(jobs: TheJobs, indexes: TheIndexes, name: Name) -> Response:
    """Delete a collection with all its pages, for good."""
    indexes.forget(jobs.folder(name))
    return answered(CollectionDeleted(name=name, pages=jobs.delete(name)))
