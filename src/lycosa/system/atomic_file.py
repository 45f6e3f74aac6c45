"""Files that are complete or do not exist, and are on the disk when a function returns."""

from __future__ import annotations

import os
from pathlib import Path
from threading import get_ident

from lycosa.system import os_errors


def write_whole(file: Path, *content: bytes, one_writer: bool = False, lasting: bool = True, mode: int = 0o666) -> None:
    """Replace a file in a single step; when this returns it is on the disk, unless `lasting` is False.

    `one_writer` says that no two processes write the file at once: then what a killed writer leaves behind is used by
    the next one.
    """
    made = file.with_name(f"{file.name}.new" if one_writer else f".{file.name}.{os.getpid()}-{get_ident()}.new")
    try:
        # What is there can only be a leftover of our own; a symbolic link that somebody else made is not followed.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(made, flags, mode), "wb") as opened:
            opened.writelines(content)
            if lasting:
                opened.flush()
                os.fsync(opened.fileno())
        made.replace(file)
        if lasting:
            sync(file.parent)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise os_errors.of_system(file, error) from error


def link_whole(link: Path, target: str) -> None:
    """Point a symbolic link elsewhere in a single step; when this returns the change is on the disk."""
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
    """Sync a file, or the entries of a folder, to the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_tree(folder: Path) -> None:
    """Sync everything in a folder to the disk."""
    for path in folder.rglob("*"):
        if path.is_dir() or path.is_file():
            sync(path)
    sync(folder)
    sync(folder.parent)


def is_at(opened: int, path: Path) -> bool:
    """Whether an open file is still the one at that path."""
    try:
        ours, there = os.fstat(opened), path.stat()
    except OSError:
        return False
    return (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
