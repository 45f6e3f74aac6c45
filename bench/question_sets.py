"""Questions with known answers for the comparison of search engines, half of them for training, half held back.

titles        the title of a page; the page is the answer
anchors       the words of a link on a page whose links no engine is given, if they are not the title of its target
topics        the keywords of a topic; the pages of its category are the answers
natural       questions in plain words, and
paraphrase    descriptions without the name of the thing, both from questions.tsv, with the titles of the answers
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from lycosa.core.keys import key64
from lycosa.core.words import terms
from lycosa.index.search_types import Document
from lycosa.lab.world import World

WRITTEN = Path(__file__).with_name("questions.tsv")
ITEMS = 300
"""Titles, and anchors, that are asked."""
SILENCED = 10
"""The links of one page in this many are not indexed: their anchors are questions."""


class KnownQuestion(NamedTuple):
    """A question and the URLs that answer it."""

    kind: str
    text: str
    answers: frozenset[str]

    @property
    def training(self) -> bool:
        """Whether it belongs to the half that may be learned from."""
        return key64(f"{self.kind} {self.text}") % 2 == 0


def is_silenced(url: str) -> bool:
    """Whether the links of a page are kept from the engines."""
    return key64(url) % SILENCED == 0


def without_some_links(documents: Iterable[Document]) -> Iterable[Document]:
    """The documents, some without their links."""
    return (replace(each, links=()) if is_silenced(each.url) else each for each in documents)


def known_questions(world: World, documents: Sequence[Document], *, written: bool) -> list[KnownQuestion]:
    """All questions about a world; `written` adds those that were written for the schools bed."""
    by_title: dict[str, set[str]] = {}
    for document in documents:
        by_title.setdefault(document.title, set()).add(document.url)
    asked = [*_titles(by_title), *_anchors(documents)]
    for topic in world.topics:
        pages = frozenset((*topic.targets, *topic.examples, *topic.described))
        asked.append(KnownQuestion("topics", topic.keywords, pages))
    if written:
        for line in WRITTEN.read_text().splitlines():
            kind, text, titles = line.split("\t")
            answers = frozenset[str]().union(*(by_title[title] for title in titles.split("|")))
            asked.append(KnownQuestion(kind, text, answers))
    return asked


def _titles(by_title: dict[str, set[str]]) -> list[KnownQuestion]:
    unique = [(title, urls) for title, urls in sorted(by_title.items()) if len(urls) == 1 and terms(title)]
    return [
        KnownQuestion("titles", title, frozenset(urls))
        for title, urls in random.Random(3).sample(unique, min(ITEMS, len(unique)))
    ]


def _anchors(documents: Sequence[Document]) -> list[KnownQuestion]:
    titles = {document.url: document.title for document in documents}
    said: dict[str, set[str]] = {}
    for document in documents:
        if is_silenced(document.url):
            for url, (start, end) in document.links:
                text = " ".join(document.text[start:end].split())
                if url in titles and url != document.url and terms(text):
                    said.setdefault(text, set()).add(url)
    telling = [
        (text, urls)
        for text, urls in sorted(said.items())
        if len(urls) == 1 and terms(text) != terms(titles[next(iter(urls))])
    ]
    chosen = random.Random(4).sample(telling, min(ITEMS, len(telling)))
    return [KnownQuestion("anchors", text, frozenset(urls)) for text, urls in chosen]
