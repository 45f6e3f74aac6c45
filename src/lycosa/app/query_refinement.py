"""Better queries from what the first results say, after ACHE's SeedFinder (Vieira et al. 2016, from memory).

The best new results of a query are read. If too few of them are on topic, the query led away from it: its results are
dropped, and no further one is asked. Otherwise the next query is the keywords and the word that the pages on topic have
near the keywords and the others have not: pseudo-relevance feedback. Only sentences with keywords count, so that menus
and footers teach nothing.

What ACHE does with a trained page classifier we do with the keywords: a page is on topic if it has most of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from lycosa.core.excerpts import excerpt
from lycosa.core.words import stem, terms

LOOKED = 5
"""Pages read of each query's results, at most."""
LEAST = 0.5
"""Share of them that must be on topic."""
_SENTENCES = 12
"""Sentences with keywords that count, of a page."""
_word = re.compile(r"[^\W\d_]{3,}")


class QueryRefinement:
    """What the pages read so far say about a topic."""

    def __init__(self, keywords: str) -> None:
        self.keywords = keywords
        self._terms = set(terms(keywords))
        # Two thirds of the keywords, rounded up.
        self._needed = -(-len(self._terms) * 2 // 3)
        self._for: Counter[str] = Counter()
        self._against: Counter[str] = Counter()
        self._pages = Counter[bool]()
        self._forms: dict[str, Counter[str]] = {}
        self._used: set[str] = set()

    def learn(self, texts: Iterable[str]) -> bool:
        """Learn from the texts of results; whether enough of them are on topic to go on."""
        told = list(map(self._learn, texts))
        return bool(told) and sum(told) >= LEAST * len(told)

    def _learn(self, text: str) -> bool:
        on_topic = len(self._terms & set(terms(text))) >= self._needed
        said = " ".join(excerpt(text, self.keywords, _SENTENCES)) if on_topic else text
        (self._for if on_topic else self._against).update(set(terms(said)))
        self._pages[on_topic] += 1
        for word in _word.findall(said.lower()) if on_topic else ():
            self._forms.setdefault(stem(word), Counter())[word] += 1
        return on_topic

    def next(self) -> str | None:
        """The keywords and one word more; None if no word tells the pages on topic from the others."""
        weights = self._weights()
        best = max(weights, key=lambda term: (weights[term], term), default=None)
        if best is None:
            return None
        self._used.add(best)
        return f"{self.keywords} {self._forms[best].most_common(1)[0][0]}"

    def _weights(self) -> Mapping[str, float]:
        """The share of the pages on topic that have a term, less the share of the others; of terms in two pages."""
        yes, no = self._pages[True] or 1, self._pages[False] or 1
        return {
            term: weight
            for term, count in self._for.items()
            if count > 1 and term in self._forms and term not in self._terms | self._used
            if (weight := count / yes - self._against[term] / no) > 0
        }
