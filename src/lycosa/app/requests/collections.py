"""Requests that change collections as a whole: tags, and merging."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from lycosa.app.requests.option import Option, Request


class TagRequest(Request, frozen=True, kw_only=True):
    """Which tags a collection gets, and which it loses."""

    add: Annotated[Sequence[str], Option("Tag to add.", max_length=50)] = ()
    remove: Annotated[Sequence[str], Option("Tag to remove.", max_length=50)] = ()


class MergeRequest(Request, frozen=True, kw_only=True):
    """Which collections are merged into a new one."""

    collections: Annotated[
        Sequence[str],
        Option(
            "Collection to merge; its pages are copied, and it stays as it is.",
            max_length=20,
            each="collection",
            required_remotely=True,
        ),
    ] = ()
    name: Annotated[
        str, Option("Name of the new collection.", max_length=80, server_only=True, unset="made from the topics")
    ] = ""
    min_relevance: Annotated[
        float | None, Option("Only pages that are on topic with at least this probability (0 to 1).", low=0, high=1)
    ] = None
