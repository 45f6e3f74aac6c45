"""Failed system calls as errors that a person can act on."""

from __future__ import annotations

import errno
from pathlib import Path

from lycosa.system.errors import Code, Refused
from lycosa.system.shortage import short_of, shortage

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class DiskFull(Refused):
    """There is no space left to write; everything committed before is intact."""

    code = Code.DISK_FULL


def unreadable(path: Path, error: OSError) -> Refused:
    """The error for a file that exists and cannot be read."""
    return Refused(
        f"cannot read {path} ({error.strerror or error})", "check its permissions and its disk", code=Code.UNREADABLE
    )


def disk_full(path: Path) -> DiskFull:
    """The error for a full disk while writing a file of a collection or beside it."""
    return DiskFull(f"disk full while writing {path}", "free space, then go on: nothing committed is lost")


def of_system(path: Path, error: OSError) -> Refused:
    """The error for a system call that failed: full disk, shortage, or no permission."""
    if error.errno in _NO_ROOM:
        return disk_full(path)
    if reason := short_of(error):
        return shortage(reason)
    return Refused(
        f"cannot write {path} ({error.strerror})", "check the folder's permissions and its disk", code=Code.UNWRITABLE
    )
