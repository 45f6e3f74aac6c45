"""What can be wrong with an index on the disk."""

from __future__ import annotations

import errno
from pathlib import Path

from lycosa.system.errors import Code, Damaged, Refused
from lycosa.system.os_errors import unreadable

ANEW = "repair the collection, or rebuild its index"
"""The fix for any damage."""


class Busy(Refused):
    """Another process is writing this index."""

    code = Code.IN_USE


class Unwritable(Refused):
    """The folder cannot be written: the disk is read-only, or the folder belongs to another user."""

    code = Code.UNWRITABLE


class Unreadable(Damaged):
    """The index in the folder is damaged, or was made by another version; the next writer rebuilds it."""

    place: Path | None = None
    """The file that is damaged."""
    why: str = ""
    """What is wrong with it."""


class OtherVersion(Unreadable):
    """The index in the folder has no known damage, but was made by another version."""

    code = Code.OTHER_VERSION


class DamagedFile(ValueError):
    """A file does not hold what was written to it."""


def damaged(place: Path, why: Exception | str) -> Refused:
    """The exception for an unusable file of an index: Unreadable, or Refused if only the system prevents reading."""
    if isinstance(why, OSError) and why.errno != errno.EIO:
        return unreadable(place, why)
    found = Unreadable(f"{place} is damaged ({why})", ANEW)
    found.place, found.why = place, str(why)
    return found
