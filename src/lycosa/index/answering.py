"""From a question to an answer: candidates from every side, one order, twins folded, and what is shown of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lycosa.core.errors import Refused
from lycosa.core.urls import host_of
from lycosa.index.asking import Asked, ask
from lycosa.index.content import Match
from lycosa.index.nouns import BY, Answer, Filters, Hit, Question
from lycosa.index.ranking import Ranking, rank
from lycosa.index.references import Voted
from lycosa.index.twins import NOBODY, folded

if TYPE_CHECKING:
    from lycosa.index.index import Index

POOL = 50
"""How many of the best by content are considered at least, and twice as many of those whom others speak of.

Four times as many make the first ten results no better (docs/ranking.md).
"""
MORE = 8
"""Times as many are considered where filters or folding leave too few of them."""
DEEPEST = 10_000
"""Results that can be asked for at most: whoever wants all pages reads the collection."""


def search(index: Index, question: Question) -> Answer:
    """The best results for a question."""
    _check(question)
    asked = ask(question.text, question.filters)
    wanted = question.start + question.limit
    pool = max(POOL, 2 * wanted)
    while True:
        candidates = Candidates(index, asked, question.by, pool)
        ranking = rank(question.by, candidates.evidence, index.standing.of)
        groups = _groups(ranking, candidates, wanted, fold=not question.twins)
        if len(groups) >= wanted or candidates.complete or pool > DEEPEST:
            break
        pool *= MORE
    answer = Answer(
        list(_hits(index, asked, groups[question.start :], candidates, ranking)),
        max(candidates.total, len(ranking.urls)),
        remark=asked.remark,
    )
    if question.facets:
        answer.facets = index.content.facets(asked)
    if len(ranking.urls) < question.limit:
        answer.suggestion = index.content.suggest(asked)
    return answer


def similar(index: Index, url: str, limit: int, filters: Filters) -> Answer:
    """Pages that say much the same as a page."""
    if not index.holds(url):
        raise Refused(f"{url} is not in the index", "give the URL of a page of the collection")
    found = index.content.similar(url, limit, filters)
    hits = index.content.hits(found.matches, ask("", filters))
    for hit in hits:
        hit.parts = {"content": hit.score}
    return Answer(hits, found.total)


class Candidates:
    """What could be in an answer, and what speaks for it.

    What pages say whom only others brought counts for nothing: it is less than what the last of those found by content
    says, and to find out how much less would take longer than all the rest.
    """

    def __init__(self, index: Index, asked: Asked, by: str, pool: int) -> None:
        self._content, self._asked = index.content, asked
        self.total = 0
        self.matches: dict[str, Match] = {}
        """Those that were fetched, as far as they were looked up."""
        self.voted: dict[str, Voted] = {}
        if by != "reference":
            found = index.content.find(asked, pool)
            self.total, self.matches = found.total, {match.url: match for match in found.matches}
        heard = (MORE if asked.filters.any else 2) * pool  # others speak of pages without regard to filters
        if by == "content":
            kind, said = "anchors", index.references.anchors(asked.words, asked.phrases, heard)
        else:
            self.voted = {each.url: each for each in index.references.find(asked.words, asked.phrases, heard)}
            kind, said = "reference", {url: each.score for url, each in self.voted.items()}
        self.complete = self.total <= pool and len(said) < heard
        said = self._with_phrases(said)
        self.evidence = {"content": {url: match.score for url, match in self.matches.items()}, kind: said}
        self._unknown = said.keys() - self.matches.keys()
        if _demands(asked):
            brought = set(self._unknown)
            self.look_up(brought)
            shown = self.matches.keys() | {url for url in brought if _may_be_strange(url, asked)}
            self.evidence[kind] = {url: score for url, score in said.items() if url in shown}

    def _with_phrases(self, said: dict[str, float]) -> dict[str, float]:
        """Without those that lack a phrase, be it in what they say or in what others say of them."""
        phrases = self._asked.phrases
        if len(phrases) + bool(self._asked.words) < 2:
            return said  # nothing else can have brought them
        terms = {" ".join(phrase) for phrase in phrases}
        lack = [
            url
            for url in said
            if url not in self.matches and not (url in self.voted and terms <= self.voted[url].votes.keys())
        ]
        found = self._content.among(Asked(phrases=phrases), lack)
        lacking = {url for url in lack if url not in found or not found[url].score}
        return {url: score for url, score in said.items() if url not in lacking}

    def look_up(self, urls: Iterable[str]) -> None:
        """See which of those whom others brought were fetched, and are as it is asked for."""
        brought = self._unknown.intersection(urls)
        if not brought:
            return
        self._unknown -= brought
        asked = self._asked
        if asked.must or asked.fields:
            found = self._content.among(asked, brought)
            self.matches |= {url: match for url, match in found.items() if match.score > 0}
        else:
            self.matches |= self._content.among(replace(asked, words=(), phrases=()), brought)

    def knows(self, urls: Iterable[str]) -> bool:
        """Whether all of these were looked up."""
        return self._unknown.isdisjoint(urls)

    def looks(self, url: str) -> tuple[int, int]:
        """The fingerprint and the size of a page, if it was looked up: by these twins are known."""
        match = self.matches.get(url)
        return (match.twin, match.size) if match else (NOBODY, 0)


def _check(question: Question) -> None:
    if question.by not in BY:
        raise Refused(f"cannot search by {question.by!r}", f"choose one of: {', '.join(BY)}")
    if question.limit < 1 or question.start < 0:
        raise Refused("a page of no results was asked for", "give a limit of at least 1 and a start of at least 0")
    if question.start + question.limit > DEEPEST:
        problem = f"results beyond the {DEEPEST}th were asked for"
        raise Refused(problem, "narrow the question with more words or filters")


def _demands(asked: Asked) -> bool:
    """Whether anything is asked of a page but that it, or others when they speak of it, hold some words."""
    return bool(asked.filters.any or asked.must or asked.must_not or asked.must_not_phrases or asked.fields)


def _may_be_strange(url: str, asked: Asked) -> bool:
    """Whether a page that was never fetched may be shown: nothing is known of it but its host and others' words."""
    hosts = asked.filters.hosts
    if _demands(replace(asked, filters=Filters())) or asked.filters != Filters(hosts=hosts):
        return False
    host = host_of(url).partition(":")[0]
    return any(host == wanted or host.endswith(f".{wanted}") for wanted in hosts)


def _groups(ranking: Ranking, candidates: Candidates, wanted: int, *, fold: bool) -> list[list[str]]:
    """As many results as wanted, best first, each with its twins behind it, all of them looked up."""
    urls = ranking.urls
    for best in (2 * wanted, len(urls)):
        candidates.look_up(urls[:best])
        if fold:
            prints, sizes = zip(*map(candidates.looks, urls), strict=True) if urls else ((), ())
            groups = [[urls[at] for at in group] for group in folded(prints, sizes, wanted)]
        else:
            groups = [[url] for url in urls[:wanted]]
        if candidates.knows(group[0] for group in groups):
            break
    return groups


def _hits(
    index: Index, asked: Asked, groups: list[list[str]], candidates: Candidates, ranking: Ranking
) -> Iterator[Hit]:
    fetched = [candidates.matches[url] for url, *_ in groups if url in candidates.matches]
    known = {hit.url: hit for hit in index.content.hits(fetched, asked)}
    for url, *twins in groups:
        hit = known.get(url) or Hit(url, 0.0, host=host_of(url), fetched=False)
        hit.score, hit.parts = ranking.score(url), ranking.parts(url)
        hit.votes = candidates.voted[url].votes if url in candidates.voted else {}
        hit.twins = tuple(twins)
        yield hit
