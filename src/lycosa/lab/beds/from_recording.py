"""Test beds of recorded pages: topics from the Open Directory or from labels, pages from any WARC or WACZ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from lycosa.lab.beds.folder import About, new_folder, tell, write_draft
from lycosa.lab.beds.names import slug, with_ids, words
from lycosa.lab.beds.odp import Dump
from lycosa.lab.beds.recorded_pages import EVERY, RecordedPages, neighbors
from lycosa.lab.beds.topic_labels import Labelled, read_labels
from lycosa.lab.beds.topic_selection import TopicSelection, business, leaves, require_examples
from lycosa.system.errors import Code, Refused
from lycosa.system.progress import StageProgress, no_progress
from lycosa.web.source import BedTopic
from lycosa.web.testbed import make_bed

EXCERPT = 2000
"""Characters of a page that go into a description: enough to get past its navigation, without outweighing others."""

Recordings = Sequence[str | Path]
"""WARC files, WACZ packages, folders of them, collections."""


class Built(Struct):
    """A bed, and the report on how it was made."""

    path: str
    topics: list[BedTopic]
    pages: int = 0
    """0 if the bed has no pages yet."""
    listed: int = 0
    """Relevant URLs that the directory or labels name."""
    missing: int = 0
    """Those of them that are not pages of the recording."""
    left_out: list[str] = []
    """Topics with too few recorded pages, with the reason."""
    warnings: list[str] = []
    advice: str = ""
    """What is still to be done."""

    def lines(self) -> Iterator[str]:
        """The report for people."""
        seeds, upstream, targets = (
            sum(len(getattr(topic, field)) for topic in self.topics) for field in ("examples", "neighbors", "targets")
        )
        held = f"{self.pages:,} pages, " if self.pages else ""
        yield f"{self.path}: {held}{len(self.topics):,} topics"
        yield f"{seeds:,} examples, {upstream:,} neighbors, {targets:,} targets"
        if self.missing:
            yield f"{self.missing:,} of {self.listed:,} relevant URLs are not in the recording"
        yield from (f"left out: {line}" for line in self.left_out)
        yield from (f"warning: {line}" for line in self.warnings)
        yield from self.advice.splitlines()


def bed_of_directory(
    content: str | Path,
    out: str | Path,
    *,
    select: Literal["business", "leaves"] = "business",
    structure: str | Path | None = None,
    pages: Recordings = (),
    topics: int | None = None,
    examples: int = 10,
    links: int | None = None,
    least_targets: int = 5,
    complete: bool = False,
    seed: int = 1,
    progress: StageProgress = no_progress,
) -> Built:
    """Make a bed of an Open Directory dump, with the pages of recordings; without them only its topics are written.

    `topics` is how many are drawn at random (by default all of `business`, 100 of `leaves`), `links` how many a
    category must have (21 and 5). Topics with fewer than `least_targets` recorded targets are left out. `complete`
    means that pages which the recordings do not hold do not exist.
    """
    for file in (content, *([structure] if structure is not None else [])):
        Dump(file)  # refused before many pages have been read
    selections: dict[str, Callable[..., TopicSelection]] = {
        "business": partial(business, content),
        "leaves": partial(leaves, content, structure),
    }
    with new_folder(Path(out)) as folder:
        if select not in selections:
            raise Refused(
                f"unknown selection {select!r}",
                f"choose one of: {', '.join(selections)}",
                code=Code.UNKNOWN_NAME,
                field="select",
            )
        held = RecordedPages(pages, progress) if pages else None
        again = select == "leaves"
        options = {"topics": topics, "links": links, "held": held and held.holds}
        found = selections[select](
            examples=examples,
            seed=seed,
            least_held=least_targets if again else examples + least_targets,
            progress=progress,
            **{name: value for name, value in options.items() if value is not None},
        )
        origin = f"the Open Directory ({select} of {Path(content).name})"
        if held is None:
            write_draft(folder, found.topics, About(origin, complete=False, warnings=found.warnings))
            listed = sum(len({*topic.examples, *topic.targets}) for topic in found.topics)
            built = Built("", found.topics, listed=listed, warnings=found.warnings)
        else:
            fitted = _Fitted(held, least_targets, seed, again)
            for topic in found.topics:
                fitted.add(topic, topic.examples + topic.targets, len(topic.examples))
            built = fitted.publish(folder, f"{origin}, pages of {_names(pages)}", complete, found.warnings, progress)
    return replace(built, path=str(out))


def bed_of_labels(
    pages: Recordings,
    labels: str | Path,
    out: str | Path,
    *,
    topics: str | Path | None = None,
    examples: int = 10,
    least_targets: int = 5,
    complete: bool = False,
    seed: int = 1,
    progress: StageProgress = no_progress,
) -> Built:
    """Make a bed of recordings and a file that labels their pages; `topics` is a file with keywords for each label.

    Of a topic's pages a random third, at most `examples`, are its examples. If it has no description, the text of a
    quarter of the others becomes its description. The rest are targets.
    """
    with new_folder(Path(out)) as folder:
        labelled = read_labels(labels, topics)
        require_examples(examples)
        held = RecordedPages(pages, progress)
        fitted = _Fitted(held, least_targets, seed)
        for topic in labelled:
            _fit_label(fitted, topic, examples)
        origin = f"{_names(pages)}, labelled by {Path(labels).name}"
        built = fitted.publish(folder, origin, complete, [], progress)
    return replace(built, path=str(out))


def _fit_label(fitted: _Fitted, label: Labelled, examples: int) -> None:
    urls = sorted(label.urls)
    Random(f"{fitted.seed} {label.name}").shuffle(urls)
    topic = BedTopic(
        id=slug(label.name),
        category=label.name,
        keywords=label.keywords or " ".join(words(label.name)),
        description=label.description,
        targets=(),
    )
    fitted.add(topic, urls, examples, share=3, describe=not label.description)


class _Fitted:
    """Topics with those of their pages that a recording holds."""

    def __init__(self, pages: RecordedPages, least_targets: int, seed: int, again: bool = False) -> None:
        self.pages = pages
        self.seed = seed
        self.topics: list[BedTopic] = []
        self.left_out: list[str] = []
        self.listed = self.missing = 0
        self._least = max(1, least_targets)
        self._again = again
        """Whether the examples are targets, too, if the others are too few."""

    def add(self, topic: BedTopic, urls: Sequence[str], examples: int, share: int = 1, describe: bool = False) -> None:
        """Give a topic those URLs that are pages: the first as examples, some to describe it, the rest as targets.

        No more than one in `share` becomes an example.
        """
        named = dict.fromkeys(urls)
        found = list(dict.fromkeys(page for url in named if (page := self.pages.page(url))))
        self.listed += len(named)
        self.missing += sum(self.pages.page(url) is None for url in named)
        first = min(examples, -(-len(found) // share))
        chosen, rest = found[:first], found[first:]
        described = rest[: max(1, len(rest) // 4)] if describe and len(rest) > 1 else []
        targets = rest[len(described) :]
        if self._again and len(targets) < self._least:
            targets = found
        if len(targets) < self._least:
            self.left_out.append(
                f"{topic.id}: {len(found)} of {len(named)} pages are recorded, which leaves {len(targets)} targets"
            )
            return
        rng = Random(f"{self.seed} {topic.category} neighbors")
        texts = [" ".join(self.pages.text(url).split())[:EXCERPT] for url in described]
        self.topics.append(
            replace(
                topic,
                examples=tuple(chosen),
                targets=tuple(targets),
                described=tuple(described),
                description=topic.description or " ".join(texts),
                neighbors=neighbors(self.pages, chosen, {*found}, rng),
            )
        )

    def publish(self, folder: Path, origin: str, complete: bool, warnings: list[str], progress: StageProgress) -> Built:
        """Write the bed."""
        if not self.topics:
            why = f" ({self.left_out[0]})" if self.left_out else ""
            fix = "record more of the listed pages, or ask for fewer targets"
            raise Refused(f"no topic has {self._least} targets in the recording{why}", fix, code=Code.EMPTY)
        warnings = [*warnings, *(f"damaged: {line}" for line in self.pages.damage), *self._warnings()]
        topics = with_ids(self.topics)
        make_bed(_Publication(self.pages, topics, progress), folder)
        tell(folder, About(origin, complete, warnings))
        return Built("", topics, len(self.pages), self.listed, self.missing, self.left_out, warnings)

    def _warnings(self) -> Iterator[str]:
        if lonely := sum(not topic.neighbors for topic in self.topics):
            yield f"{lonely} topics have no neighbors: nothing recorded is two links upstream of their examples"
        if silent := sum(not topic.description for topic in self.topics):
            yield f"{silent} topics have no description, so their precision cannot be measured"


class _Publication:
    """Pages and topics as `make_bed` takes them."""

    def __init__(self, pages: RecordedPages, topics: list[BedTopic], progress: StageProgress) -> None:
        self.topics = topics
        self.response = pages.response
        self._urls = list(pages.urls())
        self._progress = progress

    def urls(self) -> Iterator[str]:
        """Every URL with an answer."""
        for done, url in enumerate(self._urls, 1):
            yield url
            if done % EVERY == 0 or done == len(self._urls):
                self._progress("writing pages", done, len(self._urls))


def _names(paths: Recordings) -> str:
    return ", ".join(Path(path).resolve().name for path in paths)
