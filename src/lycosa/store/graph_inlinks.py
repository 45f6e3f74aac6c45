"""The link graph of a collection as a source of in-links."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lycosa.core.inlinks import Inlinks
from lycosa.store.link_graph import Graph


class CollectionInlinks(Inlinks):
    """Who links to a page, as far as a crawl has seen when this is opened."""

    def __init__(self, folder: str | Path) -> None:
        """Open the graph of the collection in a folder and bring it up to date."""
        self._graph = Graph(Path(folder))
        try:
            self._graph.catch_up()
        except BaseException:
            self._graph.close()
            raise

    def of(self, url: str, limit: int) -> Sequence[str]:
        """The pages that link to a URL, first seen first."""
        found = self._graph.in_links(url, limit + 1)
        return [page for page in found if page != url][:limit]

    def close(self) -> None:
        """Close the graph."""
        self._graph.close()
