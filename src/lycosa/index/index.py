"""The index of a collection: what pages say, what others say about them, and how well known they are, in one answer.

    content/         what pages say (content.py)
    references/      what others say about them (references.py)
    popularity       their PageRanks (page_ranks.py), as of the last `settle`
    templates        what the pages of each site repeat (site_templates.py), as of the last `settle`
    relevance        how relevant each page is by now (relevances.py)
    state.json       how far the log was read
    lock             held by the process that writes

All of it can be deleted at any time: it is rebuilt from the store.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct

from lycosa.core.keys import key64
from lycosa.core.priors import Background
from lycosa.index.checked_files import read_summed, write_summed
from lycosa.index.completing_texts import completer_of, words_for
from lycosa.index.completion import Completer, Completing
from lycosa.index.content import Content
from lycosa.index.hub_ranking import hubs
from lycosa.index.index_errors import ANEW, Busy, DamagedFile, OtherVersion, Unreadable, Unwritable, damaged
from lycosa.index.index_words import whole_letters
from lycosa.index.language import language_of
from lycosa.index.near_duplicates import fingerprint
from lycosa.index.page_ranks import FILE as RANKS
from lycosa.index.page_ranks import PageRanks
from lycosa.index.query_parser import ask
from lycosa.index.references import References
from lycosa.index.relevances import Relevances
from lycosa.index.search import search, similar
from lycosa.index.search_types import Answer, Document, Filters, Question, Ranked, Voter
from lycosa.index.site_templates import SiteTemplates
from lycosa.system.closable import Closable
from lycosa.system.errors import Code, Refused
from lycosa.system.os_errors import of_system

VERSION = 5
"""The version of everything in the folder; an index of another version is deleted and rebuilt."""
STATE, _LOCK = "state.json", "lock"
_PARTS = ("content/meta.json", "references/list.json")
"""Files that exist as soon as anything was committed."""
_FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)
_ANY = Filters()


class IndexState(Struct):
    """The state of an index."""

    version: int = VERSION
    seq: int = 0
    mark: int = 0
    settled: bool = False
    """Whether nothing was committed since the last `settle`."""
    unread: int = 0
    """How many pages are not in the index because their archived record is damaged."""
    withheld: tuple[int, ...] = ()
    """Keys of pages that are never shown, whatever others say about them."""


class Index(Closable):
    """An open index; close it, or use it in a `with` statement."""

    def __init__(self, folder: Path, lock: int | None) -> None:
        self.folder = folder
        self._lock = lock
        write = lock is not None
        self._state = read_state(folder)
        self.withheld = set(self._state.withheld)
        """Keys (`key64`) of the URLs that are never in an answer."""
        with ExitStack() as opened:
            self.relevances = Relevances(folder)
            self.templates = SiteTemplates(folder)
            content = Content(folder / "content", write=write, relevances=self.relevances, templates=self.templates)
            self.content = opened.enter_context(closing(content))
            self.references = References(folder, write=write)
            self.page_ranks = PageRanks(folder)
            self._completer: Completer | None = None
            opened.pop_all()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The index in a folder, for reading."""
        if not (folder / STATE).is_file():
            fix = "search a collection: its index is made when it is needed"
            raise Refused(f"{folder} is not an index", fix, code=Code.NOT_A_COLLECTION)
        return cls(folder, None)

    @classmethod
    def write(cls, folder: Path) -> Self:
        """The index in a folder, for writing; made if there is none, and rebuilt if it cannot be used.

        Raises Busy if another process writes it.
        """
        lock = _locked(folder)
        try:
            try:
                index = cls(folder, lock)
            except Unreadable:
                _empty(folder)
                index = cls(folder, lock)
            write_summed(folder / STATE, index._state)
            return index
        except BaseException:
            os.close(lock)
            raise

    @staticmethod
    def discard(folder: Path) -> None:
        """Delete the index in a folder; raises Busy if a process writes it, Unwritable if it cannot be written."""
        lock = _locked(folder)
        try:
            _empty(folder)
        finally:
            os.close(lock)

    def close(self) -> None:
        """Close every file; uncommitted data is lost."""
        self.content.close()
        self.references.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # -- writing ------------------------------------------------------------------------------------------------------

    @property
    def progress(self) -> tuple[int, int]:
        """How far the log was read: the number of the last event, and its mark."""
        return self._state.seq, self._state.mark

    def add(self, document: Document) -> None:
        """Add a page, replacing its earlier version."""
        self.withheld.discard(key64(document.url))
        language = language_of(document.text, document.language)
        self.content.add(document, twin=fingerprint(document.text), language=language)
        self.references.add(document)

    def remove(self, url: str) -> None:
        """Remove a page and what it says about others."""
        self.content.remove(url)
        self.references.remove(url)

    def withhold(self, url: str) -> None:
        """Remove a page, and never show it even if others refer to it: it asks not to be indexed."""
        self.remove(url)
        self.withheld.add(key64(url))

    @property
    def unread(self) -> int:
        """How many pages are missing because their archived record is damaged."""
        return self._state.unread

    def commit(self, seq: int, mark: int, unread: int = 0) -> None:
        """Make everything added so far permanent and searchable, then note how far the log was read."""
        self.references.commit()
        self.content.commit()
        self._state = IndexState(VERSION, seq, mark, unread=unread, withheld=tuple(sorted(self.withheld)))
        write_summed(self.folder / STATE, self._state)

    def settle(self) -> None:
        """Do what depends on all pages: merge the references into one segment, compute PageRanks and templates."""
        self.references.compact()
        self.page_ranks.compute(self.references)
        self.content.compare(self.templates)
        self._state = msgspec.structs.replace(self._state, settled=True)
        write_summed(self.folder / STATE, self._state)

    @property
    def settled(self) -> bool:
        """Whether nothing was committed since it was last settled."""
        return self._state.settled

    def clear(self) -> None:
        """Remove everything."""
        self.withheld.clear()
        self.content.clear()
        self.references.clear()
        self.page_ranks.clear()
        self.relevances.clear()
        self.templates.clear()
        self.commit(0, 0)

    # -- reading ------------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.content)

    def reload(self) -> bool:
        """Read what a writer has committed since; return whether there is anything new."""
        self._state = read_state(self.folder)
        self.withheld = set(self._state.withheld)
        content, references = self.content.reload(), self.references.reload()
        ranks, relevances = self.page_ranks.reload(), self.relevances.reload()
        if content or references or ranks:
            self._completer = None
        return self.templates.reload() or content or references or ranks or relevances

    def holds(self, url: str) -> bool:
        """Whether the page is in the index as a fetched page."""
        return self.content.holds(url)

    def text(self, url: str) -> str | None:
        """The text of a page."""
        return self.content.text(url)

    def urls(self) -> list[str]:
        """The URLs of all pages."""
        return self.content.urls()

    def background(self) -> Background:
        """The document frequencies of words in the index."""
        return self.content.background()

    def inlinks(self, url: str, limit: int = 20) -> list[str]:
        """Pages that link to a URL."""
        return self.references.inlinks(url, limit)

    def votes(self, url: str, limit: int = 10) -> list[tuple[str, int]]:
        """The terms that others use for a URL, and how many of them use each."""
        return self.references.votes(url, limit)

    def voters(self, url: str, term: str = "", limit: int = 20) -> list[Voter]:
        """The pages that use a term (default: any) when they link to a URL, and their words."""
        found = self.references.voters(url, term, limit)
        titles = self.content.titles([voter.url for voter in found])
        return [msgspec.structs.replace(voter, title=titles.get(voter.url, "")) for voter in found]

    def described(self, text: str, limit: int = 5000) -> dict[str, float]:
        """How well others' words about each URL match a query; the best has 1."""
        asked = ask(text)
        voted = self.references.find(asked.words, asked.phrases, limit)
        best = max((each.score for each in voted), default=0.0) or 1.0
        return {each.url: each.score / best for each in voted}

    def search(self, question: Question) -> Answer:
        """The best results for a query."""
        answer = search(self, question)
        if self.unread:
            lacking = f"the archived records of {self.unread:,} pages are damaged, which cannot be found"
            answer.remark = "; ".join(filter(None, (answer.remark, lacking)))
        return answer

    def complete(self, typed: str, limit: int = 8) -> list[tuple[float, Completing]]:
        """Titles, names and words that complete what was typed so far, best first, with their scores."""
        if self._completer is None:
            self._completer = completer_of(self)
        typed = whole_letters(typed)
        found = self._completer.complete(typed, limit)
        return found if len(found) >= limit else [*found, *words_for(self, typed, limit - len(found))]

    def similar(self, url: str, limit: int = 10, filters: Filters = _ANY) -> Answer:
        """Pages with text similar to a page's."""
        return similar(self, url, limit, filters)

    def hubs(self, topic: str = "", limit: int = 10) -> tuple[list[Ranked], list[Ranked]]:
        """The best hubs and authorities: among all pages, or among those about a topic and their neighbours."""
        return hubs(self, topic, limit)


def _locked(folder: Path) -> int:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        if error.errno not in _FORBIDDEN:
            raise of_system(folder, error) from error
        fix = "copy the collection to where you may write: its index has to be made"
        raise Unwritable(f"cannot write to {folder} ({error.strerror})", fix) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise Busy(f"{folder} is being written by another process", "wait for its end") from None
    return lock


def read_state(folder: Path) -> IndexState:
    """The state of the index in a folder; raises Unreadable if it is damaged or of another version."""
    try:
        state = read_summed(folder / STATE, IndexState)
    except FileNotFoundError:
        return IndexState()
    except (OSError, DamagedFile) as error:
        if not _is_without_sum(folder / STATE):
            raise damaged(folder / STATE, error) from None
        state = IndexState(0)
    if state.version != VERSION:
        raise OtherVersion(f"the index {folder} was made by another version of Lycosa", ANEW)
    needed = [*_PARTS, RANKS] if state.settled else _PARTS
    if missing := [part for part in needed if state.seq and not (folder / part).is_file()]:
        raise damaged(folder / missing[0], "it is missing")
    return state


def _is_without_sum(path: Path) -> bool:
    """Whether this file is in the format of the first version, without a checksum."""
    try:
        return "version" in msgspec.json.decode(path.read_bytes(), type=dict)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False


def _empty(folder: Path) -> None:
    # First, so that processes that have it open see that it is gone.
    (folder / STATE).unlink(missing_ok=True)
    for entry in folder.iterdir():
        if entry.name == _LOCK:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
