"""What a page costs in each part of its way: parse, words, judge. Pages per CPU-second, one process.

    python bench/parts.py [PAGES]

Reads pages of the schools test bed where it lies beside the repository, and makes pages of its own elsewhere.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from fastwarc.warc import ArchiveIterator, WarcRecordType
from selectolax.lexbor import LexborHTMLParser

from lycosa.core.nouns import Page
from lycosa.core.query import Query
from lycosa.core.urls import Joiner
from lycosa.core.words import norm, terms
from lycosa.judge.cosine import Cosine
from lycosa.web.charset import decode
from lycosa.web.hostile import risky
from lycosa.web.parse import parse

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools" / "pages.warc.gz"
ROUNDS = 3


def recorded() -> Iterator[tuple[str, bytes]]:
    """Every fifth page of the bed: they are in alphabetical order."""
    with SCHOOLS.open("rb") as file:
        for record in islice(ArchiveIterator(file, record_types=WarcRecordType.response), 0, None, 5):
            yield record.headers["WARC-Target-URI"], record.reader.read()


def made() -> Iterator[tuple[str, bytes]]:
    """Pages of about 30 KB with 60 links each, of words that follow Zipf's law."""
    rng = random.Random(1)
    vocabulary = ["".join(rng.choices("aeioulnrstdmk", k=rng.randint(2, 10))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    while True:
        words = iter(rng.choices(vocabulary, weights, k=3_000))
        paragraphs = []
        while chunk := list(islice(words, 50)):
            chunk[20] = f'<a href="/{chunk[20]}/{chunk[21]}.html" title="{chunk[22]}">{chunk[20]} {chunk[21]}</a>'
            chunk[40] = f'<b class="term">{chunk[40]}</b>'
            paragraphs.append(f'<div class="section"><p class="text">{" ".join(chunk)}</p></div>\n')
        html = f"<html lang=en><title>{chunk}</title><body>{''.join(paragraphs)}</body></html>"
        yield f"http://made.test/{rng.random()}/", html.encode()


def measure(name: str, part: Callable[[Any], object], things: Sequence[Any]) -> None:
    """The best of some rounds: noise only ever adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for thing in things:
            part(thing)
        best = min(best, time.process_time() - start)
    print(f"{name:34}{len(things) / best:10,.0f} pages/CPU-s{best / len(things) * 1e6:10.1f} us")


def main() -> None:
    """Print the cost of every part."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    pages = list(islice(recorded() if SCHOOLS.exists() else made(), number))
    parsed = [parse(url, body, "text/html", context=True) for url, body in pages]
    size = sum(len(body) for _, body in pages) / len(pages)
    links = sum(len(page.links) for page in parsed) / len(pages)
    words = sum(len(page.text.split()) for page in parsed) / len(pages)
    print(f"{len(pages)} pages, on average {size / 1000:.1f} kB, {words:.0f} words, {links:.0f} links\n")

    def join(page: Page) -> None:
        joiner = Joiner(page.url)
        for link in page.links:
            joiner(link.url)

    keywords = "history of ancient rome"
    judge, query = Cosine.of(keywords), Query(keywords)
    bags = [(bag, norm(bag)) for bag in (terms(page.text) for page in parsed)]
    measure("parse", lambda page: parse(page[0], page[1], "text/html"), pages)
    measure("parse with contexts", lambda page: parse(page[0], page[1], "text/html", context=True), pages)
    measure("  of it the tree alone (Lexbor)", lambda page: LexborHTMLParser(page[1]), pages)
    measure("  of it charset", lambda page: decode(page[1], "text/html"), pages)
    measure("  of it hostile or not", lambda page: risky(page[1]), pages)
    measure("  of it URLs", join, parsed)
    measure("words", lambda page: terms(page.text), parsed)
    measure("judge, words included", judge, parsed)
    measure("judge, words kept", lambda bag: query.of_terms(*bag), bags)


if __name__ == "__main__":
    main()
