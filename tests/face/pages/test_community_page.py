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


def test_what_is_drawn_anew_keeps_the_focus(club):
    forget = club.locator("#questions button")
    before, first = forget.count(), forget.first.get_attribute("aria-label")
    assert before > 1
    forget.first.focus()
    club.keyboard.press("Enter")
    expect(club.locator(f'#questions button[aria-label="{first}"]')).to_have_count(0)
    expect(forget).to_have_count(before - 1)
    club.wait_for_function("() => document.activeElement.closest('#questions') !== null")
