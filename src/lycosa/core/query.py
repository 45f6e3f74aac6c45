"""A query: keywords as a vector, ready to be compared with any number of texts (the papers' sim(q, p))."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from lycosa.core.words import Analysis, Spotter, analysis, norm
from lycosa.system.errors import Code, Refused


def no_topic(keywords: str) -> Refused:
    """The error for keywords without a single term."""
    problem, fix = f"the keywords {keywords!r} contain no topic", "give words that are not only stop words"
    return Refused(problem, fix, code=Code.BAD_VALUE, field="keywords")


class Query:
    """Cosine of term-frequency vectors after stop words and Porter stems (Pant et al. 2004, eq. 1)."""

    def __init__(self, keywords: str, read: Analysis | None = None) -> None:
        self._read = read or analysis()
        query = self._read.terms(keywords)
        if not query:
            raise no_topic(keywords)
        length = norm(query)
        self._spotted = Spotter(query, self._read)
        self._query = [(term, count / length) for term, count in query.items()]

    def occurs_in(self, text: str) -> bool:
        """Whether a keyword may occur in a text, at a fifth of the cost; if not, every part of it has similarity 0."""
        return self._spotted(self._read.separated(text))

    def of_text(self, text: str) -> float:
        """The similarity of a text."""
        words = self._read.separated(text)
        if not self._spotted(words):
            return 0.0
        bag = self._read.terms_of(words)
        dot = self._dot(bag)
        return min(1.0, dot / norm(bag)) if dot else 0.0

    def of_terms(self, terms: Mapping[str, float], norm: float) -> float:
        """The similarity of a bag of terms whose norm is known."""
        dot = self._dot(terms)
        return min(1.0, dot / norm) if dot else 0.0

    def _dot(self, terms: Mapping[str, float]) -> float:
        return sum([weight * terms[term] for term, weight in self._query if term in terms])


@lru_cache(64)
def query(keywords: str, read: Analysis | None = None) -> Query:
    """The query of keywords, cached for `sense`, which is given the topic again with every page."""
    return Query(keywords, read)
