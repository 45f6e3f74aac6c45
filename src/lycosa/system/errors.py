"""The errors that people and programs see: what is wrong with what, and what to do about it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class Code(StrEnum):
    """The kind of a problem; programs decide by the code, never by the words."""

    # Something about the request
    MISSING = "missing"
    """A value that is needed was not given."""
    BAD_VALUE = "bad-value"
    """A value cannot be understood or used."""
    OUT_OF_RANGE = "out-of-range"
    """A number, or the amount of something, is too small or too large."""
    UNKNOWN_NAME = "unknown-name"
    """Nothing has that name: a strategy, a judge, an option, a topic, a format."""
    CONTRADICTION = "contradiction"
    """Two values cannot be used together, or one has no meaning without another."""
    NOT_ALLOWED = "not-allowed"
    """It is possible, but not here or not for this caller."""
    TOO_MANY = "too-many"
    """Too many requests or connections at once; try again later."""
    PRIVATE_ADDRESS = "private-address"
    """The address is not on the public Internet and was not allowed."""
    OUT_OF_SCOPE = "out-of-scope"
    """The URL is outside the scope of the hunt."""
    # Something about what is there
    NOT_FOUND = "not-found"
    """The collection, page, file or folder that was named does not exist."""
    EMPTY = "empty"
    """There is nothing to work with, or too little."""
    BAD_FILE = "bad-file"
    """A file can be read but does not contain what it should."""
    NOT_EMPTY = "not-empty"
    """Something already exists where a new file or folder was to be."""
    NOT_A_COLLECTION = "not-a-collection"
    """The folder is not what it was taken for: a collection, a community, a test bed, an index."""
    WRONG_STATE = "wrong-state"
    """It cannot be done now: a hunt has finished, a companion is off."""
    IN_USE = "in-use"
    """Another process is using it."""
    DAMAGED = "damaged"
    """A file no longer contains what was written to it."""
    OTHER_VERSION = "other-version"
    """It was made by another version, or by code that has changed since."""
    NEEDS_KNOWLEDGE = "needs-knowledge"
    """A strategy or judge needs examples, in-links, word frequencies or a taxonomy that it was not given."""
    # Something about this machine or the network
    NEEDS_PACKAGE = "needs-package"
    """A Python package or program that this needs is not installed."""
    UNREADABLE = "unreadable"
    """The system does not allow a file to be read."""
    UNWRITABLE = "unwritable"
    """The system does not allow a file or folder to be written."""
    DISK_FULL = "disk-full"
    """There is no space left on the disk."""
    SHORTAGE = "shortage"
    """The machine is short of memory, file descriptors, ports or processes."""
    NETWORK = "network"
    """The network, the name server or a service that is needed cannot be reached."""
    PROXY = "proxy"
    """The proxy cannot be used."""
    TLS = "tls"
    """Certificates cannot be checked."""
    PROCESS_DIED = "process-died"
    """A process of Lycosa was killed or could not be started."""
    # How a hunt ended
    SEEDS_FAILED = "seeds-failed"
    """None of the seeds could be fetched."""
    INTERRUPTED = "interrupted"
    """A person stopped it."""


class Refused(Exception):
    """Input that cannot be worked with; shown as one line, exit code 2."""

    code: Code = Code.BAD_VALUE

    def __init__(self, problem: str, fix: str = "", *, code: Code | None = None, field: str = "") -> None:
        """`field` is the part of the request that is wrong, by its name in the request."""
        super().__init__(f"{problem}: {fix}" if fix else problem)
        self.problem = problem
        self.fix = fix
        self.field = field
        if code is not None:
            self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep all attributes when the error is pickled and sent to another process."""
        return type(self), (self.problem, self.fix), self.__dict__


class Damaged(Refused):
    """A file does not contain what was written to it."""

    code = Code.DAMAGED


LARGEST = 2**31 - 1
"""The largest whole number where there is no other bound; it only keeps numbers within what can be stored."""


def check_range(
    field: str,
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
) -> None:
    """Refuse a number outside of a range (`above` and `below` are excluded from it); None passes."""
    if value is None or (
        (low is None or value >= low)
        and (high is None or value <= high)
        and (above is None or value > above)
        and (below is None or value < below)
        and value == value  # not a number is outside of every range
    ):
        return
    least = f"{low:,} or more" if low is not None else f"more than {above:,}" if above is not None else ""
    most = f"at most {high:,}" if high is not None else f"less than {below:,}" if below is not None else ""
    if high is not None and high >= 1e9:
        # Such a bound only keeps numbers within what can be stored.
        least, most = ("", most) if value > high else (least, "")
    elif low is not None and high is not None:
        least, most = f"{low:,} to {high:,}", ""
    fix = "give " + " and ".join(filter(None, (least, most)))
    raise Refused(f"{field.replace('_', ' ')} cannot be {value}", fix, code=Code.OUT_OF_RANGE, field=field)


def needs_package(package: str, what: str, extra: str) -> Refused:
    """The error where something needs a package that is not installed, but comes with an extra of Lycosa."""
    return Refused(f"{what} needs {package}", f"pip install 'lycosa[{extra}]'", code=Code.NEEDS_PACKAGE, field="format")


class SeedsFailed(Refused):
    """None of the pages to start from could be fetched; shown as one line, exit code 1."""

    code = Code.SEEDS_FAILED


class Interrupted(Refused):
    """A person stopped a crawl before it began; shown as one line, exit code 130."""

    code = Code.INTERRUPTED

    def __init__(
        self,
        problem: str = "stopped before the crawl began",
        fix: str = "begin it again, in the same folder if you like",
        **more: Any,
    ) -> None:
        super().__init__(problem, fix, **more)
