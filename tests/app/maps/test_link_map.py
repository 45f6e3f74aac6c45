"""The link map: hubs and authorities are told apart, the strongest links are drawn, and everything is bounded."""

import numpy as np

from lycosa.app.maps.layout import choose
from lycosa.app.maps.survey import survey

WEB = {
    **{f"hub{n}.test/": (0.4, [f"good{m}.test/" for m in range(5)], f"Hub {n}") for n in range(4)},
    **{f"good{n}.test/": (0.8, [], f"Good {n}") for n in range(5)},
    "menu.test/": (0.0, ["menu.test/1", "menu.test/2"]),
    "menu.test/1": (0.0, ["menu.test/", "menu.test/2"]),
    "menu.test/2": (0.0, ["menu.test/", "menu.test/1"]),
    "alone.test/": (0.9, ["nowhere.test/"]),
}


def links(folder, limit=100, most=1000):
    return choose(survey(folder), kind="links", site="", limit=limit, links=most)


def test_hubs_and_authorities_are_told_apart(keep):
    sheet = links(keep(WEB))
    roles = dict(zip(sheet.urls, sheet.roles, strict=True))
    assert {roles[f"http://hub{n}.test/"] for n in range(4)} == {"hub"}
    assert {roles[f"http://good{n}.test/"] for n in range(5)} == {"authority"}
    assert roles["http://menu.test/"] == "page"


def test_pages_that_matter_most_come_first_and_are_largest(keep):
    sheet = links(keep(WEB), limit=9)
    assert {url.split("//")[1][:3] for url in sheet.urls} == {"hub", "goo"}
    assert (np.diff(sheet.weight) <= 1e-9).all()
    assert sheet.weight[0] == 1.0
    assert (sheet.counts.shown, sheet.counts.pages) == (9, 13)


def test_a_page_without_links_to_others_is_not_on_a_map_of_links(keep):
    assert "http://alone.test/" not in links(keep(WEB)).urls


def test_where_no_page_links_to_another_they_are_shown_all_the_same(keep):
    assert len(links(keep({"a.test/": (0.1, []), "b.test/": (0.2, [])}))) == 2


def test_the_strongest_links_are_kept_where_not_all_can_be_drawn(keep):
    sheet = links(keep(WEB), most=20)
    assert len(sheet.tails) == sheet.counts.links_shown == 20
    assert sheet.counts.links == 26
    assert all(sheet.urls[head].startswith("http://good") for head in sheet.heads)
