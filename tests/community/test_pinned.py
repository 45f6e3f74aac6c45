"""Bookmarks are pinned: whatever a refresh or a revisit finds, only a person removes them."""

from __future__ import annotations

import shutil

import pytest

from lycosa.app import communities, community_bookmarks
from lycosa.app.community_refresh import CommunityRefresh
from lycosa.app.community_start import CommunityStart
from lycosa.app.hunts import why
from lycosa.app.requests.community import BookmarksRequest, NewCommunityRequest
from lycosa.community.freshness import Freshness
from lycosa.community.home import Home
from lycosa.community.pinned import bookmarked, states
from lycosa.community.revisit import due
from lycosa.community.settings import CommunitySettings
from lycosa.core.events import Missed
from lycosa.core.nouns import Miss, Ticket
from lycosa.store.collection import Collection
from lycosa.system.errors import Code, Refused
from lycosa.web.source_names import open_made

WEB = "made:pages=400,topics=4,seed=3,page_bytes=2000,traps=no"
TOPICS = open_made(WEB).topics
MARKED = [url for topic in TOPICS[1:] for url in topic.examples[:2]]
NARROW = TOPICS[0].keywords
MOST = 30


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A community about three topics; copied for each test."""
    folder = tmp_path_factory.mktemp("made") / "team"
    bookmarks = folder.with_suffix(".txt")
    bookmarks.write_text("\n".join(MARKED))
    settings = {"recorded": WEB, "processes": 1, "max_in_index": MOST, "max_iter": 1}
    beginning = CommunityStart(folder, [bookmarks], keywords="companies", **settings)
    with beginning as hunt:
        with hunt:
            list(hunt)
        beginning.complete()
    return folder


@pytest.fixture
def home(made, tmp_path):
    shutil.copytree(made, tmp_path / "team", symlinks=True)
    return Home.open(tmp_path / "team")


def refreshed(home, *queries, **given):
    return CommunityRefresh(home.folder, query=list(queries or [NARROW]), **given)()


def urls_of(folder):
    with Collection.open(folder) as collection:
        return {row.url for row in collection.log.pages()}


def test_a_narrow_question_leaves_the_bookmarks_and_half_of_the_collection(home):
    before = urls_of(home.current())
    for _ in range(2):
        report = refreshed(home).record.report
        after = urls_of(home.current())
        assert {*MARKED} <= after
        assert len(after) == report["pages"] == MOST
        assert len(before & after) >= MOST / 2
        assert report["bookmarks"] == len(MARKED)
        before = after


def test_what_the_paper_does_is_still_there_for_those_who_ask_for_it(home):
    made = refreshed(home, keep_bookmarks=False, fill=False, keep_share=0.0, max_loss=1.0)
    assert made.current and not {*MARKED} <= urls_of(made.folder)


def test_a_refresh_that_finds_little_shrinks_nothing(home):
    before = urls_of(home.current())
    report = refreshed(home, max_pages=4).record.report
    assert report["pages"] == MOST and report["filled"] > 0
    assert report["dropped"] == len(before - urls_of(home.current())) <= 4


def test_a_bookmark_that_was_added_is_fetched_by_the_next_refresh_and_stays(home):
    new = TOPICS[0].examples[0]
    assert new not in urls_of(home.current())
    added = community_bookmarks.add(home.folder, BookmarksRequest(urls=[new, MARKED[0]]))
    assert added == [new]
    assert [one.state for one in states(home)] == ["held"] * len(MARKED) + ["waiting"]
    made = refreshed(home, TOPICS[2].keywords, max_pages=2)
    assert new in urls_of(made.folder)
    assert {one.state for one in states(home)} == {"held"}
    assert why(made.folder, new)[-1].url == new


def test_bookmarks_are_fetched_even_if_nobody_asked_anything(home):
    with pytest.raises(Refused, match="was not searched"):
        CommunityRefresh(home.folder)
    community_bookmarks.add(home.folder, BookmarksRequest(urls=[TOPICS[0].examples[0]]))
    made = CommunityRefresh(home.folder)()
    assert TOPICS[0].examples[0] in urls_of(made.folder)
    assert made.record.report["dropped"] <= 1


def test_a_bookmark_that_cannot_be_fetched_waits_and_says_why(home):
    community_bookmarks.add(home.folder, BookmarksRequest(urls=["http://nowhere.test/x"]))
    report = refreshed(home).record.report
    assert set(report["bookmarks_waiting"]) == {"http://nowhere.test/x"}
    last = community_bookmarks.listed(home.folder)[-1]
    assert last["state"] == "waiting" and last["why"] == report["bookmarks_waiting"]["http://nowhere.test/x"]


def test_a_bookmark_that_was_removed_may_leave(home):
    assert community_bookmarks.remove(home.folder, [MARKED[0]]) == [MARKED[0]]
    assert bookmarked(home) == MARKED[1:]
    refreshed(home, fill=False, keep_share=0.0, max_loss=1.0)
    left = urls_of(home.current())
    assert MARKED[0] not in left and {*MARKED[1:]} <= left


def test_a_community_that_has_not_begun_keeps_the_bookmarks_it_begins_with(tmp_path):
    request = NewCommunityRequest(urls=["http://example.org/"])
    community_bookmarks.make(tmp_path, CommunitySettings(), request)
    with pytest.raises(Refused, match="no collection yet"):
        community_bookmarks.remove(tmp_path, ["http://example.org/"])
    assert bookmarked(Home.open(tmp_path)) == ["http://example.org/"]


def test_bad_bookmarks_are_refused_and_nothing_changes(home):
    for request, field in (
        (BookmarksRequest(), "urls"),
        (BookmarksRequest(text="nothing to see"), "bookmarks"),
        (BookmarksRequest(urls=[f"http://many.test/{n}" for n in range(MOST)]), "bookmarks"),
    ):
        with pytest.raises(Refused) as refused:
            community_bookmarks.add(home.folder, request)
        assert refused.value.field == field
    with pytest.raises(Refused, match="is not a bookmark") as refused:
        community_bookmarks.remove(home.folder, ["http://many.test/"])
    assert refused.value.code == Code.NOT_FOUND
    assert bookmarked(home) == MARKED


def test_a_bookmark_that_is_gone_from_the_web_stays_is_marked_and_is_looked_at_again(home):
    gone = MARKED[0]
    rows = due(home, MOST)
    with Freshness(home.freshness_file, confirmations=1, apart=0.0) as freshness:
        freshness.learn([(2e9, Missed(Miss(Ticket(gone), "status 410")))])
        assert freshness.gone([gone])
    state = next(one for one in states(home) if one.url == gone)
    assert (state.state, state.why) == ("gone", "status 410")
    assert gone in {each.url for each in due(home, len(rows))}
    assert gone in urls_of(refreshed(home).folder)


def test_a_refresh_that_would_lose_too_much_is_held_back_until_a_person_accepts_it(home):
    before = home.current()
    made = refreshed(home, fill=False, keep_share=0.0, max_loss=0.1)
    assert made.record.held and made.record.report["held"] and not made.current
    assert home.current() == before and not home.work.exists()
    assert home.generations()[-1].number == made.number
    assert "until a person accepts it" in " ".join(communities.about(home.folder)["generations"][0]["sentences"])
    assert communities.accept(home.folder).current
    assert home.current() == made.folder
    assert communities.undo(home.folder).folder == before
    assert communities.accept(home.folder).folder == made.folder, "what was undone can be had again"
    with pytest.raises(Refused, match="held back or undone"):
        communities.accept(home.folder)


def test_a_generation_that_was_held_back_is_never_what_undo_goes_back_to(home):
    refreshed(home, fill=False, keep_share=0.0, max_loss=0.1)
    third = refreshed(home)
    assert third.number == 3 and third.current
    assert communities.undo(home.folder).number == 1


def test_a_preview_names_the_best_of_what_may_leave_and_no_page_leaves_that_it_does_not_count(home):
    refreshing = CommunityRefresh(home.folder, query=[NARROW])
    told = refreshing.preview()
    assert told["before"] == MOST and told["may_leave"] == MOST / 2
    assert 0 < len(told["leaving"]) <= 10 and not {one["url"] for one in told["leaving"]} & {*MARKED}
    report = refreshing().record.report
    assert report["dropped"] <= told["may_leave"]
    assert [one["why"] for one in report["left"]] and report["left"][0]["title"]
