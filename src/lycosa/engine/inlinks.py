"""Sources of in-links by name, as users write them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from enum import Enum
from pathlib import Path

from lycosa.core.errors import Refused
from lycosa.core.inlinks import Inlinks, Together

SOURCES = (
    "name a collection, a test bed, a recording, «made:...», a folder of Common Crawl's vertices and edges or "
    "VERTICES,EDGES, or a service such as https://host/path?url={url}&limit={limit}"
)


class Kind(Enum):
    """What a source of in-links can be."""

    COLLECTION = "a collection"
    RECORDING = "a recording, the pages of a test bed, or a made web"
    GRAPH = "a folder or a pair of files in Common Crawl's form"
    SERVICE = "a service"


def kind_of(text: str) -> tuple[Kind, str]:
    """What a text names, and how that room calls it; nonsense is refused."""
    # Rooms are imported when something of theirs is named: few crawls need any of this.
    from lycosa.web.bed import PAGES
    from lycosa.web.inlinks.common_crawl import is_graph
    from lycosa.web.naming import is_made

    if text.startswith(("http://", "https://")):
        return Kind.SERVICE, text
    path = Path(text)
    if is_made(text) or (path.is_file() and _is_recording(path)):
        return Kind.RECORDING, text
    if not path.exists():
        if "," in text:
            return Kind.GRAPH, text
        raise Refused(f"{text!r} is no source of in-links: there is no such file or folder", SOURCES)
    if path.is_dir():
        if (path / "log.sqlite").is_file():
            return Kind.COLLECTION, text
        if (path / PAGES).is_file():
            return Kind.RECORDING, str(path / PAGES)
        if is_graph(path):
            return Kind.GRAPH, text
        if any(map(_is_recording, path.iterdir())):
            return Kind.RECORDING, text
    raise Refused(f"{text} holds no in-links", SOURCES)


def open_inlinks(texts: Sequence[str]) -> Inlinks:
    """The source of in-links that a text names, or several as one; whoever opens it closes it."""
    if not texts:
        raise Refused("there is no source of in-links", SOURCES)
    with ExitStack() as unless_all_are_there:
        opened: list[Inlinks] = []
        for text in dict.fromkeys(texts):
            source = _open(*kind_of(text))
            unless_all_are_there.callback(source.close)
            opened.append(source)
        unless_all_are_there.pop_all()
    return opened[0] if len(opened) == 1 else Together(opened)


def _open(kind: Kind, text: str) -> Inlinks:
    match kind:
        case Kind.COLLECTION:
            from lycosa.store.inlinks import CollectionInlinks

            return CollectionInlinks(text)
        case Kind.RECORDING:
            from lycosa.web.inlinks.recorded import of_shelf
            from lycosa.web.shelving import shelve

            return of_shelf(shelve(text))
        case Kind.GRAPH:
            from lycosa.web.inlinks.common_crawl import CommonCrawl

            if Path(text).is_dir():
                return CommonCrawl.in_folder(Path(text))
            vertices, _, edges = text.partition(",")
            return CommonCrawl(Path(vertices), Path(edges))
        case Kind.SERVICE:
            from lycosa.web.inlinks.service import Service

            return Service(text)


def _is_recording(file: Path) -> bool:
    return file.name.endswith((".warc", ".warc.gz", ".wacz"))
