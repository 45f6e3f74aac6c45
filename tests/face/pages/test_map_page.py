"""The page of maps in a real browser: thousands of pages without freezing, pointer and keys, a list, live growth."""

import pytest
from playwright.sync_api import expect

import lycosa
from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.events import Began, Stopped, Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.store.collection import Collection

PAGES, FAN = 2000, 6
FRAMES = """
async () => {
  const canvas = document.querySelector("#canvas");
  const box = canvas.getBoundingClientRect();
  const gaps = [];
  let last = performance.now();
  let going = true;
  const tick = () => {
    gaps.push(performance.now() - last);
    last = performance.now();
    if (going) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  const at = (x, y) => ({ bubbles: true, cancelable: true, clientX: box.left + x, clientY: box.top + y });
  const mouse = { pointerId: 1, pointerType: "mouse" };
  const pointer = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, { ...at(x, y), ...mouse }));
  const wait = () => new Promise((done) => setTimeout(done, 16));
  for (let turn = 0; turn < 15; turn += 1) {
    canvas.dispatchEvent(new WheelEvent("wheel", { ...at(500, 250), deltaY: turn < 10 ? -60 : 60 }));
    await wait();
  }
  pointer("pointerdown", 400, 200);
  for (let turn = 0; turn < 15; turn += 1) {
    pointer("pointermove", 400 + turn * 6, 200 + turn * 2);
    await wait();
  }
  pointer("pointerup", 580, 260);
  for (let turn = 0; turn < 15; turn += 1) {
    pointer("pointermove", 100 + turn * 20, 150 + turn * 5);
    await wait();
  }
  going = false;
  gaps.sort((one, other) => one - other);
  return { frames: gaps.length, median: gaps[gaps.length >> 1], most: gaps.at(-1), camera: { ...lycosaMap.camera } };
}
"""

NOWHERE = """
() => {
  const canvas = document.querySelector("#canvas");
  const { left, top, width, height } = canvas.getBoundingClientRect();
  for (let y = 20; y < height; y += 20)
    for (let x = 20; x < width; x += 20)
      if (lycosaMap.at({ x, y }, 12) < 0 && document.elementFromPoint(left + x, top + y) === canvas)
        return [left + x, top + y];
  return null;
}
"""
"""A place on the map where no page is."""


def url_of(number):
    path = f"section-{number % 17}/part-{number % 91}/page-{number}.html" if number else ""
    return f"http://www.large-site.test/{path}"


@pytest.fixture(scope="module")
def server(serving, hostile, made, tmp_path_factory):
    """A site of 2,000 pages, a collection of attacks, and an ordinary one."""
    place = tmp_path_factory.mktemp("mapped")
    with Collection.create(place / "large") as collection:
        collection.log.append(Began(make_plan(HuntRequest("wolf spiders", [url_of(0)])).dump()), 0.0)
        for number in range(PAGES):
            links = [*range(number * FAN + 1, min(PAGES, number * FAN + FAN + 1)), number * 7 % PAGES]
            relevance = (number * 37 % 101) / 100
            ticket = Ticket(url_of(number), relevance)
            visit = Visit(ticket, relevance, [url_of(link) for link in links], title=f"Spider {number}", size=999)
            collection.log.append(Visited(visit), float(number))
        collection.log.append(Stopped("budget spent: pages", True, 0), float(PAGES))
        collection.log.commit()
    topic, web = made.topics[0], "made:pages=1200,topics=4,seed=5"
    options = {"pages": 150, "replay": web, "index": False, "on_topic": False}
    with lycosa.hunt(topic.keywords, topic.neighbors, out=place / "spiders", **options) as hunt:
        list(hunt)
    with serving(tmp_path_factory.mktemp("home"), [place, hostile / "hostile"]) as running:
        yield running


@pytest.fixture
def shown(server, page):
    """Opens a map and waits until it is drawn, and whatever could still move it is there; then it jumps, not glides."""

    def open_map(path, motion="reduce"):
        page.emulate_media(reduced_motion=motion)
        page.goto(f"{server.url}/map/{path}")
        page.wait_for_selector("#stage[data-pages]")
        page.wait_for_selector("#of")
        page.wait_for_selector("#site option", state="attached")
        page.wait_for_function("() => lycosaMap.camera.width > 1")
        return page

    yield open_map
    assert page.complaints == []


def place_of(page, text):
    """Where on the screen the page of that name is."""
    return page.evaluate(
        """(text) => {
          const box = document.querySelector("#canvas").getBoundingClientRect();
          const point = lycosaMap.screen(lycosaMap.map.name.indexOf(text));
          return [box.left + point.x, box.top + point.y];
        }""",
        text,
    )


def is_chosen(page, name):
    page.wait_for_function("name => lycosaMap.chosen >= 0 && lycosaMap.map.name[lycosaMap.chosen] === name", arg=name)


def is_nothing_chosen(page):
    page.wait_for_function("() => lycosaMap.chosen < 0")


def shows(page, view):
    """Choose another view and wait until it is there."""
    page.check(f"input[name=view][value={view}]", force=True)
    page.wait_for_url(f"**view={view}*")


@pytest.mark.parametrize("view", ["radial", "tree", "links"])
def test_two_thousand_pages_move_without_freezing(shown, screenshot, view):
    page = shown(f"large?view={view}", motion="no-preference")
    assert page.get_attribute("#stage", "data-pages") == str(PAGES)
    before = page.evaluate("() => ({...lycosaMap.camera})")
    found = page.evaluate(FRAMES)
    # An idle machine draws one in 17 ms; of one that is busy with other tests nobody can promise that.
    print(f"{found['frames']} frames, median {found['median']:.0f} ms, slowest {found['most']:.0f} ms")
    assert found["frames"] > 5, found
    assert found["most"] < 10_000, found
    assert found["camera"]["scale"] != before["scale"]
    screenshot(page, f"map-{view}-2000")


def test_what_is_under_the_pointer_is_said_and_a_click_opens_it(shown, screenshot):
    page = shown("spiders?view=links")
    name = page.evaluate("() => lycosaMap.map.name[lycosaMap.map.large[0]]")
    page.mouse.move(*place_of(page, name))
    tip = page.locator("#tip")
    for said in (name, "on topic", "authority"):
        expect(tip).to_contain_text(said)
    page.mouse.click(*place_of(page, name))
    is_chosen(page, name)
    panel = page.locator("#panel")
    expect(panel.locator("h2")).to_have_text(name)
    links = dict(panel.locator("a").evaluate_all("all => all.map((one) => [one.innerText, one.getAttribute('href')])"))
    assert links["Open"].startswith("http")
    assert links["Why"].startswith("/why/spiders?url=http")
    assert links["Archived copy"].startswith("/cached/spiders?url=http")
    assert panel.locator("section h3").count() > 0
    screenshot(page, "map-chosen")
    beside = panel.locator(".map-near button").first
    next_name = beside.inner_text()
    beside.click()
    is_chosen(page, next_name)
    page.mouse.click(*page.evaluate(NOWHERE))
    expect(panel).to_be_hidden()
    is_nothing_chosen(page)


def test_dragging_is_no_click(shown):
    page = shown("spiders?view=links")
    x, y = place_of(page, page.evaluate("() => lycosaMap.map.name[lycosaMap.map.large[0]]"))
    before = page.evaluate("() => lycosaMap.camera.x")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y + 30, steps=5)
    page.mouse.up()
    page.wait_for_function("before => lycosaMap.camera.x < before", arg=before)
    is_nothing_chosen(page)


def test_everything_can_be_done_with_keys(shown):
    page = shown("spiders?view=links")
    page.focus("#renew")
    page.focus("#canvas")
    scale = page.evaluate("() => lycosaMap.camera.scale")
    page.keyboard.press("+")
    page.wait_for_function("scale => lycosaMap.camera.scale > scale", arg=scale)
    x = page.evaluate("() => lycosaMap.camera.x")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("x => lycosaMap.camera.x > x", arg=x)
    page.keyboard.press("0")
    page.wait_for_function("scale => Math.abs(lycosaMap.camera.scale - scale) < 1e-6", arg=scale)
    best = page.evaluate("() => [0, 1].map((at) => lycosaMap.map.name[lycosaMap.map.best[at]])")
    for key, name in (("n", best[0]), ("n", best[1]), ("p", best[0])):
        page.keyboard.press(key)
        is_chosen(page, name)
        expect(page.locator("#spoken")).to_contain_text(name)
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#canvas")).to_be_focused()
    is_nothing_chosen(page)


def test_the_box_finds_a_page_and_the_map_goes_there(shown):
    page = shown("large?view=tree", motion="no-preference")
    page.keyboard.press("/")
    page.keyboard.type("spider 1234")
    expect(page.locator("#found li")).to_have_count(1)
    expect(page.locator("#find")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    is_chosen(page, "Spider 1234")
    page.wait_for_function(
        """() => {
          const { x, y } = lycosaMap.screen(lycosaMap.chosen);
          const { width, height } = lycosaMap.camera;
          return 0 < x && x < width && 0 < y && y < height;
        }"""
    )


def test_the_same_map_is_a_table(shown, screenshot):
    page = shown("spiders?view=links")
    page.click("#as-list")
    expect(page.locator("#as-list")).to_have_attribute("aria-pressed", "true")
    rows = page.locator("#list tbody tr")
    expect(rows).to_have_count(min(100, int(page.get_attribute("#stage", "data-pages"))))
    assert page.locator("#list th").all_inner_texts()[:4] == ["Page", "Site", "On topic", "Hub"]
    name = rows.nth(3).locator("button").inner_text()
    screenshot(page, "map-list")
    rows.nth(3).locator("button").click()
    is_chosen(page, name)
    expect(page.locator("#stage")).to_be_visible()


def test_the_view_and_the_site_can_be_chosen_and_are_kept_in_the_address(shown):
    page = shown("spiders")
    for view, kind in (("tree", "site"), ("radial", "site"), ("graph", "site"), ("links", "links")):
        shows(page, view)
        assert page.evaluate("() => lycosaMap.map.kind") == kind
    shows(page, "tree")
    other = page.locator("#site option").nth(1).get_attribute("value")
    page.select_option("#site", other)
    page.wait_for_url(f"**site={other}*")
    page.reload()
    page.wait_for_selector("#stage[data-pages]")
    assert page.evaluate("() => [lycosaMap.map.site, lycosaMap.map.layout]") == [other, "tree"]
    assert f"host={other}" in page.get_attribute("#picture", "href")


def test_a_site_is_mapped_while_it_is_hunted(server, page, made, screenshot):
    host = made.topics[0].examples[0].split("/")[2]
    page.goto(f"{server.url}/map")
    page.fill("#request-url", "not an address at all")
    page.fill("#request-keywords", made.topics[0].keywords)
    page.click("#request-go")
    expect(page.locator("#request-problem")).to_contain_text("no address")
    page.fill("#request-url", f"http://{host}/")
    page.fill("#request-pages", "40")
    page.click("#request-go")
    page.wait_for_url("**/map/*")
    page.wait_for_function(
        "() => window.lycosaMap?.map?.size > 1 && document.querySelector('#state').hidden", timeout=60_000
    )
    assert page.evaluate("() => lycosaMap.map.site") == host
    assert set(page.evaluate("() => lycosaMap.map.origins")) == {f"http://{host}"}
    screenshot(page, "map-of-a-site")
    assert page.complaints == []


def test_nothing_of_a_hostile_collection_runs(shown, screenshot):
    page = shown("hostile?view=links&site=evil.test")
    attack = page.evaluate("() => lycosaMap.map.name.find((name) => name.includes('onerror'))")
    assert attack
    page.mouse.move(*place_of(page, attack))
    page.focus("#canvas")
    for _ in range(12):
        page.keyboard.press("n")
    page.fill("#find", "onerror")
    expect(page.locator("#found li").first).to_contain_text("onerror")
    screenshot(page, "map-hostile")
    page.keyboard.press("Enter")
    page.click("#as-list")
    page.wait_for_selector("#list tbody tr")
    assert page.locator("#list img, #panel img, #tip img, #list script, #list iframe").count() == 0
    for view in ("tree", "radial", "graph"):
        shows(page, view)
    links = page.locator("#room a[href]").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert links and all(link.startswith(("http://", "https://", "/")) for link in links)
    assert page.evaluate("() => window.pwned") is None


def test_it_is_for_everybody(shown, page, axe, screenshot):
    page.set_viewport_size({"width": 390, "height": 844})
    shown("spiders?view=links")
    page.focus("#canvas")
    page.keyboard.press("n")
    page.wait_for_selector("#panel h2")
    for scheme, width in (("light", 390), ("dark", 1280)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
        screenshot(page, f"map-{scheme}-{width}", full_page=width < 500)
        assert axe(page) == []
        page.click("#as-list")
        page.wait_for_selector("#list tbody tr")
        assert axe(page) == []
        page.click("#as-list")
        page.wait_for_selector("#panel h2")


def test_two_fingers_zoom_where_they_are(shown):
    page = shown("spiders?view=links")
    before, after = page.evaluate(
        """() => {
          const canvas = document.querySelector("#canvas");
          const box = canvas.getBoundingClientRect();
          const finger = (type, pointerId, x, y) => {
            const place = { clientX: box.left + x, clientY: box.top + y };
            canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId, pointerType: "touch", ...place }));
          };
          const before = lycosaMap.camera.scale;
          finger("pointerdown", 1, 300, 300);
          finger("pointerdown", 2, 400, 300);
          finger("pointermove", 2, 500, 300);
          finger("pointermove", 1, 200, 300);
          finger("pointerup", 1, 200, 300);
          finger("pointerup", 2, 500, 300);
          return [before, lycosaMap.camera.scale];
        }"""
    )
    assert after == pytest.approx(3 * before, rel=0.01)
    is_nothing_chosen(page)
