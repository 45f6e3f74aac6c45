"""Items made of pages, and the pipelines they go through: those of Scrapy work here too.

A pipeline is an object with `process_item(item, spider)`, which returns the item or raises DropItem, and if it likes
`open_spider(spider)` and `close_spider(spider)`. Where Scrapy passes a spider, Lycosa passes the hunt. Each method may
leave its last argument out, and may be a coroutine.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from lycosa.app.python_api.fetched_page import FetchedPage
from lycosa.system.errors import Code, Refused
from lycosa.system.local_modules import import_named

Extract = Callable[[FetchedPage], Any]
"""Makes items of a page: one, several, or None."""


class DropItem(Exception):
    """Raised by a pipeline that does not want an item."""


class JsonLines:
    """A pipeline that appends items to a file, one JSON object per line."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file: IO[str] | None = None

    def open_spider(self) -> None:
        """Open the file."""
        try:
            self._file = self.path.open("a", encoding="utf-8", errors="replace")
        except OSError as error:
            problem = f"cannot write {self.path} ({error.strerror or error})"
            raise Refused(problem, "choose another place", code=Code.UNWRITABLE) from error

    def process_item(self, item: Any) -> Any:
        """Write an item: a dict, a dataclass or a list."""
        assert self._file
        plain = dataclasses.asdict(item) if dataclasses.is_dataclass(item) and not isinstance(item, type) else item
        self._file.write(json.dumps(dict(plain) if isinstance(plain, Mapping) else plain, ensure_ascii=False) + "\n")
        return item

    def close_spider(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()
            self._file = None


class ItemPipelines:
    """An extractor of items and the pipelines behind it, in order."""

    def __init__(self, extract: Extract, pipelines: Iterable[Any]) -> None:
        self.extract = extract
        self.pipelines = [_made(pipeline) for pipeline in pipelines]
        self.kept = 0
        """Items that came through."""
        self.dropped = 0
        """Items that a pipeline did not want."""

    async def open(self, hunt: Any) -> None:
        """Tell every pipeline that the hunt begins."""
        for pipeline in self.pipelines:
            await _called(getattr(pipeline, "open_spider", None), hunt)

    async def close(self, hunt: Any) -> None:
        """Tell every pipeline that the hunt has ended."""
        for pipeline in self.pipelines:
            await _called(getattr(pipeline, "close_spider", None), hunt)

    async def process(self, page: FetchedPage, hunt: Any) -> None:
        """Send the items of a page through."""
        found = self.extract(page)
        if inspect.isawaitable(found):
            found = await found
        for item in _several(found):
            try:
                for pipeline in self.pipelines:
                    item = await _called(pipeline.process_item, item, hunt)
            except Exception as error:
                if not _drops(error):
                    raise
                self.dropped += 1
            else:
                self.kept += 1


def _made(pipeline: Any) -> Any:
    """A pipeline, from an object, a class, or a text like module:Class or module.Class."""
    if isinstance(pipeline, str):
        pipeline = _imported(pipeline)
    made = pipeline() if isinstance(pipeline, type) else pipeline
    if not callable(getattr(made, "process_item", None)):
        problem = f"{pipeline!r} is not a pipeline"
        raise Refused(problem, "give it a method process_item(self, item)", code=Code.BAD_VALUE)
    return made


def _imported(place: str) -> Any:
    module, _, name = place.replace(":", ".").rpartition(".")
    try:
        return getattr(import_named(module), name)
    except Exception as error:  # The file is the user's own, and may fail in any way.
        problem = f"pipeline {place} cannot be imported ({error})"
        raise Refused(problem, "write module:Class", code=Code.BAD_VALUE) from None


async def _called(method: Callable[..., Any] | None, *arguments: Any) -> Any:
    """The result of a method that may be missing, may leave out its last argument, and may be a coroutine."""
    if method is None:
        return None
    try:
        inspect.signature(method).bind(*arguments)
    except TypeError:
        arguments = arguments[:-1]
    found = method(*arguments)
    return await found if inspect.isawaitable(found) else found


def _several(found: Any) -> Iterable[Any]:
    if found is None:
        return ()
    return found if isinstance(found, (list, tuple, set)) or inspect.isgenerator(found) else (found,)


def _drops(error: Exception) -> bool:
    # Scrapy's own exception is not imported, because Scrapy may not be installed.
    return any(kind.__name__ == "DropItem" for kind in type(error).__mro__)
