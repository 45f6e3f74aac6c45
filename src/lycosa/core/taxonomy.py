"""A taxonomy: categories with example pages, some of them marked as good by the user."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace


class Category(Struct, frozen=True):
    """A category by its path from the root, such as «Top/Science/Biology», and pages that belong there."""

    path: str
    examples: tuple[str, ...] = ()
    good: bool = False


class Taxonomy(Struct, frozen=True, dict=True):
    """A set of categories that contains the parent of each of them."""

    categories: tuple[Category, ...] = ()

    @cached_property
    def good(self) -> tuple[str, ...]:
        """The paths of the categories that are hunted."""
        return tuple(category.path for category in self.categories if category.good)

    def is_good(self, path: str) -> bool:
        """Whether a category is good, or lies below one that is."""
        return any(is_within(path, good) for good in self.good)

    def good_examples(self, most: int) -> list[str]:
        """The examples of good categories and of those below them, up to `most` of each category."""
        good = (category.examples[:most] for category in self.categories if self.is_good(category.path))
        return list(dict.fromkeys(url for examples in good for url in examples))

    def filed(self) -> Iterator[tuple[str, str]]:
        """Every example with the path of its category."""
        return ((url, category.path) for category in self.categories for url in category.examples)

    def marked(self, path: str) -> Taxonomy:
        """The same, with one category marked as good."""
        return Taxonomy(tuple(replace(kind, good=kind.good or kind.path == path) for kind in self.categories))

    def refiled(self, moved: Mapping[str, str]) -> Taxonomy:
        """The same, with these examples in these categories and in no others."""
        return Taxonomy(
            tuple(
                replace(
                    kind,
                    examples=(
                        *(url for url in kind.examples if moved.get(url, kind.path) == kind.path),
                        *(url for url, path in moved.items() if path == kind.path and url not in kind.examples),
                    ),
                )
                for kind in self.categories
            )
        )


def parent_of(path: str) -> str:
    """The path of the category above; empty for one at the top."""
    return path.rpartition("/")[0]


def is_within(path: str, above: str) -> bool:
    """Whether a category is the category `above` or lies below it."""
    return path == above or path.startswith(f"{above}/")


def taxonomy_of(examples: Iterable[tuple[str, Iterable[str]]]) -> Taxonomy:
    """The taxonomy in which these paths have these examples; missing parents are added, without examples."""
    found: dict[str, list[str]] = {}
    for path, urls in examples:
        steps = path.split("/")
        for depth in range(1, len(steps)):
            found.setdefault("/".join(steps[:depth]), [])
        found.setdefault(path, []).extend(urls)
    return Taxonomy(tuple(Category(path, tuple(dict.fromkeys(urls))) for path, urls in sorted(found.items())))
