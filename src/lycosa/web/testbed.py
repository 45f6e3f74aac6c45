"""A test bed: a folder with a recorded web and the topics to hunt in it, for crawls in virtual time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Protocol

import msgspec
from fastwarc.stream_io import GzipWriter

from lycosa.core.urls import canonical
from lycosa.system.atomic_dir import Occupied, draft_beside, place_whole
from lycosa.system.errors import Code, Refused
from lycosa.web.offline import SourceWeb
from lycosa.web.parsed_cache import open_parsed
from lycosa.web.parsed_pages import ParsedWeb
from lycosa.web.replay import WarcSource
from lycosa.web.source import BedTopic, Source
from lycosa.web.warc_record import to_record

PAGES = "pages.warc.gz"
TOPICS = "topics.jsonl"
TASKS = ("examples", "neighbors")


class Bed:
    """A test bed folder."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        missing = [name for name in (PAGES, TOPICS) if not (self.path / name).is_file()]
        if missing:
            is_folder = self.path.is_dir()
            raise Refused(
                f"{path} is not a test bed: it has no {missing[0]}" if is_folder else f"{path} is not a folder",
                f"name a folder that contains {PAGES} and {TOPICS}",
                code=Code.NOT_A_COLLECTION if is_folder else Code.NOT_FOUND,
                field="bed",
            )
        self.topics = list(_topics(self.path / TOPICS))
        """The topics, in the order of the file."""

    @cached_property
    def source(self) -> WarcSource:
        """The recorded answers."""
        return WarcSource(self.path / PAGES)

    def topic(self, id: str) -> BedTopic:
        """The topic with this id."""
        for topic in self.topics:
            if topic.id == id:
                return topic
        some = ", ".join(topic.id for topic in self.topics[:8])
        more = ", ..." if len(self.topics) > 8 else ""
        raise Refused(
            f"the test bed {self.path} has no topic {id!r}",
            f"choose one of: {some}{more}",
            code=Code.UNKNOWN_NAME,
            field="topic",
        )

    def seeds(self, topic: BedTopic | str, task: str = "examples") -> tuple[str, ...]:
        """The start pages of a topic for a task."""
        if isinstance(topic, str):
            topic = self.topic(topic)
        if task not in TASKS:
            raise Refused(
                f"unknown task {task!r}", f"choose one of: {', '.join(TASKS)}", code=Code.UNKNOWN_NAME, field="task"
            )
        found: tuple[str, ...] = getattr(topic, task)
        if not found:
            raise Refused(
                f"topic {topic.id} has no {task}",
                f"choose another task: {', '.join(TASKS)}",
                code=Code.EMPTY,
                field="task",
            )
        return found

    def web(self, context: bool = False, raw: bool = False, page_body: int = 0) -> ParsedWeb:
        """The recorded web with every page already parsed; with `raw`, pages carry their response."""
        parsed = open_parsed(str(self.path / PAGES), context, source=self.source)
        behind = SourceWeb(self.source, context, paths=context, raw=raw, indexed=context, page_body=page_body)
        return ParsedWeb(parsed, behind, raw=raw)


class Publishable(Source, Protocol):
    """A source that knows its topics."""

    @property
    def topics(self) -> list[BedTopic]:
        """What can be hunted in it."""
        ...


def make_bed(web: Publishable, path: str | Path) -> Bed:
    """Write a web and its topics as a test bed folder."""
    folder = Path(path).absolute()
    draft = None
    try:
        if folder.exists() and not _is_empty(folder):
            raise Occupied
        draft = draft_beside(folder)
        draft.mkdir()
        with GzipWriter(str(draft / PAGES), compression_level=6) as file:
            for url in web.urls():
                if raw := web.response(url):
                    to_record(url, raw).write(file)
                    file.finish()
        (draft / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in web.topics))
        place_whole(draft, folder, _is_empty)
    except Occupied:
        raise Refused(
            f"{path} is not empty", "name a new folder for the test bed", code=Code.NOT_EMPTY, field="out"
        ) from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise Refused(f"{path} cannot be written", why, code=Code.UNWRITABLE, field="out") from None
    finally:
        if draft:
            shutil.rmtree(draft, ignore_errors=True)
    return Bed(path)


def _is_empty(folder: Path) -> bool:
    return folder.is_dir() and not any(folder.iterdir())


def _bad_line(path: Path, number: int, problem: object, fix: str) -> Refused:
    return Refused(f"{path}, line {number}: {problem}", fix, code=Code.BAD_FILE, field="bed")


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
                raise _bad_line(path, number, problem, "write one JSON object per topic") from None
            if topic.id in seen:
                raise _bad_line(path, number, f"a second topic {topic.id!r}", "give every topic its own id")
            seen.add(topic.id)
            changed = {}
            for field in (*TASKS, "targets", "described"):
                found = [(url, canonical(url, limit=1 << 16)) for url in getattr(topic, field)]
                for url, name in found:
                    if name is None:
                        raise _bad_line(path, number, f"{url!r} in {field} is not an http URL", "correct the URL")
                changed[field] = tuple(name for _, name in found)
            yield msgspec.structs.replace(topic, **changed)
    if not seen:
        raise Refused(f"{path} contains no topic", "write one JSON object per line", code=Code.BAD_FILE, field="bed")
