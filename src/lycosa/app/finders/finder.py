"""The Finder interface and the registry in which finders are found by name.

A finder asks one source for pages about some words. Its options are dataclass fields, given as
`searxng:url=https://search.example.org`. Other packages add finders by the entry point `lycosa.finders`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct

from lycosa.core.registry import Named, Registry, named
from lycosa.system.errors import Refused
from lycosa.web.http_options import HttpOptions


class FoundPage(Struct, frozen=True):
    """A page that a source names."""

    url: str
    title: str = ""
    reason: str = ""
    """Why it was found; empty if it is only a result like all others."""
    collection: str = ""
    """The collection that it is from, if it is from one."""


class Finder(Named):
    """Finds pages about some words; subclasses write `find`."""

    options_field: ClassVar[str] = "find"
    refines: ClassVar[bool] = True
    """Whether other words about the same topic may find more."""
    http: HttpOptions = HttpOptions()
    """Proxy, certificate authorities and user agent, for those who ask over the network."""

    @property
    def label(self) -> str:
        """What it is called where nobody gave it a name."""
        return self.name

    def find(self, query: str, limit: int) -> list[FoundPage]:
        """The best pages for a query, at most `limit`; raises Unanswered."""
        raise NotImplementedError


class Unanswered(Refused):
    """A source does not answer; `lasting` if it will not answer a little later either."""

    lasting: bool = True


_registry: Registry[Finder] = Registry("finder", "lycosa.app.finders", "lycosa.finders")
register = _registry.register


def finders() -> Mapping[str, type[Finder]]:
    """Every finder there is: one per file of lycosa.app.finders, and those of other packages' entry points."""
    return _registry.all()


def make_finder(text: str) -> Finder:
    """A finder as users write it: NAME, NAME:URL or NAME:option=value,option=value."""
    kind, _, rest = text.partition(":")
    if rest.startswith(("http://", "https://")):
        text = f"{kind}:url={rest}"
    elif not rest:
        text = kind
    try:
        name, settings = named(text)
        return _registry.make(name, settings, Finder)
    except Refused as refused:
        # Messages of the registry name the field by the kind of thing that was made.
        refused.field = "find"
        raise
