"""A bookmarks file (a browser's export, OPML or plain URLs), ranked by the words of titles, folders and addresses."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import ClassVar

from lycosa.app.finders.finder import Finder, FoundPage, register
from lycosa.community.bookmarks import Bookmark, read_bookmarks
from lycosa.core.words import terms
from lycosa.system.errors import Code, Refused


@register("bookmarks")
@dataclass
class BookmarksFile(Finder):
    """Search a bookmarks file; bookmarks without a word of the topic are left out."""

    refines: ClassVar[bool] = False
    file: str = ""
    """The file."""

    @property
    def label(self) -> str:
        """The name of the file."""
        return f"bookmarks in {Path(self.file).name}"

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The bookmarks with the rarest words of the query first, those with more of them before others."""
        if not self.file:
            problem, fix = "finder bookmarks needs its option file", "write it like bookmarks:file=bookmarks.html"
            raise Refused(problem, fix, code=Code.MISSING, field="find")
        try:
            bookmarks = read_bookmarks(Path(self.file).expanduser())
        except Refused as refused:
            # On a server, other machines need not know where the file is.
            problem = refused.problem.replace(str(Path(self.file).expanduser()), Path(self.file).name)
            raise Refused(problem, refused.fix, code=refused.code, field="find") from None
        wanted = set(terms(query))
        held = [wanted & set(terms(_text(one))) for one in bookmarks]
        common = Counter(term for has in held for term in has)
        rarity = {term: log(1 + len(bookmarks) / count) for term, count in common.items()}
        scores = [sum(rarity[term] for term in has) for has in held]
        best = sorted((at for at, score in enumerate(scores) if score), key=lambda at: (-scores[at], at))
        return [self._found(bookmarks[at]) for at in best[:limit]]

    def _found(self, one: Bookmark) -> FoundPage:
        return FoundPage(one.url, one.title, f"a bookmark in {one.folder}" if one.folder else "a bookmark")


def _text(one: Bookmark) -> str:
    return f"{one.title} {one.description} {one.folder} {one.url.partition('//')[2]}"
