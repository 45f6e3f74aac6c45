"""Private files: readable by their owner only, replaced atomically."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from threading import get_ident
from typing import TypeVar

import msgspec

from lycosa.system.errors import Code, Refused
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
        path = self.folder / name
        fresh = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.new")
        try:
            fresh.unlink(missing_ok=True)
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(value if isinstance(value, bytes) else msgspec.json.encode(value))
            fresh.replace(path)
        except OSError as error:
            raise Refused(
                f"cannot write {path} ({error.strerror})", "see to the disk and the rights", code=Code.UNWRITABLE
            ) from error

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
            raise Refused(
                f"cannot make the folder {path} ({error.strerror})",
                "see to the disk and the rights",
                code=Code.UNWRITABLE,
            ) from error
        return path

    def remove(self, name: str) -> None:
        """Remove a file or a folder, if it exists."""
        path = self.folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
