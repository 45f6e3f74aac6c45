"""The pages to hunt with, in a real browser against the real server and a served made web."""

import re
import time

import httpx
import pytest
from playwright.sync_api import expect

from lycosa.store.collection import Collection


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

    def begin(pages, strategy="", delay=""):
        page.goto(server.url)
        page.wait_for_selector("#strategy option", state="attached")
        page.fill("#keywords", topic.keywords)
        page.fill("#seeds", "\n".join(topic.examples[:3]))
        page.fill("#pages", str(pages))
        page.click("#more > summary")
        page.select_option("#strategy", strategy or "apprentice")
        page.fill("#delay", delay)
        page.click("#go")
        page.wait_for_url("**/hunts/*")

    return begin


@pytest.fixture(scope="module")
def ready(server, topic, until):
    """The name of a hunt that has finished."""
    hunt_request = {"keywords": topic.keywords, "seeds": topic.examples[:3], "pages": 80, "name": "ready"}
    httpx.post(f"{server.url}/api/hunts", json=hunt_request).raise_for_status()
    until(lambda: httpx.get(f"{server.url}/api/hunts/ready").json()["state"] == "finished", "a hunt of 80 pages", 60)
    return "ready"


def number(page, selector):
    """The number that an element shows."""
    return int(re.sub(r"\D", "", page.inner_text(selector)) or 0)


def more_than(page, least):
    """Wait until there are more results than that, and say how many."""
    page.wait_for_function(
        "least => Number(document.querySelector('#tally-results').textContent.replace(/\\D/g, '')) > least", arg=least
    )
    return number(page, "#tally-results")


def stands(page, state):
    expect(page.locator("#hunt")).to_have_attribute("data-state", state)


def judged(server, name):
    with Collection.open(server.home / name) as collection:
        return collection.inbox.all()


def test_a_hunt_is_started_in_the_page_and_watched_to_its_end(page, hunt, topic, screenshot):
    hunt(pages=100)
    sent = time.monotonic()
    page.wait_for_selector(".found")
    print(f"first result after {time.monotonic() - sent:.2f} s")
    seen = [number(page, "#tally-results")]
    while page.get_attribute("#hunt", "data-state") in ("starting", "running") and len(seen) < 400:
        seen.append(number(page, "#tally-results"))
        if len(seen) == 5:
            screenshot(page, "hunt-running")
        page.wait_for_timeout(50)
    assert seen == sorted(seen), "a count never goes back"
    stands(page, "finished")
    expect(page.locator("#spent")).to_have_text("100 of 100 pages")
    expect(page.locator("#topic")).to_have_text(topic.keywords)
    expect(page.locator("#list-says")).to_have_text("the best 40 of 100 pages")
    page.wait_for_function(
        """() => {
            const marks = [...document.querySelectorAll(".found-mark .number")];
            const shown = marks.map((one) => Number(one.textContent.replace(/\\D/g, "")));
            return shown.length === 40 && shown.every((one, at) => !at || one <= shown[at - 1]);
        }"""
    )
    expect(page.locator(".found-mark .number").first).to_have_text("100 %")
    expect(page.locator(".found-known").first).to_have_text("example")
    expect(page.locator("#harvest-now")).to_have_text(re.compile(r"^\d+ %$"))
    expect(page.locator("#recall-words")).to_contain_text("relevant pages (90 % interval")
    page.wait_for_function(
        "() => document.querySelector('#harvest polyline').getAttribute('points').split(',').length > 50"
    )
    screenshot(page, "hunt-light")
    page.emulate_media(color_scheme="dark")
    screenshot(page, "hunt-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    # Nothing sticks out on a phone.
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    screenshot(page, "hunt-phone")
    assert page.complaints == []


def test_every_part_of_a_hunt_can_be_looked_at(page, server, ready, screenshot):
    page.goto(f"{server.url}/hunts/{ready}")
    for part, says in (("Frontier", "wait"), ("Hosts", "hosts"), ("Errors", "went wrong|brought no page")):
        page.click(f"role=tab[name=/^{part}/]")
        expect(page.locator(f"#{part.lower()}")).to_contain_text(re.compile(says))
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
    expect(page.locator("#pages")).to_have_value("80")
    expect(page.locator("#seeds")).to_have_value(re.compile("^http"))
    assert page.complaints == []


def test_the_spiders_of_a_hunt_are_a_tree_that_can_be_clicked(page, hunt, screenshot):
    hunt(pages=80, strategy="infospiders")
    page.click("role=tab[name=Spiders]")
    spiders = page.locator("#paths").get_by_role("treeitem", name=re.compile(r"^Spider \d"))
    spiders.nth(1).wait_for()
    stands(page, "finished")
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
    expect(rows.nth(0).locator(".say.yes")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("n")
    expect(rows.nth(1).locator(".say.no")).to_have_attribute("aria-pressed", "true")
    # A person's word is certain at once.
    expect(rows.nth(1).locator(".found-mark .number")).to_have_text("0 %")
    expect(rows.nth(1).locator(".found-known")).to_have_text("judged")
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


def test_whoever_is_quicker_than_the_list_of_strategies_starts_a_hunt_all_the_same(page, server, topic):
    held = []
    page.route("**/api/strategies", lambda route: held.append(route))
    page.goto(server.url)
    page.fill("#keywords", topic.keywords)
    page.fill("#seeds", topic.examples[0])
    page.fill("#pages", "10")
    page.click("#go")
    expect(page.locator("#go")).to_have_text("Starting…")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    page.unroute("**/api/strategies")
    page.wait_for_url("**/hunts/**")
    stands(page, "finished")
    assert page.complaints == []


def test_a_curve_has_a_place_whatever_its_height(page, server):
    page.goto(server.url)
    drawn = page.evaluate("""async () => {
        const { chart } = await import("/static/lib/chart.js");
        const place = document.body.appendChild(document.createElement("div"));
        const draw = chart(place, { label: "x" });
        await new Promise((done) => setTimeout(done, 300));
        const found = [];
        for (let height = 0; height <= 1000; height += 1) {
            draw({ series: [{ name: "x", points: [[0, 0], [1, height / 1000]] }], right: 2 });
            found.push(place.querySelector("polyline").getAttribute("points"));
        }
        place.remove();
        return found;
    }""")
    assert len(set(drawn)) > 100
    assert not [points for points in drawn if "NaN" in points]


def test_a_hunt_is_paused_resumed_extended_and_stopped(page, hunt):
    # At this pace it cannot be over before it is told to stop, however slow the machine is.
    hunt(pages=1000, delay="2")
    more_than(page, 0)
    page.click("role=button[name=Pause]")
    stands(page, "paused")
    rested = number(page, "#tally-results")
    page.click("role=button[name=Resume]")
    stands(page, "running")
    more_than(page, rested)
    page.click("role=button[name='100 pages more']")
    expect(page.locator("#spent")).to_contain_text("of 1,100 pages")
    page.click("role=button[name=Stop]")
    stands(page, "stopped")
    assert number(page, "#tally-results") < 1000
    assert page.complaints == []


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
    for _ in range(20):
        if page.input_value("#strategy") != "best-first":
            page.keyboard.press("ArrowDown")
    tab_to(page, "#go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hunts/*")
    name = page.url.rpartition("/")[2]
    stands(page, "finished")
    expect(page.locator("#by")).to_have_text("by best-first")
    expect(page.locator("#list-says")).to_contain_text("of 50 pages")
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
    expect(page.locator("#harvest .readout")).to_contain_text("all so far")
    assert page.complaints == []


def tab_to(page, selector, backwards=False):
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _ in range(80):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"{selector} cannot be reached with Tab")


FEED = """
if (location.search.startsWith("?feed")) window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  constructor() {
    super();
    let seq = 1e6, pages = 80;
    setTimeout(() => this.dispatchEvent(new Event("open")));
    window.find = (number, best, page = {}, batch = {}) => {
      const some = Array.from({ length: number }, () => ({
        seq: ++seq, url: `http://h${seq % 97}.test/${seq}`, host: `h${seq % 97}.test`, title: `Page ${seq}`,
        relevance: best ?? Math.random() ** 2, at: Date.now() / 1000, via: null, judged: null,
        known: "", judge_score: 0.9, ...page }));
      pages += number;
      const counts = { pages, harvest: 0.2, queued: seq, bytes: seq * 1e4, hosts: 97, misses: 3, judged: 0 };
      const told = { seq, pages: some, more: false, counts, judged: [], state: "running", problem: "", fix: "",
        ahead: 0,
        estimate: { found: pages / 3 | 0, total: pages, low: pages / 2, high: 2 * pages, threshold: 0.3 },
        budget: { pages: 2000, bytes: null, seconds: null, share: null }, ...batch };
      this.dispatchEvent(new MessageEvent("batch", { data: JSON.stringify(told), lastEventId: String(seq) }));
    };
    if (location.search === "?feed=often") this.timer = setInterval(() => find(10), 50);
  }
  close() { clearInterval(this.timer); }
};
"""
"""A stream whose pages come when a test says `find(3)`, or «often»: twenty batches a second with ten pages each."""


@pytest.fixture
def feed(page, server, ready):
    """Opens the finished hunt as one that runs and finds what the stream says."""

    def follow(often=""):
        page.add_init_script(FEED)
        page.goto(f"{server.url}/hunts/{ready}?feed{often}")
        expect(page.locator(".found")).to_have_count(40)

    return follow


def test_new_results_do_not_move_what_is_being_read(page, feed):
    feed()
    page.locator(".found").nth(2).hover()
    before = page.locator(".found-title").all_inner_texts()
    page.evaluate("find(3, 1)")
    expect(page.locator("#pill")).to_have_text("3 new results")
    assert page.locator(".found-title").all_inner_texts() == before
    page.click("#pill")
    expect(page.locator("#pill")).to_be_hidden()
    expect(page.locator(".found-title").first).to_have_text("Page 1000003")
    assert page.locator(".found-title").nth(3).inner_text() == before[0]
    # Once nobody reads any more, they come by themselves.
    page.mouse.move(1200, 5)
    page.evaluate("document.activeElement.blur()")
    page.evaluate("find(1, 1)")
    expect(page.locator(".found-title").first).to_have_text("Page 1000004")
    assert page.complaints == []


def test_what_is_not_known_is_said_so_and_the_rest_in_percent(page, feed):
    feed()
    page.select_option("#sieve select[name=order]", "time")
    expect(page.locator("#list-says")).to_contain_text("the newest 40")
    page.mouse.move(1200, 5)
    page.evaluate("find(1, 0, { relevance: null, judge_score: 0.05 })")
    first = page.locator(".found").first
    expect(first.locator(".found-title")).to_have_text("Page 1000001")
    expect(first.locator(".found-known")).to_have_text("not known yet")
    page.evaluate("find(1, 0.874)")
    expect(first.locator(".found-mark .number")).to_have_text("87 %")
    expect(first.locator(".found-mark")).to_have_attribute("title", "87 % on topic. The judge's score was 0.900.")
    assert page.complaints == []


def test_when_pages_are_judged_again_the_list_and_the_curves_are_asked_for_again(page, feed):
    feed()
    page.evaluate("find(1, 0.5, {}, { rejudged: 7 })")
    with page.expect_request("**/curve"), page.expect_request("**/pages?order=relevance*"):
        page.evaluate("find(1, 0.5, {}, { rejudged: 8 })")
    assert page.complaints == []


def test_too_early_to_tell_is_said_with_its_reason(page, feed):
    feed()
    page.evaluate("find(1, 0.5, {}, { estimate: null, too_early: 'an estimate needs at least 50 pages' })")
    words = "too early to tell: an estimate needs at least 50 pages"
    expect(page.locator("#recall-words")).to_have_text(words)
    expect(page.locator("#recall-now")).to_have_text("–")
    page.evaluate("find(1, 0.5, {}, { too_early: '' })")
    expect(page.locator("#recall-words")).to_contain_text("90 % interval")
    assert page.complaints == []


def test_what_a_browser_has_cost_is_said(page, feed):
    feed()
    page.evaluate("find(1, 0.5, {}, { rendering: { pages: 12, shells: 0, slower: 33.2 } })")
    expect(page.locator("#pace")).to_contain_text("12 read from a browser, 33 times as slow")
    page.evaluate("find(1, 0.5, {}, { rendering: { pages: 0, shells: 4, slower: null } })")
    expect(page.locator("#pace")).to_contain_text("4 empty without JavaScript")
    assert page.complaints == []


FRAMES = """() => new Promise((done) => {
  const frames = [], long = [], end = performance.now() + 2000;
  const seen = (list) => long.push(...list.getEntries().map((one) => one.duration));
  new PerformanceObserver(seen).observe({ type: "longtask" });
  let last = performance.now();
  (function frame(now) {
    frames.push(now - last);
    last = now;
    if (now < end) requestAnimationFrame(frame); else done({ frames, long });
  })(last);
})"""


def test_twenty_updates_a_second_are_drawn_as_they_come(page, feed):
    feed("=often")
    measured = page.evaluate(FRAMES)
    frames, long = sorted(measured["frames"]), measured["long"]
    slow = [frame for frame in frames if frame > 100]
    print(
        f"{len(frames)} frames, median {frames[len(frames) // 2]:.0f} ms, {len(slow)} above 100 ms; long tasks: {long}"
    )
    # Of a busy machine nobody can promise a frame in time, but that it is free again between two of them.
    assert len(frames) > 10
    more_than(page, 400)
    expect(page.locator(".found")).to_have_count(40)
    assert page.complaints == []


def test_results_are_filtered_here_and_by_the_server(page, server, ready):
    page.goto(f"{server.url}/hunts/{ready}")
    page.wait_for_selector(".found:nth-child(10)")
    word = page.locator(".found-title").nth(3).inner_text().split()[0]
    page.fill("#sieve-text", word)
    page.wait_for_function(
        """word => {
            const rows = [...document.querySelectorAll(".found")].map((row) => row.textContent.toLowerCase());
            return rows.length && rows.every((row) => row.includes(word));
        }""",
        arg=word.lower(),
    )
    expect(page.locator("#list-says")).to_contain_text("that match")
    page.fill("#sieve-text", "no page has such words")
    page.wait_for_selector("#list-empty:has-text('Nothing matches')")
    page.fill("#sieve-text", "")
    page.select_option('[name="order"]', "time")
    page.wait_for_selector("#list-says:has-text('the newest 40 of 80 pages')")
    assert page.complaints == []


def test_what_is_wrong_is_said_beside_its_field(page, server, topic, screenshot):
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    page.click("#go")
    expect(page.locator("#keywords-problem")).not_to_be_empty()
    page.fill("#keywords", "the of and")
    page.click("#go")
    expect(page.locator("#seeds-problem")).not_to_be_empty()
    expect(page.locator("#keywords-problem")).to_be_empty()
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


def test_seeds_are_found_in_collections_and_the_way_of_hunting_is_remembered(page, server, ready, topic, screenshot):
    page.goto(server.url)
    page.wait_for_selector("#strategy option", state="attached")
    page.fill("#keywords", topic.keywords)
    page.click("#find")
    page.wait_for_selector("#candidates li")
    page.click("#more > summary")
    page.select_option("#strategy", "shark-search")
    screenshot(page, "hunts-light", full_page=True)
    page.emulate_media(color_scheme="dark")
    screenshot(page, "hunts-dark", full_page=True)
    page.emulate_media(color_scheme="light")
    page.fill("#pages", "20")
    page.click("#go")
    page.wait_for_url("**/hunts/*")
    stands(page, "finished")
    expect(page.locator("#by")).to_have_text("by shark-search")
    page.goto(server.url)
    expect(page.locator("#strategy")).to_have_value("shark-search")
    assert page.complaints == []


def test_a_hunt_that_failed_is_red_and_says_why_for_each_seed(page, server, until, axe, screenshot):
    seeds = ["http://nowhere.test/", "http://nobody.test/spiders"]
    hunt_request = {"keywords": "wolf spiders", "seeds": seeds, "pages": 50, "name": "dead"}
    httpx.post(f"{server.url}/api/hunts", json=hunt_request).raise_for_status()
    page.goto(f"{server.url}/hunts/dead")
    expect(page.locator("#state")).to_have_text("failed")
    expect(page.locator("#notice")).to_contain_text("None of its 2 seeds could be fetched.")
    for seed in seeds:
        line = page.locator("#notice li", has_text=seed)
        expect(line).to_contain_text("There is no such page (status 404). Check the URL.")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    assert page.locator("#state").get_attribute("class") == "badge failed"
    assert axe(page) == []
    screenshot(page, "hunt-failed")
    page.emulate_media(color_scheme="dark")
    assert axe(page) == []
    screenshot(page, "hunt-failed-dark")
    page.goto(server.url)
    badge = page.locator(".entry", has=page.locator("a[href='/hunts/dead']")).locator(".badge")
    expect(badge).to_have_text("failed")
    assert badge.get_attribute("class") == "badge failed"
    assert page.complaints == []


def test_a_hunt_that_ended_early_says_so_in_the_same_place(page, server, topic, screenshot):
    seed = topic.examples[0]
    hunt_request = {
        "keywords": topic.keywords,
        "seeds": [seed],
        "pages": 5000,
        "within": [seed.split("/")[2]],
        "name": "early",
    }
    httpx.post(f"{server.url}/api/hunts", json=hunt_request).raise_for_status()
    page.goto(f"{server.url}/hunts/early")
    expect(page.locator("#notice")).to_contain_text("Ended early: nothing was left to fetch after")
    expect(page.locator("#notice")).to_contain_text("it leads outside the scope of the hunt")
    expect(page.locator("#state")).to_have_text("finished")
    screenshot(page, "hunt-early")
