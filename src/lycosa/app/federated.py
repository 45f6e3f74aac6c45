"""Search several collections at once: one ranking, each page once, every result with the collection it is from.

They are searched as if they were one (index/candidates.py): word frequencies are taken over all of them, so the scores
of their pages can be compared. A collection that cannot be searched does not affect the results of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from msgspec.structs import asdict

from lycosa.app.answers.search import NearDuplicate, SearchAnswer, SearchResult
from lycosa.app.index_pool import whole
from lycosa.index.index import Index
from lycosa.index.index_errors import Unreadable
from lycosa.index.search import search_all
from lycosa.index.search_types import Hit, Joint, Question
from lycosa.system.errors import Refused

Opening = Callable[[Path], AbstractContextManager[Index]]
"""How an index is opened: anew each time, or from those that a server keeps open."""


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


def ask_several(folders: Mapping[str, Path], question: Question, opening: Opening) -> SearchAnswer:
    """Search several collections."""
    with opened(folders, opening) as (indexes, refused):
        joint = _answer(folders, indexes, refused, question)
        # Callers know collections by name; paths of folders are not shown.
        problems = {name: problem.problem.replace(str(folders[name]), name) for name, problem in refused.items()}
        return _findings(joint, indexes, problems)


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


def _findings(joint: Joint, indexes: Mapping[str, Index], problems: Mapping[str, str]) -> SearchAnswer:
    names, answer = list(indexes), joint.answer
    remarks = [answer.remark] if answer.remark else []
    remarks += [f"{name} could not be asked: {problem}" for name, problem in problems.items()]
    remarks += [f"{name} holds no page yet" for name, index in indexes.items() if not len(index)]
    remarks += [
        f"the archived records of {index.unread:,} pages of {name} are damaged, which cannot be found"
        for name, index in indexes.items()
        if index.unread
    ]
    return SearchAnswer(
        results=results_of(answer.hits, lambda url: [names[number] for number in joint.homes.get(url) or (0,)]),
        total=answer.total,
        exact=joint.exact,
        more=joint.more,
        corrected=answer.corrected,
        suggestion=answer.suggestion,
        facets=answer.facets,
        remark="; ".join(remarks),
        asked={name: len(index) for name, index in indexes.items()},
        left_out=dict(problems),
    )


def results_of(hits: Iterable[Hit], homes: Callable[[str], Sequence[str]]) -> list[SearchResult]:
    """Hits as results; `homes` names the collections that have a URL, the one whose copy is shown first."""
    found = []
    for hit in hits:
        fields = asdict(hit)
        copies = tuple(NearDuplicate(url, homes(url)[0]) for url in fields.pop("twins"))
        where = tuple(homes(hit.url))
        found.append(SearchResult(**fields, collection=where[0], collections=where, copies=copies))
    return found
