"""Search several collections at once: one ranking, each page once, every result with the collection it is from.

They are searched as if they were one (index/candidates.py): word frequencies are taken over all of them, so the scores
of their pages can be compared. A collection that cannot be searched does not affect the results of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from lycosa.app.index_pool import whole
from lycosa.index.index import Index
from lycosa.index.index_errors import Unreadable
from lycosa.index.search import search_all
from lycosa.index.search_types import Hit, Joint, Question
from lycosa.system.errors import Refused

Opening = Callable[[Path], AbstractContextManager[Index]]
"""How an index is opened: anew each time, or from those that a server keeps open."""


class Twin(Struct, frozen=True):
    """A near-duplicate of a result."""

    url: str
    collection: str


class FederatedHit(Hit, kw_only=True):
    """A result, and the collections it is from."""

    collection: str
    """The collection whose copy is shown."""
    collections: tuple[str, ...]
    """All collections that have the page."""
    copies: tuple[Twin, ...] = ()
    """Its near-duplicates, and the collection of each."""


class FederatedAnswer(Struct, kw_only=True):
    """The combined answer of several collections."""

    hits: list[FederatedHit]
    total: int
    """How many results there are in all, near-duplicates included."""
    exact: bool
    """False where total and facets may count a page once for each collection that has it."""
    more: bool
    """Whether there is another page of results."""
    suggestion: str = ""
    facets: dict[str, dict[str, int]] = {}
    """How many results by host, category and language."""
    remark: str = ""
    asked: dict[str, int] = {}
    """The collections that answered, and how many pages each has."""
    left_out: dict[str, str] = {}
    """The collections that could not answer, and why."""
    remembered: list[str] = []
    """The communities that logged the query."""


@contextmanager
def opened(folders: Mapping[str, Path], opening: Opening) -> Iterator[tuple[dict[str, Index], dict[str, Refused]]]:
    """Open the indexes of collections, by name, with the problems of the rest; Refused if none can be opened."""
    with ExitStack() as stack:
        indexes: dict[str, Index] = {}
        refused: dict[str, Refused] = {}
        # All callers open several indexes in the same order, so that no two of them deadlock.
        for name, folder in sorted(folders.items(), key=lambda item: str(item[1])):
            try:
                indexes[name] = stack.enter_context(opening(folder))
            except Refused as problem:
                refused[name] = problem
        if refused and not indexes:
            raise next(iter(refused.values()))
        yield {name: indexes[name] for name in folders if name in indexes}, refused


def ask_several(folders: Mapping[str, Path], question: Question, opening: Opening) -> FederatedAnswer:
    """Search several collections."""
    with opened(folders, opening) as (indexes, refused):
        joint = _answer(folders, indexes, refused, question)
        pages = {name: len(index) for name, index in indexes.items()}
    # Callers know collections by name; paths of folders are not shown.
    problems = {name: problem.problem.replace(str(folders[name]), name) for name, problem in refused.items()}
    return _findings(joint, pages, problems)


def _answer(
    folders: Mapping[str, Path], indexes: dict[str, Index], refused: dict[str, Refused], question: Question
) -> Joint:
    """The answer of all indexes that work; the others are moved from `indexes` to `refused`."""
    if len(indexes) == 1:
        (name,) = indexes
        with whole(folders[name]):
            return search_all([indexes[name]], question)
    try:
        return search_all(list(indexes.values()), question)
    except BaseException as error:
        if isinstance(error, Refused) and not isinstance(error, Unreadable):
            raise
        # Some index is damaged, or a library failed on it: search each alone to find out which.
        for name, index in list(indexes.items()):
            try:
                with whole(folders[name]):
                    index.search(question)
            except Refused as problem:
                refused[name] = problem
                del indexes[name]
        if not refused:
            raise
        if not indexes:
            raise next(iter(refused.values())) from None
        return _answer(folders, indexes, refused, question)


def _findings(joint: Joint, pages: dict[str, int], problems: Mapping[str, str]) -> FederatedAnswer:
    names, answer = list(pages), joint.answer

    def homes(url: str) -> tuple[str, ...]:
        return tuple(names[number] for number in joint.homes[url]) if joint.homes.get(url) else (names[0],)

    hits = []
    for hit in answer.hits:
        copies = tuple(Twin(url, homes(url)[0]) for url in hit.twins)
        first, *_ = where = homes(hit.url)
        hits.append(FederatedHit(**asdict(hit), collection=first, collections=where, copies=copies))
    remarks = [answer.remark] if answer.remark else []
    remarks += [f"{name} could not be asked: {problem}" for name, problem in problems.items()]
    remarks += [f"{name} holds no page yet" for name, count in pages.items() if not count]
    return FederatedAnswer(
        hits=hits,
        total=answer.total,
        exact=joint.exact,
        more=joint.more,
        suggestion=answer.suggestion,
        facets=answer.facets,
        remark="; ".join(remarks),
        asked=pages,
        left_out=dict(problems),
    )
