"""One's own collections and communities, searched as one: their pages in one order, with the hubs around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lycosa.app.communities import is_community
from lycosa.app.federated import Opening
from lycosa.app.finders.finder import Finder, FoundPage, register
from lycosa.app.index_pool import open_index
from lycosa.store.collection import LOG
from lycosa.system.errors import Code, Refused


@register("collection")
@dataclass
class OwnCollections(Finder):
    """Search a collection, a community, or a folder of them."""

    folder: str = ""
    """The collection, community or folder of them; several with semicolons between them."""

    def __post_init__(self) -> None:
        self.opening: Opening = open_index
        self.folders: Mapping[str, Path] = {}
        """Collections by name; those of `folder` are looked up when they are searched."""

    @property
    def label(self) -> str:
        """The names of the collections."""
        names = [Path(name.strip()).name for name in self.folder.split(";")] if self.folder else list(self.folders)
        return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """Pages and hubs, by their place in the one order of all collections."""
        from lycosa.app.search import seeds_from

        found = seeds_from(self.folders or self._named(), query, limit, opening=self.opening)
        return [FoundPage(one.url, one.title, one.reason, one.collection) for one in found]

    def _named(self) -> list[Path]:
        if not self.folder:
            problem, fix = "finder collection needs its option folder", "write it like collection:folder=spiders"
            raise Refused(problem, fix, code=Code.MISSING, field="find")
        places = [Path(name.strip()).expanduser() for name in self.folder.split(";") if name.strip()]
        found = [each for place in places for each in ([place] if _is_one(place) else _inside(place))]
        if not found:
            problem = f"there is no collection in {self.label}"
            raise Refused(problem, "name the folder of one", code=Code.NOT_A_COLLECTION, field="find")
        return found


def _is_one(place: Path) -> bool:
    return (place / LOG).is_file() or is_community(place)


def _inside(place: Path) -> list[Path]:
    return sorted(each for each in place.iterdir() if _is_one(each)) if place.is_dir() else []
