"""The profile: what was read lately, as a decaying sum of weighted words from which pages can be removed again.

A page is a vector of length 1 over its most informative terms,

    w(t, p) = ln(1 + tf(t, p)),    tf counts a word of the title as much as TITLE words of the text.

The profile is their sum. Each page is weighted by how long it was read, halved for every HALF pages read after it, so
that interests fade with reading and not with time. In comparisons, a term is weighted by how rare it is among the pages
scouted so far,

    idf(t) = ln(1 + (N + 1) / (df(t) + 1)),

which separates words of a topic from words that are everywhere. It is never 0, because all scouted pages may be on
topic.
Letizia's own weights are not in our papers; these are our choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from heapq import nlargest
from math import log, log2

from msgspec import Struct

from lycosa.core.words import cosine, norm, separated, terms, terms_of

TITLE = 5
HALF = 20
TERMS = 80
"""Terms kept of a page, at most."""
PAGES = 300
DAYS = 90
"""How many pages are remembered, and for how many days."""
_LONG = 4.0
"""The largest weight of a page that was read for long."""
_SEEN, _WORDS = 2000, 20_000
"""Pages after which the word background halves its counts, and how many words it keeps."""


class ReadPage(Struct):
    """A page that was read: all that is kept of it."""

    url: str
    title: str
    at: float
    seconds: float
    terms: dict[str, float]
    """Its most informative terms, as a vector of length 1."""
    words: dict[str, str]
    """Each term as the page writes it."""

    @property
    def importance(self) -> float:
        """1 for a glance, more for a page that was read for long."""
        return min(_LONG, 1 + log2(1 + self.seconds / 30))


class WordBackground(Struct):
    """How many scouted pages contain each term."""

    pages: int = 0
    holding: dict[str, int] = {}

    def idf(self, term: str) -> float:
        """The inverse document frequency of a term: how rare it is."""
        return log(1 + (self.pages + 1) / (self.holding.get(term, 0) + 1))

    def add(self, bags: Iterable[Iterable[str]]) -> None:
        """Count the terms of further pages."""
        holding = Counter(self.holding)
        for bag in bags:
            self.pages += 1
            holding.update(set(bag))
        if self.pages > _SEEN:
            self.pages //= 2
            holding = Counter({term: count // 2 for term, count in holding.items() if count > 1})
        self.holding = dict(holding.most_common(_WORDS))


class ReadingInterest(Struct):
    """The current interest: weighted terms, and how they are written."""

    weights: dict[str, float]
    words: dict[str, str]

    def strongest(self, count: int) -> list[str]:
        """The heaviest terms."""
        return nlargest(count, self.weights, key=self.weights.__getitem__)

    def keywords(self, count: int = 24, most: int = 4) -> str:
        """A query in which words repeat in proportion to their weight, the heaviest `most` times."""
        chosen = self.strongest(count)
        heaviest = self.weights[chosen[0]] if chosen else 1.0
        times = {term: max(1, round(most * self.weights[term] / heaviest)) for term in chosen}
        return " ".join(self.words.get(term, term) for term in chosen for _ in range(times[term]))

    def similarity(self, vector: Mapping[str, float]) -> float:
        """The cosine between the interest and a page, weighted by the same background."""
        return cosine(self.weights, vector)

    def shared(self, vector: Mapping[str, float], count: int) -> list[str]:
        """The words that a page shares with the interest, those first that add most to the similarity."""
        product = {term: weight * vector[term] for term, weight in self.weights.items() if term in vector}
        return [self.words.get(term, term) for term in nlargest(count, product, key=product.__getitem__)]


class Profile(Struct):
    """The pages that were read, oldest first."""

    readings: list[ReadPage] = []

    def learn(self, reading: ReadPage) -> None:
        """Add a page; one that was read before moves to the end and keeps its longest reading time."""
        before = self.of(reading.url)
        if before:
            reading.seconds = max(reading.seconds, before.seconds)
        kept = [one for one in self.readings if one.url != reading.url and one.at > reading.at - DAYS * 86400]
        self.readings = [*kept, reading][-PAGES:]

    def of(self, url: str) -> ReadPage | None:
        """The page at a URL, if it was read."""
        return next((one for one in self.readings if one.url == url), None)

    def forget(self, url: str) -> bool:
        """Forget a page; returns whether there was one."""
        before, self.readings = len(self.readings), [one for one in self.readings if one.url != url]
        return len(self.readings) < before

    def interest(self, background: WordBackground, current: ReadPage | None = None) -> ReadingInterest:
        """The weighted sum of the pages; the current page weighs as much as all others together."""
        words: dict[str, str] = {}
        total: dict[str, float] = {}
        for age, one in enumerate(reversed(self.readings)):
            share = one.importance * 0.5 ** (age / HALF)
            for term, weight in one.terms.items():
                total[term] = total.get(term, 0.0) + share * weight
                words.setdefault(term, one.words.get(term, term))
        mixed = _unit(total)
        if current:
            words |= current.words
            mixed = {
                term: mixed.get(term, 0.0) + current.terms.get(term, 0.0)
                for term in mixed.keys() | current.terms.keys()
            }
        weights = {term: weight * background.idf(term) for term, weight in mixed.items()}
        strongest = nlargest(4 * TERMS, weights, key=weights.__getitem__)
        unit = _unit({term: weights[term] for term in strongest})
        return ReadingInterest(unit, {term: words[term] for term in unit if term in words})


def reading_of(url: str, title: str, text: str, *, at: float, seconds: float, background: WordBackground) -> ReadPage:
    """What is kept of a page that was read."""
    tokens = separated(f"{title} {text}")
    bag = terms_of(tokens)
    for term, count in terms(title).items():
        bag[term] += (TITLE - 1) * count
    weights = {term: log(1 + count) for term, count in bag.items()}
    chosen = nlargest(TERMS, weights, key=lambda term: (weights[term] * background.idf(term), term))
    return ReadPage(
        url, title, at, seconds, _unit({term: weights[term] for term in chosen}), _spellings(tokens, chosen)
    )


def vector_of(text: str, background: WordBackground) -> dict[str, float]:
    """The vector of a text, for comparison with an interest."""
    return {term: log(1 + count) * background.idf(term) for term, count in terms(text).items()}


def _spellings(tokens: bytes, chosen: Iterable[str]) -> dict[str, str]:
    """The most frequent spelling of each term in a text."""
    wanted, found = set(chosen), dict[str, str]()
    for token, _ in Counter(tokens.split()).most_common():
        of_token = terms_of(token)
        if len(of_token) == 1 and (term := next(iter(of_token))) in wanted:
            found.setdefault(term, token.decode("utf-8", "replace").strip("\ufffd"))
    return found


def _unit(weights: Mapping[str, float]) -> dict[str, float]:
    length = norm(weights)
    return {term: round(weight / length, 5) for term, weight in weights.items()} if length else {}
