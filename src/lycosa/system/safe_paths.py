"""Folders that others may have filled: nothing is read or written through a symbolic link that leads out of one.

The folder itself may be reached through a link, because the user named it. Links inside it are not trusted: they may
have come with a collection or a report that somebody else made.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from lycosa.system.errors import Code, Refused


def inside(root: Path, path: Path) -> bool:
    """Whether a path, with every link followed, lies in a folder; the path need not exist."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return False  # for example a link to itself


def must_be_inside(root: Path, path: Path) -> None:
    """Refuse a path that leads out of a folder."""
    if not inside(root, path):
        raise leads_out(path, root)


def leads_out(path: Path, root: Path) -> Refused:
    """The error for a link that leads out of a folder."""
    problem = f"{path} is a symbolic link that leads out of {root}"
    return Refused(problem, "put what it leads to in its place", code=Code.NOT_ALLOWED)


def open_inside(root: Path, name: str) -> BinaryIO:
    """Open a regular file beneath a folder by its relative path; OSError if any step to it is a link.

    Each step is opened relative to the one before, so no step can be replaced by a link after it was checked.
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\0" in name:
        raise FileNotFoundError(name)
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            there = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = there
        # Without waiting for the other end, in case it is a pipe.
        found = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    finally:
        os.close(here)
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise FileNotFoundError(name)
    return os.fdopen(found, "rb")


def files_inside(folder: Path) -> list[Path]:
    """The regular files beneath a folder, without links; none if the folder itself is a link."""
    if folder.is_symlink():
        return []
    found = (Path(place, name) for place, _, names in os.walk(folder, followlinks=False) for name in names)
    return [file for file in found if file.is_file() and not file.is_symlink()]
