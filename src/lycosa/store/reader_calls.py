"""The calls of a judge who reads: every question that was asked and its answer, one JSON object per line.

A question is written before it is sent, so that a hunt that is killed and resumed keeps to its budget, and each answer
once it has come, so that nothing is asked twice. The file only grows, and only the process that crawls writes to it.
The judgements themselves are in the inbox; a line that is damaged or unfinished is left out, and only means that its
question may be asked again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import astuple, replace
from xxhash import xxh3_64_hexdigest

from lycosa.system import os_errors

FILE = "reader.jsonl"

CallEvent = Literal["asked", "yes", "no", "unusable", "failed", "gave up", "began"]


class ReaderCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happened to a question."""

    what: CallEvent
    key: str = ""
    """Endpoint, model, intent and page in one: equal questions have equal keys."""
    url: str = ""
    at: float = 0.0
    why: str = ""
    """Why it failed."""
    sum: str = ""

    @property
    def relevant(self) -> bool | None:
        """What the answer says; None if there is no usable answer."""
        return {"yes": True, "no": False}.get(self.what)


_decode = msgspec.json.Decoder(ReaderCall).decode
_encode = msgspec.json.Encoder().encode


class ReaderCalls:
    """The calls of one collection, read once and kept up to date by its writer."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.asked = 0
        """Questions asked so far."""
        self.unusable = 0
        """Answers that said neither yes nor no."""
        self.urls: set[str] = set()
        """Pages that were asked about and need not be again: there was an answer, whether it could be used or not."""
        self.problem = ""
        """Why the reader has given up; empty if it has not, or has begun again since."""
        self._answers: dict[str, ReaderCall] = {}
        for call in self._read():
            self._count(call)

    def answer(self, key: str) -> ReaderCall | None:
        """The answer to a question, if it was answered before."""
        return self._answers.get(key)

    def add(self, call: ReaderCall) -> None:
        """Write a call; once this returns, a killed process does not lose it."""
        line = _encode(replace(call, sum=_sum(call))) + b"\n"
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
            try:
                size = os.fstat(fd).st_size
                # An unfinished line must not spoil this one.
                torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
                os.write(fd, b"\n" + line if torn else line)
            finally:
                os.close(fd)
        except OSError as error:
            raise os_errors.of_system(self.path, error) from error
        self._count(call)

    def _count(self, call: ReaderCall) -> None:
        self.asked += call.what == "asked"
        self.unusable += call.what == "unusable"
        if call.what in ("began", "gave up"):
            self.problem = call.why
        if call.what in ("yes", "no", "unusable"):
            self._answers[call.key] = call
            self.urls.add(call.url)

    def _read(self) -> Iterator[ReaderCall]:
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise os_errors.unreadable(self.path, error) from error
        for line in content.splitlines():
            try:
                call = _decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            if call.sum == _sum(call):
                yield call


def _sum(call: ReaderCall) -> str:
    return xxh3_64_hexdigest(repr(astuple(call)[:-1]).encode("utf-8", "surrogatepass"))
