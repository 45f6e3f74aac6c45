"""The inbox of a collection: judgements of its pages, one JSON object per line, in the order they were given.

The log has one writer, and while a crawl runs that is the crawl: so judgements are written here, and the crawl reads
them. The file only grows, any number of processes may write at once, and half a line of a writer that died is skipped.
A judgement is withdrawn by another line, whose `relevant` is null. Where a person has spoken, also by a withdrawal, a
machine is not heard: its later lines about that page are left out. A line ends with its checksum; lines that older
versions wrote have none.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from xxhash import xxh3_64_hexdigest

from lycosa.core.nouns import PERSON, Judgement
from lycosa.store import store_errors
from lycosa.system import os_errors

FILE = "judgements.jsonl"


class _Line(msgspec.Struct, omit_defaults=True):
    url: str
    relevant: bool | None
    at: float = 0.0
    origin: str = PERSON
    sum: str = ""


class Heard(NamedTuple):
    """A judgement, and where the next one begins."""

    judgement: Judgement
    end: int


_decode = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode
_ended = re.compile(rb'(\}|"sum":"[^"]{16}".)$', re.DOTALL)
"""How a completely written line ends, even if a bit of this end is wrong."""
_unbroken = re.compile(rb'"sum":"[^"]{16}"\}.$', re.DOTALL)


class Inbox:
    """The judgements of one collection."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def size(self) -> int:
        """Bytes written so far: a cheap way to detect new judgements."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def add(self, judgements: Iterable[Judgement], at: float) -> None:
        """Write judgements; once this returns, a killed process loses none of them."""
        lines = b"".join(_encode(_summed(_Line(url, word, at, origin))) + b"\n" for url, word, origin in judgements)
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                size = os.fstat(fd).st_size
                # An unfinished line must not spoil the lines after it.
                torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
                rest = memoryview(b"\n" + lines if torn else lines)
                while rest:
                    rest = rest[os.write(fd, rest) :]
            finally:
                os.close(fd)
        except OSError as error:
            raise os_errors.of_system(self.path, error) from error

    def read(self, after: int = 0) -> list[Heard]:
        """The judgements after a byte position, in order; unfinished lines are skipped."""
        if self.size() <= after:
            return []
        heard = []
        by_people: set[str] = set()
        # From the beginning, because earlier lines say about which pages people have spoken.
        for start, end, said in self._lines(0):
            if said is None:
                if start < after:
                    continue
                problem = f"the judgement at byte {start} of {FILE} is damaged"
                raise store_errors.damaged(self.path, problem)
            if said.origin == PERSON:
                by_people.add(said.url)
            elif said.url in by_people:
                continue
            if start >= after:
                heard.append(Heard(Judgement(said.url, said.relevant, said.origin), end))
        return heard

    def damaged(self) -> list[tuple[int, int]]:
        """Where each damaged line begins and ends."""
        return [(start, end) for start, end, said in self._lines(0) if said is None]

    def blank(self, damaged: Iterable[tuple[int, int]]) -> None:
        """Blank out damaged lines; all others keep their positions, which a crawl may remember."""
        try:
            with self.path.open("r+b") as file:
                for start, end in damaged:
                    file.seek(start)
                    file.write(b" " * (end - start - 1) + b"\n")
        except OSError as error:
            raise os_errors.of_system(self.path, error) from error

    def _lines(self, after: int) -> Iterator[tuple[int, int, _Line | None]]:
        """Where each line begins and ends, and its content; None if it is damaged."""
        if self.size() <= after:
            return
        try:
            with self.path.open("rb") as file:
                file.seek(after)
                content = file.read()
        except OSError as error:
            raise os_errors.unreadable(self.path, error) from error
        end = after
        *lines, rest = content.split(b"\n")
        for line in lines:
            start, end = end, end + len(line) + 1
            try:
                said = _decode(line)
                yield start, end, said if said.sum in ("", _summed(said).sum) else None
            except (msgspec.DecodeError, UnicodeDecodeError):
                if line.strip() and (_ended.search(line) or not line.startswith(b"{")):
                    yield start, end, None
        # Text after the last line break is not finished yet, unless its own line break is what is damaged.
        if _unbroken.search(rest):
            yield end, end + len(rest), None

    def all(self) -> dict[str, bool]:
        """The last judgement of each page, without those that were withdrawn."""
        return {url: bool(judgement.relevant) for url, judgement in self.in_force().items()}

    def in_force(self) -> dict[str, Judgement]:
        """The last judgement of each page with its origin, without those that were withdrawn."""
        return in_force(heard.judgement for heard in self.read())


def _summed(line: _Line) -> _Line:
    # The origin of people's judgements is left out, as in the lines of older versions.
    origin = () if line.origin == PERSON else (line.origin,)
    said = repr((line.url, line.relevant, line.at, *origin)).encode("utf-8", "surrogatepass")
    return _Line(line.url, line.relevant, line.at, line.origin, xxh3_64_hexdigest(said))


def in_force(judgements: Iterable[Judgement]) -> dict[str, Judgement]:
    """The judgements that are in force: a later one of the same page replaces the earlier, or withdraws it."""
    last = {judgement.url: judgement for judgement in judgements}
    return {url: judgement for url, judgement in last.items() if judgement.relevant is not None}
