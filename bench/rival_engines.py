"""What people install instead, built from the same documents: plain tantivy, SQLite's FTS5 and bm25s.

tantivy   title and body with its English stemmer, its own query parser over both fields
FTS5      title and body with Porter stems; bm25() with a weight of the title; any of the words
bm25s     title and body as one text, PyStemmer's English stems and bm25s's English stop words
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import tantivy

from lycosa.index.search_types import Document

Engine = Callable[[str, int], list[str]]
"""From a question and a number of results to URLs, best first."""
TITLE_WEIGHT = 5.0
"""Of 1, 2, 5 and 10 the best for FTS5 on the training half."""


def body(document: Document) -> str:
    """The text without the title in its first line."""
    return document.text.partition("\n")[2]


class Tantivy:
    """A tantivy index with its defaults."""

    def __init__(self, documents: Iterable[Document], folder: Path) -> None:
        build = tantivy.SchemaBuilder()
        build.add_text_field("url", stored=True, tokenizer_name="raw")
        for field in ("title", "body"):
            build.add_text_field(field, stored=True, tokenizer_name="en_stem")
        folder.mkdir()
        self._schema = build.build()
        self._index = tantivy.Index(self._schema, str(folder))
        writer = self._index.writer(40_000_000, 1)
        for each in documents:
            writer.add_document(tantivy.Document(url=each.url, title=each.title, body=body(each)))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def __call__(self, text: str, limit: int) -> list[str]:
        query = self._parsed(text)
        found = self._searcher.search(query, limit).hits
        return [str(self._searcher.doc(address)["url"][0]) for _, address in found]

    def _parsed(self, text: str) -> tantivy.Query:
        # Without signs that its query language would take for operators.
        return self._index.parse_query_lenient(re.sub(r"[^\w\s]", " ", text), ["title", "body"])[0]

    def with_snippets(self, text: str, limit: int) -> list[tuple[str, str]]:
        """Titles and tantivy's own snippets."""
        query = self._parsed(text)
        snippets = tantivy.SnippetGenerator.create(self._searcher, query, self._schema, "body")
        found = [self._searcher.doc(address) for _, address in self._searcher.search(query, limit).hits]
        return [(str(each["title"][0]), snippets.snippet_from_doc(each).to_html()) for each in found]


def fts5(documents: Sequence[Document], weight: float = TITLE_WEIGHT) -> Engine:
    """An FTS5 table in memory."""
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table pages using fts5(url unindexed, title, body, tokenize='porter unicode61')")
    base.executemany("insert into pages values (?, ?, ?)", ((each.url, each.title, body(each)) for each in documents))

    def find(text: str, limit: int) -> list[str]:
        any_word = " or ".join(f'"{word}"' for word in re.findall(r"\w+", text)).replace(" or ", " OR ")
        if not any_word:
            return []
        order = f"select url from pages where pages match ? order by bm25(pages, 0, {weight}, 1) limit ?"
        return [url for (url,) in base.execute(order, (any_word, limit))]

    return find


def bm25s(documents: Sequence[Document]) -> Engine:
    """A bm25s index in memory."""
    import bm25s as package
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    texts = [f"{each.title}\n{body(each)}" for each in documents]
    retriever = package.BM25()
    retriever.index(package.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False)

    def find(text: str, limit: int) -> list[str]:
        asked = package.tokenize([text], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = retriever.retrieve(asked, k=min(limit, len(documents)), show_progress=False)
        return [documents[row].url for row, score in zip(found[0], scores[0], strict=True) if score > 0]

    return find
