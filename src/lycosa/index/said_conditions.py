"""What is known of a page from others only: its URL, and the words with which they refer to it."""

from __future__ import annotations

from collections.abc import Iterable

from lycosa.core.urls import host_of
from lycosa.index.question_tree import Either, Every, ExactPhrase, Node, OneWord, Passing, Without
from lycosa.index.references import Voted
from lycosa.index.search_types import Filters


def is_said(node: Node, voted: Voted) -> bool:
    """Whether it is certain, without its text, that a page satisfies a condition."""
    return _certain(node, voted) is True


def _certain(node: Node, voted: Voted) -> bool | None:
    """Whether a page satisfies a condition; None if its text would have to be known."""
    match node:
        case OneWord(word):
            return True if word in voted.votes else None
        case ExactPhrase(words, 0):
            return True if " ".join(words) in voted.votes else None
        case Passing(filters) if filters == Filters(hosts=filters.hosts):
            return under(voted.url, filters.hosts)
        case Without(part):
            known = _certain(part, voted)
            return None if known is None else not known
        case Every(parts):
            found = [_certain(part, voted) for part in parts]
            return False if False in found else None if None in found else True
        case Either(parts):
            found = [_certain(part, voted) for part in parts]
            return True if True in found else None if None in found else False
    return None


def under(url: str, hosts: Iterable[str]) -> bool:
    """Whether a URL is under one of these hosts; any is if there are none."""
    wanted = list(hosts)
    host = host_of(url).partition(":")[0]
    return not wanted or any(host == each or host.endswith(f".{each}") for each in wanted)
