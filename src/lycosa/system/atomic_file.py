"""Files that are there whole or not at all, and on the disk when we say so."""

from __future__ import annotations

import os
from pathlib import Path

from lycosa.system import os_errors


def write_whole(file: Path, content: bytes) -> None:
    """Replace a file in a single step; when this returns it is on the disk."""
    made = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        # What lies there is a leftover of our own, and no link that somebody laid.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(made, flags, 0o666), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        made.replace(file)
        sync(file.parent)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise os_errors.of_system(file, error) from error


def link_whole(link: Path, target: str) -> None:
    """Point a symbolic link elsewhere in a single step; when this returns it does so on the disk."""
    made = link.with_name(f".{link.name}.{os.getpid()}.new")
    try:
        made.unlink(missing_ok=True)
        made.symlink_to(target)
        made.replace(link)
        sync(link.parent)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise os_errors.of_system(link, error) from error


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_tree(folder: Path) -> None:
    """Have everything in a folder on the disk."""
    for path in folder.rglob("*"):
        if path.is_dir() or path.is_file():
            sync(path)
    sync(folder)
    sync(folder.parent)


def is_at(opened: int, path: Path) -> bool:
    """Whether what is open is still what has that name."""
    try:
        ours, there = os.fstat(opened), path.stat()
    except OSError:
        return False
    return (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
