"""Starts the browser: `python -m lycosa.web.rendering.launch PID_FILE BROWSER [ARGUMENT ...]`.

The process becomes the browser. Before that it makes sure that it ends with the process that started it, and, where
the system allows it, that it is in a network of its own that has no interface at all.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path

from lycosa.system.signals import die_with_parent

_USERS, _NETWORK = 0x10000000, 0x40000000
"""Linux's CLONE_NEWUSER and CLONE_NEWNET."""


def cut_off() -> bool:
    """Leave every network that this process could use; False if the system does not allow it."""
    if sys.platform != "linux":
        return False
    unshare = ctypes.CDLL(None).unshare
    # What is done halfway cannot be undone, so it is tried in a child first.
    return unshare(_NETWORK) == 0 or (_succeeds_in_a_child(unshare) and _as_user(unshare))


def _as_user(unshare: Callable[[int], int]) -> bool:
    """The same for a user who is not root, and stays who they are."""
    user, group = os.getuid(), os.getgid()
    if unshare(_USERS | _NETWORK) != 0:
        return False
    try:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    except OSError:
        return False
    return True


def _succeeds_in_a_child(unshare: Callable[[int], int]) -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0 if _as_user(unshare) else 1)
    return os.waitpid(child, 0)[1] == 0


def main(words: list[str]) -> None:
    """Become the browser."""
    cut_off()
    # Last, because the system may forget this when a process changes what it is allowed to do.
    die_with_parent()
    Path(words[0]).write_text(str(os.getpid()))
    os.execv(words[1], words[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
