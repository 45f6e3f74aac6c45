"""Locks on hosts, shared by all processes of a user: crawls that run side by side are as polite as one.

    16 bytes      a magic number, and when the machine was booted
    16 bytes      per host, found by its hash: when it may be asked again, who asked it last, who waits for it

A crawl that asks a host holds a lock on the host's 16 bytes until the answer is there. The system releases the lock
when the process dies. Times are of the monotonic clock, which all processes of a machine share until it is rebooted.
Two hosts with the same hash only wait for each other now and then. If the file cannot be used, the crawl goes on and
is as polite as a crawl that runs alone.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lycosa.core.keys import key64
from lycosa.system.atomic_file import is_at
from lycosa.system.closable import Closable

_HEAD, _SLOT, _WHO = struct.Struct("<8sd"), struct.Struct("<dII"), struct.Struct("<I")
_MARK = b"lycosa 2"
_SLOTS = 65536
_LONGEST = 3600.0
"""Seconds of rest that another hunt can ask for at most; a later time in the file is damage."""
_ABANDONED = 300.0
"""Seconds after which hunts no longer wait for one that has asked a host and hangs."""
_STARTED = 60.0
"""Seconds by which two computed boot times of the machine may differ, because clocks are adjusted."""


class _Slot(NamedTuple):
    """The record of a host: when it is free, who asked it last and who waits for it; 0 means nobody."""

    free_at: float = 0.0
    last: int = 0
    waiting: int = 0


def user_file() -> Path | None:
    """The file that all crawls of this user share; None if the user has no home folder."""
    try:
        state = Path(os.environ.get("XDG_STATE_HOME", ""))
        if not state.is_absolute():
            state = Path.home() / ".local" / "state"
    except RuntimeError:
        return None
    # A home may be shared by machines, and each has its own clock.
    return state / "lycosa" / f"hosts-{socket.gethostname().replace('/', '-')}"


class HostLocks(Closable):
    """Which hosts other crawls ask, for one crawl or one queue of crawls.

    Invariant: a host that one process asks is asked by no other until the answer is there and the host has had the
    longest rest that any of them wants for it. A crawl that waits for a host goes before the one that asked it last.
    """

    def __init__(self, file: Path | None, network: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        """Host names mean the same hosts only within one `network`: a proxy or a host map makes another one."""
        self._clock = clock
        self._network = network
        self._me = secrets.randbits(31) + 1
        self._claimed: dict[str, int] = {}
        """Hosts that may be asked at once, with the place of their slot; one of them will be."""
        self._asking: Counter[int] = Counter()
        """How many requests are under way, by the place of the slot."""
        self._abandoned: set[int] = set()
        """Places whose locks are held by a process that hangs or was suspended."""
        self._later: dict[str, float] = {}
        """When it is worth looking again whether a host is free."""
        self._fd = -1
        if file:
            with suppress(OSError):
                self._fd = _opened(file)
                self._empty_if_foreign()

    def _empty_if_foreign(self) -> None:
        """Clear the file if it is from before the last boot, or is not one of ours."""
        started = _booted()
        # Several hunts may start at once: none may clear the file after another has begun to fill it.
        fcntl.lockf(self._fd, fcntl.LOCK_EX, _HEAD.size)
        head = os.pread(self._fd, _HEAD.size, 0)
        mark, at = _HEAD.unpack(head) if len(head) == _HEAD.size else (b"", 0.0)
        if mark != _MARK or not abs(at - started) < _STARTED:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, _HEAD.pack(_MARK, started), 0)
        fcntl.lockf(self._fd, fcntl.LOCK_UN, _HEAD.size)

    def claim(self, host: str, pause: float) -> float:
        """Seconds until it is worth claiming the host again; 0: it is claimed, until `begin` says which host is asked.

        A crawl without a pause does not wait for others, but respects the rest of a host that asked for one.
        """
        if self._fd < 0 or host in self._claimed:
            return 0.0
        now = self._clock()
        if (later := self._later.pop(host, 0.0)) > now:
            self._later[host] = later
            return later - now
        place = self._place(host)
        locked = pause > 0 and self._lock(place)
        wait = self._wait(place, locked, pause, now)
        if wait > 0:
            self._later[host] = now + wait
        if wait <= 0 and pause:
            self._claimed[host] = place
        elif locked:
            self._unlock(place)
        return wait

    def _wait(self, place: int, locked: bool, pause: float, now: float) -> float:
        free_at, last, waiting = self._read(place, now)
        another_waits = waiting not in (0, self._me)
        # A crawl that waits comes at once; a moment later it has found something else to do, or has ended.
        turn = free_at + min(0.25, pause / 4)
        if locked:
            self._abandoned.discard(place)
        # A crawl that has just locked the host has written nothing yet, but then we have not waited yet.
        elif waiting == self._me and 0 < free_at < now - _ABANDONED:
            self._abandoned.add(place)
        if pause and not locked and place not in self._abandoned:
            # The rest begins after the request, so this is early enough to learn when it ends.
            wait = min(1.0, pause / 2)
        elif last != self._me and free_at > now:
            wait = free_at - now
        elif another_waits and now < turn:
            return turn - now
        elif another_waits and place in self._asking:
            return pause / 4
        else:
            return 0.0
        if pause and not another_waits:
            self._write(place + _SLOT.size - _WHO.size, _WHO.pack(self._me))
        return wait

    def begin(self, host: str, rest: float) -> None:
        """Of all claimed hosts this one is asked; it rests for `rest` seconds from now, even without an `end`."""
        claimed, self._claimed = self._claimed, {}
        if rest > 0 and host in claimed:
            place, now = claimed[host], self._clock()
            self._asking[place] += 1
            free_at = max(self._read(place, now).free_at, now + min(rest, _LONGEST))
            self._write(place, _SLOT.pack(free_at, self._me, 0))
        for place in claimed.values():
            self._unlock(place)

    def end(self, host: str, rest: float) -> None:
        """The answer has arrived, and the host rests for `rest` seconds from now, from all crawls."""
        if rest <= 0 and not self._asking:
            return
        place, now = self._place(host), self._clock()
        if rest > 0:
            slot, free_at = self._read(place, now), now + min(rest, _LONGEST)
            if free_at > slot.free_at:
                self._write(place, _SLOT.pack(free_at, self._me, slot.waiting))
        if self._asking[place] > 1:
            self._asking[place] -= 1
        elif self._asking.pop(place, 0):
            self._unlock(place)

    def _lock(self, place: int) -> bool:
        # The system keeps processes apart, not the crawls of one process.
        if _held.get((self._fd, place), self) is not self:
            return False
        try:
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB, _SLOT.size, place)
        except (BlockingIOError, PermissionError):
            return False
        except OSError:
            pass  # on a file system without locks, pauses are kept all the same
        _held[self._fd, place] = self
        return True

    def _unlock(self, place: int) -> None:
        if self._fd >= 0 and place not in self._asking and place not in self._claimed.values():
            if _held.get((self._fd, place)) is not self:
                return
            del _held[self._fd, place]
            with suppress(OSError):
                fcntl.lockf(self._fd, fcntl.LOCK_UN, _SLOT.size, place)

    def _read(self, place: int, now: float) -> _Slot:
        with suppress(OSError, struct.error):
            slot = _Slot(*_SLOT.unpack(os.pread(self._fd, _SLOT.size, place)))
            if slot.free_at <= now + _LONGEST:
                return slot
        return _Slot()

    def _write(self, place: int, what: bytes) -> None:
        with suppress(OSError):
            os.pwrite(self._fd, what, place)

    def _place(self, host: str) -> int:
        """Where in the file a host is."""
        return _HEAD.size + key64(f"{self._network}{host}") % _SLOTS * _SLOT.size

    def close(self) -> None:
        """Release every host."""
        asking, self._asking, claimed, self._claimed = self._asking, Counter(), self._claimed, {}
        for place in {*asking, *claimed.values()}:
            self._unlock(place)
        self._fd = -1


_files: dict[Path, int] = {}
"""Open files. They stay open, because closing one would release the locks of all crawls in this process."""
_held: dict[tuple[int, int], HostLocks] = {}
"""Which crawl of this process holds a lock, by descriptor and place."""


def _booted() -> float:
    """A number that stays the same until the machine is booted again."""
    try:
        return float(key64(Path("/proc/sys/kernel/random/boot_id").read_text()) >> 12)
    except OSError:
        return time.time() - time.monotonic()


def _opened(file: Path) -> int:
    if file not in _files or not is_at(_files[file], file):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _files[file] = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    return _files[file]
