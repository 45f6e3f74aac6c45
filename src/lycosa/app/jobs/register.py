"""The register: which hunts are meant to run, written down so that a restart goes on with them.

    HOME/.desk/lock        held by the desk of this home that resumes them
    HOME/.desk/KEY.json    one hunt: where it is, what is meant, and what is needed to begin it or to go on
    HOME/.desk/KEY.err     what its process complained about, if it did

Each file is replaced in a single step. Hunts in the home are named by their place in it, so that it can be moved.
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
"""What a hunt may be meant to do; it rests when it has finished or failed."""
_FOLDER = ".desk"


class Meant(Struct):
    """What is meant with one hunt."""

    place: str = ""
    """Its folder, as seen from the home where it lies in it."""
    what: str = REST
    since: float = 0.0
    """Whoever is meant to run for longest comes first."""
    plan: dict[str, Any] | None = None
    """How to begin it; a hunt that has begun has its plan in its log."""
    budget: Budget | None = None
    """What it may spend, where that is more than its log says."""
    problem: str = ""
    """Why it failed, if it did."""
    fix: str = ""


class Register:
    """What is meant with the hunts of one home."""

    def __init__(self, home: Path) -> None:
        self.home = home.absolute()
        self.folder = self.home / _FOLDER
        self._lock: Lock | None = None
        self._unwritten: dict[str, Meant] = {}
        """What the disk had no room for."""

    def claim(self) -> bool:
        """Become the desk that goes on with what is meant to run; False where another one is."""
        self.make()
        try:
            self._lock = self._lock or Lock(self.folder / "lock")
        except Refused:
            return False
        return True

    @property
    def others(self) -> bool:
        """Whether that is another desk."""
        return self._lock is None and is_held(self.folder / "lock")

    def release(self) -> None:
        """Leave that to the next desk."""
        if self._lock:
            self._lock.release()
            self._lock = None

    def all(self) -> Iterator[tuple[Path, Meant]]:
        """Every hunt that something is meant with, with its folder, if that is there."""
        for file in sorted(self.folder.glob("*.json")):
            found = _read(file)
            if found is None or not (folder := self.home / found.place).is_dir():
                continue
            # What lies in the home must not have become a link to elsewhere since.
            if Path(found.place).is_absolute() or inside(self.home, folder):
                yield folder.resolve(), found

    def sweep(self) -> None:
        """Forget hunts of the home that somebody has deleted."""
        for file in self.folder.glob("*.json"):
            if (
                (found := _read(file))
                and not Path(found.place).is_absolute()
                and not (self.home / found.place).exists()
            ):
                for each in (file, file.with_suffix(".err")):
                    each.unlink(missing_ok=True)

    def get(self, folder: Path) -> Meant | None:
        """What is meant with the hunt in a folder, if anything was ever."""
        place = self._place(folder)
        noted = self._unwritten.get(place)
        return replace(noted) if noted else _read(self._file(place))

    def put(self, folder: Path, meant: Meant) -> None:
        """Write down what is meant; when this returns it survives whatever happens."""
        meant.place = self._place(folder)
        self.make()
        write_whole(self._file(meant.place), msgspec.json.encode(meant))
        self._unwritten.pop(meant.place, None)

    def note(self, folder: Path, meant: Meant) -> None:
        """Write down what has become of a hunt, or remember it at least as long as we live."""
        try:
            self.put(folder, meant)
        except Refused:
            self._unwritten[meant.place] = replace(meant)

    def complaints(self, folder: Path) -> Path:
        """Where the process of a hunt may complain."""
        self.make()
        return self._file(self._place(folder)).with_suffix(".err")

    def _place(self, folder: Path) -> str:
        home = self.home.resolve()
        return folder.relative_to(home).as_posix() if folder.is_relative_to(home) else str(folder)

    def _file(self, place: str) -> Path:
        return self.folder / f"{xxh3_64_hexdigest(place.encode(errors='surrogateescape'))}.json"

    def make(self) -> None:
        """See that there is a folder to write into, and that it is the home's own."""
        must_be_inside(self.home, self.folder)
        try:
            # What is hunted here is nobody else's business.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise os_errors.of_system(self.folder, error) from error


def _read(file: Path) -> Meant | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Meant)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, Refused):
        return None
