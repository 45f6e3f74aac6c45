"""The fields of the content index, and how a document becomes an entry.

The text is indexed as plain lower-case words without accents and stop words: stemming it would cost more than
everything else together, so the words of a query are expanded to all words of the same stem instead (expansion.py).
Titles and the words of URLs are short: they are stemmed when they are indexed. The opening of a text and
its headings are indexed once more by themselves, because what a page is about is usually said there.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable

from msgspec.structs import replace
from tantivy import Document as Fields
from tantivy import Index, Occur, Query, Schema, SchemaBuilder

from lycosa.core.urls import host_of
from lycosa.index.index_words import (
    RAW,
    STEMS,
    WORDS,
    composed,
    readable,
    register,
    stems_of,
    url_stems,
)
from lycosa.index.relevances import UNKNOWN
from lycosa.index.search_types import Document

STEMMED = ("title", "url")
"""The fields whose words are indexed as stems."""
OPENING = 600
"""Characters after the title that are the opening of a text."""


def _schema() -> Schema:
    build = SchemaBuilder()
    build.add_unsigned_field("key", indexed=True, fast=True)  # of the URL: what is replaced and removed
    build.add_unsigned_field("place", fast=True)  # in the pages beside the index
    build.add_text_field("text", tokenizer_name=WORDS, index_option="position")
    build.add_text_field("title", tokenizer_name=STEMS, index_option="position")
    build.add_text_field("title_words", tokenizer_name=WORDS, index_option="position")  # as in the text
    build.add_text_field("about", tokenizer_name=WORDS, index_option="basic")
    build.add_text_field("url", tokenizer_name=STEMS, index_option="freq")
    build.add_text_field("spelling", tokenizer_name=STEMS, index_option="basic")  # words written otherwise than indexed
    for name in ("host", "category", "language", "type", "year"):  # as they are, for facets
        build.add_text_field(name, tokenizer_name=RAW, index_option="basic", fast=True)
    for name in ("domain", "branch"):  # with everything above them, for filters
        build.add_text_field(name, tokenizer_name=RAW, index_option="basic")
    for name in ("relevance", "at"):  # the relevance when it was indexed (relevances.py)
        build.add_float_field(name, fast=True)
    return build.build()


SCHEMA = _schema()


def open_index(path: str | None) -> Index:
    """The tantivy index at a path, made if there is none; without a path, an empty one in memory."""
    index = Index(SCHEMA, path)
    index.config_reader("manual")
    register(index)
    return index


def whole(document: Document) -> tuple[Document, bytes]:
    """A document without lone surrogates and with composed accents, and its text in UTF-8."""
    try:
        raw = document.text.encode()
        (document.title + document.headings + document.category).encode()
    except UnicodeEncodeError:
        said = (document.title, document.text, document.headings, document.category)
        title, text, headings, category = (each.encode("utf-8", "replace").decode() for each in said)
        return whole(replace(document, title=title, text=text, headings=headings, category=category))
    if b"\xcc" in raw:  # the lead byte of combining accents: searching for it costs a hundredth of composing
        document = replace(document, text=composed(document.text))
        raw = document.text.encode()
    return document, raw


def entry(document: Document, raw: bytes, language: str, key: int, place: int) -> Fields:
    """The fields of a document for tantivy, given its text in UTF-8 as well."""
    fields = Fields()
    fields.add_unsigned("key", key)
    fields.add_unsigned("place", place)
    text, spellings = readable(document.text, raw)
    fields.add_text("text", text)
    fields.add_text("title", stems_of(document.title, language))
    fields.add_text("title_words", readable(document.title, document.title.encode()).text)
    fields.add_text("about", f"{_opening(text)} {document.headings}")
    fields.add_text("url", url_stems(document.url, language))
    if spellings:
        fields.add_text("spelling", " ".join(spellings))
    host, above = domains(document.url)
    fields.add_text("host", host)
    for domain in above:
        fields.add_text("domain", domain)
    if document.category:
        fields.add_text("category", document.category)
        for branch in branches(document.category):
            fields.add_text("branch", branch)
    if language:
        fields.add_text("language", language)
    fields.add_text("type", document.type)
    if year := year_of(document.at):
        fields.add_text("year", year)
    fields.add_float("relevance", UNKNOWN if document.relevance is None else document.relevance)
    fields.add_float("at", document.at)
    return fields


def year_of(at: float) -> str:
    """The year of a time; empty if it is not known."""
    return str(time.gmtime(at).tm_year) if at > 0 else ""


def _opening(text: str) -> str:
    """The beginning of a text without its title, as whole words."""
    start = text.find("\n") + 1
    begun = text[start : start + OPENING]
    return begun if len(text) <= start + OPENING else begun.rpartition(" ")[0]


def any_of(field: str, values: Iterable[str | int]) -> Query:
    """A query for any of some values; tantivy's own query for that scans the whole dictionary."""
    some = [Query.term_query(SCHEMA, field, value, index_option="basic") for value in values]
    return some[0] if len(some) == 1 else Query.boolean_query([(Occur.Should, each) for each in some])


def domains(url: str) -> tuple[str, list[str]]:
    """The host of a URL, and the names that match it in filters: itself, with and without port, and parent domains."""
    host = host_of(url)
    name = host if host.startswith("[") else host.partition(":")[0]
    if re.fullmatch(r"[\d.]+|\[.*", name):
        return host, list(dict.fromkeys((host, name)))
    parts = name.split(".")
    return host, list(dict.fromkeys((host, *(".".join(parts[start:]) for start in range(len(parts))))))


def branches(category: str) -> list[str]:
    """The names that match a category in filters: itself and all its parents, in lower case."""
    parts = category.lower().strip("/").split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1) if parts[end - 1]]
