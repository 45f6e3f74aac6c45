"""A collection knows who links to whom."""

import pytest

from lycosa.store.collection import Collection
from lycosa.store.link_graph import Graph
from lycosa.system.errors import Refused

HUB, OTHER, SEED = "http://hub.test/", "http://other.test/", "http://seed.test/"


def told(folder, *events):
    with Collection.create(folder) if not folder.exists() else Collection.open(folder, write=True) as collection:
        for at, event in enumerate(events):
            collection.log.append(event, float(at))
        collection.log.commit()


def test_in_links_are_those_that_the_crawl_has_seen_first_seen_first(tmp_path, make):
    told(tmp_path / "c", make.visited(OTHER, links=[SEED, HUB]), make.visited(HUB, links=[SEED, SEED]))
    source = Graph.up_to_date(tmp_path / "c")
    assert source.of(SEED, 10) == [OTHER, HUB]
    assert source.of(SEED, 1) == [OTHER]
    assert source.of("http://unknown.test/", 10) == []
    source.close()


def test_the_graph_catches_up_with_the_crawl_before_it_is_asked(tmp_path, make):
    told(tmp_path / "c", make.visited(OTHER, links=[SEED]))
    Graph.up_to_date(tmp_path / "c").close()
    told(tmp_path / "c", make.visited(HUB, links=[SEED]))
    source = Graph.up_to_date(tmp_path / "c")
    assert source.of(SEED, 10) == [OTHER, HUB]
    source.close()


def test_a_page_does_not_link_to_itself(tmp_path, make):
    told(tmp_path / "c", make.visited(SEED, links=[SEED]), make.visited(HUB, links=[SEED]))
    source = Graph.up_to_date(tmp_path / "c")
    assert source.of(SEED, 1) == [HUB]
    source.close()


def test_what_is_no_collection_is_refused(tmp_path):
    with pytest.raises(Refused, match="is not a collection"):
        Graph.up_to_date(tmp_path)
