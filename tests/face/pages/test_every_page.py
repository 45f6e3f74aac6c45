"""What holds for every page: everybody can use it, strangers' words stay words, and nothing is asked of other hosts."""

import shutil
from urllib.parse import quote

import httpx
import pytest

import lycosa
from lycosa.face.server.pages import PAGES


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


def pages_of(running, collection):
    """The address of every page, about this collection where it is about one."""
    first = httpx.get(f"{running.url}/api/hunts/{collection}/pages").json()["pages"][-1]["url"]
    for page in PAGES:
        name = {"lab": "experiment", "community": "club"}.get(page.kind or "", collection)
        path = page.path.replace("{name}", name)
        if page.template in ("why.html", "cached.html"):
            path += f"?url={quote(first, safe='')}"
        if page.template == "search.html":
            path += f"?q=spider&in={collection}"
        yield page.template.removesuffix(".html") + ("" if "{name}" in page.path else "-all"), running.url + path


def opened(page, address):
    page.goto(address)
    page.wait_for_load_state("networkidle") if "/hunts/" not in address else page.wait_for_timeout(1200)


@pytest.mark.parametrize(("scheme", "wide", "high"), [("light", 1280, 900), ("dark", 390, 800)])
def test_axe_finds_nothing_serious_on_any_page_and_none_is_wider_than_the_screen(
    server, page, axe, screenshot, scheme, wide, high
):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": wide, "height": high})
    found = {}
    for name, address in pages_of(server, "spiders"):
        opened(page, address)
        screenshot(page, f"every-{name}-{scheme}-{wide}")
        over = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 1, f"{name} must be scrolled sideways by {over} px"
        if violations := axe(page):
            found[name] = violations
    assert not found
    assert not page.complaints


def test_nothing_of_a_hostile_collection_runs_on_any_page(server, page, screenshot):
    refused = []
    page.on("console", lambda said: refused.append(said.text) if "Content Security Policy" in said.text else None)
    for name, address in pages_of(server, "hostile"):
        opened(page, address)
        # Whatever can be opened on the page is opened.
        for closed in page.locator("main summary, main [aria-expanded=false], main [role=tab]").all()[:25]:
            if closed.is_visible():
                closed.click(force=True, timeout=2000, no_wait_after=True)
        page.mouse.move(400, 400)
        page.wait_for_timeout(300)
        screenshot(page, f"hostile-{name}")
        assert page.evaluate("() => window.pwned") is None, name
        for frame in page.frames[1:]:
            assert frame.evaluate("() => window.pwned") is None, f"{name}, in a frame"
        links = page.eval_on_selector_all("a[href]", "all => all.map(one => one.protocol)")
        assert set(links) <= {"http:", "https:", "mailto:"}, name
    assert not page.complaints
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
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.get_by_role("button", name="Switch between light and dark").click()
    dark = page.evaluate(background)
    assert dark != light
    page.goto(f"{server.url}/search")
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
