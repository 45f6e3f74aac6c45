"""`lycosa collection`: rename, tag, merge and delete collections."""

from __future__ import annotations

import json as json_format
import sys
from pathlib import Path
from typing import Annotated

import typer
from msgspec import to_builtins

from lycosa.app.requests.collections import MergeRequest, TagRequest
from lycosa.app.wording import counted
from lycosa.face.cli.look import Json
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.stages import Stages
from lycosa.face.cli.terminal import Terminal
from lycosa.system.errors import Code, Refused

app = typer.Typer(help="Collections as a whole: rename, tag, merge and delete them.", no_args_is_help=True)
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a collection.")]


@app.command()
def rename(folder: Folder, name: Annotated[str, typer.Argument(help="The new name of the folder.")]) -> None:
    """Rename the folder of a collection, and print its new path."""
    from lycosa.app import collection_care

    print(collection_care.rename(folder, name))


@app.command()
@from_request(TagRequest, before=["folder"])
def tag(request: TagRequest, folder: Folder, json: Json = False) -> None:
    """Add tags to a collection, remove some, or show those that it has."""
    from lycosa.app.answers.collections import CollectionTags
    from lycosa.store.collection import Collection
    from lycosa.store.labels import change_tags, read_tags

    Collection.open(folder).close()
    changes = request.add or request.remove
    tags = change_tags(folder, request.add, request.remove) if changes else read_tags(folder)
    if json:
        print(json_format.dumps(to_builtins(CollectionTags(name=folder.name, tags=tags))))
    else:
        print(", ".join(tags) or "no tags; add some with --add")


@app.command()
@from_request(MergeRequest, arguments=["collections"])
def merge(
    request: MergeRequest,
    out: Annotated[Path, typer.Option(help="Folder of the new collection.")],
    json: Json = False,
) -> None:
    """Make a new collection of the pages of several: each page once, as it was fetched last."""
    from lycosa.app import collection_care
    from lycosa.app.answers.collections import CollectionsMerged

    named = {str(folder): Path(folder) for folder in request.collections}
    with Stages() as stages:
        merged = collection_care.merge_collections(named, out, request.min_relevance, stages)
    answer = CollectionsMerged(name=out.name, collections=tuple(named), pages=merged.pages, lost=len(merged.lost))
    if json:
        print(json_format.dumps(to_builtins(answer)))
        return
    verb = "is" if answer.pages == 1 else "are"
    print(f"{counted(answer.pages, 'page')} of {len(named)} collections {verb} in {out}")
    if answer.lost:
        Terminal(stderr=True).print(f"left out, because their records are damaged: {counted(answer.lost, 'page')}")


@app.command()
def delete(
    folder: Folder, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, json: Json = False
) -> None:
    """Delete a collection with all its pages, for good."""
    from lycosa.app import collection_care
    from lycosa.app.answers.collections import CollectionDeleted
    from lycosa.store.collection import Collection

    with Collection.open(folder) as collection:
        pages = collection.log.page_count()
    if not yes:
        if not sys.stdin.isatty():
            fix = "say --yes to delete it without being asked"
            raise Refused(f"{folder} has {counted(pages, 'page')}", fix, code=Code.MISSING, field="yes")
        typer.confirm(f"Delete {folder} with {counted(pages, 'page')} for good?", abort=True)
    answer = CollectionDeleted(name=folder.name, pages=collection_care.delete(folder))
    if json:
        print(json_format.dumps(to_builtins(answer)))
    else:
        print(f"{folder} is deleted, with {counted(answer.pages, 'page')}")
