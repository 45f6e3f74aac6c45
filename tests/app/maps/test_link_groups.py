"""Groups of a link map: who belongs together, what a group is called, and that none covers another."""

import numpy as np
import pytest

from lycosa.app.maps.group_layout import in_groups
from lycosa.app.maps.link_groups import group_names, groups_of


def cliques(count, size, bridges):
    """Groups of pages that all link to each other, with some links between neighbouring groups."""
    links = [(g * size + a, g * size + b) for g in range(count) for a in range(size) for b in range(size) if a != b]
    links += [(g * size + n % size, ((g + 1) % count) * size + n % size) for g in range(count) for n in range(bridges)]
    tails, heads = np.array(links).T
    return tails, heads


@pytest.mark.parametrize(("count", "size", "bridges"), [(3, 8, 1), (12, 10, 3), (40, 5, 1)])
def test_pages_that_link_to_each_other_are_a_group(count, size, bridges):
    tails, heads = cliques(count, size, bridges)
    found = groups_of(count * size, tails, heads)
    for group in range(count):
        assert len(set(found[group * size : (group + 1) * size].tolist())) == 1
    assert len(set(found.tolist())) > count // 4


def test_the_largest_group_is_the_first_and_pages_without_company_are_together():
    tails, heads = np.array([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0), (2, 4), (1, 3), (5, 6), (7, 8)]).T
    found = groups_of(9, tails, heads)
    assert found[:5].tolist() == [0] * 5
    assert set(found[5:].tolist()) == {1}


def test_a_graph_without_links_is_one_group_and_nothing_has_none():
    none = np.zeros(0, np.int64)
    assert set(groups_of(6, none, none).tolist()) == {0}
    assert groups_of(0, none, none).tolist() == []


def test_a_group_is_called_by_the_words_of_its_titles_that_others_lack():
    groups = np.array([0] * 4 + [1] * 4)
    titles = ["Wolf spiders - House", "A wolf spider - House", "Wolf spiders at night - House", "Burrows - House"]
    titles += ["Orb webs - House", "The orb weavers - House", "Orb webs again - House", "Silk - House"]
    one, other = group_names(groups, titles, np.ones(8))
    assert set(one.split(", ")) >= {"wolf", "spiders"}
    assert set(other.split(", ")) >= {"orb", "webs"}
    assert "house" not in one + other


def test_a_group_without_common_words_is_called_as_its_most_important_page():
    names = group_names(np.array([0, 0, 1, 1]), ["", "Front page", "太阳", "能"], np.array([0.1, 0.9, 0.5, 0.2]))
    assert names == ["Front page", "太阳"]


def test_no_two_groups_overlap_and_every_page_is_in_its_group():
    tails, heads = cliques(9, 12, 4)
    groups = groups_of(108, tails, heads)
    radius = np.full(108, 5.0)
    found = in_groups(tails, heads, groups, radius, 50.0)
    far = np.sqrt(((found.groups[:, None] - found.groups[None]) ** 2).sum(2))
    assert (far + np.diag([np.inf] * len(far)) >= 0.98 * (found.radius[:, None] + found.radius[None])).all()
    inside = np.sqrt(((found.pages - found.groups[groups]) ** 2).sum(1))
    assert (inside + radius <= found.radius[groups]).all()
