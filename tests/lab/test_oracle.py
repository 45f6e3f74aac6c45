"""The oracle knows how far every page is from a target, and still has to follow links to get there."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from lycosa.core.nouns import Link, Page
from lycosa.lab.corpus import of_pages
from lycosa.lab.oracle import FAR, Oracle, closed_pages
from lycosa.lab.world import open_world


def corpus(**links):
    return of_pages(
        Page(f"http://x.test/{name}", links=[Link(f"http://x.test/{to}", (0, 0)) for to in tos])
        for name, tos in links.items()
    )


def ids(*numbers):
    return np.array(numbers, np.int32)


WEB = corpus(a="bc", b="ad", c="e", d="", e="f", f="a", g="f")
A, B, C, D, E, F, G = range(7)


def test_hops_are_counted_along_the_links():
    assert Oracle(WEB).hops(ids(F)).tolist() == [3, 4, 2, FAR, 1, 0, 1]
    assert Oracle(WEB).hops(ids(F, D)).tolist() == [2, 1, 2, 0, 1, 0, 1]
    assert Oracle(WEB).hops(ids()).tolist() == [FAR] * 7


def test_hops_agree_with_a_graph_library():
    dice = np.random.default_rng(1)
    tails, heads = dice.integers(0, 300, (2, 900))
    web = corpus(**{f"p{n}": [] for n in range(300)})
    web.links = csr_array((np.ones(900, np.int8), (tails, heads)), shape=(300, 300))
    targets = dice.integers(0, 300, 7).astype(np.int32)
    known = dijkstra(web.links.T.astype(float), unweighted=True, indices=np.unique(targets), min_only=True)
    assert Oracle(web).hops(targets).tolist() == [FAR if np.isinf(hops) else int(hops) for hops in known]


def test_the_fewest_hops_go_first_and_among_equals_the_first_found():
    track = Oracle(WEB).crawl(ids(A), ids(F), 10)
    assert track.pages.tolist() == [A, C, E, F, B, D]
    assert track.via.tolist() == [-1, A, C, E, A, B]
    assert track.relevance.tolist() == [0, 0, 0, 1, 0, 0]
    assert track.ended == "nothing left to fetch"
    star = corpus(a="bcd", b="", c="", d="")
    assert Oracle(star).crawl(ids(0), ids(1, 2, 3), 10).pages.tolist() == [0, 1, 2, 3]


def test_the_budget_ends_a_crawl():
    track = Oracle(WEB).crawl(ids(A), ids(F), 3)
    assert track.pages.tolist() == [A, C, E]
    assert track.ended == "budget spent: pages"


def test_only_links_that_were_found_are_followed():
    assert G not in Oracle(WEB).crawl(ids(A, B), ids(G), 10).pages


def test_the_seeds_come_first_each_once():
    assert Oracle(WEB).crawl(ids(B, A, B), ids(A), 2).pages.tolist() == [B, A]


def test_pages_closed_to_everybody_are_closed_to_the_oracle():
    closed = np.zeros(7, bool)
    closed[E] = True
    oracle = Oracle(WEB, closed)
    assert oracle.hops(ids(F, E)).tolist() == [FAR, FAR, FAR, FAR, FAR, 0, 1]
    assert oracle.crawl(ids(A, E), ids(F), 10).pages.tolist() == [A, B, C, D]


def test_robots_txt_says_what_is_closed():
    made = open_world("made:pages=200,topics=2")
    closed = [url for url, shut in zip(made.corpus.urls, closed_pages(made), strict=True) if shut]
    assert closed
    assert closed == [url for url in made.corpus.urls if "/members/" in url]


def test_the_oracle_s_requests_are_its_pages_and_a_robots_txt_for_each_host():
    hosts = {"a": "x", "b": "x", "c": "y", "d": "x"}
    web = of_pages(
        Page(f"http://{hosts[name]}.test/{name}", links=[Link(f"http://{hosts[to]}.test/{to}", (0, 0)) for to in tos])
        for name, tos in {"a": "b", "b": "c", "c": "d", "d": ""}.items()
    )
    track = Oracle(web).crawl(ids(0), ids(3), 10)
    assert track.pages.tolist() == [0, 1, 2, 3]
    assert track.requests.tolist() == [2, 1, 2, 1]
    assert track.asked == 6
    nothing = Oracle(web).crawl(ids(), ids(3), 10)
    assert (nothing.requests.tolist(), nothing.asked) == ([], 0)
