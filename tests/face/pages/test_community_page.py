"""A community's page: a refresh that is begun there is seen at once, and what it changed when it is over."""

import shutil

import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def server(furnished, serving, tmp_path_factory):
    place = tmp_path_factory.mktemp("communities")
    shutil.copytree(furnished / "club", place / "club", symlinks=True)
    with serving(place / "home", [place / "club"]) as running:
        yield running


@pytest.fixture
def club(server, page):
    page.goto(f"{server.url}/communities/club")
    page.wait_for_selector("#generations li")
    yield page
    assert not page.complaints


def test_a_refresh_is_seen_from_the_click_to_what_it_changed(club):
    club.click("#refresh")
    # At the same moment, for it may be over soon.
    club.wait_for_function(
        "() => !document.querySelector('#busy').hidden && document.querySelector('#refresh').disabled"
    )
    club.wait_for_selector("text=Generation 2: a refresh", timeout=60_000)
    expect(club.locator("#busy")).to_be_hidden()
    expect(club.locator("#refresh")).to_be_enabled()
    expect(club.locator("#undo")).to_be_enabled()


def test_bookmarks_are_added_and_removed_on_the_page(club):
    listed = club.locator("#bookmarks li")
    listed.first.wait_for()
    before = listed.count()
    club.click("#adding summary")
    club.fill("#add [name=urls]", "no address at all")
    club.click("#add-them")
    expect(club.locator("#urls-problem, #add-problem").filter(has_text="bookmarks")).to_be_visible()
    club.fill("#add [name=urls]", "http://never-fetched.test/ A page")
    club.keyboard.press("Tab")
    club.click("#add-them")
    expect(listed).to_have_count(before + 1)
    expect(listed.last).to_contain_text("not fetched yet")
    listed.last.get_by_role("button").press("Enter")
    expect(listed).to_have_count(before)


def test_what_may_leave_is_told_before_it_leaves(club):
    club.click("#preview")
    expect(club.locator("#leaving")).to_contain_text("would remove at most")


def test_a_community_begins_in_the_browser_with_a_file_of_bookmarks(server, page, made, axe, tmp_path, screenshot):
    page.goto(f"{server.url}/communities")
    page.click("#go")
    expect(page.locator("#urls-problem")).to_contain_text("No bookmarks")
    expect(page.locator("#urls")).to_be_focused()
    file = tmp_path / "bookmarks.html"
    links = "".join(f'<DT><A HREF="{url}" ICON="data:image/png;base64,AAAA">one</A>' for url in made.topics[0].examples)
    file.write_text(f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>{links}</DL>")
    page.set_input_files("#text", file)
    page.fill("#keywords", made.topics[0].keywords)
    page.fill("#max_in_index", "12")
    page.fill("#name", "new-club")
    page.set_viewport_size({"width": 390, "height": 800})
    screenshot(page, "communities-new-390")
    assert not axe(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/communities/new-club")
    page.wait_for_selector("text=Generation 1: the first crawl", timeout=60_000)
    expect(page.locator("#bookmarks li")).to_have_count(len(made.topics[0].examples))
    screenshot(page, "community-new-390")
    page.set_viewport_size({"width": 1280, "height": 900})
    screenshot(page, "community-new-1280")
    assert not axe(page)
    assert not page.complaints


def test_what_is_drawn_anew_keeps_the_focus(club):
    forget = club.locator("#questions button")
    before, first = forget.count(), forget.first.get_attribute("aria-label")
    assert before > 1
    forget.first.focus()
    club.keyboard.press("Enter")
    expect(club.locator(f'#questions button[aria-label="{first}"]')).to_have_count(0)
    expect(forget).to_have_count(before - 1)
    club.wait_for_function("() => document.activeElement.closest('#questions') !== null")
