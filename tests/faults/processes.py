"""Lycosa in a process group of its own, to be watched, signalled and killed."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import NamedTuple

import psutil

from lycosa.store.collection import Collection

ROLES = {"lycosa.engine.scout_process": "scout", "lycosa.engine.indexer_process": "indexer"}


class Process(NamedTuple):
    """One process of a crawl at one moment."""

    role: str
    pid: int
    rss: int
    own: int
    """Bytes of its own: resident memory without the files it has mapped."""
    descriptors: int
    threads: int


def start(*arguments, output=subprocess.DEVNULL, **options):
    """The command line in a process group of its own."""
    command = [sys.executable, "-m", "lycosa", *map(str, arguments)]
    return subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True, **options)


def kill(process):
    """Kill -9 a whole group at once: brain, scouts and indexer."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def family(process):
    """What a crawl's processes are like at this moment."""
    found = []
    with suppress(psutil.Error):
        brain = psutil.Process(process.pid)
        for member in (brain, *brain.children(recursive=True)):
            with suppress(psutil.Error):
                found.append(seen(member, "brain" if member == brain else role_of(member)))
    return found


def seen(member, role):
    with member.oneshot():
        memory = member.memory_info()
        own = memory.rss - memory.shared
        return Process(role, member.pid, memory.rss, own, member.num_fds(), member.num_threads())


def role_of(member):
    words = " ".join(member.cmdline())
    return next((role for module, role in ROLES.items() if module in words), "other")


def page_count(folder):
    """How many pages a collection has that may be in the middle of being made."""
    if not (folder / "log.sqlite").exists():
        return 0
    with Collection.open(folder) as collection:
        return collection.log.page_count()


def until(holds, process=None, seconds=120.0):
    """Wait until something holds, or the process has ended; False if neither came."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds() or (process and process.poll() is not None):
            return True
        time.sleep(0.05)
    return False
