"""PageRank with weights, hubs and authorities by hand; tests/lab/metrics/test_pagerank.py solves the equations."""

from typing import Any

import numpy as np
import pytest

from lycosa.core.hubs import hubs_and_authorities
from lycosa.index.link_analysis import INSIDE, apart, chosen, pagerank


def links(*pairs) -> tuple[Any, Any]:
    tails, heads = np.array(pairs, np.int32).reshape(-1, 2).T
    return tails, heads


def test_a_weighty_link_passes_more_on():
    tails, heads = links((0, 1), (0, 2), (1, 0), (2, 0))
    plain = pagerank(tails, heads, 3)
    assert plain[1] == pytest.approx(plain[2])
    ranks = pagerank(tails, heads, 3, np.array([3.0, 1.0, 1.0, 1.0]))
    # x_1 = .05 + .85 * 3/4 x_0 and x_2 = .05 + .85 * 1/4 x_0.
    assert ranks[1] - 0.05 == pytest.approx(3 * (ranks[2] - 0.05))
    assert ranks.sum() == pytest.approx(1)


def test_equal_weights_are_no_weights():
    tails, heads = links((0, 1), (0, 2), (1, 2), (2, 3), (3, 0))
    assert pagerank(tails, heads, 5, np.full(5, 0.25)) == pytest.approx(pagerank(tails, heads, 5))


def test_no_pages_and_no_links_are_no_trouble():
    nothing = links()
    assert pagerank(*nothing, 0).tolist() == []
    assert pagerank(*nothing, 4) == pytest.approx([0.25] * 4)
    assert [scores.tolist() for scores in hubs_and_authorities(*nothing, 2)] == [[0, 0], [0, 0]]


def test_who_links_to_authorities_is_a_hub():
    hubs, authorities = hubs_and_authorities(*links((0, 2), (0, 3), (1, 2)), 4)
    assert hubs[0] > hubs[1] > 0 and authorities[2] > authorities[3] > 0
    assert hubs[2:].tolist() == [0, 0] and authorities[:2].tolist() == [0, 0]
    assert np.sqrt(np.mean(hubs**2)) == pytest.approx(1)


def test_links_without_weight_make_no_hub():
    tails, heads = links((0, 2), (1, 3), (1, 2))
    hubs, authorities = hubs_and_authorities(tails, heads, 4, np.array([0.0, 1.0, 1.0]))
    assert hubs[0] == 0 and authorities[2] == pytest.approx(authorities[3])
    assert not hubs_and_authorities(tails, heads, 4, np.zeros(3))[0].any()


def test_links_within_a_host_weigh_less():
    tails, heads = links((0, 1), (0, 2))
    urls = ["http://a.test/", "http://a.test/one", "http://b.test/"]
    assert apart(urls, tails, heads).tolist() == chosen(urls, tails, heads).tolist() == [INSIDE, 1.0]


def site(pages: int, folder: str = "") -> list[str]:
    return [f"http://a.test/{folder}{page}" for page in range(pages)]


def test_a_footer_on_every_page_of_a_site_weighs_as_one_link():
    urls = [*site(10), "http://licence.test/", "http://chosen.test/"]
    tails, heads = links(*((page, 10) for page in range(10)), (3, 11), (4, 11))
    weights = chosen(urls, tails, heads)
    assert weights[:10] == pytest.approx([0.1] * 10)
    assert weights[10:].tolist() == [1.0, 1.0]


def test_what_half_of_a_site_links_to_is_a_template_and_what_fewer_link_to_is_popular():
    urls = [*site(20), "http://half.test/", "http://fewer.test/"]
    tails, heads = links(*((page, 20) for page in range(10)), *((page, 21) for page in range(10, 19)), (19, 0))
    assert chosen(urls, tails, heads).tolist() == pytest.approx([0.1] * 10 + [1.0] * 9 + [INSIDE])


def test_each_folder_of_a_host_may_be_a_site_with_a_menu_of_its_own():
    urls = [*site(8, "one/"), *site(80, "two/"), "http://about-one.test/"]
    tails, heads = links(*((page, 88) for page in range(8)), *((page, 8) for page in range(9, 88)))
    assert chosen(urls, tails, heads)[:8] == pytest.approx([1 / 8] * 8)


def test_a_few_pages_of_a_site_are_not_a_template():
    urls = [*site(7), "http://praised.test/"]
    tails, heads = links(*((page, 7) for page in range(7)))
    assert chosen(urls, tails, heads).tolist() == [1.0] * 7
