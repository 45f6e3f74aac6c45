from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from lycosa.store import link_graph as graphs
from lycosa.store.link_graph import Graph
from lycosa.store.log import Log
from lycosa.system.errors import Refused

A, B, C, D = (f"https://{name}.test/" for name in "abcd")


@pytest.fixture
def log(tmp_path: Path):
    log = Log.create(tmp_path / "log.sqlite")
    yield log
    log.close()


@pytest.fixture
def graph(log: Log, tmp_path: Path):
    with Graph(tmp_path) as graph:
        yield graph


def visit(log: Log, make, url: str, *links: str) -> None:
    log.append(make.visited(url, links=links), float(log.last_seq()))
    log.commit()


def dense(graph: Graph) -> dict[str, set[str]]:
    urls, indptr, indices = graph.arrays()
    rows = {url: {urls[i] for i in indices[indptr[n] : indptr[n + 1]]} for n, url in enumerate(urls)}
    return {url: links for url, links in rows.items() if links}


def test_links_are_known_in_both_directions(log: Log, graph: Graph, make):
    visit(log, make, A, C, B, C, B)
    visit(log, make, B, C, A)
    assert graph.catch_up() == 4
    assert graph.out_links(A) == [C, B] and graph.out_links(B) == [C, A]
    assert graph.in_links(C) == [A, B] and graph.in_links(C, limit=1) == [A]
    urls, _, links = graph.arrays()
    assert (len(urls), len(links)) == (3, 4)


def test_an_unknown_url_has_no_links(log: Log, graph: Graph, make):
    visit(log, make, A)
    graph.catch_up()
    assert graph.out_links(D) == graph.in_links(D) == graph.out_links(A) == graph.in_links(A) == []


def test_a_redirect_is_a_link(log: Log, graph: Graph, make):
    log.append(make.redirected(A, B), 1)
    log.commit()
    graph.catch_up()
    assert graph.out_links(A) == [B] and graph.in_links(B) == [A]


def test_only_what_is_new_is_read(log: Log, graph: Graph, make):
    visit(log, make, A, B)
    assert graph.catch_up() == 1
    assert graph.catch_up() == 0
    visit(log, make, B, C)
    assert graph.catch_up() == 1
    assert dense(graph) == {A: {B}, B: {C}}


def test_a_page_visited_again_has_the_links_of_all_its_visits(log: Log, graph: Graph, make, monkeypatch):
    visit(log, make, A, B, C)
    graph.catch_up()
    visit(log, make, A, C, D)
    visit(log, make, A, D, A)
    assert graph.catch_up() == 2
    assert graph.out_links(A) == [B, C, D, A]
    assert [graph.in_links(url) for url in (A, B, C, D)] == [[A]] * 4


def test_the_arrays_are_the_graph(log: Log, graph: Graph, make):
    visit(log, make, A, B, C)
    visit(log, make, C, A)
    graph.catch_up()
    urls, indptr, indices = graph.arrays()
    assert urls == [A, B, C]
    assert indptr.tolist() == [0, 2, 2, 3] and indices.tolist() == [1, 2, 0]


def test_an_empty_graph_is_a_graph(graph: Graph):
    assert graph.catch_up() == 0
    urls, indptr, indices = graph.arrays()
    assert (urls, indptr.tolist(), indices.tolist()) == ([], [0], [])


def test_a_graph_made_anew_is_the_same(log: Log, tmp_path: Path, make, monkeypatch):
    rng = random.Random(5)
    pages = [f"https://{n % 9}.test/{n}" for n in range(200)]
    with Graph(tmp_path) as slow:
        for _ in range(300):
            visit(log, make, rng.choice(pages), *rng.choices(pages, k=20))
            if rng.random() < 0.05:
                slow.catch_up()
        slow.catch_up()
        before, coming = slow.arrays(), {url: slow.in_links(url) for url in pages}
    for file in tmp_path.glob("graph.sqlite*"):
        file.unlink()
    monkeypatch.setattr(graphs, "_BATCH", 7)
    monkeypatch.setattr(graphs, "_CHUNK", 11)
    with Graph(tmp_path) as fresh:
        fresh.catch_up()
        after = fresh.arrays()
        assert {url: fresh.in_links(url) for url in pages} == coming
    assert before[0] == after[0]
    assert np.array_equal(before[1], after[1]) and np.array_equal(before[2], after[2])


def test_a_log_that_was_cut_and_went_on_gives_its_own_graph(log: Log, graph: Graph, make):
    for url in (A, B, C):
        visit(log, make, url, D)
    graph.catch_up()
    log.cut(1)
    visit(log, make, B, A)
    visit(log, make, D, A)
    visit(log, make, D, B)
    graph.catch_up()
    assert dense(graph) == {A: {D}, B: {A}, D: {A, B}}
    log.cut(1)
    graph.catch_up()
    assert dense(graph) == {A: {D}}


@pytest.mark.parametrize("content", [b"", b"this is no database" * 1000])
def test_a_damaged_graph_is_made_anew(log: Log, tmp_path: Path, make, content: bytes):
    visit(log, make, A, B)
    (tmp_path / "graph.sqlite").write_bytes(content)
    with Graph(tmp_path) as graph:
        graph.catch_up()
        assert dense(graph) == {A: {B}}


def test_two_readers_may_catch_up_at_once(log: Log, graph: Graph, tmp_path: Path, make):
    with Graph(tmp_path) as other:
        for n in range(20):
            visit(log, make, f"https://a.test/{n}", B)
            (graph if n % 2 else other).catch_up()
        assert len(graph.in_links(B)) == len(other.in_links(B)) == 20


def test_a_folder_that_is_no_collection_has_no_graph(tmp_path: Path):
    with pytest.raises(Refused, match="not a collection"):
        Graph(tmp_path)
    assert not list(tmp_path.iterdir())
