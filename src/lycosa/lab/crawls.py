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
from msgspec import Struct

from lycosa import core
from lycosa.lab import corpus, corpus_builder, oracle, trial, world
from lycosa.lab.comparison import Track
from lycosa.lab.entrants import Entrant
from lycosa.lab.trial import Trial
from lycosa.system.errors import Code, Refused
from lycosa.web.inlinks import reversed_links

_ROOMS = ("core", "engine", "frontier", "judge", "web")
"""The rooms whose code decides what a crawl does; a strategy's own code is hashed separately."""
_PACKAGES = ("selectolax", "ada-url", "PyStemmer", "publicsuffixlist")
"""The packages that decide what pages, links, words and sites are."""


class _Kept(Struct, array_like=True):
    """A track as it is written."""

    pages: bytes
    via: bytes
    relevance: bytes
    missing: int
    misses: int
    cpu: float
    ended: str
    threw: bool


class Crawls:
    """A folder of tracks by key. A damaged file counts as missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._compress = zstandard.ZstdCompressor(3, write_checksum=True).compress
        self._decompress = zstandard.ZstdDecompressor().decompress
        self._decode = msgspec.msgpack.Decoder(_Kept).decode
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise _unwritable(folder, problem) from None

    def get(self, key: str) -> Track | None:
        """The track under a key, if it is there and undamaged."""
        try:
            kept = self._decode(self._decompress(self._file(key).read_bytes()))
            track = Track(
                np.frombuffer(kept.pages, np.int32),
                np.frombuffer(kept.via, np.int32),
                np.frombuffer(kept.relevance, np.float64),
                kept.missing,
                kept.misses,
                kept.cpu,
                kept.ended,
                kept.threw,
            )
        except (OSError, ValueError, zstandard.ZstdError, msgspec.DecodeError):
            return None
        return track if len(track.pages) == len(track.via) == len(track.relevance) else None

    def put(self, key: str, track: Track) -> None:
        """Write a track, atomically."""
        kept = _Kept(
            track.pages.tobytes(),
            track.via.tobytes(),
            track.relevance.tobytes(),
            track.missing,
            track.misses,
            track.cpu,
            track.ended,
            track.threw,
        )
        try:
            with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".", suffix=".part", delete=False) as part:
                part.write(self._compress(msgspec.msgpack.encode(kept)))
            Path(part.name).replace(self._file(key))
        except OSError as problem:
            raise _unwritable(self.folder, problem) from None

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.track"


class Keys:
    """The keys of the crawls in a world, with the present code."""

    def __init__(self, digest: str) -> None:
        house = Path(core.__file__).parents[1]
        files = [str(file) for room in _ROOMS for file in sorted((house / room).glob("*.py"))]
        own = [str(module.__file__) for module in (trial, world, corpus, corpus_builder, reversed_links)]
        versions = [sys.version_info[:2], *map(version, _PACKAGES)]
        self._ground = digest, _digest(*files, *own), versions
        self._oracle = _digest(oracle.__file__)

    def crawl(self, job: Trial, entrant: Entrant) -> str:
        """The key of a crawl, given what is known about its strategy."""
        # The label is only a name and does not change the crawl.
        plain = msgspec.structs.replace(job, label="", settings=entrant.settings, judge_settings=entrant.judge_settings)
        return _hash(self._ground, plain, entrant.code)

    def oracle(self, seeds: Sequence[str], targets: Sequence[str], pages: int) -> str:
        """The key of the oracle's crawl, which depends on the targets as well."""
        return _hash(self._ground, self._oracle, seeds, targets, pages)


def _hash(*parts: Any) -> str:
    return blake2b(msgspec.json.encode(parts, enc_hook=repr, order="deterministic"), digest_size=16).hexdigest()


def _digest(*files: str) -> str:
    digest = blake2b(digest_size=16)
    for file in files:
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def _unwritable(folder: Path, problem: OSError) -> Refused:
    return Refused(f"{folder} cannot be written", problem.strerror or str(problem), code=Code.UNWRITABLE, field="out")
