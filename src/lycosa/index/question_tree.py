"""A question as an expression: what pages must satisfy, as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from lycosa.index.search_types import Filters


class Node(Struct, frozen=True, tag=True):
    """A condition that a page satisfies or not."""


class OneWord(Node, frozen=True):
    """The page contains a word in any form."""

    word: str


class ExactPhrase(Node, frozen=True):
    """The page contains these words as they are, in this order."""

    words: tuple[str, ...]
    moved: int = 0
    """By how many places the words may be moved altogether."""


class NearWords(Node, frozen=True):
    """The page contains two words in any form, in either order."""

    one: str
    other: str
    between: int
    """How many words may be between them."""


class WordStart(Node, frozen=True):
    """The page contains a word that begins so."""

    start: str


class InField(Node, frozen=True):
    """A field of the page (title, url) satisfies a condition on words."""

    field: str
    what: OneWord | ExactPhrase | WordStart


class Passing(Node, frozen=True):
    """The page passes filters."""

    filters: Filters


class Every(Node, frozen=True):
    """The page satisfies all of these."""

    parts: tuple[Node, ...]


class Either(Node, frozen=True):
    """The page satisfies at least one of these."""

    parts: tuple[Node, ...]


class Without(Node, frozen=True):
    """The page does not satisfy this."""

    part: Node


def every(parts: Iterable[Node]) -> Node | None:
    """The condition that all of these hold; None if there are none."""
    return _joined(Every, parts)


def either(parts: Iterable[Node]) -> Node | None:
    """The condition that at least one of these holds; None if there are none."""
    return _joined(Either, parts)


def _joined(kind: type[Every | Either], parts: Iterable[Node]) -> Node | None:
    flat: dict[Node, None] = {}
    for part in parts:
        flat.update(dict.fromkeys(part.parts if isinstance(part, kind) else (part,)))
    several = tuple(flat)
    return kind(several) if len(several) > 1 else several[0] if several else None


def conjuncts(node: Node | None) -> tuple[Node, ...]:
    """The conditions that must all hold."""
    return () if node is None else node.parts if isinstance(node, Every) else (node,)


def wanted_leaves(node: Node | None, *, wanted: bool = True) -> Iterator[Node]:
    """The conditions on words and filters that are not negated, from left to right."""
    if isinstance(node, Every | Either):
        for part in node.parts:
            yield from wanted_leaves(part, wanted=wanted)
    elif isinstance(node, Without):
        yield from wanted_leaves(node.part, wanted=not wanted)
    elif node is not None and wanted:
        yield node


def is_only_negative(node: Node | None) -> bool:
    """Whether a condition says only what pages must not be."""
    return node is not None and next(wanted_leaves(node), None) is None
