"""The shape of a web, on webs that fit in one's head and against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import dijkstra

from lycosa.core.nouns import Link, Page
from lycosa.lab.beds.web_shape import Locality, Spread, WebShape, spread
from lycosa.lab.corpus import of_pages
from lycosa.lab.world import open_world


def corpus(**pages):
    """Pages as name="text > links", each on a host of its own."""
    made = []
    for name, page in pages.items():
        text, _, links = page.partition(">")
        made.append(Page(f"http://{name}.test/", text, [Link(f"http://{to}.test/", (0, 0)) for to in links.split()]))
    return of_pages(made)


@pytest.fixture
def shape():
    return WebShape(
        corpus(
            a="wolf spiders > b c",
            b="wolf spiders hunt > d e",
            c="grass > d e b",
            d="wolf burrows",
            e="spiders spin > a",
            f="grass > d",
        )
    )


def test_links_are_counted_both_ways(shape):
    assert shape.out_links.tolist() == [2, 2, 3, 0, 1, 1]
    assert shape.in_links.tolist() == [1, 2, 1, 3, 2, 0]
    assert spread(shape.in_links) == Spread(1.5, 1.5, 3)
    assert spread(shape.in_links[:0]) == Spread(0.0, 0.0, 0)


def test_pages_with_the_same_words_are_repeats(shape):
    assert shape.repeats() == 1
    assert WebShape(corpus(a="red page", b="page red page", c="page red red", d="", e="")).repeats() == 0


def test_hubs_link_to_the_most_pages(shape):
    goals = np.array([3, 4], np.int32)
    assert shape.hubs(goals, 3) == [(1, 2), (2, 2), (5, 1)]
    assert shape.hubs(goals[:0]) == []


def test_a_link_from_a_relevant_page_leads_to_another_so_often(shape):
    # a, b and d have four links, two of them (a to b, b to d) among each other; six of all nine lead to one.
    from_them, from_any = shape.follows(np.array([0, 1, 3], np.int32))
    assert from_them == pytest.approx(2 / 4)
    assert from_any == pytest.approx(6 / 9)


def test_distances_are_counted_in_links_and_from_the_nearest_start(shape):
    ids = [np.array(pages, np.int32) for pages in ([0], [5, 2], [], [3])]
    goals = [np.array([0, 1, 3, 5], np.int32)] * 4
    found = [hops.tolist() for hops in shape.distances(ids, goals)]
    assert found == [[0, 1, 2, -1], [2, 1, 1, 0], [-1, -1, -1, -1], [-1, -1, 0, -1]]


def test_no_way_leads_to_a_closed_page_or_past_it(shape):
    closed = WebShape(shape.corpus, closed=np.array([False, True, False, False, False, False]))
    goals = [np.array([1, 3, 4], np.int32)] * 2
    found = closed.distances([np.array([0], np.int32), np.array([1], np.int32)], goals)
    assert [hops.tolist() for hops in found] == [[-1, 2, 2], [-1, -1, -1]]


def test_a_hundred_searches_at_once_find_what_one_by_one_find():
    whole = open_world("made:pages=400,topics=3").corpus
    dice = np.random.default_rng(7)
    starts = [dice.integers(0, len(whole), 3).astype(np.int32) for _ in range(100)]
    goals = [dice.integers(0, len(whole), 20).astype(np.int32) for _ in range(100)]
    for start, goal, hops in zip(starts, goals, WebShape(whole).distances(starts, goals), strict=True):
        right = dijkstra(whole.links.astype(float), indices=start, unweighted=True, min_only=True)[goal]
        assert np.where(hops < 0, np.inf, hops).tolist() == right.tolist()


def test_linked_pages_are_more_alike_where_topics_are_local():
    local = WebShape(corpus(a="red apple > b", b="red apple pie > a", c="blue sea > d", d="blue sea wind > c"))
    found = local.locality()
    assert found.linked == found.linked_abroad > 0.5 > found.random > 0
    # The cosine of (1, 1) and (1, 1, x), by hand: words are on half of the pages, but pie and wind on a quarter.
    common, rare = np.log(2), np.log(4)
    assert found.linked == pytest.approx(
        2 * common**2 / (np.sqrt(2) * common * np.sqrt(2 * common**2 + rare**2)), abs=0.02
    )
    assert found == WebShape(local.corpus).locality(), "the same dice, the same sample"


def test_a_web_without_links_has_no_locality():
    assert WebShape(corpus(a="one")).locality() == Locality(0.0, 0.0, 0.0)
    alone = WebShape(corpus(a="red", b="red"))
    assert alone.locality().linked == 0.0
    assert alone.follows(np.array([0], np.int32)) == (0.0, 0.0)
    assert alone.distances([np.array([0], np.int32)], [np.array([0, 1], np.int32)])[0].tolist() == [0, -1]
