"""The form with words alone: what was found is shown before anything begins, and can be unticked."""

import httpx
import pytest
from playwright.sync_api import expect
from tests.search_peer import SearchPeer, results


@pytest.fixture(scope="module")
def topic(made):
    return made.topics[0]


@pytest.fixture(scope="module")
def server(serving, topic, tmp_path_factory):
    """A server whose owner has set up a search engine, and which has no collection yet."""
    hostile = "http://shop.test/?<img src=x onerror=alert(1)>"
    with (
        SearchPeer(results(*topic.examples[:4], hostile)) as peer,
        serving(tmp_path_factory.mktemp("home"), [], "--finder", f"mine=searxng:{peer.url}") as running,
    ):
        yield running


def begun(page, server):
    page.wait_for_url("**/hunts/*")
    return httpx.get(f"{server.url}/api{page.url.removeprefix(server.url)}").json()


def test_a_hunt_without_an_address_shows_first_where_it_would_begin(page, server, topic, screenshot):
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    page.fill("#keywords", topic.keywords)
    page.fill("#pages", "5")
    page.click("#go")
    expect(page.locator("#candidates li")).to_have_count(5)
    expect(page.locator("#find-says")).to_have_text("Found by mine.")
    assert httpx.get(f"{server.url}/api/hunts").json() == []
    screenshot(page, "words-alone", full_page=True)
    for place in (1, 4):
        page.locator("#candidates li input").nth(place).uncheck()
    page.click("#go")
    status = begun(page, server)
    assert status["seeds"] == [topic.examples[0], *topic.examples[2:4]] and status["examples"] == []
    page.click("role=tab[name=About]")
    expect(page.locator("dl.plan dt", has_text="Begins at")).to_have_count(1)
    assert page.complaints == []


@pytest.mark.parametrize("trusted", [False, True])
def test_typed_addresses_are_examples_and_found_ones_if_ticked_so(page, server, topic, trusted):
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    page.fill("#keywords", topic.keywords)
    page.fill("#seeds", topic.examples[5])
    page.fill("#pages", "5")
    page.click("#find")
    expect(page.locator("#find-says")).to_contain_text("Found by mine")
    # Earlier hunts of this server are searched too.
    boxes = page.locator("#candidates li input")
    found = [box.get_attribute("value") for box in boxes.all()]
    assert {*topic.examples[:4]} <= {*found}
    for box, url in zip(boxes.all(), found, strict=True):
        box.set_checked(url in topic.examples[:4])
    if trusted:
        page.check("[name=found_on_topic]")
    page.click("#go")
    status = begun(page, server)
    assert set(status["seeds"]) == {topic.examples[5], *topic.examples[:4]}
    assert set(status["examples"]) == ({*status["seeds"]} if trusted else {topic.examples[5]})
    assert page.complaints == []
