"""Pages that searches must not find, as people see them in a browser."""

import pytest
from playwright.sync_api import expect

HOME, HIDDEN = "http://a.test/", "http://a.test/hidden"
HUNTERS = "<title>Wolf spiders</title><body>Wolf spiders are spiders that hunt at night. "
WEB = {
    HOME: HUNTERS + "<a href='/hidden'>more wolf spiders</a> <a href='/tag/x'>tags</a>",
    HIDDEN: "<meta name=robots content=noindex>" + HUNTERS,
}


@pytest.fixture
def address(collected, serving, tmp_path):
    """Where a server shows a hunt that withholds one page and has left out one link."""
    collected(tmp_path / "spiders", WEB, "wolf spider", [HOME], exclude=["*/tag/*"])
    with serving(tmp_path) as running:
        yield running.url


def test_the_page_of_a_hunt_and_that_of_a_withheld_page_say_so(page, address, screenshot):
    page.goto(f"{address}/hunts/spiders")
    marks = page.locator(".found", has_text="withheld").locator(".badge.warn")
    expect(marks).to_have_text("withheld: noindex")
    expect(page.locator(".found")).to_have_count(2)
    screenshot(page, "withheld-results")
    page.click("role=tab[name=About]")
    withheld = page.locator("dl.plan div", has_text="Withheld from searches and exports").locator("dd")
    expect(withheld).to_have_text("noindex ×1")
    # The scope counts the links that it keeps out, so they are not counted again.
    expect(page.locator("dl.plan dd", has_text="1 link outside: 1 by exclude */tag/*")).to_have_count(1)
    expect(page.locator("dl.plan dt", has_text="Links not followed")).to_have_count(0)
    page.goto(f"{address}/why/spiders?url={HIDDEN}")
    expect(page.locator(".hop.goal .badge.warn")).to_have_text("withheld: noindex")
    assert page.complaints == []
