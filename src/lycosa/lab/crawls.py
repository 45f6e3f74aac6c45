"""Finished crawls on disk, each under a hash of everything it depends on, so that none is made twice."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from lycosa import core
from lycosa.lab import corpus, corpus_builder, oracle, scribe, trial, world
from lycosa.lab.comparison import Ids, Track
from lycosa.lab.traits import Traits
from lycosa.lab.trial import Trial
from lycosa.system.errors import Code, Refused
from lycosa.web.inlinks import reversed_links

_ROOMS = ("core", "engine", "frontier", "judge", "web")
"""The rooms whose code decides what a crawl does; a strategy's own code is hashed separately."""
_PAGE_MODEL = {
    "core/calibration.py",
    "core/page_kinds.py",
    "core/page_model.py",
    "core/rejudging.py",
    "engine/relevance.py",
}
"""The code of the page model, which decides nothing in the crawl of a strategy that does not read it."""
_PACKAGES = ("selectolax", "ada-url", "PyStemmer", "publicsuffixlist")
"""The packages that decide what pages, links, words and sites are."""


class Crawls:
    """A folder of tracks by key. A damaged file counts as missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._compress = zstandard.ZstdCompressor(3, write_checksum=True).compress
        self._decompress = zstandard.ZstdDecompressor().decompress
        self._decode = msgspec.msgpack.Decoder(Track, dec_hook=_array).decode
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise _unwritable(folder, problem) from None

    def get(self, key: str) -> Track | None:
        """The track under a key, if it is there and undamaged."""
        try:
            track = self._decode(self._decompress(self._file(key).read_bytes()))
        except (OSError, ValueError, zstandard.ZstdError, msgspec.DecodeError):
            return None
        arrays = track.pages, track.via, track.relevance, track.chance, track.chance_then, track.requests, track.seconds
        return track if len({len(array) for array in arrays if array is not None}) == 1 else None

    def put(self, key: str, track: Track) -> None:
        """Write a track, atomically."""
        packed = self._compress(msgspec.msgpack.encode(track, enc_hook=np.ndarray.tobytes))
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".", suffix=".part", delete=False) as part:
                part.write(packed)
            Path(part.name).replace(self._file(key))
        except OSError as problem:
            raise _unwritable(self.folder, problem) from None

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.track"


class Keys:
    """The keys of the crawls in a world, with the present code."""

    def __init__(self, digest: str) -> None:
        house = Path(core.__file__).parents[1]
        rooms = [file for room in _ROOMS for file in sorted((house / room).glob("*.py"))]
        model = [str(file) for file in rooms if file.relative_to(house).as_posix() in _PAGE_MODEL]
        files = [str(file) for file in rooms if str(file) not in model]
        own = [str(module.__file__) for module in (trial, scribe, world, corpus, corpus_builder, reversed_links)]
        versions = [sys.version_info[:2], *map(version, _PACKAGES)]
        self._ground = digest, _digest(*files, *own), versions
        self._page_model = _digest(*model)
        self._oracle = _digest(oracle.__file__)

    def crawl(self, trial: Trial, traits: Traits) -> str:
        """The key of a crawl, given what is known about its strategy."""
        # The label is only a name and does not change the crawl.
        plain = msgspec.structs.replace(trial, label="", settings=traits.settings, judge_settings=traits.judge_settings)
        # Without defaults, so that a new option does not change the keys of crawls that do not use it.
        fields = msgspec.structs.fields(plain)
        given = {each.name: value for each in fields if (value := getattr(plain, each.name)) != each.default}
        return _hash(self._ground, given, traits.code, self._page_model if traits.reads_pages else "")

    def oracle(self, seeds: Sequence[str], targets: Sequence[str], pages: int) -> str:
        """The key of the oracle's crawl, which depends on the targets as well."""
        return _hash(self._ground, self._oracle, seeds, targets, pages)


def _array(kind: Any, data: bytes) -> NDArray[Any]:
    """An array as it is written: the bytes of its numbers."""
    return np.frombuffer(data, np.int32 if kind == Ids else np.float64)


def _hash(*parts: Any) -> str:
    return blake2b(msgspec.json.encode(parts, enc_hook=repr, order="deterministic"), digest_size=16).hexdigest()


def _digest(*files: str) -> str:
    digest = blake2b(digest_size=16)
    for file in files:
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def _unwritable(folder: Path, problem: OSError) -> Refused:
    return Refused(f"{folder} cannot be written", problem.strerror or str(problem), code=Code.UNWRITABLE, field="out")
