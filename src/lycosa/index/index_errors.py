"""What can be the matter with an index on the disk."""

from __future__ import annotations

import errno
from pathlib import Path

from lycosa.system.errors import Code, Refused

ANEW = "`lycosa index --anew` or `lycosa check --repair` makes the index again from the store"
"""What helps against any damage."""


class Busy(Refused):
    """Somebody else is writing this index."""

    code = Code.IN_USE


class Unwritable(Refused):
    """Nobody may write here: the disk is read-only, or the folder is another user's."""

    code = Code.UNWRITABLE


class Unreadable(Refused):
    """What is in the folder is damaged, or was made by another version; whoever writes there makes it anew."""

    code = Code.DAMAGED

    place: Path | None = None
    """The file that is damaged."""
    why: str = ""
    """What is wrong with it."""


class OtherVersion(Unreadable):
    """What is in the folder is sound as far as anybody knows, but was made by another version."""

    code = Code.OTHER_VERSION


class DamagedFile(ValueError):
    """A file does not hold what was written to it."""


def damaged(place: Path, why: Exception | str) -> Refused:
    """What to raise for a file of an index that cannot be used: Unreadable, unless only the system is in the way."""
    if isinstance(why, OSError) and why.errno != errno.EIO:
        return Refused(
            f"cannot read {place} ({why.strerror})",
            "check its permissions and the system's limits",
            code=Code.UNREADABLE,
        )
    found = Unreadable(f"{place} is damaged ({why})", ANEW)
    found.place, found.why = place, str(why)
    return found
