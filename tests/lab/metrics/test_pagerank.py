"""PageRank against a solution by hand, a dense linear system, and a graph library."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from lycosa.lab.metrics.pagerank import pagerank, within


def graph(size, edges):
    tails, heads = zip(*edges, strict=True) if edges else ((), ())
    return csr_array((np.ones(len(edges), np.int8), (tails, heads)), shape=(size, size))


@pytest.fixture
def random_graph():
    rng = np.random.default_rng(7)
    edges = {(int(a), int(b)) for a, b in rng.integers(0, 200, (900, 2)) if a % 5}  # every fifth page is dangling
    return graph(200, sorted(edges))


def test_two_pages_by_hand():
    # a -> b, b has no links. x_a = .075 + .425 x_b and x_a + x_b = 1, so x_a = .5 / 1.425.
    assert pagerank(graph(2, [(0, 1)])) == pytest.approx([0.5 / 1.425, 1 - 0.5 / 1.425])


def test_it_solves_the_equations(random_graph):
    dense = random_graph.toarray().astype(float)
    out = dense.sum(axis=1, keepdims=True)
    follow = np.where(out > 0, dense / np.maximum(out, 1), 1 / 200)
    exact = np.linalg.solve(np.eye(200) - 0.85 * follow.T, np.full(200, 0.15 / 200))
    assert pagerank(random_graph) == pytest.approx(exact, rel=1e-7)


@pytest.mark.parametrize("damping", [0.5, 0.85, 0.95])
def test_a_graph_library_agrees(random_graph, damping):
    networkx = pytest.importorskip("networkx")
    theirs = networkx.pagerank(
        networkx.from_scipy_sparse_array(random_graph, create_using=networkx.DiGraph), damping, tol=1e-12
    )
    ours = pagerank(random_graph, damping)
    assert ours == pytest.approx([theirs[page] for page in range(200)], rel=1e-6)
    assert ours.sum() == pytest.approx(1)


def test_pages_without_links_are_all_alike():
    assert pagerank(graph(4, [])) == pytest.approx([0.25] * 4)
    assert pagerank(graph(0, [])).tolist() == []


def test_only_links_among_the_pages_count():
    whole = graph(5, [(0, 1), (0, 3), (1, 4), (3, 4), (4, 0)])
    inner = within(whole, np.array([0, 3, 4], np.int32))
    # 0 -> 3, 3 -> 4, 4 -> 0, by their new numbers.
    assert inner.toarray().tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
