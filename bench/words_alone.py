"""Words alone: hunts without a URL on the schools bed, beside hunts from the bed's own examples.

    python bench/words_alone.py                  # every third topic, with another Lycosa as the search server
    python bench/words_alone.py --every 1 --queries 1 2 3
    python bench/words_alone.py --source searxng mediawiki

A search server on loopback knows the bed, and a finder asks it over HTTP for each topic's keywords. The server is
`lycosa serve` with a collection of the bed, or one that searches without Lycosa (`search_servers.py`). The found pages
are where a trial of 1,000 pages begins; they are no examples. The same trial from the bed's examples, which are given
as examples, is the other side. The figure is the ratio of the areas (the mean of target recall over the steps).

The search server knows the whole web, so some of what it names are targets. `strict` leaves those out of the found
pages: what remains says how good the places to begin are. `known` is the share of the web that the server knows.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
from msgspec.structs import replace

import lycosa
from lycosa.app.finders.finder import Finder, FoundPage
from lycosa.app.first_looks import reading
from lycosa.app.seed_finding import LIMIT, SeedSource, find_seeds, sources_of
from lycosa.core.keys import key64
from lycosa.lab.configurations import parse_configurations
from lycosa.lab.grounds import Ground, grounds_of
from lycosa.lab.metrics.evidence import Evidence
from lycosa.lab.metrics.target_recall_auc import target_recall_auc
from lycosa.lab.trial import Trial, run_trial
from lycosa.lab.world import World, open_world
from lycosa.web.http_options import HttpOptions
from schools import SCHOOLS
from search_servers import documents, mediawiki, searxng, urls_by_title

PAGES = 1000
STRATEGY = "apprentice"


def collect(bed: Path, folder: Path, pages: int) -> None:
    """A collection of the pages of a bed, breadth-first from all examples."""
    seeds = [url for topic in open_world(str(bed)).topics for url in topic.examples]
    hunt = lycosa.hunt(
        "encyclopedia", seeds, replay=str(bed), pages=pages, strategy="breadth-first", on_topic=False, out=folder
    )
    with hunt:
        hunt.run()


@contextmanager
def lycosa_serving(folder: Path, home: Path) -> Iterator[str]:
    """The address of `lycosa serve` for a collection."""
    command = [sys.executable, "-m", "lycosa", "serve", str(folder), "--port", "0", "--home", str(home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        url = server.stdout.readline().split(" at ")[1].split()[0].rstrip("/;")
        try:
            for _ in range(100):
                try:
                    urlopen(f"{url}/api/collections", timeout=10).close()
                    break
                except URLError:
                    time.sleep(0.1)
            yield url
        finally:
            server.terminate()


def area(world: World, ground: Ground, seeds: Sequence[str], examples: Sequence[str]) -> float:
    """The area of one crawl."""
    configuration = parse_configurations([STRATEGY])[0]
    trial = Trial(
        configuration.label,
        configuration.strategy,
        configuration.settings,
        ground.topic.keywords,
        tuple(seeds),
        PAGES,
        examples=tuple(examples),
        random_seed=key64(f"1 {ground.topic.id}") >> 33,
    )
    track = run_trial(world, trial)
    return target_recall_auc(Evidence(world.corpus, ground.topic, [track], PAGES), track)


class InBed:
    """The finder of a wiki whose articles are pages of a bed: its answers are these pages."""

    refines = True

    def __init__(self, finder: Finder, urls: dict[str, str]) -> None:
        self.finder, self.urls = finder, urls

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The pages of the articles that the wiki names."""
        found = self.finder.find(query, limit)
        return [replace(page, url=self.urls[page.title]) for page in found if page.title in self.urls]


@contextmanager
def served(kind: str, options: argparse.Namespace, place: Path) -> Iterator[SeedSource]:
    """A search server over the bed, as a source of seeds."""
    with ExitStack() as stack:
        if kind == "lycosa":
            folder = options.collection or place / "collection"
            if not folder.exists():
                collect(options.bed, folder, options.known)
            address = stack.enter_context(lycosa_serving(folder, place / "home"))
        else:
            server = {"searxng": searxng, "mediawiki": mediawiki}[kind]
            address = stack.enter_context(server(options.bed, place))
        (source,) = sources_of([f"{kind}:{address}"], {}, HttpOptions())
        if kind == "mediawiki":
            source = source._replace(finder=InBed(source.finder, urls_by_title(documents(options.bed))))
        yield source


def main() -> None:
    """Print a line for each topic and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bed", type=Path, default=SCHOOLS)
    parser.add_argument("--source", nargs="+", choices=("lycosa", "searxng", "mediawiki"), default=["lycosa"])
    parser.add_argument("--every", type=int, default=3, help="only every such topic")
    parser.add_argument("--queries", type=int, nargs="+", default=[1, 3], help="queries to the server at most")
    parser.add_argument("--known", type=int, default=10_000, help="pages that the served Lycosa knows at most")
    parser.add_argument("--collection", type=Path, help="keep its collection here, or use the one that is here")
    options = parser.parse_args()
    started = time.perf_counter()
    world = open_world(str(options.bed))
    grounds = grounds_of(world, "examples")[0][:: options.every]
    variants = [(kind, n, strict) for kind in options.source for n in options.queries for strict in (False, True)]
    heads = [f"{kind} {number}{' strict' if strict else ''}" for kind, number, strict in variants]
    print(f"{'topic':<28}{'examples':>10}", *(f"{head:>20}" for head in heads))
    table: list[list[float]] = []
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        sources = {kind: stack.enter_context(served(kind, options, Path(temporary))) for kind in options.source}
        for ground in grounds:
            row = [area(world, ground, ground.seeds, ground.topic.examples)]
            for kind, number, strict in variants:
                read = reading(HttpOptions(), str(options.bed))
                found = find_seeds(ground.topic.keywords, [sources[kind]], limit=LIMIT, queries=number, read=read)
                seeds = [seed.url for seed in found.seeds if not (strict and seed.url in ground.targets)]
                row.append(area(world, ground, seeds, ()) if seeds else 0.0)
            table.append(row)
            print(f"{ground.topic.id[:28]:<28}{row[0]:>10.3f}", *(f"{value:>20.3f}" for value in row[1:]), flush=True)
    means = np.mean(table, axis=0)
    print(f"{'mean':<28}{means[0]:>10.3f}", *(f"{value:>20.3f}" for value in means[1:]))
    print(f"{'share of the examples task':<38}", *(f"{value / means[0]:>20.2f}" for value in means[1:]))
    print(f"{len(table)} topics, {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
