"""The page repository: WARC files of one gzip member per record, each written by a single process."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from lycosa.core.nouns import Raw, Where
from lycosa.store import warc
from lycosa.system import atomic_file, os_errors
from lycosa.system.errors import Damaged, Refused
from lycosa.system.safe_paths import open_inside
from lycosa.system.shortage import short_of, shortage

FOLDER = "pages"
"""The repository's folder inside a collection."""

_SUFFIX = ".warc.gz"
_name = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


class Writer:
    """Writes the responses of one process, to files of its own named `<name>-00000.warc.gz` and so on."""

    def __init__(self, folder: Path, name: str, *, limit: int = 1 << 30) -> None:
        """`folder` is the collection's, `limit` the size at which the next file is begun."""
        if not _name.fullmatch(name):
            raise ValueError(f"{name!r} cannot be part of a file's name")
        self._folder = folder / FOLDER
        self._name = name
        self._limit = limit
        self._number = 0
        self._file = ""
        self._fd = -1
        self._end = 0

    def write(self, url: str, raw: Raw, at: float) -> Where:
        """Archive a response; once this returns, the system has the record, and a killed process loses nothing."""
        return self.keep(warc.response(url, raw, at), at)

    def keep(self, member: bytes, at: float) -> Where:
        """Archive an existing record: one gzip member, as `Repository.member` returns it."""
        if self._fd < 0 or self._end + len(member) > self._limit:
            self._begin_file(at)
        offset = self._end
        self._put(member)
        return Where(self._file, offset, len(member))

    def close(self) -> None:
        """Close the current file; the next write begins another."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _begin_file(self, at: float) -> None:
        self.close()
        try:
            self._folder.mkdir(exist_ok=True)
            # An existing file belongs to another writer, or to one that was killed in the middle of a record.
            while self._fd < 0:
                self._file = f"{self._name}-{self._number:05d}{_SUFFIX}"
                self._number += 1
                try:
                    self._fd = os.open(
                        self._folder / self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666
                    )
                except FileExistsError:
                    continue
        except OSError as error:
            raise os_errors.of_system(self._folder / self._file, error) from error
        self._end = 0
        try:
            self._put(warc.warcinfo(self._file, at))
        except Refused:
            self.close()
            raise

    def _put(self, member: bytes) -> None:
        view = memoryview(member)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            # Half a record would hide the records after it.
            os.ftruncate(self._fd, self._end)
            raise os_errors.of_system(self._folder / self._file, error) from error
        self._end += len(member)


class Repository:
    """Reads what the writers wrote, and drops what the log does not name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        self._synced: dict[str, int] = {}

    def read(self, where: Where) -> Raw:
        """The response stored there; raises Damaged if there is none."""
        return self._checked(where)[1]

    def member(self, where: Where) -> bytes:
        """The bytes of an intact record as they are in their file; raises Damaged if there is none."""
        return self._checked(where)[0]

    def holds(self, where: Where) -> bool:
        """Whether the record exists, complete and with a correct checksum."""
        try:
            self._checked(where)
        except Damaged:
            return False
        return True

    def _checked(self, where: Where) -> tuple[bytes, Raw]:
        # The place may come from a stranger's collection, so it must not lead out of the folder.
        if not (_name.fullmatch(where.file) and where.file.endswith(_SUFFIX) and 0 <= where.length <= warc.LIMIT):
            raise Damaged(f"{where.file!r} is not a file of {self.folder}", "the log is not to be trusted")
        path = self.folder / where.file
        try:
            with self._opened(where.file) as file:
                file.seek(where.offset)
                member = file.read(where.length)
            return member, warc.parse(warc.unpack(member))
        except (OSError, ValueError) as error:
            if reason := short_of(error):
                raise shortage(reason) from error
            problem = f"the record at byte {where.offset} of {path} is damaged ({error})"
            raise Damaged(problem, "restore the file from a copy") from None

    def _opened(self, name: str) -> BinaryIO:
        """A file of records, or the target of a link, which may only be a file of a collection beside this one.

        A refresh makes one collection with links to the records of its crawls.
        """
        folder = self.folder.absolute()
        if not (folder / name).is_symlink():
            return open_inside(folder, name)
        beside = folder.parent.parent
        target = Path(os.path.normpath(folder / (folder / name).readlink())).relative_to(beside)
        if target.parent.name != FOLDER or not target.name.endswith(_SUFFIX):
            raise FileNotFoundError(name)
        return open_inside(beside, str(target))

    def files(self) -> dict[str, int]:
        """The files of the repository and their sizes."""
        # A link in a stranger's collection could make `cut` truncate a file outside it.
        files = [file for file in sorted(self.folder.glob("*" + _SUFFIX)) if not file.is_symlink()]
        return {file.name: file.stat().st_size for file in files}

    def cut(self, ends: Mapping[str, int]) -> tuple[int, int, tuple[str, ...]]:
        """Drop everything after the last record that the log names in each file, and files without such a record.

        Returns how many files were removed, how many bytes were dropped, and which files lack a record that the log
        names.
        """
        removed = dropped = 0
        files = self.files()
        for name, size in files.items():
            path, end = self.folder / name, ends.get(name, 0)
            try:
                if end == 0:
                    path.unlink()
                    removed += 1
                elif size > end:
                    os.truncate(path, end)
            except OSError as error:
                raise os_errors.of_system(path, error) from error
            dropped += max(0, size - end)
        return removed, dropped, tuple(name for name, end in ends.items() if files.get(name, 0) < end)

    def sync(self) -> None:
        """Sync every record to the disk; files that have not grown since the last call cost nothing."""
        files = self.files()
        try:
            for name, size in files.items():
                if self._synced.get(name) != size:
                    atomic_file.sync(self.folder / name)
            if files.keys() != self._synced.keys():
                atomic_file.sync(self.folder)
        except OSError as error:
            raise os_errors.of_system(self.folder, error) from error
        self._synced = files
