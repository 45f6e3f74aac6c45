"""Labels of a collection: the tags that people have given it, kept in one small file beside the log."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from lycosa.system.atomic_file import write_whole
from lycosa.system.errors import Code, Refused

FILE = "labels.json"
MOST, LONGEST = 50, 60
"""Most tags of a collection, and most characters of a tag."""


class _Labels(Struct):
    """The content of the file."""

    tags: tuple[str, ...] = ()


def read_tags(folder: Path) -> tuple[str, ...]:
    """The tags of the collection in a folder, in alphabetical order; none if the file cannot be read."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=_Labels).tags
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ()


def change_tags(folder: Path, add: Iterable[str] = (), remove: Iterable[str] = ()) -> tuple[str, ...]:
    """Add and remove tags, and return those that it has then; capitals and blanks around a tag do not count."""
    wanted = {*read_tags(folder), *map(_tag, add)} - {_tag(tag) for tag in remove}
    if len(wanted) > MOST:
        problem = f"{len(wanted)} tags are too many"
        raise Refused(problem, f"give a collection at most {MOST}", code=Code.OUT_OF_RANGE, field="add")
    tags = tuple(sorted(wanted))
    write_whole(folder / FILE, msgspec.json.encode(_Labels(tags)))
    return tags


def _tag(text: str) -> str:
    tag = " ".join(text.lower().split())
    if not tag or len(tag) > LONGEST or not tag.isprintable():
        problem = f"{text[:LONGEST]!r} is no tag"
        raise Refused(problem, f"give a few words, at most {LONGEST} characters", code=Code.BAD_VALUE, field="add")
    return tag
