"""Excerpts of a text by which a person, or a machine that reads, can judge a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lycosa.core.query import Query

_LONG = 100_000
"""Characters of a page that are searched for an excerpt."""
_SENTENCE = 240
"""Characters of a sentence that are shown."""
_WORDS = 5
"""Words that a meaningful sentence has at least; headings and menus have fewer."""
_sentence_end = re.compile(r"(?<=[.!?])\s+|\s*\n\s*")


def excerpt(text: str, keywords: str, count: int = 3) -> tuple[str, ...]:
    """The sentences of a text that are most about the keywords, in their order; if none is, the first ones."""
    query = Query(keywords)
    sentences = [" ".join(sentence.split()) for sentence in _sentence_end.split(text[:_LONG])]
    telling = [sentence for sentence in sentences if len(sentence.split()) >= _WORDS]
    # Each sentence once: menus and footers repeat.
    unique = list(dict.fromkeys(telling or filter(None, sentences)))
    return tuple(sentence[:_SENTENCE] for sentence in _most_about(query, unique, count) or unique[:count])


def _most_about(query: Query, sentences: Sequence[str], count: int) -> list[str]:
    scores = {at: query.of_text(sentence) for at, sentence in enumerate(sentences) if query.occurs_in(sentence)}
    best = sorted((at for at, score in scores.items() if score > 0), key=lambda at: (-scores[at], at))[:count]
    return [sentences[at] for at in sorted(best)]
