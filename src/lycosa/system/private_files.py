"""Private files: readable by their owner only, replaced atomically."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import TypeVar

import msgspec

from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused
from lycosa.system.os_errors import of_system
from lycosa.system.safe_paths import must_be_inside, open_inside

T = TypeVar("T")


class PrivateFolder:
    """A folder that only its owner can open; it is created by the first write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str, kind: type[T]) -> T | None:
        """The value stored under a name; None if there is none that can be read."""
        try:
            with open_inside(self.folder, name) as file:
                return msgspec.json.decode(file.read(), type=kind)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def write(self, name: str, value: object) -> None:
        """Store a value under a name, as JSON unless it is bytes, replacing the one before."""
        self.make()
        content = value if isinstance(value, bytes) else msgspec.json.encode(value)
        write_whole(self.folder / name, content, lasting=False, mode=0o600)

    def make(self, *inside: str) -> Path:
        """The folder, or one inside it, created for its owner alone."""
        path = self.folder
        try:
            for part in ("", *inside):
                path = path / part
                must_be_inside(self.folder.parent, path)
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.chmod(0o700)
        except OSError as error:
            raise of_system(path, error) from error
        return path

    def remove(self, name: str) -> None:
        """Remove a file or a folder, if it exists."""
        path = self.folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def read_private(file: Path, limit: int, field: str) -> bytes:
    """The content of a file with a secret; refused if another user of this machine could read or write it."""
    try:
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write.
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as opened:
            about = os.fstat(opened.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise Refused(f"{file} is not a file", "name a file", code=Code.UNREADABLE, field=field)
            # The secrets of a container are in /run, often readable for all of its users.
            system = about.st_uid == 0 and file.is_relative_to("/run")
            others = stat.S_IWOTH if system else stat.S_IRWXO
            if about.st_uid not in (0, os.getuid()) or about.st_mode & others:
                raise Refused(
                    f"{file} holds a secret, and another user could read or write it",
                    f"make it private: chmod 600 {file}",
                    code=Code.NOT_ALLOWED,
                    field=field,
                )
            content = opened.read(limit + 1)
    except OSError as error:
        raise Refused(
            f"{file} cannot be read ({error.strerror or error})",
            "correct its name, or who may read it",
            code=Code.NOT_FOUND if isinstance(error, FileNotFoundError) else Code.UNREADABLE,
            field=field,
        ) from None
    if len(content) > limit:
        problem = f"{file} is larger than {limit:,} bytes"
        raise Refused(problem, "name a smaller file", code=Code.BAD_FILE, field=field)
    return content
