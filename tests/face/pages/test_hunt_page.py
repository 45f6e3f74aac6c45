"""The pages to hunt with, in a real browser against the real server and a served made web."""

import json
import re
import time
from urllib.request import Request, urlopen

import pytest

from lycosa.store.collection import Collection

FIRST = 5.0
"""Seconds to the first result that a busy machine may need; an idle one has it in less than one and a half."""


@pytest.fixture(scope="module")
def server(serving, tmp_path_factory):
    """The real server over the made web."""
    with serving(tmp_path_factory.mktemp("hunts")) as running:
        yield running


@pytest.fixture(scope="module")
def topic(made):
    """What is hunted: keywords and a few examples."""
    return made.topics[0]


@pytest.fixture
def hunt(page, server, topic):
    """Fills the form of the first page and sends it; the page is on the live page then."""

    def begin(pages=120, strategy="", name=""):
        page.goto(server.url)
        page.wait_for_selector("#strategy option", state="attached")
        page.fill("#keywords", topic.keywords)
        page.fill("#seeds", "\n".join(topic.examples[:3]))
        page.fill("#pages", str(pages))
        if strategy or name:
            page.click("#more > summary")
            page.select_option("#strategy", strategy or "apprentice")
            page.fill("#name", name)
        begin.sent = time.monotonic()
        page.click("#go")
        page.wait_for_url("**/hunts/*")
        return page.url.rpartition("/")[2].partition("#")[0]

    return begin


@pytest.fixture(scope="module")
def ready(server, topic, until):
    """The name of a hunt that has finished."""
    wish = {"keywords": topic.keywords, "seeds": topic.examples[:3], "pages": 80, "name": "ready"}
    call = Request(f"{server.url}/api/hunts", json.dumps(wish).encode(), {"Content-Type": "application/json"})
    urlopen(call).close()

    def state():
        with urlopen(f"{server.url}/api/hunts/ready") as answer:
            return json.load(answer)["state"]

    until(lambda: state() == "finished", "a hunt of 80 pages", 60)
    return "ready"


def number(page, selector):
    """The number that an element shows."""
    return int(re.sub(r"\D", "", page.inner_text(selector)) or 0)


def ended(page, seconds=40):
    page.wait_for_selector('#hunt[data-state="finished"]', timeout=1000 * seconds)


def judged(server, name):
    with Collection.open(server.home / name) as collection:
        return collection.inbox.all()


def test_a_hunt_is_started_in_the_page_and_watched_to_its_end(page, hunt, server, topic, screenshot):
    hunt(pages=150)
    page.wait_for_selector(".found")
    first = time.monotonic() - hunt.sent
    print(f"first result after {first:.2f} s")
    seen = [number(page, "#tally-results")]
    while page.get_attribute("#hunt", "data-state") in ("starting", "running") and len(seen) < 400:
        seen.append(number(page, "#tally-results"))
        if len(seen) == 12:
            screenshot(page, "hunt-running")
        page.wait_for_timeout(50)
    ended(page)
    assert first < FIRST
    assert len(set(seen)) > 5, f"the count should grow while one looks: {seen}"
    assert seen == sorted(seen)
    assert page.inner_text("#spent") == "150 of 150 pages"
    assert page.inner_text("#topic") == topic.keywords
    page.wait_for_timeout(900)
    shown = [float(text) for text in page.locator(".found-mark .number").all_inner_texts()]
    assert len(shown) == 40 and shown == sorted(shown, reverse=True), "best first, and bounded"
    assert "relevant pages" in page.inner_text("#recall-words")
    assert page.locator("#harvest polyline").first.get_attribute("points").count(",") > 50
    screenshot(page, "hunt-light")
    page.emulate_media(color_scheme="dark")
    screenshot(page, "hunt-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out on a phone"
    screenshot(page, "hunt-phone")
    assert page.complaints == []


def test_every_part_of_a_hunt_can_be_looked_at(page, server, ready, screenshot):
    page.goto(f"{server.url}/hunts/{ready}")
    for part, says in (("Frontier", "wait"), ("Hosts", "hosts"), ("Errors", "went wrong|brought no page")):
        page.click(f"role=tab[name=/^{part}/]")
        panel = page.locator(f"#{part.lower()}")
        panel.locator(".panel-intro, .empty").first.wait_for()
        assert re.search(says, panel.inner_text())
        screenshot(page, f"hunt-{part.lower()}")
    page.click("role=tab[name=/^Hosts/]")
    host = page.locator("#hosts button.link").first
    wanted = host.inner_text()
    host.click()
    page.wait_for_function(
        """shown => {
            const hosts = [...document.querySelectorAll(".found-place b")].map(host => host.textContent);
            return hosts.length && hosts.every(host => host === shown);
        }""",
        arg=wanted,
    )
    page.click("role=tab[name=About]")
    page.wait_for_selector("#about .plan")
    screenshot(page, "hunt-about")
    saved = page.locator("#about a[download]").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert f"/api/collections/{ready}/export?format=jsonl" in saved
    page.click("text=Hunt again like this")
    page.wait_for_selector("#strategy option", state="attached")
    page.wait_for_selector("#more-says:not(:empty)", state="attached")
    page.wait_for_timeout(300)
    assert page.input_value("#seeds").startswith("http") and page.input_value("#pages") == "80"
    assert page.complaints == []


def test_the_spiders_of_a_hunt_are_a_tree_that_can_be_clicked(page, hunt, screenshot):
    hunt(pages=150, strategy="infospiders", name="spiders")
    page.click("role=tab[name=Spiders]")
    page.locator('#paths [role="treeitem"]').first.wait_for(timeout=15_000)
    ended(page)
    spiders = page.locator('#paths [role="treeitem"]')
    assert spiders.count() >= 3
    spiders.nth(1).click()
    page.wait_for_selector("#paths :text('Energy')")
    screenshot(page, "hunt-spiders")
    assert page.complaints == []


def test_a_page_is_judged_by_click_and_by_key(page, server, ready, until):
    page.goto(f"{server.url}/hunts/{ready}")
    page.wait_for_selector(".found:nth-child(5)")
    rows = page.locator(".found")
    first, second = (rows.nth(at).locator("a.found-title").get_attribute("href") for at in (0, 1))
    rows.nth(0).locator(".say.yes").click()
    assert rows.nth(0).locator(".say.yes").get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("n")
    assert rows.nth(1).locator(".say.no").get_attribute("aria-pressed") == "true"
    until(lambda: judged(server, ready) == {first: True, second: False}, "the inbox holds both")
    page.keyboard.press("y")
    until(lambda: judged(server, ready)[second], "another word on the same page")
    page.select_option('[name="judged"]', "yes")
    page.wait_for_selector("#list-says:has-text('2 of 2')")
    page.reload()
    page.wait_for_selector('.found .say.yes[aria-pressed="true"]')
    page.click("#teach")
    page.wait_for_selector("#doubts blockquote, #doubts .found-title")
    page.keyboard.press("y")
    until(lambda: len(judged(server, ready)) == 3, "an answer to what the hunt asked")
    assert page.complaints == []


def test_a_hunt_is_paused_resumed_and_extended(page, hunt, until):
    hunt(pages=150, name="steering")
    page.wait_for_selector(".found")
    page.click("role=button[name=Pause]")
    page.wait_for_selector('#hunt[data-state="paused"]')
    until(lambda: _rests(page), "what was under way is in")
    rested = number(page, "#tally-results")
    assert 0 < rested < 150
    page.click("role=button[name=Resume]")
    page.wait_for_selector('#hunt[data-state="running"], #hunt[data-state="finished"]')
    until(lambda: number(page, "#tally-results") > rested, "it goes on")
    page.click("role=button[name='100 pages more']")
    page.wait_for_selector("#spent:has-text('of 250 pages')")
    ended(page)
    assert page.inner_text("#spent") == "250 of 250 pages"
    assert page.complaints == []


def _rests(page):
    before = number(page, "#tally-results")
    page.wait_for_timeout(400)
    return number(page, "#tally-results") == before


def test_everything_can_be_done_with_the_keyboard(page, server, topic, until):
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    tab_to(page, "#keywords")
    page.keyboard.type(topic.keywords)
    tab_to(page, "#seeds")
    page.keyboard.type(topic.examples[0] + "\n" + topic.examples[1])
    tab_to(page, "#pages")
    page.keyboard.press("Control+A")
    page.keyboard.type("50")
    tab_to(page, "#more > summary")
    page.keyboard.press("Enter")
    tab_to(page, "#strategy")
    page.keyboard.type("best-f")
    tab_to(page, "#go")
    page.keyboard.press("Enter")
    page.wait_for_selector('#hunt[data-state="finished"]')
    assert page.inner_text("#by") == "by best-first"
    name = page.url.rpartition("/")[2]
    tab_to(page, '[role="tab"][aria-selected="true"]')
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#frontier .panel-intro")
    page.keyboard.press("Home")
    tab_to(page, ".found-title")
    page.keyboard.press("j")
    page.keyboard.press("y")
    until(lambda: list(judged(server, name).values()) == [True], "judged by key")
    tab_to(page, "#harvest .plot", backwards=True)
    page.keyboard.press("ArrowLeft")
    assert "all so far" in page.inner_text("#harvest .readout")
    assert page.complaints == []


def tab_to(page, selector, backwards=False):
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _ in range(80):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"{selector} cannot be reached with Tab")


def test_new_results_do_not_move_what_is_being_read(page, hunt, until):
    hunt(pages=300, name="calm")
    page.wait_for_selector(".found:nth-child(4)")
    page.locator(".found").nth(2).hover()
    before = page.locator(".found-title").all_inner_texts()
    page.wait_for_selector("#pill:not([hidden])")
    assert page.locator(".found-title").all_inner_texts() == before
    assert re.fullmatch(r"[\d,]+ new results?", page.inner_text("#pill"))
    page.click("#pill")
    assert page.is_hidden("#pill")
    assert len(page.locator(".found-title").all_inner_texts()) > len(before) or number(page, "#tally-results") > 4
    page.mouse.move(1200, 5)
    ended(page)
    assert page.complaints == []


FEED = """
window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  constructor() {
    super();
    let seq = 1e6, pages = 300;
    setTimeout(() => this.dispatchEvent(new Event("open")));
    this.timer = setInterval(() => {
      const some = Array.from({ length: 10 }, () => ({
        seq: ++seq, url: `http://h${seq % 97}.test/${seq}`, host: `h${seq % 97}.test`, title: `Page ${seq}`,
        relevance: Math.random() ** 2, at: Date.now() / 1000, via: null, judged: null }));
      pages += 10;
      const counts = { pages, harvest: 0.2, queued: seq, bytes: seq * 1e4, hosts: 97, misses: 3, judged: 0 };
      const told = { seq, pages: some, more: false, counts, judged: [], state: "running", problem: "", fix: "",
        ahead: 0,
        estimate: { found: pages / 3 | 0, total: pages, low: pages / 2, high: 2 * pages, threshold: 0.3 },
        budget: { pages: 2000, bytes: null, seconds: null, share: null } };
      this.dispatchEvent(new MessageEvent("batch", { data: JSON.stringify(told), lastEventId: String(seq) }));
    }, 50);
  }
  close() { clearInterval(this.timer); }
};
"""
"""A stream of twenty batches a second with ten pages each, however busy the machine is."""

FRAMES = """() => new Promise((done) => {
  const frames = [], long = [], end = performance.now() + 3000;
  const seen = (list) => long.push(...list.getEntries().map((one) => one.duration));
  new PerformanceObserver(seen).observe({ type: "longtask" });
  let last = performance.now();
  (function frame(now) {
    frames.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(frame); else done({ frames, long });
  })(last);
})"""


def test_twenty_updates_a_second_do_not_make_it_stutter(page, server, ready):
    page.add_init_script(FEED)
    page.goto(f"{server.url}/hunts/{ready}")
    page.wait_for_selector('#hunt[data-state="running"]')
    measured = page.evaluate(FRAMES)
    frames, long = sorted(measured["frames"]), measured["long"]
    slow = [frame for frame in frames if frame > 100]
    print(
        f"{len(frames)} frames, median {frames[len(frames) // 2]:.0f} ms, {len(slow)} above 100 ms; long tasks: {long}"
    )
    assert len(slow) * 10 < len(frames), "frames above 100 ms are rare"
    assert number(page, "#tally-results") > 600
    assert page.locator(".found").count() == 40
    assert page.complaints == []


def test_results_are_filtered_here_and_by_the_server(page, server, ready):
    page.goto(f"{server.url}/hunts/{ready}")
    page.wait_for_selector(".found:nth-child(10)")
    word = page.locator(".found-title").nth(3).inner_text().split()[0]
    page.fill("#sieve-text", word)
    page.wait_for_selector("#list-says:has-text('that match')")
    texts = page.locator(".found").all_inner_texts()
    assert texts and all(word.lower() in text.lower() for text in texts)
    page.fill("#sieve-text", "no page has such words")
    page.wait_for_selector("#list-empty:has-text('Nothing matches')")
    page.fill("#sieve-text", "")
    page.select_option('[name="order"]', "time")
    page.wait_for_selector("#list-says:has-text('80 pages found, newest first')")
    assert page.complaints == []


def test_what_is_wrong_is_said_beside_its_field(page, server, topic, screenshot):
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    page.click("#go")
    assert page.inner_text("#keywords-problem")
    page.fill("#keywords", "the of and")
    page.click("#go")
    assert page.inner_text("#seeds-problem") and not page.inner_text("#keywords-problem")
    page.fill("#seeds", topic.examples[0])
    page.click("#go")
    page.wait_for_selector("#keywords-problem:has-text('stop words')")
    page.fill("#keywords", topic.keywords)
    page.fill("#seeds", "http://127.0.0.1:9/")
    page.click("#go")
    page.wait_for_selector("#seeds-problem:has-text('public')")
    page.fill("#seeds", topic.examples[0])
    page.fill("#pages", "900000")
    page.click("#go")
    page.wait_for_selector("#pages-problem:not(:empty)")
    page.fill("#pages", "10")
    page.click("#more > summary")
    page.select_option("#strategy", "shark-search")
    page.click("#strategy-options summary")
    page.fill("#option-gamma", "7")
    page.click("#go")
    page.wait_for_selector("#option-gamma-problem:not(:empty)")
    screenshot(page, "hunts-problem", full_page=True)
    assert page.complaints == []


def test_seeds_are_found_in_collections_and_the_way_of_hunting_is_remembered(page, hunt, server, topic, screenshot):
    hunt(pages=30, strategy="shark-search", name="known")
    ended(page)
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    assert page.input_value("#strategy") == "shark-search"
    page.fill("#keywords", topic.keywords)
    page.click("#find")
    page.wait_for_selector("#candidates li")
    screenshot(page, "hunts-light", full_page=True)
    page.emulate_media(color_scheme="dark")
    screenshot(page, "hunts-dark", full_page=True)
    page.emulate_media(color_scheme="light")
    page.fill("#pages", "20")
    page.click("#go")
    page.wait_for_url("**/hunts/*")
    ended(page)
    assert page.inner_text("#by") == "by shark-search"
    assert page.complaints == []


def test_light_and_dark_can_be_switched(page, server):
    page.goto(server.url)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("#theme")
    dark = page.evaluate(colour)
    page.reload()
    assert light != dark == page.evaluate(colour)


def test_the_page_goes_on_by_itself_when_the_server_was_killed(page, serving, tmp_path, topic, screenshot):
    with serving(tmp_path / "home", delay="0.05") as running:
        page.goto(running.url)
        page.wait_for_selector("#strategy option", state="attached")
        page.fill("#keywords", topic.keywords)
        page.fill("#seeds", "\n".join(topic.examples[:3]))
        page.fill("#pages", "150")
        page.click("#go")
        page.wait_for_selector(".found")
        running.kill()
        page.wait_for_selector("#connection:not([hidden])", timeout=10_000)
        screenshot(page, "hunt-reconnecting")
        before = number(page, "#tally-results")
        assert before < 150
        running.start()
        page.wait_for_selector("#connection[hidden]", state="attached", timeout=15_000)
        ended(page)
        page.wait_for_timeout(900)
        assert page.inner_text("#spent") == "150 of 150 pages"
        with Collection.open(running.home / page.url.rpartition("/")[2]) as collection:
            best = [row.url for row in collection.log.pages(limit=40)]
        shown = page.locator(".found-title").evaluate_all("links => links.map(link => link.href)")
        assert len(set(shown) & set(best)) > 35, "nothing was lost in between"
        assert page.complaints == []
