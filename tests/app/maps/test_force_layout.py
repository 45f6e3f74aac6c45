"""Graphs are laid out quickly, the same way each time, with linked pages near each other and none on another."""

import time

import numpy as np
import pytest

from lycosa.app.maps.force_layout import apart, forces


def clusters(count, size, links, seed=1):
    """Some groups of pages with most links inside them."""
    dice = np.random.default_rng(seed)
    pages = count * size
    tails = dice.integers(0, pages, links)
    near = (tails // size) * size + dice.integers(0, size, links)
    heads = np.where(dice.random(links) < 0.95, near, dice.integers(0, pages, links))
    keep = tails != heads
    return tails[keep], heads[keep], np.arange(pages) // size


def spread(places, groups):
    middles = np.array([places[groups == group].mean(0) for group in range(groups.max() + 1)])
    inside = np.mean([np.linalg.norm(place - middles[group]) for place, group in zip(places, groups, strict=True)])
    return inside, np.linalg.norm(places - places.mean(0), axis=1).mean()


def test_the_same_graph_is_laid_out_the_same_way():
    tails, heads, groups = clusters(4, 30, 600)
    one, other = (forces(tails, heads, groups, np.full(120, 4.0), 40.0) for _ in range(2))
    assert (one == other).all()


def test_what_is_linked_is_near():
    tails, heads, groups = clusters(6, 40, 2000)
    # The hosts know nothing of the groups: links alone must bring them together.
    places = forces(tails, heads, np.zeros(240, np.int64), np.full(240, 3.0), 40.0)
    inside, all_over = spread(places, groups)
    assert inside < 0.6 * all_over


def test_three_thousand_pages_with_twenty_thousand_links_take_a_moment():
    tails, heads, groups = clusters(150, 20, 20_000)
    began = time.process_time()
    places = forces(tails, heads, groups, np.full(3000, 4.0), 40.0)
    # About half a second on an idle core; the machine may be busy.
    assert time.process_time() - began < 8
    assert np.isfinite(places).all()


@pytest.mark.parametrize("pages", [0, 1, 2, 3])
def test_little_is_laid_out_too(pages):
    none = np.zeros(0, np.int64)
    places = forces(none, none, np.arange(pages), np.full(pages, 5.0), 40.0)
    assert places.shape == (pages, 2)
    assert np.isfinite(places).all()


def test_no_page_lies_on_another():
    dice = np.random.default_rng(3)
    radius = dice.uniform(2, 12, 500)
    places = apart(dice.normal(0, 120, (500, 2)), radius, turns=200)
    away = np.linalg.norm(places[:, None] - places[None], axis=2) - radius[:, None] - radius[None]
    np.fill_diagonal(away, 1)
    assert away.min() > -0.5


def test_pages_at_the_very_same_place_come_apart():
    places = apart(np.zeros((5, 2)), np.full(5, 3.0), turns=100)
    assert len({tuple(place) for place in places.round(3)}) == 5


def test_a_graph_that_grows_stays_about_where_it_was():
    tails, heads, groups = clusters(5, 30, 700)
    before = forces(tails, heads, groups, np.full(150, 4.0), 40.0)
    start = np.vstack([before, np.full((5, 2), np.nan)])
    more_tails, more_heads = np.append(tails, range(150, 155)), np.append(heads, range(5))
    after = forces(more_tails, more_heads, np.append(groups, groups[:5]), np.full(155, 4.0), 40.0, start)
    size = np.linalg.norm(before, axis=1).mean()
    assert np.linalg.norm(after[:150] - before, axis=1).mean() < 0.35 * size
    assert np.linalg.norm(after[150:] - after[:5], axis=1).mean() < size
