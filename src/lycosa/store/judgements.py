"""The inbox of a collection: what people say of its pages, one JSON object a line, in the order in which they say it.

The log has one writer, and while a crawl runs that is the crawl: so whoever judges writes here, and the crawl takes it
in. The file only grows, any number of people may write at once, and half a line of a writer that died is passed over.
A word is taken back by a further line, too, whose `relevant` is null.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from lycosa.core.nouns import Judgement
from lycosa.store import trouble

FILE = "judgements.jsonl"


class _Line(msgspec.Struct):
    url: str
    relevant: bool | None
    at: float = 0.0


class Heard(NamedTuple):
    """A judgement, and where the next one begins."""

    judgement: Judgement
    end: int


_decode = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


class Inbox:
    """The judgements of one collection."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def size(self) -> int:
        """Bytes written so far: a cheap way to see whether there is news."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def add(self, judgements: Iterable[Judgement], at: float) -> None:
        """Write judgements down; when this returns a killed process loses none of them."""
        lines = b"".join(_encode(_Line(*judgement, at)) + b"\n" for judgement in judgements)
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                size = os.fstat(fd).st_size
                # What somebody did not finish must not spoil what comes after it.
                torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
                rest = memoryview(b"\n" + lines if torn else lines)
                while rest:
                    rest = rest[os.write(fd, rest) :]
            finally:
                os.close(fd)
        except OSError as error:
            raise trouble.of_system(self.path, error) from error

    def read(self, after: int = 0) -> list[Heard]:
        """The judgements after a place, in order; lines that say nothing are passed over."""
        if self.size() <= after:
            return []
        try:
            with self.path.open("rb") as file:
                file.seek(after)
                content = file.read()
        except OSError as error:
            raise trouble.of_system(self.path, error) from error
        heard, end = [], after
        # What follows the last line break is not finished yet.
        for line in content.split(b"\n")[:-1]:
            end += len(line) + 1
            try:
                said = _decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            heard.append(Heard(Judgement(said.url, said.relevant), end))
        return heard

    def all(self) -> dict[str, bool]:
        """The last word on each page, but for those that were taken back."""
        return standing(heard.judgement for heard in self.read())


def standing(judgements: Iterable[Judgement]) -> dict[str, bool]:
    """What is left of judgements: a later one on the same page replaces the earlier, or takes it back."""
    words = dict(judgements)
    return {url: word for url, word in words.items() if word is not None}
