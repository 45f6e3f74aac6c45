"""Complete a question while it is typed: from titles, names that others use, words of pages, and earlier questions."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from math import log2
from pathlib import Path

from msgspec import Struct

from lycosa.app.answers.search import Completion, Completions
from lycosa.app.communities import is_community
from lycosa.app.federated import Opening, opened
from lycosa.app.index_pool import open_index
from lycosa.app.requests.option import takes_after_folder
from lycosa.app.requests.search import CompleteRequest
from lycosa.app.search import Folders, by_name
from lycosa.community.home import Home
from lycosa.index.completion import QUESTION, Completer, Completing, best_of, marks_of
from lycosa.system.errors import Refused
from lycosa.system.file_stamps import FileIdentity, identity

TWICE = 2
"""How often a question must have been asked, so that nobody is shown what a single person asked once."""
QUESTIONS = 2.0
"""What an earlier question gets, in the units of titles."""
READ_AGAIN = 60.0
"""Seconds after which a query log that has only grown is read again."""
_KEPT = 64


class _Asked(Struct):
    """The earlier questions of a community."""

    stamp: FileIdentity
    at: float
    completer: Completer


_NONE = Completer(())
_questions: OrderedDict[Path, _Asked] = OrderedDict()
_lock = threading.Lock()


@takes_after_folder(CompleteRequest)
def complete(folder: str | Path, request: CompleteRequest) -> Completions:
    """What a question that is being typed may become, from a collection or community."""
    return complete_many([folder], request)


def complete_many(folders: Folders, request: CompleteRequest, *, opening: Opening = open_index) -> Completions:
    """The same from several collections; those that cannot be searched are left out."""
    began = time.perf_counter()
    named, limit = by_name(folders), request.limit
    found: list[list[tuple[float, Completing]]] = []
    completions: list[Completion] = []
    if request.query.strip():
        with opened(named, opening) as (indexes, _):
            found += [index.complete(request.query, limit) for index in indexes.values()]
            found += [_asked(folder).complete(request.query, limit) for folder in named.values()]
            for each in best_of(found, limit):
                marks = marks_of(each.text, request.query)
                completions.append(Completion(each.text, marks, each.kind, each.times, each.url))
    return Completions(completions=completions, took_ms=round((time.perf_counter() - began) * 1000, 3))


def _asked(folder: Path) -> Completer:
    """The earlier questions of a community that found something; none for a collection, or if it logs none."""
    if not is_community(folder):
        return _NONE
    try:
        home = Home.open(folder, searching=True)
        log = home.queries
        now = identity(log.file) if home.settings.log_queries else None
    except Refused:
        return _NONE
    if now is None:
        return _NONE
    with _lock:
        known = _questions.get(folder)
        if known and (known.stamp == now or _has_only_grown(known, now)):
            return known.completer
        asked = [one for one in log.interests() if one.times >= TWICE and one.results]
        found = Completer(Completing(one.text, QUESTIONS + log2(one.times), QUESTION, times=one.times) for one in asked)
        _questions[folder] = _Asked(now, time.monotonic(), found)
        _questions.move_to_end(folder)
        if len(_questions) > _KEPT:
            _questions.popitem(last=False)
        return found


def _has_only_grown(known: _Asked, now: FileIdentity) -> bool:
    """Whether a log that was read lately has the same questions and some more; not if any were deleted."""
    file, _, size = known.stamp
    return file == now[0] and size <= now[2] and time.monotonic() < known.at + READ_AGAIN
