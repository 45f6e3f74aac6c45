"""Search a collection: bring its index up to date, open it, and query it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from heapq import nlargest
from pathlib import Path

from lycosa.app.answers.page import VoteCount, VoterPage, VoteTable
from lycosa.app.answers.search import SearchAnswer, SearchResult
from lycosa.app.communities import current_collection, is_community, log_query
from lycosa.app.federated import Opening, ask_several, opened, results_of
from lycosa.app.index_pool import asking as asking
from lycosa.app.index_pool import open_index as open_index
from lycosa.app.requests.option import takes_after_folder
from lycosa.app.requests.search import SearchRequest
from lycosa.app.seed_search import FoundSeed, seeds_in
from lycosa.community.home import Home
from lycosa.core.nouns import Span
from lycosa.core.scripts import UNSPACED, word_spans, words_in
from lycosa.core.stemming import ENGLISH, stem
from lycosa.core.urls import host_of, page_url
from lycosa.index.filter_words import FILTERS
from lycosa.index.index import Index
from lycosa.index.query_parser import ask
from lycosa.index.search import DEEPEST
from lycosa.index.search_types import Filters, Question, Ranked, Voter
from lycosa.store.collection import INDEX, Collection
from lycosa.store.judgements import Inbox
from lycosa.store.known_pages import JUDGED
from lycosa.system.errors import Code, Refused, check_range
from lycosa.system.progress import Progress

MOST = 1000
"""Results in one answer at most."""
_ALIKE = 20
"""URLs compared letter by letter with an unknown one to find the nearest."""


def make_index(folder: str | Path, progress: Progress | None = None, *, anew: bool = False) -> tuple[int, int]:
    """Bring the index of a collection up to date, or make it anew; returns how many pages it holds and lacks."""
    if anew:
        with current_collection(folder) as place:
            Collection.open(place).close()
            with Index.write(place / INDEX) as index:
                index.clear()
    with asking(folder, progress) as index, Collection.open(index.folder.parent) as collection:
        return len(index), max(0, collection.log.page_count() - len(index))


@takes_after_folder(SearchRequest)
def search(folder: str | Path, request: SearchRequest) -> SearchAnswer:
    """Search a collection or community. A community logs the query, unless it is private."""
    return search_many([folder], request)


def similar(folder: str | Path, url: str, *, limit: int = 10, filters: Filters | Iterable[str] = ()) -> SearchAnswer:
    """The pages of a collection that are most like one of them."""
    check_limit(limit)
    wanted = read_filters(filters)
    with asking(folder) as index:
        return similar_to(index, url, limit, wanted, Path(folder).name)


def hubs(folder: str | Path, topic: str = "", *, limit: int = 10) -> tuple[list[Ranked], list[Ranked]]:
    """The best hubs and the best authorities of a collection, overall or on a topic."""
    check_limit(limit)
    with asking(folder) as index:
        return index.hubs(topic, limit)


def votes(folder: str | Path, url: str, *, term: str = "", limit: int = 10) -> VoteTable:
    """The terms by which other pages refer to a page, and those pages; only the ones that use `term`, if given."""
    check_limit(limit)
    with asking(folder) as index:
        return votes_for(index, url, term, limit)


Folders = Mapping[str, Path] | Iterable[str | Path]
"""Collections by name, or only their folders; then the names of the folders are theirs."""


def search_many(folders: Folders, request: SearchRequest, *, opening: Opening = open_index) -> SearchAnswer:
    """Search several collections, with one ranking.

    Those that cannot be searched are left out, and the remark says so; Refused only if none can be.
    """
    began = time.perf_counter()
    question, named = question_of(request), by_name(folders)
    found = ask_several(named, question, opening)
    meant = found.corrected or request.query
    words = ask(meant).spoken
    for result in found.results:
        result.title_marks = marks_in(result.title, words, result.language)
    _by_people(found.results, named)
    # Asking for the next page of results is not a new query.
    private = request.private or request.page > 1
    found.remembered = [name for name in found.asked if log_query(named[name], meant, found.total, private=private)]
    found.page, found.took_ms = request.page, round((time.perf_counter() - began) * 1000, 3)
    return found


def _by_people(results: Sequence[SearchResult], folders: Mapping[str, Path]) -> None:
    """What a person has said of a result is its relevance, even before the crawl and the index follow."""
    said = {
        name: inbox.all()
        for name in {result.collection for result in results}
        if name in folders and (inbox := Inbox(folders[name])).size()
    }
    for result in results:
        if (relevant := said.get(result.collection, {}).get(result.url)) is not None:
            result.relevance, result.known = float(relevant), JUDGED


def seeds_from(folders: Folders, keywords: str, limit: int = 20, *, opening: Opening = open_index) -> list[FoundSeed]:
    """Pages of collections from which a hunt for keywords may start, best first.

    A collection that cannot be searched is skipped; Refused only if none can be.
    """
    question_of(SearchRequest(keywords, limit=limit))
    with opened(by_name(folders), opening) as (indexes, _):
        return seeds_in(indexes, keywords, limit)


def by_name(folders: Folders) -> Mapping[str, Path]:
    """Collections by name; folders that share a name are called by their paths."""
    if isinstance(folders, Mapping):
        named = folders
    else:
        paths = [Path(folder) for folder in folders]
        names = [path.name for path in paths]
        named = {path.name if names.count(path.name) == 1 else str(path): path for path in paths}
    if not named:
        raise Refused("no collection was given", "name at least one", code=Code.MISSING, field="folders")
    return named


def remembers(folder: str | Path) -> bool:
    """Whether queries to a folder are logged: it is a community whose log is switched on."""
    try:
        return is_community(folder) and Home.open(folder, searching=True).settings.log_queries
    except Refused:
        return False


def question_of(request: SearchRequest) -> Question:
    """The question of a request for the index; Refused if a part of it makes no sense."""
    must_have_words(request.query)
    if request.page * request.limit > DEEPEST:
        raise Refused(
            f"page {request.page} of {request.limit} results is beyond the first {DEEPEST:,}",
            "ask for something narrower, or filter",
            code=Code.OUT_OF_RANGE,
            field="page",
        )
    return Question(
        request.query,
        by=request.by,
        limit=request.limit,
        start=(request.page - 1) * request.limit,
        filters=read_filters(request.filters),
        twins=request.duplicates,
        facets=request.facets,
        sort=request.sort,
        verbatim=request.verbatim,
    )


def must_have_words(query: str) -> None:
    """Refuse a query without anything to search for."""
    if not query.strip() or not any(letter.isprintable() for letter in query):
        raise Refused("the query is empty", "say in a few words what to search for", code=Code.MISSING, field="query")


def check_limit(limit: int) -> None:
    """Refuse a number of results below 1 or above MOST."""
    check_range("limit", limit, 1, MOST)


def read_filters(texts: Filters | Iterable[str]) -> Filters:
    """Filters from texts of the form NAME=VALUE; each means what NAME:VALUE means in a query."""
    if isinstance(texts, Filters):
        return texts
    said = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.replace('"', " ").partition("="))
        if not equals or not value or name not in FILTERS:
            raise Refused(
                f"{text!r} is not a filter",
                f"write NAME=VALUE with one of: {', '.join(FILTERS)}",
                code=Code.BAD_VALUE,
                field="filters",
            )
        said.append(f'{name}:"{value}"')
        if problem := ask(said[-1]).remark:
            raise Refused(
                f"the filter {text!r} cannot be used ({problem})",
                "correct it, or leave it out",
                code=Code.BAD_VALUE,
                field="filters",
            )
    asked = ask(" ".join(said))
    filters = asked.filters
    if filters.since is not None and filters.until is not None and filters.since >= filters.until:
        raise Refused(
            "nothing is both after and before these days",
            "let after= be the earlier one",
            code=Code.CONTRADICTION,
            field="filters",
        )
    if asked.remark:
        raise Refused(
            f"these are too many filters ({asked.remark})",
            "leave some of them out",
            code=Code.OUT_OF_RANGE,
            field="filters",
        )
    if filters.relevance is not None and not 0 <= filters.relevance <= 1:
        raise Refused(
            f"no page has a relevance of {filters.relevance:g}",
            "give relevance= a probability from 0 to 1, such as 0.5",
            code=Code.OUT_OF_RANGE,
            field="filters",
        )
    return filters


def similar_to(index: Index, url: str, limit: int, filters: Filters, name: str) -> SearchAnswer:
    """The pages most like this one, which must be in the index itself; `name` is that of the collection."""
    began = time.perf_counter()
    found = index.similar(_page(index, url), limit, filters)
    results = results_of(found.hits, lambda _: [name])
    took = round((time.perf_counter() - began) * 1000, 3)
    return SearchAnswer(results=results, total=found.total, asked={name: len(index)}, took_ms=took)


def votes_for(index: Index, url: str, term: str = "", limit: int = 10) -> VoteTable:
    """The vote table of a URL, which must be in the index or have votes, but need not be fetched."""
    wanted = page_url(url)
    table = index.votes(wanted, limit)
    if not table and not index.holds(wanted):
        raise _unknown(index, wanted)
    words = [term] if term else [each for each, _ in table]
    return VoteTable(
        url=wanted,
        fetched=index.holds(wanted),
        votes=[VoteCount(term=each, votes=number) for each, number in table],
        voters=[
            VoterPage(url=voter.url, context=voter.context, title=voter.title, marks=marks_in(voter.context, words))
            for voter in index.voters(wanted, term, limit)
        ],
    )


def voters_of(index: Index, hits: Sequence[SearchResult], limit: int = 3) -> dict[str, list[Voter]]:
    """For each result, a few pages that refer to it in words of the query."""
    found: dict[str, list[Voter]] = {}
    for hit in hits:
        several = (voter for term in hit.votes for voter in index.voters(hit.url, term, limit))
        found[hit.url] = list({voter.url: voter for voter in several}.values())[:limit]
    return found


def marks_in(text: str, words: Iterable[str], language: str = "") -> list[Span]:
    """The spans of a text whose words share a stem with one of `words`, in English or in the language of the text."""
    rules = {ENGLISH, language or ENGLISH}
    said = {word for some in words for word in words_in(some.lower())}
    stems = {stem(word, rule) for word in said for rule in rules}
    parts = [word for word in said if UNSPACED.search(word)]
    marks: list[Span] = []
    for start, end in word_spans(text) if stems else ():
        word = text[start:end].lower()
        if any(stem(word, rule) in stems for rule in rules):
            marks.append((start, end))
        elif parts and len(word) == end - start:  # words without blanks between them
            for first, last in sorted(found.span() for part in parts for found in re.finditer(re.escape(part), word)):
                if marks and start + first <= marks[-1][1]:
                    marks[-1] = (marks[-1][0], max(marks[-1][1], start + last))
                else:
                    marks.append((start + first, start + last))
    return marks


def _page(index: Index, url: str) -> str:
    wanted = page_url(url)
    if not index.holds(wanted):
        raise _unknown(index, wanted)
    return wanted


def _unknown(index: Index, url: str) -> Refused:
    near = nearest(url, index.urls())
    return Refused(
        f"{url} is not in the index",
        f"did you mean {near}?" if near else "the index is empty",
        code=Code.NOT_FOUND,
        field="url",
    )


def nearest(url: str, urls: Iterable[str]) -> str:
    """The known URL most like another one, on the host most like its own; empty if there are no URLs."""
    by_host: dict[str, list[str]] = {}
    for known in urls:
        by_host.setdefault(host_of(known), []).append(known)
    host = host_of(url)
    if host not in by_host:
        host = _most_alike(host, by_host)
    return _most_alike(url, by_host.get(host, []))


def _most_alike(text: str, others: Iterable[str]) -> str:
    """The most similar text: a few are chosen by shared trigrams, the best of these letter by letter."""

    def threes(text: str) -> set[str]:
        return {text[at : at + 3] for at in range(len(text) - 2)}

    ours = threes(text)

    def common(other: str) -> float:
        theirs = threes(other)
        return len(ours & theirs) / (len(ours) + len(theirs) or 1)

    some = nlargest(_ALIKE, others, common)
    return max(some, key=lambda other: SequenceMatcher(None, other, text, autojunk=False).ratio(), default="")
