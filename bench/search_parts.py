"""What the content index costs, part by part, and what its constants are good for, on the schools bed.

Usage: python bench/search_parts.py [BED] [--calibrate]

writing       CPU a page for adding and committing, and for closing (merges); bytes on disk per byte of text
asking        CPU for understanding, finding and showing ten results: median and 99th percentile, each question once
calibration   P@10 for topics' keywords and for runs of words from their descriptions (relevant: pages of the topic),
              how often the page of a title is first, and how many of the best ten hold all words, by constants
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

from lycosa.core.stopwords import STOPWORDS
from lycosa.index import matching
from lycosa.index.content import Content
from lycosa.index.query_parser import ask
from lycosa.index.search_types import Document
from lycosa.index.spelling import Speller
from lycosa.lab.world import World, open_world

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
COMMITS = (1, 5, 20)
RUNS, TITLES = 25, 400
Judged = list[tuple[str, set[str]]]
"""Questions, and the pages that are right."""


def cpu(work: Callable[[], object]) -> float:
    """CPU milliseconds of this process, all threads."""
    begun = time.process_time()
    work()
    return 1e3 * (time.process_time() - begun)


def documents(world: World) -> list[Document]:
    """The pages of a world."""
    shelf = world.parsed_with(context=True)
    pages = (shelf.answer(row) for row in range(shelf.pages))
    return [Document(page.url, page.title, page.text, page.headings, page.language) for page in pages]


def write(pages: list[Document], folder: Path, commits: int) -> None:
    """Index the pages, and say what it took."""
    text = sum(len(page.text.encode()) for page in pages)
    content = Content(folder, write=True)

    def work() -> None:
        for number, page in enumerate(pages, 1):
            content.add(page, twin=number, language="en")
            if number % (len(pages) // commits) == 0:
                content.commit()
        content.commit()

    added, closed = cpu(work) / len(pages), cpu(content.close) / len(pages)
    size = sum(path.stat().st_size for path in folder.iterdir()) / text
    print(f"{commits:3} commits: {added:.3f} CPU-ms a page, closing {closed:.3f}; {size:.2f} of the text on disk")


def runs(text: str) -> Iterator[str]:
    """Two to four words without a stop word or a mark between them."""
    for run in re.split(r"[^A-Za-z ]+", text):
        words: list[str] = []
        for word in [*run.split(), "the"]:
            if word.lower() not in STOPWORDS:
                words.append(word)
                continue
            if 2 <= len(words) <= 4:
                yield " ".join(words)
            words = []


def ask_all(content: Content, questions: Iterable[str]) -> None:
    """Ask each question once, and say what it took."""
    parts: dict[str, list[float]] = {
        "ask": [],
        "find": [],
        "find 300": [],
        "hits": [],
        "suggest": [],
        "find + hits": [],
    }
    for text in questions:
        asked = ask(text)
        parts["ask"].append(cpu(lambda text=text: ask(text)))  # type: ignore[misc]
        parts["find"].append(cpu(lambda asked=asked: content.find(asked, 10)))  # type: ignore[misc]
        matches = content.find(asked, 10).matches
        parts["hits"].append(cpu(lambda matches=matches, asked=asked: content.hits(matches, asked)))  # type: ignore[misc]
        parts["find 300"].append(cpu(lambda asked=asked: content.find(asked, 300)))  # type: ignore[misc]
        parts["suggest"].append(cpu(lambda asked=asked: Speller([content.dictionary]).correct(asked)))  # type: ignore[misc]
        parts["find + hits"].append(parts["find"][-1] + parts["hits"][-1])
    for name, times in parts.items():
        cuts = quantiles(times, n=100)
        print(f"{name:12} p50 {cuts[49]:.3f}  p99 {cuts[98]:.3f} CPU-ms")


class Quality:
    """How good the first ten are."""

    def __init__(self, world: World, content: Content) -> None:
        self._content = content
        dice = random.Random(5)
        self.topics: Judged = []
        self.runs: Judged = []
        for topic in world.topics:
            right = {*topic.targets, *topic.examples, *topic.described}
            self.topics.append((topic.keywords, right))
            said = [run for run in runs(topic.description) if "CDATA" not in run and "Toc" not in run]
            self.runs += [(run, right) for run in dice.sample(said, min(RUNS, len(said)))]
        urls = dice.sample(sorted(content.urls()), TITLES)
        self.titles: Judged = [(title, {url}) for url, title in content.titles(urls).items() if title]

    def _first(self, text: str, limit: int = 10) -> list[str]:
        return [match.url for match in self._content.find(ask(text), limit).matches]

    def _precision(self, judged: Judged) -> float:
        return fmean(sum(url in right for url in self._first(text)) / 10 for text, right in judged)

    def _whole(self) -> float:
        shares = []
        for text, _ in self.runs:
            every = " ".join(f"+{word}" for word in ask(text).words)
            whole = set(self._first(every, 10_000))
            if whole:
                shares.append(fmean(url in whole for url in self._first(text, min(10, len(whole)))))
        return fmean(shares)

    def show(self, label: str) -> None:
        """Say how good it is now."""
        named = fmean(not right.isdisjoint(self._first(text, 1)) for text, right in self.titles)
        print(
            f"{label:44} topics P@10 {self._precision(self.topics):.3f}, runs P@10 {self._precision(self.runs):.3f}, "
            f"title first {named:.3f}, all words {self._whole():.3f}"
        )


def calibrate(quality: Quality) -> None:
    """Say what other constants would do."""
    quality.show("as it is")
    trials: dict[str, list[Any]] = {
        "BOOSTS": [dict(zip(matching.BOOSTS, each, strict=True)) for each in ((0, 0, 0), (1, 0.5, 0.5), (2, 1, 1))],
        "PRESENCE": [0.0, 0.5, 2.0],
        "SPELLINGS": [0.0, 1.0],
        "TYPED": [1.0, 1.3],
        "TOGETHER": [0.0, 1.0],
        "APART": [0, 3],
    }
    for name, values in trials.items():
        usual = getattr(matching, name)
        for value in values:
            setattr(matching, name, value)
            quality.show(f"{name} {list(value.values()) if isinstance(value, dict) else value}")
        setattr(matching, name, usual)


def main() -> None:
    """Measure, and say it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("bed", nargs="?", default=str(SCHOOLS))
    options.add_argument("--calibrate", action="store_true")
    chosen = options.parse_args()
    world = open_world(chosen.bed)
    pages = documents(world)
    with tempfile.TemporaryDirectory() as folder:
        for commits in COMMITS:
            write(pages, Path(folder, str(commits)), commits)
        content = Content(Path(folder, str(COMMITS[1])))
        print(f"{len(content)} pages")
        quality = Quality(world, content)
        ask_all(content, dict.fromkeys(text for text, _ in quality.runs))
        print(f"background   {cpu(content.background):.0f} CPU-ms")
        if chosen.calibrate:
            calibrate(quality)
        content.close()


if __name__ == "__main__":
    main()
