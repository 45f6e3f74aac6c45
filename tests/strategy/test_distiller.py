"""The distiller: hubs and authorities weighted by relevance, worked out by hand."""

import pytest

from lycosa.strategy.distiller import Distiller


def url(name):
    return f"http://{name}.test/"


def graph(relevance, links, **settings):
    """Pages by name with their relevance, and whom they link to; whoever has no relevance is not visited."""
    found = Distiller(**settings)
    for name, value in relevance.items():
        found.add(url(name), value, [url(head) for head in links.get(name, ())])
    return found


def scores(distiller):
    """Hubs and authorities, by name."""
    return [{name[7:-6]: value for name, value in found.items()} for found in distiller.distill()]


def test_hubs_and_authorities_are_those_worked_out_by_hand():
    # u links to x and y, w to x. Where R = 1, a(x) = h(u) + h(w), a(y) = h(u), h(u) = a(x) + a(y) and h(w) = a(x),
    # so h(u) / h(w) is the root of r = (2r + 1) / (r + 1): the golden ratio.
    golden = (1 + 5**0.5) / 2
    hubs, authorities = scores(graph(dict.fromkeys("xyuw", 1.0), {"u": "xy", "w": "x"}))
    assert hubs["u"] / hubs["w"] == pytest.approx(golden, rel=1e-5)
    assert authorities["x"] / authorities["y"] == pytest.approx(golden, rel=1e-5)
    assert sum(hubs.values()) == pytest.approx(1)
    assert sum(authorities.values()) == pytest.approx(1)


def test_a_hub_counts_by_its_own_relevance_and_an_authority_by_its_own():
    # Both link to the same pages, so h is proportional to R(u), and a to R(v).
    hubs, authorities = scores(graph({"x": 0.6, "y": 0.9, "u": 0.8, "w": 0.2}, {"u": "xy", "w": "xy"}))
    assert hubs == pytest.approx({"u": 0.8, "w": 0.2})
    assert authorities == pytest.approx({"x": 0.4, "y": 0.6})


def test_pages_not_above_rho_are_no_authorities():
    found = graph({"x": 0.5, "y": 0.51, "u": 1.0, "w": 1.0}, {"u": "x", "w": "y"}, rho=0.5)
    hubs, authorities = scores(found)
    assert set(authorities) == {"y"}
    assert set(hubs) == {"w"}


def test_links_within_a_site_are_nepotism():
    found = Distiller()
    found.add("http://www.one.test/", 1.0, ["http://shop.one.test/", "http://two.test/"])
    found.add("http://shop.one.test/", 1.0, [])
    assert found.distill() == ({}, {})
    found.add("http://two.test/", 1.0, [])
    assert found.distill() == ({"http://www.one.test/": 1.0}, {"http://two.test/": 1.0})
    by_host = Distiller(apart="host")
    by_host.add("http://www.one.test/", 1.0, ["http://shop.one.test/", "http://www.one.test/more"])
    by_host.add("http://shop.one.test/", 1.0, [])
    assert by_host.distill()[1] == {"http://shop.one.test/": 1.0}


def test_the_same_link_twice_is_one_link():
    twice = graph(dict.fromkeys("xyuw", 1.0), {"u": "xxxy", "w": "x"})
    once = graph(dict.fromkeys("xyuw", 1.0), {"u": "xy", "w": "x"})
    assert twice.distill() == once.distill()


def test_the_top_hub_is_found_with_the_links_that_nobody_followed():
    pages = {"a": 0.9, "b": 0.9, "c": 0.9, "hub": 0.7, "other": 0.9, "junk": 0.0}
    links = {"hub": ["a", "new", "b", "c", "junk", "newer"], "other": ["a", "newest"], "a": ["other"]}
    first, second = graph(pages, links).top(2)
    assert first.url == url("hub")
    assert first.relevance == 0.7
    assert first.unvisited == [url("new"), url("newer")]
    assert second.url == url("other")
    assert first.score > second.score
    assert [hub.url for hub in graph(pages, links).top(10)][-1] == url("a")


def test_nobody_is_a_hub_before_there_are_authorities():
    assert Distiller().top(3) == []
    assert graph({"u": 1.0}, {"u": "xy"}).top(3) == []


def test_a_page_without_relevance_is_visited_all_the_same():
    found = graph({"u": 1.0, "x": 1.0, "dull": 0.0}, {"u": ["x", "dull", "new"], "dull": ["x"]})
    assert found.top(3)[0].unvisited == [url("new")]
    assert len(found) == 3


def test_the_oldest_links_are_forgotten():
    found = Distiller(memory=100)
    for nth in range(60):
        found.add(url(f"hub{nth}"), 1.0, [url("one"), url(f"new{nth}"), url("two")])
    assert 0 < len(found) <= 100
    found.add(url("two"), 1.0, [])
    hubs, _ = found.distill()
    assert url("hub59") in hubs
    assert url("hub0") not in hubs
    assert found.top(1)[0].unvisited[0] == url("one")


def test_a_saved_graph_goes_on_as_if_nothing_had_been():
    kept = graph({"a": 0.9, "hub": 0.7}, {"hub": ["a", "b", "new"]})
    again = Distiller()
    again.load(kept.save())
    for one in (kept, again):
        one.add(url("b"), 0.8, [url("a"), url("newer")])
    assert again.top(5) == kept.top(5)
    assert again.save() == kept.save()
