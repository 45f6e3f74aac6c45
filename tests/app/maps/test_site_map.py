"""The map of a site: which page hangs where, what is shown where not all can be, and what was never fetched."""

import shutil

import pytest

from lycosa.app import hunts
from lycosa.app.maps.layout import choose
from lycosa.app.maps.survey import sites, survey
from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings
from lycosa.system.errors import Refused
from lycosa.web.made import Made

SITE = {
    "a.test/": (0.2, ["a.test/news/", "a.test/about", "b.test/"], "A"),
    "a.test/about": (0.1, ["a.test/", "a.test/news/spider"], "About"),
    "a.test/news/": (0.3, ["a.test/news/spider", "a.test/news/soup", "a.test/"], "News"),
    "a.test/news/spider": (0.9, ["a.test/news/nest"], "Spider"),
    "a.test/news/soup": (0.0, ["a.test/news/bread"], "Soup"),
    "a.test/news/nest": (0.8, ["a.test/"], "Nest"),
    "b.test/": (0.5, ["a.test/"], "B"),
}


def tree(sheet):
    names = [url.removeprefix("http://") for url in sheet.urls]
    return {name: names[parent] if parent >= 0 else None for name, parent in zip(names, sheet.parent, strict=True)}


def site(folder, host="a.test", limit=100):
    return choose(survey(folder), kind="site", site=host, limit=limit)


def test_a_page_hangs_under_one_that_is_a_link_nearer_to_the_front_page(keep):
    sheet = site(keep(SITE))
    assert tree(sheet) == {
        "a.test/": None,
        "a.test/about": "a.test/",
        "a.test/news/": "a.test/",
        "a.test/news/spider": "a.test/news/",
        "a.test/news/soup": "a.test/news/",
        "a.test/news/bread": "a.test/news/soup",
        "a.test/news/nest": "a.test/news/spider",
    }
    assert sheet.urls[0] == "http://a.test/"
    assert dict(zip(sheet.urls, sheet.depth, strict=True))["http://a.test/news/nest"] == 3
    assert not sheet.guessed.any()


def test_of_two_equally_near_pages_the_one_in_the_same_folder_leads(keep):
    # Both /about and /news/ link to /news/spider, and /about was seen first.
    assert tree(site(keep(SITE)))["a.test/news/spider"] == "a.test/news/"


def test_parents_stand_before_their_children_and_the_best_branch_first(keep):
    sheet = site(keep(SITE))
    assert all(parent < page for page, parent in enumerate(sheet.parent))
    assert [url.removeprefix("http://a.test/") for url in sheet.urls][:4] == ["", "news/", "news/spider", "news/nest"]


def test_a_page_that_no_link_leads_to_is_put_by_its_address(keep):
    stray = {**SITE, "a.test/news/old/lost": (0.4, ["a.test/news/old/too"]), "a.test/news/old/too": (0.4, [])}
    sheet = site(keep(stray))
    found = tree(sheet)
    assert found["a.test/news/old/lost"] == "a.test/news/"
    assert found["a.test/news/old/too"] == "a.test/news/old/lost"
    guessed = [url for url, is_guess in zip(sheet.urls, sheet.guessed, strict=True) if is_guess]
    assert guessed == ["http://a.test/news/old/lost"]


def test_a_redirect_is_seen_through(keep):
    pages = {
        "a.test/": "a.test/en/home",
        "a.test/en/home": (0.1, ["a.test/go/1"]),
        "a.test/go/1": "a.test/go/2",
        "a.test/go/2": "a.test/en/spider",
        "a.test/en/spider": (0.9, []),
    }
    sheet = site(keep(pages))
    assert tree(sheet) == {"a.test/en/home": None, "a.test/en/spider": "a.test/en/home"}


def test_redirects_in_a_circle_do_no_harm(keep):
    sheet = site(keep({"a.test/": (0.1, ["a.test/x"]), "a.test/x": "a.test/y", "a.test/y": "a.test/x"}))
    assert len(sheet) <= 2


def test_where_the_front_page_was_not_fetched_the_shortest_address_is_one(keep):
    pages = {"a.test/deep/down/x": (0.9, []), "a.test/top": (0.1, ["a.test/deep/down/x"])}
    assert tree(site(keep(pages))) == {"a.test/top": None, "a.test/deep/down/x": "a.test/top"}


def test_a_site_may_be_all_hosts_beneath_a_name(keep):
    pages = {"www.a.test/": (0.1, ["x.a.test/"]), "x.a.test/": (0.2, []), "b.test/": (0.1, [])}
    assert len(site(keep(pages), ".a.test")) == 2
    assert len(site(keep(pages, "again"), "www.a.test")) == 1


def test_where_not_all_can_be_shown_the_most_relevant_are_with_the_way_to_them(keep):
    sheet = site(keep(SITE), limit=4)
    assert set(tree(sheet)) == {"a.test/", "a.test/news/", "a.test/news/spider", "a.test/news/nest"}
    assert (sheet.counts.shown, sheet.counts.pages) == (4, 6)


def test_what_is_linked_but_not_fetched_is_faint_bounded_and_counted(keep):
    pages = {
        "a.test/": (0.5, [f"a.test/p{n}" for n in range(30)]),
        **{f"a.test/p{n}": (0.1 * (n == 3), [f"a.test/old/{n}-{m}" for m in range(20)]) for n in range(30)},
    }
    sheet = site(keep(pages))
    faint = [url for url, fetched in zip(sheet.urls, sheet.fetched, strict=True) if not fetched]
    assert sheet.counts.linked == 600
    assert sheet.counts.linked_shown == len(faint) == 15
    under = [sheet.urls[sheet.parent[sheet.urls.index(url)]] for url in faint]
    assert max(under.count(parent) for parent in under) == 8
    assert under.count("http://a.test/p3") == 8
    assert not sheet.relevance[~sheet.fetched].any()
    assert set(sheet.roles) >= {"unfetched"}


def test_a_page_is_shaded_by_how_likely_it_is_on_topic(keep):
    sheet = site(keep(SITE))
    shades = dict(zip(sheet.urls, sheet.shade, strict=True))
    assert (sheet.shade == sheet.relevance).all()
    assert shades["http://a.test/news/spider"] == 0.9
    assert 0 == shades["http://a.test/news/soup"] < shades["http://a.test/about"] < shades["http://a.test/news/"] < 1


def test_a_host_of_which_there_is_no_page_is_refused_with_those_that_are(keep):
    with pytest.raises(Refused, match=r"no page of c\.test was fetched: choose one of: a\.test, b\.test"):
        site(keep(SITE), "c.test")


def test_an_empty_collection_is_refused(keep):
    folder = keep({})
    for kind in ("site", "links", None):
        with pytest.raises(Refused, match="no pages yet"):
            choose(survey(folder), kind=kind, site="", limit=10)


def test_the_site_that_dominates_is_mapped_unless_told(keep):
    one = survey(keep(SITE))
    assert choose(one, kind=None, site="", limit=10).site == "a.test"
    many = survey(keep({f"h{n}.test/": (0.1, ["h1.test/"]) for n in range(5)}, "many"))
    assert choose(many, kind=None, site="", limit=10).kind == "links"


def test_sites_are_those_with_most_pages_first(keep):
    found = sites(survey(keep(SITE)))
    assert [(each.host, each.pages) for each in found] == [("a.test", 6), ("b.test", 1)]
    assert found[0].best == 0.9
    assert found[0].relevance == pytest.approx(2.3 / 6)


def test_other_keywords_shade_the_pages_anew(tmp_path):
    topic = Made(pages=600, topics=3, seed=5).topics[0]
    options = {"out": tmp_path / "c", "pages": 30, "replay": "made:pages=600,topics=3,seed=5"}
    with hunts.hunt(topic.keywords, topic.examples, **options) as hunt:
        titles = [visit.title for visit in hunt]
    word = max((word for title in titles for word in title.split()), key=len)
    asked, usual = survey(tmp_path / "c", word), survey(tmp_path / "c")
    assert asked.keywords == word
    assert asked.relevance.max() == 1.0
    assert (asked.relevance != usual.relevance).any()
    assert not asked.relevance[~asked.fetched].any()


def test_a_community_is_mapped_by_its_current_generation(keep, tmp_path):
    home = Home.create(tmp_path / "club", CommunitySettings())
    with home.changing():
        generation = home.next_folder()
        shutil.copytree(keep(SITE), generation, dirs_exist_ok=True)
        home.swap(generation, "init")
    assert choose(survey(tmp_path / "club"), kind=None, site="", limit=10).counts.pages == 6
