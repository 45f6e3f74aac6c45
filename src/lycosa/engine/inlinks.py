"""Sources of in-links by name, as users write them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from lycosa.core.errors import Refused
from lycosa.core.inlinks import Inlinks, Together

SOURCES = (
    "name a collection, a test bed, a recording, «made:...», a folder of Common Crawl's vertices and edges or "
    "VERTICES,EDGES, or a service such as https://host/path?url={url}&limit={limit}"
)


def open_inlinks(texts: Sequence[str]) -> Inlinks:
    """The source of in-links that a text names, or several as one; whoever opens it closes it."""
    if not texts:
        raise Refused("there is no source of in-links", SOURCES)
    with ExitStack() as unless_all_are_there:
        opened: list[Inlinks] = []
        for text in dict.fromkeys(texts):
            source = _open(text)
            unless_all_are_there.callback(source.close)
            opened.append(source)
        unless_all_are_there.pop_all()
    return opened[0] if len(opened) == 1 else Together(opened)


def _open(text: str) -> Inlinks:
    # Each kind is imported when it is named: few crawls need any of them.
    from lycosa.web.naming import is_made

    if text.startswith(("http://", "https://")):
        from lycosa.web.inlinks.service import Service

        return Service(text)
    if is_made(text):
        return _recorded(text)
    path = Path(text)
    if path.exists():
        return _of_folder(path) if path.is_dir() else _of_file(path)
    if "," in text:
        from lycosa.web.inlinks.common_crawl import CommonCrawl

        vertices, _, edges = text.partition(",")
        return CommonCrawl(Path(vertices), Path(edges))
    raise Refused(f"{text!r} is no source of in-links: there is no such file or folder", SOURCES)


def _of_folder(path: Path) -> Inlinks:
    from lycosa.web.bed import PAGES
    from lycosa.web.inlinks.common_crawl import CommonCrawl, is_graph

    if (path / "log.sqlite").is_file():
        from lycosa.store.inlinks import CollectionInlinks

        return CollectionInlinks(path)
    if (path / PAGES).is_file():
        return _recorded(str(path / PAGES))
    if is_graph(path):
        return CommonCrawl.in_folder(path)
    if any(_is_recording(file) for file in path.iterdir()):
        return _recorded(str(path))
    raise Refused(f"the folder {path} holds no in-links", SOURCES)


def _of_file(path: Path) -> Inlinks:
    if _is_recording(path):
        return _recorded(str(path))
    raise Refused(f"the file {path} holds no in-links", SOURCES)


def _is_recording(file: Path) -> bool:
    return file.name.endswith((".warc", ".warc.gz", ".wacz"))


def _recorded(text: str) -> Inlinks:
    from lycosa.web.inlinks.recorded import of_shelf
    from lycosa.web.shelving import shelve

    return of_shelf(shelve(text))
