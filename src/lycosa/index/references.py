"""The reference-directed index: what others say about a document, whether it was ever fetched or not.

Rosetta, as «Search Engine-Crawler Symbiosis» describes it in 3.1: every page that links to a document has one vote for
each term it uses in the immediate vicinity of the link (link_context.py), and votes are the term frequency of a weight
like TF-IDF. A document's score is the sum over the query's terms of

    (1 + ln votes) * ln(1 + N / df)

where N is the number of documents that are linked to and df how many of them have a vote for the term. There is no
length normalisation: among documents with the same terms, the one with more referrers is first, as in the paper.
Terms are Porter stems without stop words, and phrases: sequences of stems. Consecutive words of a query are a phrase,
too. A page's links to itself do not count; links within a host do, because in the paper one page is one vote.

An index is a folder of segments (segment.py), each written once, and a list of the current segments, which is replaced
atomically: a killed writer leaves the last commit, and readers keep their state until they reload. A page that is
replaced or removed is dead in the segment that contains it. Small segments are merged when there are many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lycosa.core.keys import key64
from lycosa.index import votes as voting
from lycosa.index.excerpt_terms import ExcerptReader
from lycosa.index.link_context import LinkContext, excerpt, in_order, vicinities
from lycosa.index.numbers import Floats, Keys
from lycosa.index.search_types import Document, Voter
from lycosa.index.segment import PageExcerpt, made
from lycosa.index.segment_view import NOBODY, SegmentView, Votes
from lycosa.index.segments import Segments

if TYPE_CHECKING:
    from lycosa.index.page_ranks import PageRanks

_MOST_TERMS = 64


class Voted(NamedTuple):
    """A document that others refer to with the words of a query."""

    url: str
    score: float
    votes: dict[str, int]
    """How many of them use each word and phrase of the query."""
    share: float = 0.0
    """How many votes it has for the query's words, relative to the documents with most: from 0 to 1."""


class _Term(NamedTuple):
    words: str
    keys: tuple[int, ...]


class References:
    """The references of a collection; one process may write while others read."""

    def __init__(self, folder: Path, *, write: bool = False) -> None:
        self._segments = Segments(folder, write=write)
        self._reader = ExcerptReader()
        self._said: dict[str, PageExcerpt | None] = {}

    # -- writing ------------------------------------------------------------------------------------------------------

    def add(self, document: Document) -> None:
        """Add what a page says about others, replacing what it said before."""
        links = in_order(document.links)
        targets = [url for url, _ in links]
        # A page that only links to itself says nothing.
        speaks = any(url != document.url for url in targets)
        self._said[document.url] = PageExcerpt(document.url, excerpt(document.text, links), targets) if speaks else None

    def remove(self, url: str) -> None:
        """Remove what a page says about others."""
        self._said[url] = None

    def commit(self) -> None:
        """Make everything since the last commit permanent, all of it or nothing."""
        batch = [said for said in self._said.values() if said]
        if self._said:
            self._segments.replace(self._said, made(batch, self._reader) if batch else None)
        self._said = {}

    def compact(self) -> None:
        """Merge all segments into one, for faster reading; uncommitted changes are not touched."""
        self._segments.compact()

    def clear(self) -> None:
        """Remove everything at once."""
        self._said = {}
        self._segments.clear()

    def close(self) -> None:
        """Discard uncommitted changes and close the files."""
        self._said = {}
        self._segments.close()

    def reload(self) -> bool:
        """Read what a writer has committed since; return whether there is anything new."""
        return self._segments.reload()

    # -- asking -------------------------------------------------------------------------------------------------------

    def find(self, words: Iterable[str], phrases: Iterable[Iterable[str]] = (), limit: int = 10) -> list[Voted]:
        """The documents that others refer to with these words, best first."""
        return find_in([self], words, phrases, limit)

    def votes(self, url: str, limit: int = 10) -> list[tuple[str, int]]:
        """The terms that others use for a document, and how many of them use each."""
        return voting.table((said for _, said in self._spoken(url)), limit)

    def voters(self, url: str, term: str = "", limit: int = 20) -> list[Voter]:
        """The pages that use a term (default: any) when they link to a document, and their words."""
        wanted = tuple(voting.stems(term))
        if term and not wanted:
            return []
        found: list[Voter] = []
        for voter, said in self._spoken(url):
            if len(found) >= limit:
                break
            if heard := [str(each) for each in said if voting.uses(wanted, each)]:
                found.append(Voter(voter, " … ".join(dict.fromkeys(heard))))
        return found

    def voiced(self, word: str) -> int:
        """How often others use a word near links."""
        keys = [key64(each) for each in voting.stems(word)]
        return sum(len(part.segment.places(key)) for part in self._segments.parts for key in keys[:1])

    def anchors(self, url: str, limit: int) -> list[str]:
        """The texts of some links to a document, of one link of each page."""
        found: list[str] = []
        for part in self._segments.parts:
            segment = part.segment
            links = part.links_to(url)
            pages, first = np.unique(segment.page_of(links), return_index=True)
            some = slice(0, max(0, limit - len(found)))
            for page, link in zip(pages[some].tolist(), links[first][some].tolist(), strict=True):
                row = link - int(segment.page_links[page])
                found += [each.anchor for each in vicinities(segment.excerpt(page), [row])]
        return found

    def best_known(self, ranks: PageRanks, limit: int) -> list[tuple[str, float]]:
        """The documents with the highest PageRanks, and these."""
        keys, values = ranks.best(limit)
        urls = _urls(self._segments.parts, keys)
        return [(url, rank) for url, rank in zip(urls, values.tolist(), strict=True) if url]

    # -- links --------------------------------------------------------------------------------------------------------

    def inlinks(self, url: str, limit: int | None = None) -> list[str]:
        """The pages that link to a URL."""
        found = (part.segment.url(number) for part in self._segments.parts for number in _tails(part, url))
        return [url for url, _ in zip(found, range(limit), strict=False)] if limit is not None else list(found)

    def links(self) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
        """Every URL, and each link between two of them once: from urls[tails[n]] to urls[heads[n]]."""
        known: dict[str, int] = {}
        edges: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        for part in self._segments.parts:
            tails, heads = part.links()
            used = np.unique(np.concatenate((tails, heads)))
            urls = part.segment.urls()
            numbers = np.zeros(len(urls), np.int64)
            numbers[used] = [known.setdefault(urls[number], len(known)) for number in used.tolist()]
            edges.append(numbers[tails] << 32 | numbers[heads])
        both = np.unique(np.concatenate(edges))
        return list(known), both >> 32, both & 0xFFFFFFFF

    # -- counting -----------------------------------------------------------------------------------------------------

    def documents(self) -> int:
        """How many documents are linked to."""
        return self._segments.documents()

    @property
    def parts(self) -> Sequence[SegmentView]:
        """The current segments."""
        return self._segments.parts

    def _spoken(self, url: str) -> Iterator[tuple[str, list[LinkContext]]]:
        """The pages that link to a URL, and everything they say about it."""
        for part in self._segments.parts:
            segment = part.segment
            links = part.links_to(url)
            pages = segment.page_of(links)
            near: dict[int, list[int]] = {}
            for page, link in zip(pages.tolist(), (links - segment.page_links[pages]).tolist(), strict=True):
                near.setdefault(page, []).append(link)
            for page, rows in near.items():
                yield segment.url(int(segment.pages[page])), vicinities(segment.excerpt(page), rows)


def find_in(
    several: Sequence[References],
    words: Iterable[str],
    phrases: Iterable[Iterable[str]] = (),
    limit: int = 10,
    *,
    anchors: bool = False,
    weights: Mapping[str, float] = MappingProxyType({}),
) -> list[Voted]:
    """The documents that others refer to with these words in any of several indexes, best first.

    A term's rarity is that in all of them together. The same referrer may be in several indexes, so a document's votes
    are those in the index with most votes, and not their sum. With `anchors`, only the texts of links count. `weights`
    says how much each word and phrase counts in the documents' shares.
    """
    terms = _terms(words, phrases)
    counted = [(term.words, votes) for term in terms if len((votes := _heard(several, term, anchors)).counts)]
    if not counted or limit < 1:
        return []
    documents = sum(each.documents() for each in several)
    found = [votes.documents for _, votes in counted]
    keys = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
    scores = np.zeros(len(keys))
    for _, votes in counted:
        rarity = log(1 + documents / len(votes.documents))
        scores[np.searchsorted(keys, votes.documents)] += (1 + np.log(votes.counts)) * rarity
    best = _best(keys, scores, limit)
    urls = _urls([part for each in several for part in each.parts], keys[best])
    shares = _shares(keys[best], counted, weights)
    return list(map(Voted, urls, scores[best].tolist(), _said(keys[best], counted), shares.tolist()))


def _heard(several: Sequence[References], term: _Term, anchors: bool) -> Votes:
    """The documents with votes for a term, and the largest number of votes in any index."""
    found = [votes for each in several if len((votes := _counted(each.parts, term, anchors)).counts)]
    if len(found) < 2:
        return found[0] if found else NOBODY
    documents, rows = np.unique(np.concatenate([votes.documents for votes in found]), return_inverse=True)
    counts = np.zeros(len(documents), np.int64)
    np.maximum.at(counts, rows, np.concatenate([votes.counts for votes in found]))
    return Votes(documents, counts)


def _terms(words: Iterable[str], phrases: Iterable[Iterable[str]]) -> list[_Term]:
    """The terms of a query, each once: its words, its phrases, and pairs of consecutive words."""
    said = [(word, tuple(voting.stems(word))) for word in words]
    quoted = [(" ".join(words), tuple(voting.stems(" ".join(words)))) for words in map(tuple, phrases)]
    pairs = [(f"{first} {second}", a + b) for (first, a), (second, b) in pairwise(said) if a and b and a != b]
    found: dict[tuple[str, ...], str] = {}
    for spelling, stems in [*said, *quoted, *pairs]:
        if stems:
            found.setdefault(stems, spelling)
    return [_Term(spelling, tuple(map(key64, stems))) for stems, spelling in list(found.items())[:_MOST_TERMS]]


def _counted(parts: Sequence[SegmentView], term: _Term, anchors: bool) -> Votes:
    """The documents with votes for a term."""
    found = [votes for part in parts if len((votes := part.votes(term.keys, anchors)).counts)]
    if len(found) < 2:
        return found[0] if found else NOBODY
    documents, rows = np.unique(np.concatenate([votes.documents for votes in found]), return_inverse=True)
    counts = np.bincount(rows, np.concatenate([votes.counts for votes in found]), len(documents))
    return Votes(documents, counts.astype(np.int64))


def _best(keys: Keys, scores: Floats, limit: int) -> NDArray[np.int64]:
    """The positions of the best scores, best first; of equal ones the smaller key is first."""
    if limit < len(scores):
        worst = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        among = np.flatnonzero(scores >= worst)
    else:
        among = np.arange(len(scores))
    return among[np.lexsort((keys[among], -scores[among]))][:limit]


def _said(keys: Keys, counted: Sequence[tuple[str, Votes]]) -> list[dict[str, int]]:
    """How many votes each document has for each term it has any for."""
    said: list[dict[str, int]] = [{} for _ in keys]
    for words, votes in counted:
        at = np.minimum(np.searchsorted(votes.documents, keys), len(votes.documents) - 1)
        has = votes.documents[at] == keys
        for row, count in zip(np.flatnonzero(has).tolist(), votes.counts[at[has]].tolist(), strict=True):
            said[row][words] = count
    return said


def _shares(keys: Keys, counted: Sequence[tuple[str, Votes]], weights: Mapping[str, float]) -> Floats:
    """For each document, the mean over the words of ln(1 + votes) / ln(1 + most votes that any document has)."""
    shares = np.zeros(len(keys))
    for words, votes in counted:
        if weight := weights.get(words, 0.0) / (sum(weights.values()) or 1.0):
            at = np.minimum(np.searchsorted(votes.documents, keys), len(votes.documents) - 1)
            has = votes.documents[at] == keys
            shares[has] += weight * np.log1p(votes.counts[at[has]]) / np.log1p(votes.counts.max())
    return shares


def _urls(parts: Sequence[SegmentView], keys: Keys) -> list[str]:
    """The URLs with these keys."""
    urls = [""] * len(keys)
    for part in parts:
        segment = part.segment
        ranks = np.minimum(np.searchsorted(segment.url_keys, keys), len(segment.url_keys) - 1)
        rows = np.flatnonzero(segment.url_keys[ranks] == keys)
        for row, url in zip(rows.tolist(), segment.urls_of(ranks[rows]), strict=True):
            urls[row] = url
    return urls


def _tails(part: SegmentView, url: str) -> list[int]:
    """The numbers of the pages of a part that link to a URL."""
    pages = np.unique(part.segment.page_of(part.links_to(url)))
    numbers: list[int] = part.segment.pages[pages].tolist()
    return numbers
