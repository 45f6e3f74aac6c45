"""The query log: one JSON object a line, written by any number of searching processes at once.

Only the words, the time and the number of results are kept, never who searched. Writing neither delays a search nor
makes it fail. Private queries, and those that match a pattern of the stop list, are not written at all.
"""

from __future__ import annotations

import fcntl
import os
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from lycosa.community.settings import LEAVE_OUT, pattern_of
from lycosa.system import os_errors
from lycosa.system.atomic_file import is_at, write_whole
from lycosa.system.locks import acquire

LONGEST = 500
"""Characters of a query that are kept: only programs write longer ones."""
_PATIENCE = 0.02
"""Seconds a search waits while another process deletes queries; then its query is not written."""
DAY = 86400.0


class QueryEntry(Struct, frozen=True):
    """A query as it was searched for."""

    text: str
    at: float
    results: int = 0


class Interest(Struct, frozen=True):
    """A distinct query, and how often people searched for it."""

    text: str
    times: int
    last: float
    """When people last searched for it."""
    results: int
    """How many results it had the last time."""


_decode = msgspec.json.Decoder(QueryEntry).decode
_encode = msgspec.json.Encoder().encode


def normal(text: str) -> str:
    """A query in the form in which spellings are compared: lower case, single spaces, no control characters."""
    text = unicodedata.normalize("NFC", text[: 8 * LONGEST])
    text = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(text.lower().split())[:LONGEST].rstrip()


class QueryLog:
    """The query log of a community."""

    def __init__(self, file: Path, leave_out: Iterable[str] = LEAVE_OUT, *, on: bool = True) -> None:
        self.file = file
        self.on = on
        self._left_out = [pattern_of(pattern) for pattern in leave_out]

    def add(self, text: str, results: int, *, private: bool = False, at: float | None = None) -> bool:
        """Write a query to the log; returns whether it was written. Never fails, and never takes long."""
        words = normal(text)
        if private or not self.on or not words or self.leaves_out(words):
            return False
        line = _encode(QueryEntry(words, time.time() if at is None else at, results)) + b"\n"
        with suppress(OSError):
            return self._append(line)
        return False

    def leaves_out(self, text: str) -> bool:
        """Whether a query matches the stop list."""
        return any(pattern.search(text) for pattern in self._left_out)

    def recent(self, days: float | None = None, now: float | None = None) -> list[QueryEntry]:
        """The queries of the last days, or all, in their order, without those on the stop list."""
        since = -1.0 if days is None else (time.time() if now is None else now) - days * DAY
        return [entry for entry in self._read() if entry.at >= since and not self.leaves_out(entry.text)]

    def interests(self, days: float | None = None, now: float | None = None) -> list[Interest]:
        """The distinct queries of the last days, most frequent first."""
        found: dict[str, Interest] = {}
        for entry in self.recent(days, now):
            before = found.get(entry.text)
            times = before.times + 1 if before else 1
            if before and before.last > entry.at:
                found[entry.text] = Interest(entry.text, times, before.last, before.results)
            else:
                found[entry.text] = Interest(entry.text, times, entry.at, entry.results)
        return sorted(found.values(), key=lambda one: (-one.times, one.text))

    def representative(
        self, n: int | None = None, *, seed: int = 1, days: float | None = None, now: float | None = None
    ) -> list[str]:
        """The paper's representative queries: the distinct queries of the last days, or a sample of n of them.

        Queries are drawn with weights proportional to their frequency; the same seed draws the same sample
        from the same log.
        """
        interests = self.interests(days, now)
        if n is not None and len(interests) > n:
            random = Random(seed)
            # Efraimidis & Spirakis (2006): the largest u^(1/weight) are a weighted sample without replacement.
            keys = {one.text: random.random() ** (1 / one.times) for one in interests}
            drawn = set(sorted(keys, key=keys.__getitem__, reverse=True)[: max(n, 0)])
            interests = [one for one in interests if one.text in drawn]
        return [one.text for one in interests]

    def forget(
        self, text: str | None = None, *, pattern: str | None = None, before: float | None = None, every: bool = False
    ) -> int:
        """Delete queries from the log for good: one text, all that match a pattern, or all before a time.

        Queries that match the present stop list are deleted as well. Returns how many were deleted.
        """
        words = None if text is None else normal(text)
        found = None if pattern is None else pattern_of(pattern)

        def goes(entry: QueryEntry) -> bool:
            return (
                every
                or entry.text == words
                or (found is not None and found.search(entry.text) is not None)
                or (before is not None and entry.at < before)
                or self.leaves_out(entry.text)
            )

        return self._rewrite(goes)

    def __len__(self) -> int:
        return sum(1 for _ in self._read())

    def _append(self, line: bytes) -> bool:
        deadline = time.monotonic() + _PATIENCE
        while True:
            opened = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
            try:
                if acquire(opened, fcntl.LOCK_SH) and is_at(opened, self.file):
                    size = os.fstat(opened).st_size
                    # A line that another process did not finish must not spoil the next one.
                    torn = size > 0 and os.pread(opened, 1, size - 1) != b"\n"
                    # One write, so that lines of several writers do not mix.
                    return os.write(opened, b"\n" + line if torn else line) >= len(line)
            finally:
                os.close(opened)
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)

    def _read(self) -> Iterator[QueryEntry]:
        try:
            with self.file.open("rb") as file:
                for line in file:
                    try:
                        yield _decode(line)
                    except (msgspec.DecodeError, UnicodeDecodeError):
                        continue
        except FileNotFoundError:
            return
        except OSError as error:
            raise os_errors.of_system(self.file, error) from error

    def _rewrite(self, goes: Callable[[QueryEntry], bool]) -> int:
        try:
            while True:
                opened = os.open(self.file, os.O_RDWR | os.O_NOFOLLOW)
                try:
                    fcntl.flock(opened, fcntl.LOCK_EX)
                    if is_at(opened, self.file):  # not replaced meanwhile by another process that deletes queries
                        entries = list(self._read())
                        stay = [entry for entry in entries if not goes(entry)]
                        if len(stay) < len(entries):
                            write_whole(self.file, b"".join(_encode(entry) + b"\n" for entry in stay))
                        return len(entries) - len(stay)
                finally:
                    os.close(opened)
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise os_errors.of_system(self.file, error) from error
