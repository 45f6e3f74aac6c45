"""A test bed from our own crawls: what they fetched is the web, what they hunted is the topic.

A recording holds only what its crawls requested, so `bed.json` says that it is not complete: another strategy will want
pages that they never saw.

Crawls for the same keywords become one topic, as runs are pooled in retrieval; other keywords are another topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from lycosa.core.urls import canonical
from lycosa.lab.beds.folder import About, new_folder, tell
from lycosa.lab.beds.names import slug, with_ids
from lycosa.lab.beds.recording import RecordedCrawl, Recording
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.source import BedTopic
from lycosa.web.testbed import PAGES, TOPICS

DESCRIBED = 8
"""Most relevant pages that are held back to describe a topic, and never more than a quarter of them."""
EXCERPT = 600
"""Characters that each of them contributes to the description, as in the schools bed."""


class Collected(Struct):
    """A bed that was made of collections."""

    path: str
    pages: int
    redirects: int
    failures: int
    """URLs that are known not to be pages."""
    topics: list[BedTopic]
    warnings: list[str]

    def lines(self) -> Iterator[str]:
        """The report for people."""
        others = f"{self.redirects:,} redirects, {self.failures:,} URLs known to be no page"
        yield f"{self.path}: {self.pages:,} pages, {others}"
        for topic in self.topics:
            yield f"{topic.id}: {len(topic.examples):,} examples, {len(topic.targets):,} targets"
        yield from (f"warning: {line}" for line in self.warnings)


def bed_of_collection(
    folders: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    relevant: float | None = None,
    top: int | None = None,
    targets: str | Path | None = None,
    seed: int = 1,
    progress: StageProgress = no_progress,
) -> Collected:
    """Make a bed of one or more finished collections.

    Targets are the pages that the crawl's judge found at least `relevant`, or the `top` of them, or those whose URLs
    the file `targets` lists, one a line; by default the best tenth. `seed` draws the pages of the description.
    """
    choice = _Choice(relevant, top, _listed(Path(targets)) if targets is not None else None)
    named = [folders] if isinstance(folders, str | Path) else list(folders)
    with ExitStack() as stack:
        crawls = [RecordedCrawl(stack.enter_context(Collection.open(Path(name)))) for name in named]
        pools = _pools(crawls, choice)
        folder = stack.enter_context(new_folder(Path(out)))
        folder.mkdir()
        with (folder / PAGES).open("wb") as file:
            recording = Recording(file, crawls, progress)
        topics = with_ids(_topic(pool, recording, choice, Random(seed)) for pool in pools)
        warnings = list(_warnings(crawls, recording, choice))
        tell(folder, About(_origin(crawls), complete=False, warnings=warnings))
        (folder / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in topics))
    return Collected(str(out), recording.pages, len(recording.redirects), len(recording.failures), topics, warnings)


class _Choice(Struct):
    """How targets are chosen."""

    relevant: float | None
    top: int | None
    listed: set[str] | None

    def __post_init__(self) -> None:
        if sum(choice is not None for choice in (self.relevant, self.top, self.listed)) > 1:
            raise Refused(
                "targets are chosen in more than one way",
                "give a least relevance, a number of pages or a list of targets, only one of them",
                code=Code.CONTRADICTION,
            )
        if self.relevant is not None and not 0 < self.relevant <= 1:
            raise Refused(
                f"no page has a relevance of {self.relevant}",
                "give a number above 0, up to 1",
                code=Code.OUT_OF_RANGE,
                field="relevant",
            )
        if self.top is not None and self.top < 1:
            raise Refused(f"the top {self.top} pages are none", "give at least 1", code=Code.OUT_OF_RANGE, field="top")

    def of(self, relevance: dict[str, float]) -> list[str]:
        """The relevant pages, best first."""
        best = sorted(relevance, key=lambda url: (-relevance[url], url))
        if self.listed is not None:
            return [url for url in best if url in self.listed]
        if self.relevant is not None:
            return [url for url in best if relevance[url] >= self.relevant]
        some = self.top if self.top is not None else -(-len(best) // 10)
        return [url for url in best[:some] if relevance[url] > 0]


def _pools(crawls: list[RecordedCrawl], choice: _Choice) -> list[list[RecordedCrawl]]:
    """The crawls by their keywords."""
    pools: dict[str, list[RecordedCrawl]] = {}
    for crawl in crawls:
        pools.setdefault(" ".join(crawl.plan.topic.keywords.lower().split()), []).append(crawl)
    if choice.listed is not None and len(pools) > 1:
        raise Refused(
            "a list of targets does not say which topic they belong to",
            "make a bed for each topic",
            code=Code.CONTRADICTION,
            field="targets",
        )
    return list(pools.values())


def _topic(pool: list[RecordedCrawl], recording: Recording, choice: _Choice, rng: Random) -> BedTopic:
    """The topic of some crawls for the same keywords."""
    topic = pool[0].plan.topic
    seeds = dict.fromkeys(url for crawl in pool for url in crawl.plan.seeds if url not in recording.failures)
    starts = seeds.keys() | {recording.end(url) for url in seeds}
    relevance = {url: value for crawl in pool for url, value in crawl.relevance.items() if url not in starts}
    found = choice.of(relevance)
    if not found:
        best = max(relevance.values(), default=0.0)
        problem = f"«{topic.keywords}» has no target: no page but the seeds was chosen"
        raise Refused(problem, f"choose otherwise; the best page has a relevance of {best:.3f}", code=Code.EMPTY)
    described = rng.sample(found, min(DESCRIBED, len(found) // 4))
    texts = [next(filter(None, (crawl.text(url) for crawl in pool)), "") for url in described]
    return BedTopic(
        id=slug(topic.name or topic.keywords),
        category=topic.name,
        keywords=topic.keywords,
        description=" ".join(" ".join(text.split())[:EXCERPT] for text in texts),
        examples=tuple(seeds),
        targets=tuple(url for url in found if url not in described),
        described=tuple(described),
    )


def _warnings(crawls: list[RecordedCrawl], recording: Recording, choice: _Choice) -> Iterator[str]:
    for crawl in crawls:
        yield from crawl.warnings()
    if recording.lost:
        yield f"{recording.lost:,} pages are damaged or gone from their collection and were left out"
    if choice.listed is None:
        strategies = " and ".join(sorted({crawl.plan.strategy for crawl in crawls}))
        yield (
            f"the targets are what {strategies} fetched and the crawl's own judge found relevant, which favours "
            f"{strategies} and whatever the same judge guides: a list of targets, or crawls by several strategies in "
            "one bed, are fairer"
        )
    elif unknown := len(choice.listed.difference(*(crawl.relevance for crawl in crawls))):
        yield f"{unknown:,} of the {len(choice.listed):,} listed URLs are not pages of the collection"


def _listed(path: Path) -> set[str]:
    """The URLs of a file, one a line; # begins a comment."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise Refused(
            f"{path} cannot be read ({problem})",
            "give a text file with one URL per line",
            code=Code.UNREADABLE,
            field="targets",
        ) from None
    found = set()
    for number, line in enumerate(lines, 1):
        if text := re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip():
            url = canonical(text, limit=1 << 16)
            if url is None:
                raise Refused(
                    f"{path}, line {number}: {text!r} is not an http URL",
                    "write one URL per line",
                    code=Code.BAD_FILE,
                    field="targets",
                )
            found.add(url)
    return found


def _origin(crawls: list[RecordedCrawl]) -> str:
    told = [f"{c.folder.resolve().name} ({c.plan.strategy}, {len(c.relevance):,} pages)" for c in crawls]
    return f"{'collection' if len(told) == 1 else 'collections'} {', '.join(told)}"
