"""Checks whether an index contains what was written to it: every file, and every page in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from lycosa.core.damage import Damage
from lycosa.index.content import Content
from lycosa.index.index import STATE, read_state
from lycosa.index.index_errors import ANEW, OtherVersion, Unreadable
from lycosa.index.page_ranks import PageRanks
from lycosa.index.relevances import Relevances
from lycosa.index.segments import Segments
from lycosa.index.site_templates import SiteTemplates
from lycosa.index.tantivy_files import TantivyFiles
from lycosa.system.errors import Refused


def index_damage(folder: Path) -> Iterator[Damage]:
    """What is damaged in the folder of an index; nothing is changed. A folder without an index has no damage.

    Raises OtherVersion if another version made it: only that version can check it. One damage is enough for a rebuild,
    but all are reported as far as the files can be read.
    """
    if not (folder / STATE).is_file():
        return
    try:
        read_state(folder)
    except OtherVersion:
        raise
    except Refused as error:
        yield _damage(folder, error)
    content = folder / "content"
    broken = [Damage(str(content / name), problem, ANEW) for name, problem in TantivyFiles(content).problems()]
    yield from broken
    for look in (lambda each: Segments(each, write=False).close(), PageRanks, Relevances, SiteTemplates):
        try:
            look(folder)
        except Refused as error:
            yield _damage(folder, error)
    if broken:
        return
    try:
        with closing(Content(content)) as pages:
            for problem in pages.problems():
                yield _damage(folder, problem)
    except Refused as error:
        yield _damage(folder, error)


def _damage(folder: Path, error: Refused) -> Damage:
    if isinstance(error, Unreadable) and error.place:
        return Damage(str(error.place), error.why, ANEW)
    return Damage(str(folder), error.problem, error.fix)
