"""The register: which hunts are meant to run, stored so that a restart continues them.

    HOME/.desk/lock        held by the HuntJobs of this home that resumes them
    HOME/.desk/KEY.json    one hunt: its folder, what it is meant to do, and what is needed to begin or continue it
    HOME/.desk/KEY.err     standard error of its process

Each file is replaced atomically. Hunts in the home are stored with relative paths, so that the home can be moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_hexdigest

from lycosa.engine.plan import Budget
from lycosa.system import os_errors
from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Refused
from lycosa.system.locks import Lock, is_held
from lycosa.system.safe_paths import inside, must_be_inside

RUN, PAUSE, STOP, REST = "run", "pause", "stop", "rest"
"""What a hunt may be meant to do; REST once it has finished or failed."""
_FOLDER = ".desk"


class Intent(Struct):
    """What one hunt is meant to do."""

    place: str = ""
    """Its folder, relative to the home if it is inside."""
    what: str = REST
    since: float = 0.0
    """Since when it is meant to run, in seconds since 1970; the earliest runs first."""
    plan: dict[str, Any] | None = None
    """The plan to begin it with; a hunt that has begun has its plan in its log."""
    budget: Budget | None = None
    """What it may spend, if that is more than its log says."""
    problem: str = ""
    """Why it failed, if it did."""
    fix: str = ""


class Register:
    """What the hunts of one home are meant to do."""

    def __init__(self, home: Path) -> None:
        self.home = home.absolute()
        self.folder = self.home / _FOLDER
        self._lock: Lock | None = None
        self._unwritten: dict[str, Intent] = {}
        """Entries that could not be written, by place."""

    def claim(self) -> bool:
        """Take the lock and become the one that runs the hunts of this home; False if another process holds it."""
        self.make()
        try:
            self._lock = self._lock or Lock(self.folder / "lock")
        except Refused:
            return False
        return True

    @property
    def others(self) -> bool:
        """Whether another process holds the lock."""
        return self._lock is None and is_held(self.folder / "lock")

    def release(self) -> None:
        """Release the lock."""
        if self._lock:
            self._lock.release()
            self._lock = None

    def all(self) -> Iterator[tuple[Path, Intent]]:
        """Every registered hunt whose folder exists, with that folder."""
        for file in sorted(self.folder.glob("*.json")):
            found = _read(file)
            if found is None or not (folder := self.home / found.place).is_dir():
                continue
            # A folder in the home must not have become a link to elsewhere since.
            if Path(found.place).is_absolute() or inside(self.home, folder):
                yield folder.resolve(), found

    def sweep(self) -> None:
        """Remove the entries of hunts in the home whose folders were deleted."""
        for file in self.folder.glob("*.json"):
            if (
                (found := _read(file))
                and not Path(found.place).is_absolute()
                and not (self.home / found.place).exists()
            ):
                for each in (file, file.with_suffix(".err")):
                    each.unlink(missing_ok=True)

    def get(self, folder: Path) -> Intent | None:
        """The entry of the hunt in a folder; None if it has none."""
        place = self._place(folder)
        noted = self._unwritten.get(place)
        return replace(noted) if noted else _read(self._file(place))

    def put(self, folder: Path, intent: Intent) -> None:
        """Store an entry durably; it survives a crash once this returns."""
        intent.place = self._place(folder)
        self.make()
        write_whole(self._file(intent.place), msgspec.json.encode(intent))
        self._unwritten.pop(intent.place, None)

    def drop(self, folder: Path) -> None:
        """Remove the entry of a hunt, and what its process has said."""
        file = self._file(self._place(folder))
        for each in (file, file.with_suffix(".err")):
            each.unlink(missing_ok=True)
        self._unwritten.pop(self._place(folder), None)

    def note(self, folder: Path, intent: Intent) -> None:
        """Store an entry, or keep it in memory if it cannot be written."""
        try:
            self.put(folder, intent)
        except Refused:
            self._unwritten[intent.place] = replace(intent)

    def complaints(self, folder: Path) -> Path:
        """The file for the standard error of a hunt's process."""
        self.make()
        return self._file(self._place(folder)).with_suffix(".err")

    def _place(self, folder: Path) -> str:
        home = self.home.resolve()
        return folder.relative_to(home).as_posix() if folder.is_relative_to(home) else str(folder)

    def _file(self, place: str) -> Path:
        return self.folder / f"{xxh3_64_hexdigest(place.encode(errors='surrogateescape'))}.json"

    def make(self) -> None:
        """Make the register's folder, and check that it is inside the home."""
        must_be_inside(self.home, self.folder)
        try:
            # Other users of the machine must not see what is hunted here.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise os_errors.of_system(self.folder, error) from error


def _read(file: Path) -> Intent | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Intent)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, Refused):
        return None
