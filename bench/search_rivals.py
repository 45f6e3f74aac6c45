"""How well and how fast Lycosa's search answers, beside plain tantivy, SQLite FTS5 and bm25s in the same run.

Usage: python bench/search_rivals.py [BED] [--training] [--speed]

Questions (question_sets.py) have known answers. Half of them, chosen by a hash, may be learned from (`--training`); the
figures of the documentation are those of the other half. MRR is the mean of 1 / place of the first answer among ten;
nDCG@10 counts all answers. The differences are means over all questions of a set, with 95 % bootstrap intervals.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lycosa.index.index import Index
from lycosa.index.search_types import Document, Question
from lycosa.lab.statistics.bootstrap import interval
from lycosa.lab.world import World, open_world
from question_sets import KnownQuestion, known_questions, without_some_links
from rival_engines import Engine, Tantivy, bm25s, fts5
from search_quality import SCHOOLS, Floats, ndcg, reciprocal

PLACES = 10


def documents(world: World) -> list[Document]:
    """The pages of a world."""
    shelf = world.parsed_with(context=True)
    pages = (shelf.answer(row) for row in range(shelf.pages))
    return [
        Document(
            page.url,
            page.title,
            page.text,
            page.headings,
            page.language,
            links=tuple((link.url, link.span) for link in page.links),
        )
        for page in pages
    ]


def build(pages: Sequence[Document], folder: Path) -> Index:
    """A settled index of these pages, open for reading; says what it cost."""
    begun = time.process_time()
    with Index.write(folder) as index:
        for each in without_some_links(pages):
            index.add(each)
        index.commit(1, 1)
        index.settle()
    spent = time.process_time() - begun
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{len(pages)} pages: {1e3 * spent / len(pages):.2f} CPU-ms a page, {size / 2**20:.0f} MB\n")
    return Index.open(folder)


def lycosa(index: Index) -> Engine:
    """Search as users have it; a near-duplicate that is folded into a result has its place."""

    def find(text: str, limit: int) -> list[str]:
        return ["\n".join((hit.url, *hit.twins)) for hit in index.search(Question(text, limit=limit)).hits]

    return find


def judged(engine: Engine, asked: Sequence[KnownQuestion]) -> Floats:
    """MRR and nDCG@10 of each question: a row for each measure."""
    rows = []
    for question in asked:
        answers = set(question.answers)
        found = [next((url for url in hit.split("\n") if url in answers), hit) for hit in engine(question.text, PLACES)]
        rows.append((reciprocal(found, answers), ndcg(found, answers)))
    return np.array(rows).T


def table(found: dict[str, Floats], asked: Sequence[KnownQuestion]) -> str:
    """The means by set of questions, and how far the first engine is ahead of the others, as Markdown."""
    first, *others = found
    heads = ["questions", "n", *(f"{name} {measure}" for name in found for measure in ("MRR", "nDCG"))]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    kinds = np.array([question.kind for question in asked])
    for kind in [*dict.fromkeys(kinds), "all"]:
        those = kinds == kind if kind != "all" else np.ones(len(kinds), np.bool_)
        cells = [f"{value:.3f}" for figures in found.values() for value in figures[:, those].mean(axis=1)]
        lines.append("| " + " | ".join([str(kind), str(those.sum()), *cells]) + " |")
    # No rival knows links, so the difference is also given for questions that are not made from links.
    for some, those in (("all questions", np.ones(len(kinds), np.bool_)), ("all but anchors", kinds != "anchors")):
        lines += ["", f"| {first}, {some} | MRR | 95 % | nDCG@10 | 95 % |", "|---" * 5 + "|"]
        for other in others:
            cells = []
            for ours, theirs in zip(found[first][:, those], found[other][:, those], strict=True):
                low, high = interval(ours - theirs)
                cells += [f"{(ours - theirs).mean():+.3f}", f"{low:+.3f} to {high:+.3f}"]
            lines.append(f"| beside {other} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def speed(index: Index, rival: Tantivy, asked: Sequence[str]) -> str:
    """Milliseconds for ten results, by the clock and of the processor, each question once, in turns; as Markdown."""
    ways: dict[str, Callable[[str], object]] = {
        "Lycosa, snippets and facets": lambda text: index.search(Question(text, facets=True)),
        "Lycosa, snippets": lambda text: index.search(Question(text)),
        "tantivy, its snippets": lambda text: rival.with_snippets(text, PLACES),
        "tantivy, URLs only": lambda text: rival(text, PLACES),
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for text in asked:
        for name, search in ways.items():
            clock, spent = time.perf_counter(), time.thread_time()
            search(text)
            taken[name].append((time.perf_counter() - clock, time.thread_time() - spent))
    lines = ["| ms | p50 | p99 | CPU p50 | CPU p99 |", "|---" * 5 + "|"]
    for name, times in taken.items():
        figures = 1e3 * np.percentile(np.array(times[1:]), [50, 99], axis=0).T  # the first opens files
        lines.append(f"| {name} | " + " | ".join(f"{figure:.2f}" for figure in figures.ravel()) + " |")
    return "\n".join(lines)


def main() -> None:
    """Compare, and say it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("bed", nargs="?", default=str(SCHOOLS))
    options.add_argument("--training", action="store_true", help="the half of the questions that may be learned from")
    options.add_argument("--speed", action="store_true", help="only how fast")
    chosen = options.parse_args()
    world = open_world(chosen.bed)
    pages = documents(world)
    asked = known_questions(world, pages, written=Path(chosen.bed).name == SCHOOLS.name)
    asked = [question for question in asked if question.training == chosen.training]
    with tempfile.TemporaryDirectory() as folder, build(pages, Path(folder, "index")) as index:
        rival = Tantivy(pages, Path(folder, "tantivy"))
        if not chosen.speed:
            engines = {"Lycosa": lycosa(index), "tantivy": rival, "FTS5": fts5(pages), "bm25s": bm25s(pages)}
            print(table({name: judged(engine, asked) for name, engine in engines.items()}, asked) + "\n")
        print(speed(index, rival, [question.text for question in asked]))


if __name__ == "__main__":
    main()
