"""A community's page: a refresh that is begun there is seen at once, and what it changed when it is over."""

import shutil

import pytest


@pytest.fixture
def club(furnished, serving, tmp_path, page):
    shutil.copytree(furnished / "club", tmp_path / "club", symlinks=True)
    with serving(tmp_path / "home", [tmp_path / "club"]) as running:
        page.goto(f"{running.url}/communities/club")
        page.wait_for_selector("#generations li")
        yield page


def test_a_refresh_is_seen_from_the_click_to_what_it_changed(club):
    club.click("#refresh")
    club.wait_for_selector("#busy:not([hidden])", timeout=2000)
    assert club.is_disabled("#refresh")
    club.wait_for_selector("text=Generation 2: a refresh", timeout=30_000)
    club.wait_for_selector("#busy", state="hidden", timeout=30_000)
    assert club.is_enabled("#refresh") and club.is_enabled("#undo")
    assert not club.complaints


def test_what_is_drawn_anew_keeps_the_focus(club):
    forget = club.locator("#questions button")
    before, first = forget.count(), forget.first.get_attribute("aria-label")
    forget.first.focus()
    club.keyboard.press("Enter")
    club.wait_for_selector(f'#questions button[aria-label="{first}"]', state="detached")
    assert forget.count() == before - 1
    assert club.evaluate("document.activeElement.closest('#questions') !== null")
