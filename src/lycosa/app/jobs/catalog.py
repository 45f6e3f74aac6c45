"""The catalog: which names there are, and which folders they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import ClassVar, NamedTuple

from lycosa.app.communities import is_community
from lycosa.app.jobs.job_errors import Conflict, Unknown
from lycosa.app.jobs.link_check import LinksOut
from lycosa.app.option_docs import SAID
from lycosa.system.errors import Code, Refused
from lycosa.system.safe_paths import inside

COLLECTION, COMMUNITY, LAB = "collection", "community", "lab"
is_name = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}").fullmatch
_path = re.compile(r"(\bhttps?://\S+)|(?<![\w:/.])/(?:[\w.-]+/)+")
"""A URL, which is kept, or the folders of a path, which are removed."""
_LONGEST = 60
"""Characters of a generated name, at most; a number may follow."""


@dataclass(frozen=True)
class CatalogEntry:
    """One line of the list of collections, communities and laboratories."""

    __pydantic_config__: ClassVar = SAID
    name: str
    kind: str
    """collection, community or lab."""
    title: str
    """The keywords, if it has some."""
    state: str
    """As in the status of a hunt; empty if it is no hunt."""
    pages: int
    harvest: float | None
    at: float
    """When it last changed, in seconds since 1970."""
    budget: int | None = None
    """Pages that a hunt may have at most."""
    tags: tuple[str, ...] = ()


class CatalogPlace(NamedTuple):
    """A name, its kind, and its folder."""

    name: str
    kind: str
    folder: Path


class Catalog:
    """The table of names; a name means the same folder as long as the catalog lives."""

    def __init__(self, home: Path, folders: Sequence[Path] = ()) -> None:
        self.home = home.absolute()
        for folder in folders:
            if not folder.is_dir():
                raise Refused(
                    f"{folder} is no folder",
                    "name a collection, a community, or a folder of such",
                    code=Code.NOT_FOUND,
                    field="folders",
                )
        self._given = [folder.resolve() for folder in folders]
        self._names: dict[Path, str] = {}
        self._kept: set[Path] = set()
        self._links = LinksOut()
        self._guard = RLock()

    def places(self) -> list[CatalogPlace]:
        """Everything that exists now, sorted by name."""
        return [place for place in self._all() if self._is_own(place)]

    def _all(self) -> list[CatalogPlace]:
        """As `places`, with folders hidden because links lead out of them: asking for one by name tells why."""
        with self._guard:
            found = [CatalogPlace(self._name(folder), kind, folder) for folder, kind in self._found().items()]
        return sorted(found)

    def _is_own(self, place: CatalogPlace) -> bool:
        # An experiment is served file by file, never through a link, but a collection is opened as a whole.
        return place.kind == LAB or self._links.out_of(place.folder) is None

    def place(self, name: str, kind: str | None = None) -> CatalogPlace:
        """The folder of a name and its kind; Unknown if there is none, or not of the given kind."""
        with self._guard:
            known = {called: folder for folder, called in self._names.items()}
            if name not in known:
                known = {place.name: place.folder for place in self._all()}
            folder = known.get(name)
            found = self._kind(folder) if folder else None
        if folder is None or found is None or kind not in (None, found):
            raise Unknown(f"there is no {kind or 'collection'} named {_shown(name)}", "choose one of the list")
        if found != LAB:
            self._links.refuse_out_of(folder)
        return CatalogPlace(name, found, folder)

    def make(self, wanted: str, words: str) -> CatalogPlace:
        """Make a new folder in the home, with the wanted name or one made from `words`."""
        if wanted and not is_name(wanted):
            raise Refused(
                f"{_shown(wanted)} is no name",
                "use small letters, digits and - only, 80 at most",
                code=Code.BAD_VALUE,
                field="name",
            )
        with self._guard:
            taken = {place.name for place in self._all()}
            for name in _numbered(wanted or slug(words)):
                if name not in taken and self._reserved(name):
                    folder = (self.home / name).resolve()
                    self._names[folder] = name
                    self._kept.add(folder)
                    return CatalogPlace(name, COLLECTION, folder)
                if wanted:
                    break
        raise Conflict(
            f"there is something named {wanted} already", "choose another name", code=Code.NOT_EMPTY, field="name"
        )

    def renamed(self, folder: Path, now: Path) -> None:
        """A folder of the catalog was moved."""
        with self._guard:
            self._names.pop(folder, None)
            self._kept.discard(folder)
            self._given = [now if given == folder else given for given in self._given]
            self._names[now] = now.name

    def forget(self, folder: Path) -> None:
        """A folder of the catalog was deleted."""
        with self._guard:
            self._names.pop(folder, None)
            self._kept.discard(folder)

    def give_back(self, folder: Path) -> None:
        """Undo `make`: remove the empty folder and its name."""
        with self._guard, suppress(OSError):
            self._kept.discard(folder)
            self._names.pop(folder, None)
            folder.rmdir()

    def keep(self, folder: Path) -> None:
        """List a folder as a collection although it is still empty."""
        with self._guard:
            self._kept.add(folder)

    def named(self, folder: Path) -> str | None:
        """The name of a folder; None if it has none."""
        return next((place.name for place in self.places() if place.folder == folder), None)

    def pathless(self, text: str) -> str:
        """A text with names instead of the paths of known folders, and only the file names of other paths."""
        with self._guard:
            known = sorted(self._names.items(), key=lambda each: -len(str(each[0])))
        for folder, name in known:
            text = _named(text, str(folder), name)
        return _path.sub(r"\1", _named(text, f"{self.home}/", ""))

    def _reserved(self, name: str) -> bool:
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            (self.home / name).mkdir()
        except FileExistsError:
            return False
        except OSError as error:
            problem = f"cannot make a folder in {self.home} ({error.strerror})"
            raise Refused(problem, "choose another home", code=Code.UNWRITABLE) from error
        return True

    def _found(self) -> dict[Path, str]:
        """Folders with their kinds; those of the home first, because they keep their own names."""
        found: dict[Path, str] = {}
        for folder in (self.home, *self._given):
            several = (folder,) if folder != self.home and self._kind(folder) else _inside(folder)
            for each in several:
                if kind := self._kind(each):
                    found.setdefault(each, kind)
        return found

    def _kind(self, folder: Path) -> str | None:
        return kind_of(folder) or (COLLECTION if folder in self._kept and folder.is_dir() else None)

    def _name(self, folder: Path) -> str:
        if folder not in self._names:
            taken = set(self._names.values())
            self._names[folder] = next(name for name in _numbered(_own(folder.name)) if name not in taken)
        return self._names[folder]


def _named(text: str, path: str, name: str) -> str:
    """A text with a name instead of a path, except inside URLs."""
    return re.sub(rf"(?<!\w){re.escape(path)}", lambda _: name, text) if path in text else text


def kind_of(folder: Path) -> str | None:
    """The kind of a folder; None if it is nothing to be listed."""
    if is_community(folder):
        return COMMUNITY
    if (folder / "log.sqlite").is_file():
        return COLLECTION
    # A running experiment has no report yet, but a progress file; one that was killed has crawls.
    if any(_is_own(folder / name) and (folder / name).is_file() for name in ("report.html", "progress.json")):
        return LAB
    return LAB if _is_own(folder / "crawls") and any((folder / "crawls").glob("*.track")) else None


def _is_own(path: Path) -> bool:
    return not path.is_symlink()


def slug(words: str) -> str:
    """A name made from words; words that are a valid, short name stay as they are."""
    if is_name(words) and len(words) <= _LONGEST:
        return words
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    parts = re.findall(r"[a-z0-9]+", plain)[:6]
    return "-".join(parts)[:_LONGEST].strip("-") or "hunt"


def _own(name: str) -> str:
    """The folder's own name if it is valid, so that it is the same after every start."""
    return name if is_name(name) else slug(name)


def _numbered(name: str) -> Iterable[str]:
    yield name
    yield from (f"{name}-{number}" for number in range(2, 10_000))


def _inside(folder: Path) -> list[Path]:
    """The folders in a folder; links are followed only if they stay inside it."""
    try:
        seen = [each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")]
        return sorted(each.resolve() for each in seen if inside(folder, each))
    except OSError:
        return []


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")
