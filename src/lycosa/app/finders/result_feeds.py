"""Results as RSS or Atom: address and title of each item, read without a tree and without expanding entities."""

from __future__ import annotations

from contextlib import suppress
from xml.parsers import expat

from lycosa.app.finders.finder import FoundPage

_MOST = 1000
"""Items read at most."""
_LONG = 4096
"""Characters of a title or an address at most."""


class NoFeed(ValueError):
    """It is not a feed."""


class _Enough(Exception):
    """The feed has more items than are read."""


class _FeedReader:
    """Collects items as their elements open and close."""

    def __init__(self) -> None:
        self.found: list[FoundPage] = []
        self.is_feed = False
        self._inside = False
        self._element = self._url = self._title = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element opens."""
        name = name.rpartition(":")[2].lower()
        self.is_feed = self.is_feed or name in ("rss", "feed", "rdf")
        self._element = name if self._inside else ""
        if name in ("item", "entry"):
            self._inside, self._url, self._title = True, "", ""
        elif name == "link" and self._inside and attributes.get("rel", "alternate") == "alternate":
            self._url = self._url or attributes.get("href", "")

    def text(self, said: str) -> None:
        """Text of an element."""
        if self._element == "link" and len(self._url) < _LONG:
            self._url += said
        elif self._element == "title" and len(self._title) < _LONG:
            self._title += said

    def end(self, name: str) -> None:
        """An element closes."""
        name, self._element = name.rpartition(":")[2].lower(), ""
        if name in ("item", "entry") and self._inside:
            self._inside = False
            if url := self._url.strip():
                self.found.append(FoundPage(url[:_LONG], " ".join(self._title.split())[:_LONG]))
            if len(self.found) >= _MOST:
                raise _Enough

    def declared(self, *_: object) -> None:
        """A document that declares entities of its own could grow without end."""
        raise NoFeed


def read_feed(body: bytes) -> list[FoundPage]:
    """The items of a feed, in its order; of a broken one the good part. Raises NoFeed."""
    reader, parser = _FeedReader(), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = reader.text, reader.declared
    with suppress(expat.ExpatError, _Enough):
        parser.Parse(body.strip(), True)
    if not reader.is_feed:
        raise NoFeed
    return reader.found
