"""A folder of word vectors on the disk, in files that any program can read.

`vectors.npy` has one row of 32-bit numbers per word, `words.txt` has one word (a Porter stem) per line in the same
order, and `about.json` says where they come from and has the digests of both.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from xxhash import xxh3_128

from lycosa.core.word_vectors import WordVectors
from lycosa.system.atomic_dir import Occupied, draft_beside, place_whole
from lycosa.system.atomic_file import sync_tree
from lycosa.system.errors import Code, Damaged, Refused

ABOUT, VECTORS, WORDS = "about.json", "vectors.npy", "words.txt"
FORMAT, VERSION = "lycosa-word-vectors", 1


class AboutVectors(Struct, frozen=True, kw_only=True):
    """Where word vectors come from."""

    format: str = FORMAT
    version: int = VERSION
    source: str
    """The collection that they were trained on."""
    pages: int
    """How many of its pages were read."""
    words: int
    size: int
    """Numbers per vector."""
    digests: dict[str, str] = {}


def has_vectors(folder: Path) -> bool:
    """Whether a folder holds word vectors, or what is left of them."""
    try:
        return bool(msgspec.json.decode((folder / ABOUT).read_bytes(), type=dict[str, object])["format"] == FORMAT)
    except (OSError, ValueError, KeyError):
        return False


def read_vectors(folder: Path) -> WordVectors:
    """The word vectors in a folder; they stay in their file, which all processes share."""
    try:
        about = msgspec.json.decode((folder / ABOUT).read_bytes(), type=AboutVectors)
        if about.version != VERSION:
            problem = f"the word vectors in {folder} have version {about.version}, and this Lycosa reads {VERSION}"
            raise Refused(problem, "train them again", code=Code.OTHER_VERSION, field="judge")
        if any(_digest(folder / name) != about.digests.get(name) for name in (VECTORS, WORDS)):
            raise ValueError("their content has changed")
        words = (folder / WORDS).read_text("utf-8").splitlines()
        vectors = np.load(folder / VECTORS, mmap_mode="r", allow_pickle=False)
        if vectors.dtype != np.float32 or vectors.shape != (about.words, about.size) or len(words) != about.words:
            raise ValueError("the files do not fit together")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        problem = f"the word vectors in {folder} cannot be read ({why})"
        raise Damaged(problem, "train them again", code=Code.BAD_FILE, field="judge") from None
    return WordVectors(words, vectors)


def check_place(folder: Path) -> None:
    """Refuse a place where something else is; earlier word vectors may be replaced."""
    if folder.exists() and not _may_replace(folder):
        fix = "name a new folder for the word vectors"
        raise Refused(f"{folder} exists and holds something else", fix, code=Code.NOT_EMPTY, field="out")


def write_vectors(folder: Path, found: WordVectors, *, source: str, pages: int) -> AboutVectors:
    """Write word vectors as a folder, which is complete or does not exist."""
    check_place(folder)
    draft = None
    try:
        draft = draft_beside(folder.absolute())
        draft.mkdir()
        np.save(draft / VECTORS, found.vectors, allow_pickle=False)
        (draft / WORDS).write_text("".join(f"{word}\n" for word in found.words), "utf-8")
        digests = {name: _digest(draft / name) for name in (VECTORS, WORDS)}
        words, size = found.vectors.shape
        about = AboutVectors(source=source, pages=pages, words=words, size=size, digests=digests)
        (draft / ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(about)) + b"\n")
        sync_tree(draft)
        place_whole(draft, folder.absolute(), _may_replace)
    except Occupied:
        check_place(folder)
        raise
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(f"{folder} cannot be written", why, code=Code.UNWRITABLE, field="out") from None
    finally:
        if draft:
            shutil.rmtree(draft, ignore_errors=True)
    return about


def _may_replace(folder: Path) -> bool:
    if not folder.is_dir() or folder.is_symlink():
        return False
    names = {path.name for path in folder.iterdir()}
    return not names or (names <= {ABOUT, VECTORS, WORDS} and has_vectors(folder))


def _digest(file: Path) -> str:
    return xxh3_128(file.read_bytes()).hexdigest()
