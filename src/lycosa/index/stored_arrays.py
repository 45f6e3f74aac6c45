"""Arrays that are computed from time to time and replaced as a whole, in one file with checksums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

from lycosa.index.checked_files import pack, unpack
from lycosa.index.index_errors import DamagedFile, damaged
from lycosa.index.numbers import Arrays
from lycosa.system.file_stamps import FileIdentity, identity


class StoredArrays(ABC):
    """The arrays in a file, as they were last stored by any process; a file that is missing has none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: FileIdentity | None = None
        self._forget()
        self.reload()

    def reload(self) -> bool:
        """Read what was stored since; return whether there is anything new."""
        try:
            stamp = identity(self._path)
            if stamp == self._stamp:
                return False
            self._take(unpack(self._path))
        except FileNotFoundError:
            stamp = None
            self._forget()
        except (OSError, DamagedFile) as error:
            raise damaged(self._path, error) from None
        changed, self._stamp = stamp != self._stamp, stamp
        return changed

    def clear(self) -> None:
        """Remove all of them."""
        self._path.unlink(missing_ok=True)
        self.reload()

    def _store(self, arrays: Arrays) -> None:
        pack(self._path, arrays)
        self.reload()

    @abstractmethod
    def _take(self, arrays: Arrays) -> None:
        """Use the arrays of the file."""

    @abstractmethod
    def _forget(self) -> None:
        """Use none."""
