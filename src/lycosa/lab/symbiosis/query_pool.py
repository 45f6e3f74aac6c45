"""The community of section 4.1: its bookmarks, and a pool of queries that its members may ask.

A topic's description is split at stop words and punctuation; a phrase of two to four words is a query, and the topic is
its context, by which results are judged and of which the system is told nothing. The paper's authors then read all
queries and removed incoherent ones. Our automatic substitute: a word in the descriptions of more than a third of the
topics belongs to none of them and splits like a stop word, words with anything but letters split, too, and a phrase in
several descriptions has no context and is left out. Odd phrases remain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from msgspec import Struct

from lycosa.community.bookmarks import Bookmark
from lycosa.core.stopwords import STOPWORDS
from lycosa.lab.corpus import labelled
from lycosa.system.errors import Code, Refused
from lycosa.web.source import BedTopic

WORDS = (2, 4)
"""Least and most words of a query."""
BOOKMARKS = 5
"""Most pages of each topic that are bookmarked."""
USUAL = 1 / 3
"""A word in the descriptions of a larger share of the topics belongs to no topic."""

# A hyphen joins words, every other sign separates.
_token = re.compile(r"\w+|[^\w\s-]")


class PoolQuery(Struct, frozen=True):
    """A query of the pool."""

    text: str
    topic: str
    """Its context: the topic in whose description it occurs."""


def query_pool(topics: Sequence[BedTopic]) -> list[PoolQuery]:
    """Every query in the descriptions of topics, in their order."""
    usual = _usual(topics)
    contexts: dict[str, set[str]] = {}
    for topic in topics:
        for phrase in phrases(topic.description, usual):
            contexts.setdefault(phrase, set()).add(topic.id)
    return [PoolQuery(phrase, *found) for phrase, found in contexts.items() if len(found) == 1]


def phrases(text: str, usual: frozenset[str] = frozenset()) -> Iterator[str]:
    """The phrases of two to four words between stop words, usual words and signs."""
    least, most = WORDS
    run: list[str] = []
    for word in (*_token.findall(text.lower()), "."):
        if word.isalpha() and len(word) > 1 and word not in STOPWORDS and word not in usual:
            run.append(word)
            continue
        if least <= len(run) <= most:
            yield " ".join(run)
        run.clear()


def _usual(topics: Sequence[BedTopic]) -> frozenset[str]:
    holding = Counter(word for topic in topics for word in {*_token.findall(topic.description.lower())})
    return frozenset(word for word, count in holding.items() if count > max(1, USUAL * len(topics)))


def bookmarks(topics: Sequence[BedTopic], is_there: Callable[[str], bool], rng: Random) -> list[Bookmark]:
    """Up to five random pages of each topic, in a folder with its name."""
    found = []
    for topic in topics:
        pages = [url for url in labelled(topic) if is_there(url)]
        chosen = rng.sample(pages, min(BOOKMARKS, len(pages)))
        found += [Bookmark(url, folder=topic.category or topic.id) for url in chosen]
    return found


def daily(pool: Sequence[PoolQuery], days: int, a_day: int, rng: Random) -> list[list[PoolQuery]]:
    """The distinct queries of each day, drawn each time from the whole pool, so that some recur on other days."""
    if len(pool) < 2:
        raise Refused(
            "the topics' descriptions hold no questions",
            "choose a world whose topics have descriptions",
            code=Code.EMPTY,
            field="bed",
        )
    return [rng.sample(pool, min(a_day, len(pool))) for _ in range(days)]
