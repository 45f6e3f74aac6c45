"""Saved searches: kept in the browser, with a feed and the number of new pages; results by date."""

import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def server(serving, furnished, tmp_path_factory):
    import shutil

    home = tmp_path_factory.mktemp("saved") / "home"
    shutil.copytree(furnished, home)
    with serving(home) as running:
        yield running


def test_a_search_is_saved_found_again_and_forgotten(server, page, screenshot):
    page.goto(f"{server.url}/search?q=tax&in=spiders")
    page.get_by_role("button", name="Save this search").click()
    expect(page.get_by_role("button", name="Forget this search")).to_be_visible()
    feed = page.get_by_role("link", name="Feed of new results").get_attribute("href")
    assert feed == "/api/search/feed?query=tax&collection=spiders"
    page.goto(f"{server.url}/search")
    saved = page.get_by_role("region", name="Saved searches")
    expect(saved.get_by_role("link", name="tax")).to_be_visible()
    expect(saved).not_to_contain_text("new")
    page.evaluate("""() => { const kept = JSON.parse(localStorage.getItem("lycosa-searches"));
        localStorage.setItem("lycosa-searches", JSON.stringify(kept.map((one) => ({ ...one, seen: 90000 })))); }""")
    page.goto(f"{server.url}/search")
    expect(saved).to_contain_text("new")
    screenshot(page, "saved-searches")
    saved.get_by_role("link", name="tax").click()
    page.wait_for_url("**/search?q=tax&in=spiders")
    expect(page.locator("#results li").first).to_be_visible()
    page.goto(f"{server.url}/search")
    expect(saved).not_to_contain_text("new")
    saved.get_by_role("button", name="Forget tax").click()
    expect(saved).to_be_hidden()
    assert page.complaints == []


def test_results_are_shown_by_date(server, page):
    page.goto(f"{server.url}/search?q=tax&in=spiders")
    page.get_by_text("Newest").click()
    page.wait_for_url("**&sort=time")
    expect(page.locator("#results li").first).to_be_visible()
    assert page.complaints == []
