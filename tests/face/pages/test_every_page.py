"""What holds for every page: everybody can use it, strangers' words stay words, and nothing is asked of other hosts."""

import shutil
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

import lycosa
from lycosa.face.server.pages import PAGES

FILLED = {
    "/": "#entries li",
    "/hunts/{name}": ".found",
    "/search": ".hit",
    "/why/{name}": ".hop.goal",
    "/cached/{name}": "#copy iframe",
    "/map": "#choice-list li",
    "/map/{name}": "#stage[data-pages]",
    "/lab": "#experiments article",
    "/lab/{name}": "#beside",
    "/communities": "#communities article",
    "/communities/{name}": "#generations li",
    "/companion": "#switch:enabled",
    "/api": "#routes section",
}
"""What is on a page once it has got what it shows."""
LOOKS = (("light", 1280, 900), ("dark", 390, 800))
OPENING = "main summary, main [aria-expanded=false], main [role=tab]"

every_page = pytest.mark.parametrize("path", [page.path for page in PAGES])


@pytest.fixture(scope="module")
def server(serving, furnished, hostile, tmp_path_factory):
    """Everything there is, the hostile collection among it."""
    home = tmp_path_factory.mktemp("every") / "home"
    shutil.copytree(furnished, home, symlinks=True)
    shutil.copytree(hostile, home, dirs_exist_ok=True)
    for attack in ("<img src=x onerror=window.pwned=1>", '"><svg onload=window.pwned=1> spider'):
        lycosa.search(home / "club", attack)
    with serving(home) as running:
        yield running


@pytest.fixture
def opened(server, page, made):
    """Opens a page, about this collection where it is about one, and waits until it is filled; gives its name."""

    def open_(path, collection):
        kind = next(one.kind for one in PAGES if one.path == path)
        address = path.replace("{name}", {"lab": "experiment", "community": "club"}.get(kind or "", collection))
        if path in ("/why/{name}", "/cached/{name}"):
            pages = httpx.get(f"{server.url}/api/hunts/{collection}/pages").json()["pages"]
            address += f"?url={quote(pages[-1]['url'], safe='')}"
        if path == "/search":
            known = {"spiders": made.topics[0].keywords, "hostile": "spider"}
            address += f"?q={quote(known[collection])}&in={collection}"
        page.goto(server.url + address)
        page.locator(FILLED[path]).first.wait_for()
        return address.partition("?")[0].strip("/").replace("/", "-") or "hunts"

    yield open_
    assert not page.complaints


@every_page
def test_axe_finds_nothing_serious_on_any_page_and_none_is_wider_than_the_screen(opened, page, axe, screenshot, path):
    name = opened(path, "spiders")
    for scheme, width, height in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        # It need not be scrolled sideways.
        page.wait_for_function("() => document.documentElement.scrollWidth - document.documentElement.clientWidth <= 1")
        screenshot(page, f"every-{name}-{scheme}-{width}")
        assert not axe(page), scheme


@every_page
def test_nothing_of_a_hostile_collection_runs_on_any_page(opened, page, screenshot, path):
    refused = []
    page.on("console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None)
    name = opened(path, "hostile")
    # Whatever can be opened on the page is opened.
    page.eval_on_selector_all(
        OPENING, "all => all.slice(0, 25).filter((one) => one.checkVisibility()).map((one) => one.click())"
    )
    page.mouse.move(400, 400)
    page.wait_for_timeout(200)
    screenshot(page, f"hostile-{name}")
    assert page.evaluate("() => window.pwned") is None
    for frame in page.frames[1:]:
        frame.wait_for_load_state()
        assert frame.evaluate("() => window.pwned") is None, "in a frame"
    links = page.eval_on_selector_all("a[href]", "all => all.map(one => one.protocol)")
    assert set(links) <= {"http:", "https:", "mailto:"}
    assert not refused


def test_strangers_words_are_shown_as_they_are(server, page):
    page.goto(f"{server.url}/search?q=spider&in=hostile")
    page.get_by_text("<img src=x onerror=window.pwned=1>").first.wait_for()
    page.goto(f"{server.url}/communities/club")
    page.get_by_text("<img src=x onerror=window.pwned=1>").first.wait_for()
    assert not page.complaints


def test_a_theme_that_was_chosen_stays(server, page):
    page.goto(f"{server.url}/lab")
    background = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.keyboard.press("Tab")  # the way to the content first, for those who have no mouse
    expect(page.locator("a.skip")).to_be_focused()
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate(background)
    assert dark != light
    page.goto(f"{server.url}/search")
    assert page.evaluate(background) == dark
    page.reload()
    assert page.evaluate(background) == dark


def test_where_a_token_is_asked_for_one_signs_in_on_a_page(serving, page, axe, tmp_path):
    with serving(tmp_path, (), "--token", "a-token-to-sign-in-with") as running:
        page.goto(running.url)
        assert not axe(page)
        page.get_by_label("Token").fill("wrong")
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
        page.get_by_label("Token").fill("a-token-to-sign-in-with")
        page.keyboard.press("Enter")
        page.get_by_role("heading", level=1).filter(has_text="hunting").wait_for()
        assert httpx.get(f"{running.url}/api/hunts").status_code == 401
