"""The first generation of a community: from bookmarks to something that answers."""

import pytest
from msgspec.structs import replace

from lycosa.community.bookmarks import Bookmark
from lycosa.community.first_generation import complete, crawlable, first_hunt, first_plan, keywords_of
from lycosa.community.home import Home
from lycosa.community.pinned import kept_bookmarks
from lycosa.community.settings import CommunitySettings
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.index.index import Index
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused, SeedsFailed
from lycosa.web.http_options import HttpOptions
from lycosa.web.made import Made

WEB = "made:pages=600,topics=3,seed=5"
TOPICS = Made(pages=600, topics=3, seed=5).topics
BOOKMARKS = [Bookmark(url, f"Page about {topic.keywords}") for topic in TOPICS for url in topic.examples[:3]]
SETTINGS = CommunitySettings(max_in_index=40, recorded=WEB, rules=PolitenessRules(delay=0.0), workers=1)


@pytest.fixture
def home(tmp_path):
    return Home.create(tmp_path / "home", SETTINGS)


def run(hunt, pages=None):
    with hunt:
        for count, _ in enumerate(hunt, 1):
            if count == pages:
                break


def test_the_topic_is_what_the_bookmarks_have_in_common():
    bookmarks = [
        Bookmark("http://a.test/", "Tax forms - Home", "How to file taxes", "Bookmarks bar/Tax law"),
        Bookmark("http://b.test/", "Taxes and the law", "", "Tax law"),
        Bookmark("http://c.test/", "Welcome to my home page", "", "Bookmarks bar"),
    ]
    words = keywords_of(bookmarks).split()
    assert set(words[:2]) in ({"tax", "law"}, {"taxes", "law"})
    assert not {"home", "bookmarks", "welcome", "the"} & set(words)


def test_where_bookmarks_have_no_titles_their_addresses_speak():
    words = keywords_of([Bookmark("https://www.mountain-bike.test/trails/alps.html"), Bookmark("http://bike.test/")])
    assert words.split()[0] == "bike" and "trails" in words
    with pytest.raises(Refused) as refused:
        first_plan(SETTINGS, [Bookmark("http://198.51.100.1/")])
    assert (refused.value.code, refused.value.field) == (Code.MISSING, "keywords")
    assert first_plan(SETTINGS, [Bookmark("http://198.51.100.1/")], "tax law").topic.keywords == "tax law"


def test_ones_own_network_is_asked_only_if_that_is_meant():
    router, public = Bookmark("http://192.168.1.1/"), Bookmark("http://a.example/")
    live = CommunitySettings()
    assert crawlable([router, public, Bookmark("http://localhost:8000/x")], live) == [public]
    assert crawlable([router], CommunitySettings(http=HttpOptions(allow=("192.168.0.0/16",)))) == [router]
    with pytest.raises(Refused, match="allow") as refused:
        first_plan(live, [router], "tax")
    assert (refused.value.code, refused.value.field) == (Code.PRIVATE_ADDRESS, "bookmarks")


def test_the_first_generation_is_breadth_first_up_to_max_in_index_and_answers(home):
    with home.changing():
        hunt = first_hunt(home, BOOKMARKS)
        assert hunt.plan.strategy == "breadth-first" and set(hunt.plan.seeds) == {one.url for one in BOOKMARKS}
        run(hunt)
        with pytest.raises(Refused):
            home.current()
        made = complete(home)
    assert made.number == 1 and made.record.pages == 40 and made.record.report["bookmarks"] == len(BOOKMARKS)
    with home.holding() as folder, Collection.open(folder) as collection, Index.open(folder / "index") as index:
        assert {row.url for row in collection.log.pages()} == set(index.urls())
        assert len(index) == 40
    assert kept_bookmarks(home) == BOOKMARKS
    with home.changing(), pytest.raises(Refused, match="already a community: refresh it"):
        first_hunt(home, BOOKMARKS)


def test_an_interrupted_beginning_goes_on_where_it_was(home):
    for pages in (5, 9, None):
        with home.changing():
            hunt = first_hunt(home, BOOKMARKS if pages == 5 else ())
            run(hunt, pages)
    with home.changing():
        assert first_hunt(home) is None
        complete(home)
    whole = Home.create(home.folder.parent / "whole", SETTINGS)
    with whole.changing():
        run(first_hunt(whole, BOOKMARKS))
        complete(whole)
    assert urls(home) == urls(whole)


def urls(home):
    with Collection.open(home.current()) as collection:
        return [row.url for row in collection.log.pages(order="time")]


def test_a_beginning_that_goes_on_may_be_larger_but_not_another_one(home):
    with home.changing():
        run(first_hunt(home, BOOKMARKS), 5)
        for settings, bookmarks, field in (
            (SETTINGS, BOOKMARKS[:2], "bookmarks"),
            (replace(SETTINGS, recorded="made:pages=600,topics=3,seed=6"), (), "replay"),
            (replace(SETTINGS, rules=PolitenessRules(delay=0.0, per_host=3)), (), "per_host"),
            (replace(SETTINGS, judge="tfidf"), (), "judge"),
        ):
            home.settle(settings)
            with pytest.raises(Refused, match="was begun with another") as refused:
                first_hunt(home, bookmarks)
            assert (refused.value.code, refused.value.field) == (Code.CONTRADICTION, field)
        home.settle(replace(SETTINGS, max_in_index=50, theta=0.5))
        run(first_hunt(home))
        assert complete(home).record.pages == 50
    assert Home.open(home.folder).settings.theta == 0.5


def test_where_no_bookmark_could_be_fetched_nothing_becomes_current(home):
    with home.changing():
        with pytest.raises(SeedsFailed, match=r"nowhere\.example/ status 404"):
            run(first_hunt(home, [Bookmark("http://nowhere.example/", "tax")]))
        with pytest.raises(SeedsFailed, match=r"none of the bookmarks .* could be fetched"):
            complete(home)
        run(first_hunt(home, BOOKMARKS))
        assert complete(home).record.pages == 40


def test_without_bookmarks_there_is_nothing_to_begin_with(home):
    with home.changing(), pytest.raises(Refused, match="name a file of bookmarks"):
        first_hunt(home)
