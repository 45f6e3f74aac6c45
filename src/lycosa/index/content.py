"""The content index: which pages match a query by what they say.

    meta.json, ...   a tantivy index: the words, and the place of each page
    pages.N          what is shown of each page, and its text (page_store.py)

One process writes, any number read; what they see changes only when they `reload`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from heapq import nlargest
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from tantivy import DocAddress, Index, IndexWriter, Query, Searcher

from lycosa.core.keys import key64
from lycosa.core.priors import SAMPLE, Background
from lycosa.core.urls import host_of
from lycosa.core.words import terms
from lycosa.index.expansion import Dictionary
from lycosa.index.facets import Facets, FieldGroup, counted_facets, facets, group_of, summed_facets
from lycosa.index.index_errors import Busy, Unreadable
from lycosa.index.matching import Matcher, these
from lycosa.index.page_store import PageHead, PageStore, PagesWriter
from lycosa.index.query_parser import ANY, ParsedQuestion
from lycosa.index.relevances import Relevances
from lycosa.index.relevant_hits import RelevantHits, TantivyHit, current_relevance, demands_relevance, relevant
from lycosa.index.schema import SCHEMA, entry, open_index, whole
from lycosa.index.search_types import Document, Filters, Hit
from lycosa.index.site_templates import SiteTemplates
from lycosa.index.snippets import Snippets
from lycosa.index.tantivy_files import META, TantivyFiles, share
from lycosa.index.title_match import TitleMatcher
from lycosa.system.closable import Closable
from lycosa.system.errors import Refused
from lycosa.system.file_stamps import identity

HEAP = 40_000_000
"""Bytes of words that are collected in memory before they are written."""
TITLE = 300
"""Characters of a title that are shown."""
TRIES = 50
"""How often a reader tries to open a state that no writer is replacing."""
COUNTED = 1000
"""Most results of several indexes that are counted one by one, so that a page in two of them counts once."""


class Match(Struct, frozen=True, gc=False):
    """A page that was found."""

    url: str
    score: float
    twin: int
    place: int
    """Its place in the page store, which never changes."""
    size: int = 0
    """Bytes of its text."""
    relevance: float | None = None
    """When it was indexed."""


class ContentMatches(Struct):
    """The best pages, and how many there are in all."""

    total: int
    matches: list[Match]


class _View(Struct):
    """The state that a reader sees until it reloads."""

    searcher: Searcher
    dictionary: Dictionary
    matcher: Matcher


class Content(Closable):
    """The content index in a folder; with `write`, it is made if there is none, and can be added to.

    `relevances` has the current relevance of pages; without it they have the one with which they were indexed.
    `templates` says what snippets should not be taken from.
    """

    def __init__(
        self,
        folder: Path,
        *,
        write: bool = False,
        relevances: Relevances | None = None,
        templates: SiteTemplates | None = None,
    ) -> None:
        self._folder = folder
        self._relevances = relevances
        self._templates = templates
        self._new: set[int] = set()
        self._pages_writer: PagesWriter | None = None
        self._writer: IndexWriter | None = None
        self._files = TantivyFiles(folder)
        self._pages = PageStore(folder)
        self._titles = TitleMatcher()
        self._seen: object = None
        self._index = self._open_to_write() if write else open_index(None)
        self._view = self._look()

    def _open_to_write(self) -> Index:
        self._folder.mkdir(parents=True, exist_ok=True)
        index = self._files.open(write=True)
        self._pages_writer = PagesWriter(self._folder)
        try:
            self._writer = index.writer(HEAP, 1)
        except ValueError:
            self._pages_writer.close()
            raise Busy(f"{self._folder} is being written by another process", "wait for its end") from None
        return index

    # -- writing ------------------------------------------------------------------------------------------------------

    def add(self, document: Document, *, twin: int, language: str) -> None:
        """Add a page, replacing the earlier version under its URL."""
        assert self._writer is not None and self._pages_writer is not None
        page, raw = whole(document)
        key = self._replace(page.url)
        title, size = page.title[:TITLE], len(raw)
        head = PageHead(page.url, title, language, page.category, page.relevance, page.at, twin, size, page.type)
        place = self._pages_writer.add(head, raw)
        self._writer.add_document(entry(page, raw, language, key, place))

    def remove(self, url: str) -> None:
        """Remove a page."""
        self._new.discard(self._replace(url))

    def _replace(self, url: str) -> int:
        """Delete the earlier version of a page, and return the page's key."""
        assert self._writer is not None
        key = key64(url)
        if key in self._new or self._view.searcher.doc_freq("key", key):
            # Deleting by term has no effect on unsigned fields in tantivy-py 0.27.
            self._writer.delete_documents_by_query(Query.term_query(SCHEMA, "key", key))
        self._new.add(key)
        return key

    def commit(self) -> None:
        """Make everything so far permanent, and searchable for readers that reload."""
        assert self._writer is not None and self._pages_writer is not None
        self._pages_writer.sync()
        self._writer.commit()
        share(self._folder)
        self._new.clear()
        self.reload()

    def clear(self) -> None:
        """Remove everything permanently."""
        assert self._writer is not None and self._pages_writer is not None
        self._pages_writer.anew()
        self._writer.delete_all_documents()
        self.commit()
        self._pages_writer.forget_old()

    def close(self) -> None:
        """Close every file; uncommitted data is lost."""
        if self._writer is not None and self._pages_writer is not None:
            self._pages_writer.close()
            self._writer.rollback()
            self._writer.wait_merging_threads()
            share(self._folder)
            self._writer = self._pages_writer = None
        self._pages.close()

    # -- reading ------------------------------------------------------------------------------------------------------

    def _look(self) -> _View:
        """The newest state, with all its pages."""
        for _ in range(TRIES):
            self._seen = identity(self._folder / META)
            try:
                files = self._pages.refresh()
                if self._writer is not None:
                    self._index.reload()
                elif self._seen:
                    self._index = self._files.open(write=False)
            except Unreadable:
                if identity(self._folder / META) == self._seen:
                    raise
                continue  # a writer removed merged files
            # Otherwise a writer has cleared the index meanwhile, or committed files that are not checked yet.
            if self._pages.refresh() == files and (self._writer or identity(self._folder / META) == self._seen):
                searcher = self._index.searcher()
                dictionary = Dictionary(searcher)
                return _View(searcher, dictionary, Matcher(dictionary))
        raise Busy(f"{self._folder} changes faster than it can be read", "try again")

    def reload(self) -> bool:
        """Read what was committed since; return whether there is anything new. Earlier matches stay valid."""
        if identity(self._folder / META) == self._seen:
            return False
        self._view = self._look()
        return True

    def is_there(self) -> bool:
        """Whether the pages that are read are still in the folder; else it was deleted, or made anew."""
        return self._pages.is_there()

    def __len__(self) -> int:
        return self._view.searcher.num_docs

    def holds(self, url: str) -> bool:
        """Whether a page is in the index."""
        return bool(self._places([url]))

    def find(self, asked: ParsedQuestion, limit: int) -> ContentMatches:
        """The best pages for a query."""
        query = self._view.matcher.query(asked)
        if query is None or not limit:
            return ContentMatches(0, [])
        return self._found(query, limit, asked.filters, by_relevance=asked.empty)

    def _found(self, query: Query, limit: int, filters: Filters, *, by_relevance: bool = False) -> ContentMatches:
        searcher = self._view.searcher
        if by_relevance or demands_relevance(filters):
            hits = self._relevant(query, filters)
            return ContentMatches(len(hits), self._matches(searcher, hits.best(limit, by_relevance=by_relevance)))
        found = searcher.search(query, limit)
        total: int = found.count  # type: ignore[attr-defined]
        return ContentMatches(total, self._matches(searcher, found.hits))

    def newest(self, asked: ParsedQuestion, limit: int) -> ContentMatches:
        """The pages for a query that were fetched last, each with that time as its score."""
        query, searcher = self._view.matcher.query(asked), self._view.searcher
        if query is None or not limit:
            return ContentMatches(0, [])
        if demands_relevance(asked.filters):
            found = self._found(query, searcher.num_docs, asked.filters)
            dated = [replace(match, score=self._pages.head(match.place).at) for match in found.matches]
            return ContentMatches(found.total, nlargest(limit, dated, key=lambda match: match.score))
        hits = searcher.search(query, limit, order_by_field="at")
        total: int = hits.count  # type: ignore[attr-defined]
        return ContentMatches(total, self._matches(searcher, hits.hits))

    def among(self, asked: ParsedQuestion, urls: Iterable[str]) -> dict[str, Match]:
        """Those of these pages that pass a query's filters and exclusions, scored by its words."""
        wanted = list(urls)
        if not wanted:
            return {}
        view = self._view
        found = view.searcher.search(view.matcher.among(asked, wanted), len(wanted), count=False)
        hits = found.hits
        if demands_relevance(asked.filters):
            hits = relevant(view.searcher, hits, asked.filters, self._relevances).best(len(hits))
        return {match.url: match for match in self._matches(view.searcher, hits)}

    def by_url(self, urls: Iterable[str]) -> dict[str, Match]:
        """Those of these pages that are in the index."""
        return self.among(ParsedQuestion(), urls)

    def hits(self, matches: Iterable[Match], asked: ParsedQuestion) -> list[Hit]:
        """The results to show for matches."""
        dictionary = self._view.dictionary
        words = [*map(dictionary.forms, asked.spoken), *map(dictionary.starting, asked.starts)]
        snippets = Snippets(words, asked.phrases)
        found = []
        for match in matches:
            head = self._pages.head(match.place)
            hit = Hit(head.url, match.score, head.title, host_of(head.url), head.language, head.category)
            hit.relevance, hit.at = current_relevance(head, self._relevances), head.at
            template = self._templates.of(head.url) if self._templates else None
            hit.snippet, hit.marks, hit.pages = snippets.of(self._pages.text(match.place), template)
            found.append(hit)
        return found

    def compare(self, templates: SiteTemplates) -> None:
        """Compute what the pages of each site repeat. A damaged page says nothing; who asks for it is told."""
        places: dict[str, int] = {}
        for place in self._all():
            with suppress(Unreadable):
                places[self._pages.head(place).url] = place

        def text(url: str) -> bytes:
            with suppress(Unreadable):
                return self._pages.text(places[url])
            return b""

        templates.compute(places, text)

    def title_matches(self, asked: ParsedQuestion, matches: Iterable[Match]) -> dict[str, float]:
        """How well the titles of matches are what was asked for, from 0 to 1; 0 is left out."""
        forms = self._view.dictionary.forms
        words = [forms(word).as_rare_as(asked.rarities.get(word)) for word in asked.spoken]
        return self._titles.matches(words, {match.url: self._pages.head(match.place) for match in matches})

    def titles(self, urls: Iterable[str]) -> dict[str, str]:
        """The titles of those of these pages that are in the index."""
        return {url: self._pages.head(match.place).title for url, match in self.by_url(urls).items()}

    def titled(self, limit: int) -> list[tuple[str, str]]:
        """The URLs and titles of pages, at most so many."""
        heads = (self._pages.head(place) for place in self._all()[:limit])
        return [(head.url, head.title) for head in heads]

    def urls(self) -> list[str]:
        """The URLs of all pages."""
        return [self._pages.head(place).url for place in self._all()]

    def problems(self) -> Iterator[Refused]:
        """What is wrong with the page store."""
        for place in self._all():
            try:
                self._pages.check(place)
            except Unreadable as error:
                yield error

    def text(self, url: str) -> str | None:
        """The text of a page."""
        places = self._places([url])
        return self._pages.text(places[0]).decode() if places else None

    def similar(self, url: str, limit: int, filters: Filters = ANY) -> ContentMatches:
        """Pages with similar text, found by the most distinctive words of a page, weighted by frequency."""
        view = self._view
        telling = view.dictionary.telling(self.text(url) or "")
        if not telling or not limit:
            return ContentMatches(0, [])
        return self._found(view.matcher.weighted(telling, url, filters), limit, filters)

    @property
    def dictionary(self) -> Dictionary:
        """The words of all pages."""
        return self._view.dictionary

    def facets(self, asked: ParsedQuestion) -> Facets:
        """The number of pages for a query by host, category, language, type and year, largest first."""
        query = self._view.matcher.query(asked)
        if query is None:
            return {}
        if demands_relevance(asked.filters):
            return counted_facets(self._kinds(query, asked.filters))
        return facets(self._view.searcher, query)

    def _kinds(self, query: Query, filters: Filters) -> Iterator[FieldGroup]:
        """The values by which all pages that are relevant enough are counted."""
        searcher, hits = self._view.searcher, self._relevant(query, filters)
        for place in self._places_of(searcher, [address for _, address in hits.best(len(hits))]):
            yield group_of(self._pages.head(place))

    def kinds(self, asked: ParsedQuestion, limit: int) -> dict[str, FieldGroup]:
        """The values by which each page for a query is counted, by its URL."""
        heads = (self._pages.head(match.place) for match in self.find(asked, limit).matches)
        return {head.url: group_of(head) for head in heads}

    def rarity(self, word: str) -> float:
        """The rarity of a word in all its forms."""
        return self._view.dictionary.forms(word).rarity

    def holding(self, word: str) -> tuple[int, int]:
        """How many pages contain a word in any of its forms, and how many pages there are."""
        dictionary = self._view.dictionary
        return dictionary.forms(word).pages, dictionary.pages

    def background(self) -> Background:
        """The document frequencies of words, by stem, and the terms of some pages."""
        view = self._view
        drawn = sorted(self._all(), key=lambda place: key64(self._pages.head(place).url))[:SAMPLE]
        bags = [dict(terms(self._pages.text(place).decode())) for place in drawn]
        return Background(len(self), view.dictionary.stems(), tuple(bag for bag in bags if bag))

    def _all(self) -> list[int]:
        searcher = self._view.searcher
        found = searcher.search(Query.all_query(), max(1, searcher.num_docs), count=False)
        return self._places_of(searcher, [address for _, address in found.hits])

    def _places(self, urls: Sequence[str]) -> list[int]:
        searcher = self._view.searcher
        query = these(urls)
        found = searcher.search(query, len(urls), count=False)
        return self._places_of(searcher, [address for _, address in found.hits])

    def relevance(self, url: str) -> float | None:
        """The current relevance of a page; None if it is not known, or the page is not in the index."""
        places = self._places([url])
        return current_relevance(self._pages.head(places[0]), self._relevances) if places else None

    def _relevant(self, query: Query, filters: Filters) -> RelevantHits:
        """All pages that a query finds and that are relevant enough."""
        searcher = self._view.searcher
        found = searcher.search(query, max(1, searcher.num_docs), count=False)
        return relevant(searcher, found.hits, filters, self._relevances)

    @staticmethod
    def _places_of(searcher: Searcher, addresses: list[DocAddress]) -> list[int]:
        return searcher.fast_field_values("place", addresses)  # type: ignore[return-value]

    def _matches(self, searcher: Searcher, hits: list[TantivyHit]) -> list[Match]:
        places = self._places_of(searcher, [address for _, address in hits])
        matches = []
        for (score, _), place in zip(hits, places, strict=True):
            head = self._pages.head(place)
            matches.append(Match(head.url, score, head.twin, place, head.size, head.relevance))
        return matches


def distinct_pages(contents: Iterable[Content], asked: ParsedQuestion) -> dict[str, FieldGroup]:
    """All pages that several indexes have for a query, each once, with the values by which each is counted."""
    pages: dict[str, FieldGroup] = {}
    for content in contents:
        pages |= content.kinds(asked, COUNTED)
    return pages


def facets_of(contents: Iterable[Content], asked: ParsedQuestion, pages: Mapping[str, FieldGroup]) -> Facets:
    """The counts of several indexes: of their distinct pages if these are known, else a sum."""
    return counted_facets(pages.values()) if pages else summed_facets(content.facets(asked) for content in contents)
