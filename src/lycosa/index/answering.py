"""From a question to an answer: candidates from every side, one order, twins folded, and what is shown of each."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import chain
from typing import TYPE_CHECKING

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
"""How many of the best by each kind of evidence are considered for ten results: 400 make no difference to these."""
MORE = 8
"""Times as many are considered where filters or folding leave too few of them."""
DEEPEST = 10_000
"""Results that can be asked for at most: whoever wants all pages reads the collection."""


class Candidates:
    """What could be in an answer, and what speaks for it."""

    def __init__(self, index: Index, asked: Asked, by: str, pool: int) -> None:
        self.total = 0
        self.matches: dict[str, Match] = {}
        self.voted: dict[str, Voted] = {}
        said: dict[str, dict[str, float]] = {}
        if by != "reference":
            found = index.content.find(asked, pool)
            self.total, self.matches = found.total, {match.url: match for match in found.matches}
        # Others speak of pages without regard to filters.
        heard = MORE * pool if asked.filters.any else pool
        if by != "content":
            self.voted = {each.url: each for each in index.references.find(asked.words, asked.phrases, heard)}
            said["reference"] = {url: each.score for url, each in self.voted.items()}
        if by == "content":
            # Otherwise the words of anchors are among the votes.
            said["anchors"] = index.references.anchors(asked.words, asked.phrases, heard)
        self.complete = self.total <= pool and all(len(scores) < heard for scores in said.values())
        # What pages say whom only others brought is looked up; so is whether the filters let them through.
        brought = set(chain.from_iterable(said.values())) - self.matches.keys()
        known = index.content.among(asked, brought)
        speaking = {url: match for url, match in known.items() if match.score > 0}
        self.evidence = {"content": {url: match.score for url, match in (self.matches | speaking).items()}}
        self.matches |= known if _lenient(asked) else speaking
        shown = self.matches.keys() | set(_strangers(asked, brought - known.keys()))
        self.evidence |= {kind: _only(scores, shown) for kind, scores in said.items()}

    def twin(self, url: str) -> int:
        """The fingerprint of a page."""
        return self.matches[url].twin if url in self.matches else NOBODY


def search(index: Index, question: Question) -> Answer:
    """The best results for a question."""
    if question.by not in BY:
        raise Refused(f"cannot search by {question.by!r}", f"choose one of: {', '.join(BY)}")
    if question.limit < 1 or question.start < 0:
        raise Refused("a page of no results was asked for", "give a limit of at least 1 and a start of at least 0")
    if question.start + question.limit > DEEPEST:
        raise Refused(
            f"results beyond the {DEEPEST}th were asked for", "narrow the question with more words or filters"
        )
    asked = ask(question.text, question.filters)
    wanted = question.start + question.limit
    pool = max(POOL, 2 * wanted)
    while True:
        candidates = Candidates(index, asked, question.by, pool)
        ranking = rank(question.by, candidates.evidence, index.standing.of)
        groups = _groups(ranking, candidates, question, wanted)
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


def _lenient(asked: Asked) -> bool:
    """Whether a page may be shown for what others say of it alone: nothing is asked of its own words."""
    return not (asked.must or asked.fields)


def _strangers(asked: Asked, urls: set[str]) -> Iterator[str]:
    """Those that may be shown although they were never fetched: nothing is known of them but host and others' words."""
    filters = asked.filters
    if not _lenient(asked) or asked.must_not or asked.must_not_phrases or filters != Filters(hosts=filters.hosts):
        return
    for url in urls:
        host = host_of(url).partition(":")[0]
        if not filters.hosts or any(host == wanted or host.endswith(f".{wanted}") for wanted in filters.hosts):
            yield url


def _only(scores: dict[str, float], shown: Set[str]) -> dict[str, float]:
    return scores if shown >= scores.keys() else {url: score for url, score in scores.items() if url in shown}


def _groups(ranking: Ranking, candidates: Candidates, question: Question, wanted: int) -> list[list[str]]:
    """As many results as wanted, best first, each with its twins behind it."""
    urls = ranking.urls
    if question.twins:
        return [[url] for url in urls[:wanted]]
    return [[urls[place] for place in group] for group in folded(list(map(candidates.twin, urls)), wanted)]


def _hits(
    index: Index, asked: Asked, groups: list[list[str]], candidates: Candidates, ranking: Ranking
) -> Iterator[Hit]:
    fetched: list[Match] = [candidates.matches[url] for url, *_ in groups if url in candidates.matches]
    known = {hit.url: hit for hit in index.content.hits(fetched, asked)}
    for url, *twins in groups:
        hit = known.get(url) or Hit(url, 0.0, host=host_of(url), fetched=False)
        hit.score, hit.parts = ranking.score(url), ranking.parts(url)
        hit.votes = candidates.voted[url].votes if url in candidates.voted else {}
        hit.twins = tuple(twins)
        yield hit
