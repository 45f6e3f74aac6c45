"""A test bed: a folder with a recorded web and the topics to hunt in it, for crawls in virtual time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, cast
from uuid import UUID

import msgspec
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from msgspec import Struct
from xxhash import xxh3_128_intdigest

from lycosa.core.errors import Refused
from lycosa.core.nouns import Failure, Page, Raw
from lycosa.core.urls import canonical, host_of
from lycosa.web.offline import SourceWeb
from lycosa.web.replay import WarcSource
from lycosa.web.shelf import KeptWeb
from lycosa.web.shelving import shelve
from lycosa.web.source import BedTopic, Source

PAGES = "pages.warc.gz"
TOPICS = "topics.jsonl"
TASKS = ("examples", "neighbors")


class Bed:
    """A test bed folder."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise Refused(f"{path} is no folder", f"a test bed is a folder with {PAGES} and {TOPICS}")
        for name in (PAGES, TOPICS):
            if not (self.path / name).is_file():
                raise Refused(f"{path} is no test bed: it has no {name}", f"a test bed has {PAGES} and {TOPICS}")
        self.topics = list(_topics(self.path / TOPICS))
        """The topics, in the order of the file."""

    @cached_property
    def source(self) -> WarcSource:
        """The recorded answers."""
        return WarcSource(self.path / PAGES)

    def topic(self, id: str) -> BedTopic:
        """The topic with an id."""
        for topic in self.topics:
            if topic.id == id:
                return topic
        some = ", ".join(topic.id for topic in self.topics[:8])
        more = ", ..." if len(self.topics) > 8 else ""
        raise Refused(f"the test bed {self.path} has no topic {id!r}", f"choose one of: {some}{more}")

    def seeds(self, topic: BedTopic | str, task: str = "examples") -> tuple[str, ...]:
        """The start pages of a topic for a task."""
        if isinstance(topic, str):
            topic = self.topic(topic)
        if task not in TASKS:
            raise Refused(f"unknown task {task!r}", f"choose one of: {', '.join(TASKS)}")
        found: tuple[str, ...] = getattr(topic, task)
        if not found:
            raise Refused(f"topic {topic.id} has no {task}", f"choose another task: {', '.join(TASKS)}")
        return found

    def web(self, context: bool = False, raw: bool = False) -> KeptWeb:
        """The recorded web with every page parsed already; `raw` gives pages with the answer they came from."""
        shelf = shelve(str(self.path / PAGES), context, source=self.source)
        return KeptWeb(shelf, SourceWeb(self.source, context, raw=raw), raw=raw)


class Publishable(Source, Protocol):
    """A source that knows its topics."""

    @property
    def topics(self) -> list[BedTopic]:
        """What can be hunted in it."""
        ...


def make_bed(web: Publishable, path: str | Path) -> Bed:
    """Write a web and its topics as a test bed folder."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Refused(f"{folder} is not empty", "name a new folder for the test bed")
        with GzipWriter(str(folder / PAGES), compression_level=6) as file:
            for url in web.urls():
                if raw := web.response(url):
                    _record(url, raw).write(file)
                    file.finish()
        (folder / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in web.topics))
    except OSError as problem:
        raise Refused(f"{folder} cannot be written", problem.strerror or str(problem)) from None
    return Bed(folder)


def _record(url: str, raw: Raw) -> WarcRecord:
    record = WarcRecord()
    # Neither chance nor the clock: the same web makes the same file.
    record.init_headers(WarcRecordType.response, UUID(int=xxh3_128_intdigest(url.encode())).urn[4:].encode())
    record.headers["WARC-Date"] = "2000-01-01T00:00:00Z"
    record.headers["WARC-Target-URI"] = url
    record.headers["Content-Type"] = "application/http; msgtype=response"
    lines = [f"HTTP/1.1 {raw.status} {raw.reason}", *(f"{name}: {value}" for name, value in raw.headers)]
    lines.append(f"Content-Length: {len(raw.body)}")
    record.set_bytes_content("\r\n".join([*lines, "", ""]).encode() + raw.body)
    return record


def _topics(path: Path) -> Iterator[BedTopic]:
    decoder = msgspec.json.Decoder(BedTopic)
    seen = set()
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                topic = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as problem:
                raise Refused(f"{path}, line {number}: {problem}", "one JSON object per topic is wanted") from None
            if topic.id in seen:
                raise Refused(f"{path}, line {number}: a second topic {topic.id!r}", "give every topic its own id")
            seen.add(topic.id)
            changed = {}
            for field in (*TASKS, "targets", "described"):
                found = [(url, canonical(url, limit=1 << 16)) for url in getattr(topic, field)]
                for url, name in found:
                    if name is None:
                        raise Refused(f"{path}, line {number}: {url!r} in {field} is no http URL", "correct the URL")
                changed[field] = tuple(name for _, name in found)
            yield msgspec.structs.replace(topic, **changed)
    if not seen:
        raise Refused(f"{path} holds no topic", "one JSON object per line is wanted")


class TopicReport(Struct):
    """What a check found out about a topic; reachable is the share of targets that a crawl from the seeds can find."""

    id: str
    targets: int
    missing_targets: int
    seeds: dict[str, int]
    missing_seeds: dict[str, list[str]]
    reachable: dict[str, float]


class BedReport(Struct):
    """What a check found out about a test bed."""

    path: str
    pages: int
    hosts: int
    links: int
    """Links from page to page, each counted once a page."""
    links_inside: int
    """Those that lead to something in the bed."""
    other_answers: int
    """Redirects and failures."""
    damage: list[str]
    topics: list[TopicReport]

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return cast("dict[str, Any]", msgspec.to_builtins(self))

    def lines(self) -> Iterator[str]:
        """The report for people."""
        share = self.links_inside / self.links if self.links else 0.0
        yield f"{self.path}: {self.pages} pages on {self.hosts} hosts, {self.links} links ({share:.0%} inside the bed)"
        if self.other_answers:
            yield f"{self.other_answers} answers that are no pages (redirects, errors, robots.txt)"
        yield from (f"damaged: {line}" for line in self.damage)
        for topic in self.topics:
            tasks = ", ".join(
                f"{topic.seeds[task]} {task} reach {topic.reachable[task]:.0%} of the targets"
                for task in TASKS
                if topic.seeds[task]
            )
            yield f"{topic.id}: {topic.targets} targets; {tasks or 'no seeds'}"
            if topic.missing_targets:
                yield f"  {topic.missing_targets} targets are not in the bed"
            for task in TASKS:
                if lost := topic.missing_seeds[task]:
                    yield f"  {len(lost)} of {topic.seeds[task]} {task} are not in the bed, such as {lost[0]}"


def check(path: str | Path) -> BedReport:
    """Read a test bed from end to end and say what is in it; what cannot be read is refused with file and line."""
    bed = Bed(path)
    shelf = shelve(str(bed.path / PAGES), source=bed.source)
    answers = {shelf.url(row): shelf.answer(row, text=False) for row in range(len(shelf))}
    onward = {
        url: [link.url for link in answer.links] if isinstance(answer, Page) else [answer.to]
        for url, answer in answers.items()
        if not isinstance(answer, Failure)
    }
    pages = [url for url, answer in answers.items() if isinstance(answer, Page) and not url.endswith("/robots.txt")]
    edges = [link for url in pages for link in set(onward[url])]
    return BedReport(
        str(path),
        pages=len(pages),
        hosts=len({host_of(url) for url in pages}),
        links=len(edges),
        links_inside=sum(link in answers for link in edges),
        other_answers=len(answers) - len(pages),
        damage=bed.source.damage,
        topics=[_look_at(topic, onward) for topic in bed.topics],
    )


def _look_at(topic: BedTopic, onward: dict[str, list[str]]) -> TopicReport:
    seeds = {task: getattr(topic, task) for task in TASKS}
    targets = set(topic.targets)
    return TopicReport(
        topic.id,
        targets=len(targets),
        missing_targets=len(targets - onward.keys()),
        seeds={task: len(urls) for task, urls in seeds.items()},
        missing_seeds={task: [url for url in urls if url not in onward] for task, urls in seeds.items()},
        reachable={
            task: len(targets & _reached(urls, onward)) / len(targets) if targets else 0.0
            for task, urls in seeds.items()
        },
    )


def _reached(seeds: tuple[str, ...], onward: dict[str, list[str]]) -> set[str]:
    seen = {url for url in seeds if url in onward}
    waiting = list(seen)
    while waiting:
        new = [url for url in onward[waiting.pop()] if url not in seen and url in onward]
        seen.update(new)
        waiting += new
    return seen
