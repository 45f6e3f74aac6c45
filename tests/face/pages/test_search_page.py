"""The search page, the way to a page and its archived copy, in a real browser, with strangers' words all over."""

import re
import shutil
from contextlib import contextmanager
from html import escape
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from lycosa.app import communities
from lycosa.app import search as searching
from lycosa.community.home import Home
from lycosa.community.settings import CommunitySettings

SITE, ATTACK = "http://spiders.test/", "http://attack.test/"
RUN = "window.pwned=1;alert(1)"
STRINGS = [
    f"<script>{RUN}</script>",
    f"<img src=http://evil.test/i onerror={RUN}>",
    f'"><svg/onload={RUN}>',
    f"</title></script><script>{RUN}</script>",
    f"'onmouseover='{RUN}",
    f"javascript:{RUN}",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    "\u202egpj.exe \u0000 &lt;b&gt;",
]
LONG = " ".join(f"Sentence {n} tells of burrow number {n * 37 % 101} and what lives in it by day." for n in range(40))


def written(title, body, links=()):
    listed = "".join(f'<p>Read about <a href="{escape(url)}">{escape(words)}</a> here.</p>' for url, words in links)
    return f"<html lang=en><head><title>{escape(title)}</title></head><body><p>{body}</p>{listed}</body></html>"


PLACES = ["cellar", "attic", "meadow", "shore", "desert", "cave", "heath", "forest", "swamp", "dune", "garden", "barn"]
SPIDERS = {
    SITE: written(
        "All spiders",
        "Spiders of all kinds, and wolf spiders among them.",
        [
            (f"{SITE}wolf", "wolf spiders that hunt by night"),
            (f"{SITE}burrow", "burrows"),
            (f"{SITE}mirror", "a mirror"),
        ]
        + [(f"{SITE}{place}", f"spiders of the {place}") for place in PLACES]
        + [
            (f"{SITE}mirror", "a mirror"),
            ("http://far.test/", "tarantulas that sing"),
            (ATTACK, "wolf spiders of the attack"),
        ],
    ),
    f"{SITE}wolf": written("Wolf spiders", "Wolf spiders hunt on the ground.", [(f"{SITE}burrow", "their burrows")]),
    f"{SITE}burrow": written("Burrows", LONG),
    f"{SITE}mirror": written("Burrows", LONG + " Printed."),
    **{f"{SITE}{place}": written(f"In the {place}", f"Which spiders live in the {place}?") for place in PLACES},
    ATTACK: written(
        "wolf spiders " + STRINGS[0] + STRINGS[1],
        "wolf spiders "
        + " ".join(map(escape, STRINGS))
        + "".join(STRINGS)
        + "<iframe src=http://evil.test/f></iframe>",
        [(f"{ATTACK}{number}?{quote(text)}", f"wolf spiders {text}") for number, text in enumerate(STRINGS)],
    ),
    **{f"{ATTACK}{n}?{quote(text)}": written(f"wolf spiders {text}", "wolf spiders") for n, text in enumerate(STRINGS)},
}


class Attacked(dict):
    """A site that answers any address that looks like one of its own, however it was written."""

    def get(self, url, default=None):
        if url in self:
            return self[url]
        number = url.removeprefix(ATTACK).partition("?")[0] if url.startswith(ATTACK) else ""
        if number.isdigit() and int(number) < len(STRINGS):
            return written(
                f"wolf spiders {STRINGS[int(number)]}", "wolf spiders", [(f"{SITE}wolf", STRINGS[int(number)])]
            )
        return default


@pytest.fixture(scope="module")
def place(collected, tmp_path_factory):
    place = tmp_path_factory.mktemp("pages")
    collected(place / "spiders", Attacked(SPIDERS), "wolf spiders", [SITE], strategy="best-first")
    searching.make_index(place / "spiders")
    home = Home.create(place / "club", CommunitySettings(max_in_index=50))
    with home.changing():
        generation = home.next_folder()
        shutil.copytree(place / "spiders", generation, dirs_exist_ok=True)
        home.swap(generation, "init")
    return place


@pytest.fixture(scope="module")
def served(place, serving, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("home"), [place]) as running:
        yield running


@pytest.fixture
def search(served, page):
    page.goto(f"{served.url}/search?in=spiders")
    page.wait_for_selector("#where label")
    yield page
    assert page.complaints == []
    assert page.evaluate("window.pwned") is None


def ask(page, text):
    """Type a question and wait for its answer, whatever was there before."""
    with answered(page):
        page.fill("#q", text)
        page.press("#q", "Enter")
        page.wait_for_function("text => new URLSearchParams(location.search).get('q') === text", arg=text)


@contextmanager
def answered(page):
    """Wait until the answer to what was done stands there instead of the one before."""
    page.evaluate(
        "() => { for (const one of document.querySelectorAll('#results > *, #notes > *')) one.dataset.old = 1; }"
    )
    yield
    page.wait_for_function(
        """() => !document.querySelector("[data-old]")
            && document.querySelector("#results li, #notes .empty, #notes .problem")"""
    )


def titles(page):
    return page.locator("#results .hit-title").all_inner_texts()


def test_a_question_is_answered_with_highlights_time_and_address(search, screenshot):
    expect(search.locator("#q")).to_be_focused()
    ask(search, "wolf spiders hunt")
    first = search.locator(".hit").first
    assert {"wolf", "spiders"} <= {word.lower() for word in first.locator("mark").all_inner_texts()}
    assert " of " in search.inner_text("#summary") and " ms" in search.inner_text("#summary")
    assert first.locator(".hit-title a").get_attribute("rel") == "noopener noreferrer"
    screenshot(search, "search-light", full_page=True)


def test_back_and_forward_bring_back_what_was_asked(search):
    ask(search, "burrows")
    before = titles(search)
    ask(search, "meadow")
    assert titles(search) != before
    with answered(search):
        search.go_back()
    expect(search.locator("#q")).to_have_value("burrows")
    assert titles(search) == before
    search.reload()
    search.wait_for_selector(".hit")
    expect(search.locator("#q")).to_have_value("burrows")
    assert titles(search) == before


def test_keys_are_enough(search):
    search.keyboard.press("Tab")
    search.keyboard.press("/")
    search.keyboard.type("spiders")
    search.keyboard.press("Enter")
    search.wait_for_selector(".hit")
    links = search.locator(".hit-title a")
    search.keyboard.press("ArrowDown")
    expect(links.nth(0)).to_be_focused()
    search.keyboard.press("j")
    search.keyboard.press("ArrowDown")
    search.keyboard.press("k")
    expect(links.nth(1)).to_be_focused()
    search.keyboard.press("Tab")
    search.keyboard.press("Enter")
    search.wait_for_selector(".hit-panel:not([hidden]) .parts")
    search.keyboard.press("/")
    expect(search.locator("#q")).to_be_focused()


def test_why_a_result_ranks_there_and_who_refers_to_it(search, screenshot):
    ask(search, "wolf spiders hunt")
    hit = search.locator(".hit", has_text="hunt on the ground").first
    hit.get_by_role("button", name="Why it ranks here").click()
    expect(hit.locator(".parts")).to_contain_text("what the page says")
    hit.get_by_role("button", name="Who refers to it").click()
    hit.locator(".voters a", has_text="All spiders").wait_for()
    hit.locator(".voters mark").first.wait_for()
    expect(hit.locator(".parts")).to_have_count(0)
    hit.locator(".terms button").first.click()
    hit.locator('.terms button[aria-pressed="true"]').wait_for()
    screenshot(search, "search-why", full_page=True)


def test_filters_are_clicked_kept_in_the_address_and_dropped(search):
    ask(search, "wolf spiders")
    with answered(search):
        search.locator(".facet", has_text="attack.test").click()
    search.wait_for_selector("#chosen button")
    search.wait_for_function("() => location.search.includes('filter=host%3Dattack.test')")
    assert all("attack.test" in line for line in search.locator(".hit-url").all_inner_texts())
    search.wait_for_function("() => document.activeElement.dataset.key === 'host=attack.test'")
    with answered(search):
        search.locator("#chosen button").click()
    search.wait_for_function("() => !location.search.includes('filter')")
    search.locator(".facet", has_text="50 % or more").click()
    search.wait_for_function("() => location.search.includes('relevance')")


def test_near_duplicates_are_folded_and_can_be_opened(search):
    ask(search, "sentence tells of burrow")
    copies = search.locator(".copies")
    copies.locator("summary").click()
    expect(copies).to_contain_text(re.compile("mirror|burrow"))


def test_a_misspelt_word_is_corrected_and_what_was_typed_can_be_searched_instead(search):
    ask(search, "spidres")
    search.wait_for_selector(".hit")
    expect(search.locator(".suggestion")).to_contain_text("Showing results for spiders. Search instead for spidres.")
    with answered(search):
        search.locator(".suggestion button").click()
    expect(search.locator("#summary")).to_contain_text("Nothing found")
    assert "verbatim=1" in search.url


def test_a_question_is_completed_while_it_is_typed(search):
    box, listed = search.locator("#q"), search.locator("#completions")
    box.fill("")
    box.press_sequentially("wol")
    option = listed.get_by_role("option").first
    expect(option).to_be_visible()
    assert option.locator("mark").first.inner_text().lower() == "wol"
    assert box.get_attribute("aria-expanded") == "true"
    box.press("ArrowDown")
    assert option.get_attribute("aria-selected") == "true"
    assert box.get_attribute("aria-activedescendant") == option.get_attribute("id")
    assert box.input_value() == option.get_attribute("data-text")
    box.press("Escape")
    expect(listed).to_be_hidden()
    assert box.input_value() == "wol"
    box.press_sequentially("f sp")
    expect(option).to_be_visible()
    with answered(search):
        option.click()
    expect(listed).to_be_hidden()
    search.wait_for_selector(".hit")
    assert box.input_value().lower().startswith("wolf sp")


def test_completions_fit_a_phone_and_pass_axe(search, axe):
    search.set_viewport_size({"width": 360, "height": 640})
    search.locator("#q").fill("")
    search.locator("#q").press_sequentially("spid")
    expect(search.locator("#completions")).to_be_visible()
    assert search.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not axe(search)


def test_results_are_turned_page_by_page_over_many_collections(search):
    search.locator(".pick", has_text="All").click()
    ask(search, "spiders")
    assert "in=" not in search.url and "spiders" in search.locator(".homes").first.inner_text()
    first = titles(search)
    with answered(search):
        search.get_by_role("button", name="Next").click()
    search.wait_for_function("() => location.search.includes('page=2')")
    assert "11 to" in search.inner_text("#summary") and not set(titles(search)) & set(first)


def test_nothing_found_and_nonsense_are_said_kindly(search):
    ask(search, "xyzzyplugh")
    assert "Nothing found" in search.inner_text("#summary") and "Try fewer" in search.inner_text("#notes")
    search.goto(search.url.partition("/search")[0] + "/search?q=x&in=nobody")
    search.wait_for_selector("#notes .problem")
    assert "There is no collection named" in search.inner_text("#notes")


def test_a_page_known_from_others_words_says_so(search):
    search.locator("#by label", has_text="Reference").click()
    ask(search, "tarantulas sing")
    hit = search.locator(".hit").first
    assert "never fetched" in hit.inner_text() and hit.get_by_text("Archived copy").count() == 0


def test_a_community_remembers_visibly_and_not_what_is_private(search, place):
    def asked():
        return {one["text"] for one in communities.questions(place / "club")["questions"]}

    expect(search.locator("#remembering")).to_be_hidden()
    search.locator(".pick", has_text="club").click()
    search.locator(".pick", has_text="spiders").click()
    expect(search.locator("#remembering")).to_contain_text("Questions to club are remembered for its nightly refresh")
    search.check("#remembering input")
    ask(search, "a secret hunt")
    ask(search, "hunters of the night")
    search.wait_for_selector("text=Remembered for the next refresh of club")
    with answered(search):
        search.locator(".facet").first.click()
    search.reload()
    search.wait_for_selector("#results li, #notes .empty")
    log = communities.questions(place / "club")
    assert "hunters of the night" in asked() and "a secret hunt" not in asked()
    assert next(one["times"] for one in log["questions"] if one["text"] == "hunters of the night") == 1


def test_the_way_to_a_page_is_drawn_and_listed(search, screenshot):
    ask(search, "wolf spiders hunt")
    hit = search.locator(".hit", has_text="hunt on the ground").first
    hit.get_by_role("link", name="Why it was fetched").click()
    search.wait_for_selector(".hop.goal")
    expect(search.locator(".hop")).to_have_count(2)
    expect(search.locator("#picture circle")).to_have_count(2)
    step = search.locator(".step").last.inner_text()
    assert "wolf spiders that hunt by night" in step and "waiting" in step
    screenshot(search, "why-light", full_page=True)
    search.goto(search.url.replace("wolf", "nowhere"))
    search.wait_for_selector(".problem")


def test_the_archived_copy_shows_words_and_marks_in_its_frame(search, screenshot):
    ask(search, "wolf spiders hunt")
    search.locator(".hit", has_text="hunt on the ground").first.get_by_role("link", name="Archived copy").click()
    frame = search.frame_locator("#copy iframe")
    frame.locator("mark", has_text="hunt").first.wait_for()
    assert "Wolf spiders" in search.inner_text("h1") and "archived copy" in search.inner_text(".copy-head")
    assert search.locator("#copy iframe").get_attribute("sandbox") == "allow-popups allow-popups-to-escape-sandbox"
    screenshot(search, "cached-light")


def test_similar_pages_have_an_address_of_their_own(search):
    ask(search, "meadow")
    search.locator(".hit").first.get_by_role("link", name="Similar").click()
    search.wait_for_selector("#like:not([hidden])")
    search.wait_for_selector(".hit")
    assert "like=" in search.url


def test_whatever_strangers_write_nothing_runs_and_no_request_leaves(search, served):
    ask(search, "wolf spiders")
    assert STRINGS[0] in "".join(titles(search)) or search.locator(".hit", has_text="<script>").count() > 0
    who = search.get_by_role("button", name="Who refers to it")
    who.first.hover()
    who.evaluate_all("all => all.map((one) => one.click())")
    search.wait_for_function(
        "() => ![...document.querySelectorAll('.hit-panel')].some((one) => one.textContent === '…')"
    )
    assert search.locator("#results img, #results script, #results svg, #results iframe").count() == 0
    for url in (ATTACK, f"{ATTACK}0?{quote(STRINGS[0])}", f"javascript:{RUN}", f'{ATTACK}"><script>{RUN}</script>'):
        for path in ("/why/spiders", "/cached/spiders"):
            search.goto(f"{served.url}{path}?url={quote(url, safe='')}&q=wolf")
            search.wait_for_selector(".hop, .problem, #copy iframe")
        search.goto(f"{served.url}/search?like={quote(url, safe='')}&in=spiders")
        search.wait_for_selector(".hit, .problem")
    search.goto(f"{served.url}/cached/spiders?url={quote(ATTACK, safe='')}&q=wolf")
    frame = search.frame_locator("#copy iframe")
    frame.locator("mark").first.wait_for()
    assert frame.locator("img, script, iframe, svg, [onmouseover]").count() == 0
    assert all(
        text.startswith("http") for text in frame.locator("a").evaluate_all("all => all.map(a => a.href)") if text
    )


def test_axe_finds_nothing_serious_with_everything_open(search, axe):
    search.locator(".pick", has_text="club").click()
    ask(search, "wolf spiders hunt")
    search.get_by_role("button", name="Why it ranks here").nth(1).click()
    search.locator(".hit", has_text="hunt on the ground").first.get_by_role("button", name="Who refers to it").click()
    search.wait_for_selector(".voters")
    assert not axe(search)
    with answered(search):
        search.locator(".facet").first.click()
    search.wait_for_selector("#chosen button")
    assert not axe(search)


def test_it_fits_a_phone_and_the_dark(page, served, screenshot):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    for name, path, filled in (
        ("search", "/search?q=wolf+spiders", ".hit"),
        ("why", f"/why/spiders?url={quote(SITE + 'wolf', safe='')}", ".hop.goal"),
        ("cached", f"/cached/spiders?url={quote(SITE + 'wolf', safe='')}&q=hunt", "#copy iframe"),
    ):
        page.goto(served.url + path)
        page.locator(filled).first.wait_for()
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        screenshot(page, f"{name}-phone-dark")
