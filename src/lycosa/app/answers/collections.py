"""The answers to changes of collections as a whole."""

from __future__ import annotations

from msgspec import Struct


class CollectionTags(Struct, kw_only=True):
    """The tags of a collection."""

    name: str
    tags: tuple[str, ...]


class CollectionRenamed(Struct, kw_only=True):
    """A collection that has a new name."""

    name: str
    before: str


class CollectionDeleted(Struct, kw_only=True):
    """A collection that is gone."""

    name: str
    pages: int
    """How many pages it had."""


class CollectionsMerged(Struct, kw_only=True):
    """A collection that was made from others."""

    name: str
    collections: tuple[str, ...]
    pages: int
    lost: int
    """Pages that were left out because their archived record is missing or damaged."""
