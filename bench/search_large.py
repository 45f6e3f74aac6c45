"""How fast search is in a large collection: made pages of words by Zipf's law, beside tantivy alone in the same run.

Usage: python bench/search_large.py [PAGES]

Each page has a title of three words, 120 words of text and three links to other pages, with their titles around them.
Questions have one to four words; each is asked once. Lycosa answers with snippets and facets.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lycosa.index.index import Index
from lycosa.index.search_types import Document
from rival_engines import Tantivy
from search_rivals import speed

WORDS, TEXT, LINKS, QUESTIONS = 200_000, 120, 3, 500
BATCH = 50_000
"""Pages between two commits."""
_SYLLABLES = [first + last for first in "bdfgklmnprstvz" for last in "aeiou"]


def word(rank: int) -> str:
    """The word of a rank: frequent words are short, and no two are equal."""
    said = ""
    rank += len(_SYLLABLES)
    while rank:
        rank, part = divmod(rank, len(_SYLLABLES))
        said += _SYLLABLES[part]
    return said


def pages(count: int) -> Iterator[Document]:
    """Made pages on hosts of a hundred."""
    dice = np.random.default_rng(1)
    words = [word(rank) for rank in range(WORDS)]
    share = 1 / np.arange(1, WORDS + 1)
    ends = np.cumsum(share) / share.sum()

    def drawn(number: int) -> list[str]:
        return [words[rank] for rank in np.searchsorted(ends, dice.random(number)).tolist()]

    def url(number: int) -> str:
        return f"http://site{number // 100}.test/{number}"

    for number in range(count):
        title, body = drawn(3), drawn(TEXT)
        text = " ".join((*title, "\n", *body))
        links = []
        for target in dice.integers(count, size=LINKS).tolist():
            said = " ".join(drawn(2))
            links.append((url(target), (len(text) + 2, len(text) + 2 + len(said))))
            text += f". {said}"
        yield Document(url(number), " ".join(title), text, language="en", links=tuple(links))


def main() -> None:
    """Index, ask, and say what it took."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    dice = random.Random(2)
    asked = [" ".join(word(int(WORDS ** dice.random())) for _ in range(dice.randint(1, 4))) for _ in range(QUESTIONS)]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        with Index.write(Path(folder, "index")) as index:
            for number, page in enumerate(pages(count), 1):
                index.add(page)
                if number % BATCH == 0:
                    index.commit(number, 1)
            index.commit(count, 1)
            index.settle()
        print(f"{count} pages: {1e3 * (time.process_time() - begun) / count:.2f} CPU-ms a page, with their making")
        rival = Tantivy(pages(count), Path(folder, "tantivy"))
        with Index.open(Path(folder, "index")) as index:
            print(speed(index, rival, asked))


if __name__ == "__main__":
    main()
