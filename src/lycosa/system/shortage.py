"""What this machine itself may lack: descriptors, memory, ports, the network. None of it is a verdict on a URL."""

from __future__ import annotations

import errno
import re
import socket
from collections.abc import Iterator

from lycosa.system.errors import Code, Refused

GO_ON = "nothing is lost; then go on with `lycosa resume` or the same command"
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
    "file descriptors": "raise `ulimit -n` or lower --workers",
    "file descriptors in the whole system": "close other programs or raise fs.file-max",
    "memory": "close other programs, or lower --workers and --processes",
    "network buffers": "lower --workers",
    "local ports": "wait a minute for old connections to expire, or lower --workers",
    "processes": "close other programs or raise `ulimit -u`",
}
DESCRIPTORS = _SHORT + _NAMES[errno.EMFILE]
MEMORY = _SHORT + _NAMES[errno.ENOMEM]
_ROOM = 32 << 20
"""Bytes that the largest page may take while it is read."""
_numbers = re.compile(r"\[Errno (\d+)\]").findall


class Shortage(Refused):
    """This machine lacks something; what has been crawled is safe, and the crawl can be resumed."""

    code = Code.SHORTAGE

    @property
    def reason(self) -> str:
        """What is lacking, in as few words as the reason of a miss."""
        return self.problem.removeprefix(_MACHINE)


def short_of(error: BaseException) -> str:
    """The reason «short of ...» where an error means that this machine lacks something; else nothing."""
    for number in error_numbers(error):
        if number in _NAMES:
            return _SHORT + _NAMES[number]
    return ""


def memory_is_short() -> bool:
    """Whether there is no room for another page, whatever the last one was like."""
    try:
        # Asked for and never touched, so it costs next to nothing.
        bytes(_ROOM)
    except MemoryError:
        return True
    return False


def starting(error: OSError) -> str:
    """As `short_of`, for a process or a thread that could not be started."""
    return _SHORT + "processes" if error.errno == errno.EAGAIN else short_of(error)


def error_numbers(error: BaseException | None) -> Iterator[int]:
    """Every errno in an error and its causes, also where several were put into one message."""
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
        # aiohttp keeps the cause as an attribute, everybody else as the cause.
        error = getattr(error, "os_error", None) or error.__cause__


def shortage(reason: str) -> Shortage:
    """What to tell a person when a crawl has waited in vain, given the reason of the tickets that wait."""
    if reason.startswith(_SHORT):
        fix = _FIXES.get(reason.removeprefix(_SHORT), "close other programs")
        return Shortage(_MACHINE + reason, f"{fix}; {GO_ON}")
    fix = "check the connection and its name server, and whether the sites still answer"
    return Shortage(f"the network cannot be reached ({reason})", f"{fix}; {GO_ON}")
