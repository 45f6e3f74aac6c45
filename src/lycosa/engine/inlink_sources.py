"""Sources of in-links by name, as users write them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from enum import Enum
from pathlib import Path

from lycosa.core.inlinks import Inlinks, Together
from lycosa.system.errors import Code, Refused

SOURCES = (
    "name a collection, a test bed, a recording, «made:...», a folder of Common Crawl's vertices and edges or "
    "VERTICES,EDGES, or a service such as https://host/path?url={url}&limit={limit}"
)


class InlinkSource(Enum):
    """What a source of in-links can be."""

    COLLECTION = "a collection"
    RECORDING = "a recording, the pages of a test bed, or a made web"
    GRAPH = "a folder or a pair of files in Common Crawl's form"
    SERVICE = "a service"


def kind_of(text: str) -> tuple[InlinkSource, str]:
    """The kind of source that a text names, and its path or URL; raises Refused if it names none."""
    # Imported here, because few crawls need any of this.
    from lycosa.web.inlinks.common_crawl import is_graph
    from lycosa.web.source_names import is_made
    from lycosa.web.testbed import PAGES

    if text.startswith(("http://", "https://")):
        return InlinkSource.SERVICE, text
    path = Path(text)
    if is_made(text) or (path.is_file() and _is_recording(path)):
        return InlinkSource.RECORDING, text
    if not path.exists():
        if "," in text:
            return InlinkSource.GRAPH, text
        problem = f"{text!r} is not a source of in-links: there is no such file or folder"
        raise Refused(problem, SOURCES, code=Code.NOT_FOUND, field="inlinks")
    if path.is_dir():
        if (path / "log.sqlite").is_file():
            return InlinkSource.COLLECTION, text
        if (path / PAGES).is_file():
            return InlinkSource.RECORDING, str(path / PAGES)
        if is_graph(path):
            return InlinkSource.GRAPH, text
        if any(map(_is_recording, path.iterdir())):
            return InlinkSource.RECORDING, text
    raise Refused(f"{text} holds no in-links", SOURCES, code=Code.BAD_FILE, field="inlinks")


def open_inlinks(texts: Sequence[str]) -> Inlinks:
    """The sources of in-links that the texts name, combined into one; the caller closes it."""
    if not texts:
        raise Refused("there is no source of in-links", SOURCES, code=Code.MISSING, field="inlinks")
    with ExitStack() as unless_all_are_there:
        opened: list[Inlinks] = []
        for text in dict.fromkeys(texts):
            source = _open(*kind_of(text))
            unless_all_are_there.callback(source.close)
            opened.append(source)
        unless_all_are_there.pop_all()
    return opened[0] if len(opened) == 1 else Together(opened)


def _open(kind: InlinkSource, text: str) -> Inlinks:
    match kind:
        case InlinkSource.COLLECTION:
            from lycosa.store.link_graph import Graph

            return Graph.up_to_date(Path(text))
        case InlinkSource.RECORDING:
            from lycosa.web.inlinks.reversed_links import reversed_links
            from lycosa.web.parsed_cache import open_parsed

            return reversed_links(open_parsed(text))
        case InlinkSource.GRAPH:
            from lycosa.web.inlinks.common_crawl import CommonCrawl

            if Path(text).is_dir():
                return CommonCrawl.in_folder(Path(text))
            vertices, _, edges = text.partition(",")
            return CommonCrawl(Path(vertices), Path(edges))
        case InlinkSource.SERVICE:
            from lycosa.web.inlinks.service import Service

            return Service(text)


def _is_recording(file: Path) -> bool:
    return file.name.endswith((".warc", ".warc.gz", ".wacz"))
