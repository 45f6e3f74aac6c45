"""`lycosa community bookmarks`: the pages that no refresh removes from a community's collection."""

from __future__ import annotations

import json as json_format
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from typer import Argument, Option

from lycosa.app.requests.community import BookmarksRequest
from lycosa.app.wording import counted, printable
from lycosa.face.cli.request_options import from_request
from lycosa.face.cli.terminal import Terminal

app = typer.Typer(help="Bookmarks of a community: pages that no refresh removes.", no_args_is_help=True)

Folder = Annotated[Path, Argument(help="Folder of the community.")]
Json = Annotated[bool, Option("--json", help="Print only one JSON object.")]
_STATES = {"held": "in the collection", "gone": "gone from the Web", "waiting": "not fetched yet"}


@app.command("list")
def list_(folder: Folder, json: Json = False) -> None:
    """List the bookmarks with what the collection has of each."""
    from lycosa.app import community_bookmarks

    found = community_bookmarks.listed(folder)
    if json:
        print(json_format.dumps(found))
        return
    console = Terminal()
    for one in found:
        why = f" ({one['why']})" if one["why"] else ""
        line = f"{_STATES[one['state']]:<18} {one['url']}{why}  {one['title']}"
        console.print(Text(printable(line.rstrip())), soft_wrap=True)
    states = Counter(one["state"] for one in found)
    told = ", ".join(f"{states[state]:,} {words}" for state, words in _STATES.items() if states[state])
    console.print(": ".join(filter(None, (counted(len(found), "bookmark"), told))), soft_wrap=True)


@app.command()
@from_request(BookmarksRequest, arguments=["urls"], before=["folder"])
def add(request: BookmarksRequest, folder: Folder, json: Json = False) -> None:
    """Add bookmarks; the next refresh fetches their pages, and no refresh removes them."""
    from lycosa.app import community_bookmarks

    new = community_bookmarks.add(folder, request)
    if json:
        print(json_format.dumps({"added": new}))
        return
    told = f"{counted(len(new), 'bookmark')} added; fetch with: lycosa community refresh {folder}"
    Terminal().print(told if new else "all of them are bookmarks already", soft_wrap=True)


@app.command()
def remove(
    folder: Folder, urls: Annotated[list[str], Argument(help="URLs of the bookmarks.")], json: Json = False
) -> None:
    """Remove bookmarks; their pages stay until a refresh needs their places."""
    from lycosa.app import community_bookmarks

    gone = community_bookmarks.remove(folder, urls)
    if json:
        print(json_format.dumps({"removed": gone}))
    else:
        Terminal().print(f"{counted(len(gone), 'bookmark')} removed")
