"""How good and how quick search is: content, reference and hybrid on a test bed whose labels say what is relevant.

topics        a query from each topic's keywords; relevant are the pages of its category. P@10 and nDCG@10, and a
              one-tailed paired t-test of hybrid against each of the others.
known items   the titles of pages as queries; relevant is the page. The mean of 1 / place, and how often it is first.
snippets      of the first ten results of these queries: how many are taken from what their site repeats, that is, half
              of their sequences of five words are on 30 % of the pages of their site.
speed         keywords, titles and runs of words from descriptions, each asked once: ten hits with snippets.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log2
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lycosa.core.words import terms
from lycosa.index.index import Index
from lycosa.index.places import FEWEST, top_folder
from lycosa.index.search_types import BY, Document, Question
from lycosa.lab.statistics.compare import t_test
from lycosa.lab.world import World, open_world

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "testbeds" / "schools"
PLACES, ITEMS, ASKED = 10, 300, 600

Floats = NDArray[np.float64]
Measure = Callable[[Sequence[str], set[str]], float]


def documents(world: World) -> Iterable[Document]:
    """The pages of a world, as an index is told of them."""
    shelf = world.parsed_with(context=True)
    for row in range(shelf.pages):
        page = shelf.answer(row)
        links = tuple((link.url, link.span) for link in page.links)
        yield Document(page.url, page.title, page.text, page.headings, page.language, links=links)


def build(world: World, folder: Path) -> Index:
    """An index of all pages of a world; says what it cost."""
    index, spent, count, size = Index.write(folder), 0.0, 0, 0
    for document in documents(world):
        size += len(document.text.encode())
        begun = time.process_time()
        index.add(document)
        spent += time.process_time() - begun
        count += 1
    begun = time.process_time()
    index.commit(1, 1)
    spent += time.process_time() - begun
    begun = time.process_time()
    index.settle()
    settled = time.process_time() - begun
    held = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{count} pages: {1e3 * spent / count:.2f} CPU-ms a page, settled in {settled:.2f} CPU-s, ", end="")
    print(f"{held / 2**20:.0f} MB for {size / 2**20:.0f} MB of text\n")
    return index


def precision(found: Sequence[str], relevant: set[str]) -> float:
    """P@10."""
    return sum(url in relevant for url in found[:PLACES]) / PLACES


def ndcg(found: Sequence[str], relevant: set[str]) -> float:
    """nDCG@10 for labels that only say yes or no."""
    gains = [1 / log2(place + 2) for place in range(PLACES)]
    ideal = sum(gains[: len(relevant)])
    return sum(gain for url, gain in zip(found, gains, strict=False) if url in relevant) / ideal


def reciprocal(found: Sequence[str], relevant: set[str]) -> float:
    """One divided by the place of the first that is relevant; 0 if none of ten is."""
    return next((1 / place for place, url in enumerate(found[:PLACES], 1) if url in relevant), 0.0)


def first(found: Sequence[str], relevant: set[str]) -> float:
    """Whether the first one is relevant."""
    return float(bool(found) and found[0] in relevant)


def ask(index: Index, text: str, by: str) -> tuple[list[str], list[set[str]]]:
    """What is found, and each result with the twins that are folded into it."""
    hits = index.search(Question(text, by, PLACES)).hits
    return [hit.url for hit in hits], [{hit.url, *hit.twins} for hit in hits]


def measure(index: Index, queries: Sequence[tuple[str, set[str]]], measures: Sequence[Measure]) -> dict[str, Floats]:
    """For each way of asking a row a measure, a column a query. A twin of a relevant page is as good as the page."""
    found = {}
    for by in BY:
        figures = []
        for text, relevant in queries:
            urls, groups = ask(index, text, by)
            shown = [next(iter(group & relevant), url) for url, group in zip(urls, groups, strict=True)]
            figures.append([measure(shown, relevant) for measure in measures])
        found[by] = np.array(figures).T
    return found


def table(found: dict[str, Floats], names: Sequence[str]) -> str:
    """The means as Markdown, and how sure it is that hybrid is better."""
    heads = [head for name in names for head in (name, "p")]
    lines = ["| by | " + " | ".join(heads) + " |", "|---" * (1 + len(heads)) + "|"]
    for by, figures in found.items():
        cells = []
        for row, values in enumerate(figures):
            p = "" if by == "hybrid" else f"{t_test(found['hybrid'][row] - values):.3f}"
            cells += [f"{values.mean():.3f}", p]
        lines.append(f"| {by} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def topics(world: World) -> list[tuple[str, set[str]]]:
    """Keywords, and the pages of their category."""
    return [(topic.keywords, {*topic.targets, *topic.examples, *topic.described}) for topic in world.topics]


def items(world: World, count: int = ITEMS) -> list[tuple[str, set[str]]]:
    """Titles that only one page has, and that page."""
    shelf = world.parsed_with(context=True)
    pages: dict[str, set[str]] = {}
    for row in range(shelf.pages):
        page = shelf.answer(row)
        pages.setdefault(page.title, set()).add(page.url)
    unique = [(title, urls) for title, urls in sorted(pages.items()) if len(urls) == 1 and terms(title)]
    return random.Random(1).sample(unique, min(count, len(unique)))


def sequences(text: str) -> list[tuple[str, ...]]:
    """The sequences of five words of a text."""
    words = re.findall(r"\w+", text.lower())
    return [tuple(words[at : at + 5]) for at in range(len(words) - 4)]


def navigation(world: World) -> dict[str, set[tuple[str, ...]]]:
    """What 30 % of the pages of each site have after their titles, counted exactly."""
    held: dict[str, list[set[tuple[str, ...]]]] = {}
    for document in documents(world):
        held.setdefault(top_folder(document.url), []).append(set(sequences(document.text.partition("\n")[2])))
    counted = {site: Counter(each for page in pages for each in page) for site, pages in held.items()}
    known = {site: 0.3 * len(pages) for site, pages in held.items() if len(pages) >= FEWEST}
    return {site: {each for each, times in counted[site].items() if times >= least} for site, least in known.items()}


def snippets(index: Index, world: World, asked: Sequence[str]) -> str:
    """The share of snippets that are taken from navigation."""
    repeated, taken = navigation(world), []
    for text in asked:
        for hit in index.search(Question(text)).hits:
            shown = [each for part in hit.snippet.split(" … ") for each in sequences(part)]
            again = sum(each in repeated.get(top_folder(hit.url), ()) for each in shown)
            taken.append(bool(shown) and 2 * again >= len(shown))
    return f"{sum(taken)} of {len(taken)} snippets are navigation ({np.mean(taken):.3f})"


def questions(world: World, count: int = ASKED) -> list[str]:
    """Keywords, titles, and runs of two to four words from descriptions."""
    dice, asked = random.Random(2), [topic.keywords for topic in world.topics]
    asked += [title for title, _ in items(world, count // 3)]
    words = [word for topic in world.topics for word in topic.description.split()]
    while words and len(asked) < count:
        start = dice.randrange(len(words))
        asked.append(" ".join(words[start : start + dice.randint(2, 4)]))
    return list(dict.fromkeys(asked))


def speed(index: Index, asked: Sequence[str]) -> str:
    """Milliseconds from question to answer, by the clock and of the processor, as Markdown."""
    lines = ["| by | queries | p50 ms | p99 ms | CPU p50 | CPU p99 |", "|---" * 6 + "|"]
    for by in BY:
        taken = []
        for text in asked:
            clock, spent = time.perf_counter(), time.thread_time()
            index.search(Question(text, by))
            taken.append((time.perf_counter() - clock, time.thread_time() - spent))
        # The first question opens what the others find open.
        figures = 1e3 * np.percentile(np.array(taken[1:]), [50, 99], axis=0).T
        lines.append(f"| {by} | {len(asked)} | " + " | ".join(f"{figure:.2f}" for figure in figures.ravel()) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("world", nargs="?", default=str(SCHOOLS), help="a test bed, or «made:pages=5000,seed=1»")
    world = open_world(parser.parse_args().world)
    with tempfile.TemporaryDirectory() as folder:
        build(world, Path(folder) / "index").close()
        with Index.open(Path(folder) / "index") as index:
            print(speed(index, questions(world)) + "\n")
            print(table(measure(index, topics(world), (precision, ndcg)), ("P@10", "nDCG@10")) + "\n")
            print(table(measure(index, items(world), (reciprocal, first)), ("1 / place", "first")) + "\n")
            print(snippets(index, world, questions(world)))


if __name__ == "__main__":
    main()
