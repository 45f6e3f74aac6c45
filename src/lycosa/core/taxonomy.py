"""A taxonomy: categories with example pages, some of them marked as good by the user."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace


class Category(Struct, frozen=True):
    """A category by its path from the root, such as «Top/Science/Biology», and pages that belong there."""

    path: str
    examples: tuple[str, ...] = ()
    good: bool = False


class Taxonomy(Struct, frozen=True):
    """Categories in which every path's parent is there too."""

    categories: tuple[Category, ...] = ()

    def marked(self, path: str) -> Taxonomy:
        """The same, with one category marked as good."""
        return Taxonomy(tuple(replace(kind, good=kind.good or kind.path == path) for kind in self.categories))


def taxonomy_of(examples: Iterable[tuple[str, Iterable[str]]]) -> Taxonomy:
    """The taxonomy in which these paths have these examples; parents that are not named are added, without any."""
    found: dict[str, list[str]] = {}
    for path, urls in examples:
        steps = path.split("/")
        for depth in range(1, len(steps)):
            found.setdefault("/".join(steps[:depth]), [])
        found.setdefault(path, []).extend(urls)
    return Taxonomy(tuple(Category(path, tuple(dict.fromkeys(urls))) for path, urls in sorted(found.items())))
