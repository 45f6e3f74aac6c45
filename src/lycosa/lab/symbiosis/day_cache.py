"""The facts of the days on disk, so that no day is simulated twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from lycosa import core
from lycosa.community.settings import CommunitySettings
from lycosa.lab.comparison import Ids
from lycosa.lab.world import World
from lycosa.system.atomic_file import write_whole

_ROOMS = ("community", "core", "engine", "frontier", "index", "judge", "store", "strategy", "web")
"""The rooms whose code decides what a community does."""


class Day(Struct):
    """The facts of a day; pages by their numbers in the world, -1 for those that it does not list."""

    collection: Ids
    answers: list[Ids]
    """The results of the day's queries, in their order."""
    alone: list[Ids]
    """The results of the same queries in day one's collection, never refreshed."""
    fetched: int = 0
    """Pages that the refresh before it fetched."""
    seconds: float = 0.0
    """How long that refresh took."""


class Facts:
    """The days of one system."""

    def __init__(self, place: Path, name: str, about: Any) -> None:
        """`about` is what the days depend on, besides the place."""
        self.community = place / f"{name}-{_hash(about)[:8]}"

    def day(self, number: int) -> Day | None:
        """A day, if it is over; a damaged file counts as missing."""
        try:
            return msgspec.json.decode(self._file(number).read_bytes(), type=Day, dec_hook=lambda _, told: _ids(told))
        except (OSError, ValueError, msgspec.DecodeError):
            return None

    def keep(self, number: int, day: Day) -> None:
        """Write a day, atomically."""
        write_whole(self._file(number), msgspec.json.encode(day, enc_hook=np.ndarray.tolist))

    @staticmethod
    def numbers(number: Callable[[str], int], urls: Sequence[str]) -> Ids:
        """URLs as page numbers; a page that several of them lead to counts once, every unknown URL separately."""
        found = [number(url) for url in urls]
        known = dict.fromkeys(each for each in found if each >= 0)
        return _ids([*known, *(each for each in found if each < 0)])

    def _file(self, number: int) -> Path:
        return self.community.with_name(f"{self.community.name}.{number}.json")


def key_of(world: World, settings: CommunitySettings, bookmarks: Sequence[Any]) -> str:
    """The key of weeks: a digest of all that they depend on in common, including the code."""
    plain = msgspec.structs.replace(settings, processes=0)
    return _hash([world.digest, _code(), plain, bookmarks])[:16]


@cache
def _code() -> str:
    house = Path(core.__file__).parents[1]
    digest = blake2b(digest_size=16)
    for file in (file for room in _ROOMS for file in sorted((house / room).rglob("*.py"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _hash(about: Any) -> str:
    return blake2b(msgspec.json.encode(about, order="deterministic"), digest_size=16).hexdigest()


def _ids(numbers: Sequence[int]) -> Ids:
    return np.array(numbers, np.int32)
