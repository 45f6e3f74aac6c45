"""Trees are laid out tidily: nothing overlaps, parents stand amid their children, and no shape is too much."""

import time
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from lycosa.app.maps.tree_layout import radial, tidy


def random_tree(pages, seed):
    rng = Random(seed)
    return np.array([-1] + [rng.randrange(max(0, page - 40), page) for page in range(1, pages)])


def depths(parent):
    depth = np.zeros(len(parent), np.int64)
    for page in range(1, len(parent)):
        depth[page] = depth[parent[page]] + 1
    return depth


@pytest.mark.parametrize("seed", range(5))
def test_two_pages_of_the_same_depth_are_a_row_apart(seed):
    parent = random_tree(400, seed)
    rows, depth = tidy(parent), depths(parent)
    for column in range(depth.max() + 1):
        here = np.sort(rows[depth == column])
        assert (np.diff(here) >= 1 - 1e-9).all()
    assert rows.min() == 0


@pytest.mark.parametrize("seed", range(3))
def test_a_parent_stands_amid_its_children(seed):
    parent = random_tree(200, seed)
    rows = tidy(parent)
    for page in range(200):
        children = np.flatnonzero(parent == page)
        if len(children):
            assert rows[page] == pytest.approx((rows[children[0]] + rows[children[-1]]) / 2)


def test_the_same_subtree_looks_the_same_everywhere():
    # Two equal subtrees with a leaf between them.
    rows = tidy(np.array([-1, 0, 1, 1, 0, 0, 5, 5]))
    assert rows[[2, 3]] - rows[1] == pytest.approx(rows[[6, 7]] - rows[5])


def test_subtrees_share_the_room_beside_each_other():
    # A deep narrow branch beside a flat wide one: the wide one's children fill the columns the other leaves free.
    chain = [-1, 0, 1, 2, 3]
    wide = [0] + [5] * 10
    assert tidy(np.array(chain + wide)).max() <= 10.5


@pytest.mark.parametrize("parent", [[-1], [-1, *range(4999)], [-1] + [0] * 4999], ids=["one", "chain", "star"])
def test_no_shape_is_too_much(parent):
    began = time.process_time()
    rows = tidy(np.array(parent))
    radial(np.array(parent), depths(np.array(parent)), 10.0, 50.0)
    assert len(rows) == len(parent)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("seed", range(5))
def test_neighbours_of_a_ring_are_apart_and_rings_too(seed):
    parent = random_tree(300, seed)
    depth = depths(parent)
    angle, far, closest = radial(parent, depth, 12.0, 60.0)
    rings = [far[depth == ring] for ring in range(depth.max() + 1)]
    assert all(np.ptp(ring) < 1e-9 for ring in rings)
    assert all(outer[0] - inner[0] >= 60 - 1e-9 for inner, outer in pairwise(rings))
    for ring in range(1, depth.max() + 1):
        around = np.sort(angle[depth == ring])
        gaps = np.diff(around, append=around[0] + 2 * np.pi) * rings[ring][0]
        assert gaps.min() >= closest - 1e-6 >= 12 - 1e-6


def test_a_branch_stays_within_its_share_of_the_circle():
    parent = random_tree(300, 1)
    angle, _, _ = radial(parent, depths(parent), 12.0, 60.0)
    first = np.flatnonzero(parent == 0)
    of = np.arange(300)
    for page in range(1, 300):
        of[page] = page if parent[page] == 0 else of[parent[page]]
    spans = sorted((angle[of == branch].min(), angle[of == branch].max()) for branch in first)
    assert all(one[1] < other[0] for one, other in pairwise(spans))
