"""Which pages of an old collection are worth most."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from lycosa.community.page_worth import by_worth
from lycosa.index.index import Index
from lycosa.index.search_types import Document

PAGES = {
    "honey": ("honey bees and their hives", ()),
    "wasps": ("wasps sting", ()),
    "list": ("a list of links", ("honey",)),
    "garden": ("flowers", ("honey",)),
    "moss": ("moss", ()),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    with Index.write(tmp_path_factory.mktemp("index") / "index") as index:
        for name, (text, links) in PAGES.items():
            spans = tuple((f"http://{link}.test/", (0, len(text))) for link in links)
            index.add(Document(f"http://{name}.test/", text, text, links=spans))
        index.commit(1, 1)
        index.settle()
        index.reload()
        yield index


def order(index, queries=(), bookmarks=(), **relevance):
    rows = [SimpleNamespace(url=f"http://{name}.test/", relevance=relevance.get(name, 0.0)) for name in PAGES]
    marked = frozenset(f"http://{name}.test/" for name in bookmarks)
    found = by_worth(index, rows, queries=queries, bookmarks=marked, by="hybrid")
    return [row.url.removeprefix("http://").removesuffix(".test/") for row in found]


def test_what_was_asked_for_is_worth_more_than_what_is_relevant(index):
    assert order(index, ["wasps"], moss=1.0)[0] == "wasps"


def test_relevance_and_popularity_decide_where_nobody_asked(index):
    assert order(index)[0] == "honey", "it is the only one that others link to"
    assert order(index, moss=1.0, wasps=0.9)[:3] == ["honey", "moss", "wasps"]


def test_the_neighbours_of_bookmarks_come_before_pages_that_nothing_speaks_for(index):
    assert set(order(index, bookmarks=["honey"])[:3]) == {"honey", "list", "garden"}
    assert order(index, bookmarks=["garden"])[0] == "honey"


def test_without_a_reason_the_order_is_that_of_the_collection(index):
    assert [name for name in order(index) if name in ("wasps", "moss")] == ["wasps", "moss"]
