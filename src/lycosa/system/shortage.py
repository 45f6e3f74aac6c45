"""Shortages of this machine: descriptors, memory, ports, the network. None of them says anything about a URL."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Iterator

from lycosa.system.errors import Code, Refused

_SHORT = "short of "
_MACHINE = "this machine is "
_NAMES = {
    errno.EMFILE: "file descriptors",
    errno.ENFILE: "file descriptors in the whole system",
    errno.ENOMEM: "memory",
    errno.ENOBUFS: "network buffers",
    errno.EADDRNOTAVAIL: "local ports",
}
_FIXES = {
    "file descriptors": "raise `ulimit -n`, or use fewer workers",
    "file descriptors in the whole system": "close other programs or raise fs.file-max",
    "memory": "close other programs, or use fewer workers and processes",
    "network buffers": "use fewer workers",
    "local ports": "wait a minute for old connections to expire, or use fewer workers",
    "processes": "close other programs or raise `ulimit -u`",
}
DESCRIPTORS = _SHORT + _NAMES[errno.EMFILE]
MEMORY = _SHORT + _NAMES[errno.ENOMEM]
_ROOM = 32 << 20
"""Bytes of memory that the largest page may take while it is read."""
_numbers = re.compile(r"\[Errno (\d+)\]").findall


class Shortage(Refused):
    """This machine lacks something; what has been crawled is safe, and the crawl can be resumed."""

    code = Code.SHORTAGE

    @property
    def reason(self) -> str:
        """What is lacking, in the words of a miss's reason."""
        return self.problem.removeprefix(_MACHINE)


def short_of(error: BaseException) -> str:
    """The reason «short of ...» if an error means that this machine lacks something; else empty."""
    for number in error_numbers(error):
        if number in _NAMES:
            return _SHORT + _NAMES[number]
    return ""


def memory_is_short() -> bool:
    """Whether there is too little memory for another page of any size."""
    try:
        # Allocated and never touched, so it costs next to nothing.
        bytes(_ROOM)
    except MemoryError:
        return True
    return False


def short_to_start(error: OSError) -> str:
    """As `short_of`, for a process or a thread that could not be started."""
    return _SHORT + "processes" if error.errno == errno.EAGAIN else short_of(error)


def error_numbers(error: BaseException | None) -> Iterator[int]:
    """Every errno in an error and its causes, including those that are only in its message."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, MemoryError) or (isinstance(error, socket.gaierror) and error.errno == socket.EAI_MEMORY):
            yield errno.ENOMEM
        elif isinstance(error, OSError) and not isinstance(error, socket.gaierror):
            if error.errno:
                yield error.errno
            else:
                yield from map(int, _numbers(str(error)))
        # aiohttp keeps the cause in an attribute, all others in __cause__.
        error = getattr(error, "os_error", None) or error.__cause__


def shortage(reason: str) -> Shortage:
    """The error for a crawl that has waited in vain, given the reason why its tickets wait."""
    problem, code = f"the network cannot be reached ({reason})", Code.NETWORK
    fix = "check the connection and its name server, and whether the sites still answer"
    if reason.startswith(_SHORT):
        problem, code = _MACHINE + reason, Code.SHORTAGE
        fix = _FIXES.get(reason.removeprefix(_SHORT), "close other programs")
    return Shortage(problem, f"{fix}; then resume, nothing is lost", code=code)
