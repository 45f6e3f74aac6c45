"""A bed's folder: written atomically, with a note that says where it came from."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from lycosa.system.atomic_dir import Occupied, draft_beside, place_whole
from lycosa.system.errors import Code, Refused
from lycosa.web.source import BedTopic
from lycosa.web.testbed import TOPICS

ABOUT = "bed.json"
SEEDS = "seeds.txt"
URLS = "urls.txt"
DRAFT = {ABOUT, SEEDS, TOPICS, URLS}
"""The files of a draft, a bed without pages yet; it may be made again in the same place."""


class About(Struct, frozen=True):
    """Where a bed came from."""

    made_from: str = ""
    complete: bool = True
    """Whether a page that is not there does not exist; a recorded crawl cannot promise that."""
    warnings: list[str] = []


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder that gets its name when it is complete; it replaces only an empty folder or a draft."""
    path = path.absolute()
    try:
        if path.exists() and not _is_free(path):
            raise Occupied
        partial = draft_beside(path)
        try:
            yield partial
            # Checked again: another process may have put something there meanwhile.
            place_whole(partial, path, _is_free)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except Occupied:
        raise Refused(
            f"{path} is not empty", "name a new folder for the test bed", code=Code.NOT_EMPTY, field="out"
        ) from None
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise Refused(f"{path} cannot be written", why, code=Code.UNWRITABLE, field="out") from None


def _is_free(path: Path) -> bool:
    names = {file.name for file in path.iterdir()} if path.is_dir() else {path.name}
    return not names or (ABOUT in names and names <= DRAFT)


def read_about(folder: Path) -> About:
    """What the bed in a folder says about itself; a bed without such a note is complete."""
    file = folder / ABOUT
    try:
        return msgspec.json.decode(file.read_bytes(), type=About) if file.exists() else About()
    except (OSError, msgspec.DecodeError) as problem:
        raise Refused(
            f"{file} cannot be read ({problem})", "correct or remove it", code=Code.BAD_FILE, field="bed"
        ) from None


def tell(folder: Path, about: About) -> None:
    """Write where the bed in a folder came from."""
    (folder / ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(about)) + b"\n")


def write_draft(folder: Path, topics: Iterable[BedTopic], about: About) -> None:
    """Write topics without pages, and the URLs from which a crawl gets them."""
    folder.mkdir()
    topics = list(topics)
    (folder / TOPICS).write_bytes(b"".join(msgspec.json.encode(topic) + b"\n" for topic in topics))
    _list(folder / SEEDS, ((topic, topic.examples) for topic in topics))
    _list(folder / URLS, ((topic, topic.examples + topic.targets) for topic in topics))
    tell(folder, about)


def _list(path: Path, lists: Iterable[tuple[BedTopic, tuple[str, ...]]]) -> None:
    told: set[str] = set()
    lines = []
    for topic, urls in lists:
        lines.append(f"# {topic.id}")
        lines += [url for url in dict.fromkeys(urls) if url not in told]
        told.update(urls)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
