"""The page of maps in a real browser: thousands of pages without freezing, pointer and keys, a list, live growth."""

import pytest

import lycosa
from lycosa.core.events import Began, Stopped, Visited
from lycosa.core.nouns import Ticket, Visit
from lycosa.face.service import make_plan
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
  for (let turn = 0; turn < 30; turn += 1) {
    canvas.dispatchEvent(new WheelEvent("wheel", { ...at(500, 250), deltaY: turn < 20 ? -60 : 60 }));
    await wait();
  }
  pointer("pointerdown", 400, 200);
  for (let turn = 0; turn < 30; turn += 1) {
    pointer("pointermove", 400 + turn * 6, 200 + turn * 2);
    await wait();
  }
  pointer("pointerup", 580, 260);
  for (let turn = 0; turn < 30; turn += 1) {
    pointer("pointermove", 100 + turn * 20, 150 + turn * 5);
    await wait();
  }
  going = false;
  gaps.sort((one, other) => one - other);
  return { frames: gaps.length, median: gaps[gaps.length >> 1], most: gaps.at(-1), camera: { ...lycosaMap.camera } };
}
"""


def url_of(number):
    path = f"section-{number % 17}/part-{number % 91}/page-{number}.html" if number else ""
    return f"http://www.large-site.test/{path}"


@pytest.fixture(scope="module")
def server(serving, hostile, made, tmp_path_factory):
    """A site of 2,000 pages, a collection of attacks, and an ordinary one."""
    place = tmp_path_factory.mktemp("mapped")
    with Collection.create(place / "large") as collection:
        collection.log.append(Began(make_plan("wolf spiders", [url_of(0)]).dump()), 0.0)
        for number in range(PAGES):
            links = [*range(number * FAN + 1, min(PAGES, number * FAN + FAN + 1)), number * 7 % PAGES]
            relevance = (number * 37 % 101) / 100
            ticket = Ticket(url_of(number), relevance)
            visit = Visit(ticket, relevance, [url_of(link) for link in links], title=f"Spider {number}", size=999)
            collection.log.append(Visited(visit), float(number))
        collection.log.append(Stopped("budget spent: pages", True, 0), float(PAGES))
        collection.log.commit()
    topic, web = made.topics[0], "made:pages=1200,topics=4,seed=5"
    wishes = {"pages": 150, "replay": web, "index": False, "on_topic": False}
    with lycosa.hunt(topic.keywords, topic.neighbors, out=place / "spiders", **wishes) as hunt:
        list(hunt)
    with serving(tmp_path_factory.mktemp("home"), [place, hostile / "hostile"]) as running:
        yield running


@pytest.fixture
def shown(server, page):
    """Opens a map and waits until it is drawn."""

    def open_map(path):
        page.goto(f"{server.url}/map/{path}")
        page.wait_for_selector("#stage[data-pages]", timeout=20_000)
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


def chosen(page):
    return page.evaluate("() => lycosaMap.chosen < 0 ? '' : lycosaMap.map.name[lycosaMap.chosen]")


def settle(page):
    """Until the map has come to rest where it was going."""
    camera = None
    while camera != (camera := page.evaluate("() => JSON.stringify(lycosaMap.camera)")):
        page.wait_for_timeout(120)


@pytest.mark.parametrize("view", ["radial", "tree", "links"])
def test_two_thousand_pages_move_without_freezing(shown, screenshot, view):
    page = shown(f"large?view={view}")
    assert page.get_attribute("#stage", "data-pages") == str(PAGES)
    before = page.evaluate("() => ({...lycosaMap.camera})")
    found = page.evaluate(FRAMES)
    # An idle machine draws one in 17 ms; this one may be busy with other tests.
    assert found["median"] < 100, found
    assert found["most"] < 2000, found
    assert found["frames"] > 20, found
    assert found["camera"]["scale"] != before["scale"]
    screenshot(page, f"map-{view}-2000")


def test_what_is_under_the_pointer_is_said_and_a_click_opens_it(shown, screenshot):
    page = shown("spiders?view=links")
    name = page.evaluate("() => lycosaMap.map.name[lycosaMap.map.large[0]]")
    x, y = place_of(page, name)
    page.mouse.move(x, y)
    tip = page.locator("#tip")
    assert name in tip.inner_text()
    assert "relevance" in tip.inner_text()
    assert "authority" in tip.inner_text()
    page.mouse.click(x, y)
    assert chosen(page) == name
    panel = page.locator("#panel")
    assert panel.locator("h2").inner_text() == name
    links = {link.inner_text(): link.get_attribute("href") for link in panel.locator("a").all()}
    assert links["Open"].startswith("http")
    assert links["Why"].startswith("/why/spiders?url=http")
    assert links["Archived copy"].startswith("/cached/spiders?url=http")
    assert panel.locator("section h3").count() > 0
    screenshot(page, "map-chosen")
    beside = panel.locator(".map-near button").first
    next_name = beside.inner_text()
    beside.click()
    assert chosen(page) == next_name
    box = page.locator("#canvas").bounding_box()
    page.mouse.click(box["x"] + 30, box["y"] + box["height"] / 2)
    panel.wait_for(state="hidden")
    assert chosen(page) == ""


def test_dragging_is_no_click(shown):
    page = shown("spiders?view=links")
    x, y = place_of(page, page.evaluate("() => lycosaMap.map.name[lycosaMap.map.large[0]]"))
    before = page.evaluate("() => lycosaMap.camera.x")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y + 30, steps=5)
    page.mouse.up()
    assert page.evaluate("() => lycosaMap.camera.x") < before
    assert chosen(page) == ""


def test_everything_can_be_done_with_keys(shown):
    page = shown("spiders?view=links")
    page.focus("#renew")
    page.focus("#canvas")
    scale = page.evaluate("() => lycosaMap.camera.scale")
    page.keyboard.press("+")
    assert page.evaluate("() => lycosaMap.camera.scale") > scale
    x = page.evaluate("() => lycosaMap.camera.x")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => lycosaMap.camera.x") > x
    page.keyboard.press("0")
    assert page.evaluate("() => lycosaMap.camera.scale") == pytest.approx(scale)
    page.keyboard.press("n")
    best = page.evaluate("() => [0, 1].map((at) => lycosaMap.map.name[lycosaMap.map.best[at]])")
    assert chosen(page) == best[0]
    assert best[0] in page.inner_text("#spoken")
    page.keyboard.press("n")
    assert chosen(page) == best[1]
    page.keyboard.press("p")
    assert chosen(page) == best[0]
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.tagName") == "H2"
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.id") == "canvas"
    assert chosen(page) == ""


def test_the_box_finds_a_page_and_the_map_goes_there(shown):
    page = shown("large?view=tree")
    page.keyboard.press("/")
    page.keyboard.type("spider 1234")
    page.wait_for_selector("#found li")
    assert page.get_attribute("#find", "aria-expanded") == "true"
    page.keyboard.press("Enter")
    settle(page)
    assert chosen(page) == "Spider 1234"
    x, y = place_of(page, "Spider 1234")
    box = page.locator("#stage").bounding_box()
    assert box["x"] < x < box["x"] + box["width"]
    assert box["y"] < y < box["y"] + box["height"]


def test_the_same_map_is_a_table(shown, screenshot):
    page = shown("spiders?view=links")
    page.click("#as-list")
    assert page.get_attribute("#as-list", "aria-pressed") == "true"
    assert [head.inner_text() for head in page.locator("#list th").all()][:4] == ["Page", "Site", "Relevance", "Hub"]
    rows = page.locator("#list tbody tr")
    assert rows.count() == min(100, int(page.get_attribute("#stage", "data-pages")))
    name = rows.nth(3).locator("button").inner_text()
    screenshot(page, "map-list")
    rows.nth(3).locator("button").click()
    assert chosen(page) == name
    assert page.locator("#stage").is_visible()


def test_the_view_and_the_site_can_be_chosen_and_are_kept_in_the_address(shown):
    page = shown("spiders")
    for view, kind in (("tree", "site"), ("radial", "site"), ("graph", "site"), ("links", "links")):
        with page.expect_response(lambda answer: "/map?" in answer.url):
            page.check(f"input[name=view][value={view}]", force=True)
        page.wait_for_url(f"**view={view}*")
        assert page.evaluate("() => lycosaMap.map.kind") == kind
    with page.expect_response(lambda answer: "/map?" in answer.url):
        page.check("input[name=view][value=tree]", force=True)
    other = page.locator("#site option").nth(1).get_attribute("value")
    page.select_option("#site", other)
    page.wait_for_url(f"**site={other}*")
    page.reload()
    page.wait_for_selector("#stage[data-pages]")
    assert page.evaluate("() => [lycosaMap.map.site, lycosaMap.map.layout]") == [other, "tree"]
    assert f"host={other}" in page.get_attribute("#picture", "href")


def test_a_site_is_mapped_while_it_is_hunted(server, page, made, until, screenshot):
    host = made.topics[0].examples[0].split("/")[2]
    page.goto(f"{server.url}/map")
    page.fill("#wish-url", "not an address at all")
    page.fill("#wish-keywords", made.topics[0].keywords)
    page.click("#wish-go")
    assert "no address" in page.inner_text("#wish-problem")
    page.fill("#wish-url", f"http://{host}/")
    page.fill("#wish-pages", "40")
    page.click("#wish-go")
    page.wait_for_url("**/map/*")
    page.wait_for_selector("#stage[data-pages]", timeout=20_000)
    until(
        lambda: page.is_hidden("#state") and page.evaluate("() => lycosaMap.map?.size") > 1, "the end of the hunt", 40
    )
    assert page.evaluate("() => lycosaMap.map.site") == host
    assert set(page.evaluate("() => lycosaMap.map.origins")) == {f"http://{host}"}
    screenshot(page, "map-of-a-site")
    assert page.complaints == []


def test_nothing_of_a_hostile_collection_runs(shown, screenshot):
    page = shown("hostile?view=links")
    attack = page.evaluate("() => lycosaMap.map.name.find((name) => name.includes('onerror'))")
    assert attack
    page.mouse.move(*place_of(page, attack))
    page.focus("#canvas")
    for _ in range(12):
        page.keyboard.press("n")
    page.fill("#find", "onerror")
    page.wait_for_selector("#found li")
    assert "onerror" in page.locator("#found li").first.inner_text()
    screenshot(page, "map-hostile")
    page.keyboard.press("Enter")
    page.click("#as-list")
    assert page.locator("#list img, #panel img, #tip img, #list script, #list iframe").count() == 0
    for view in ("tree", "radial", "graph"):
        with page.expect_response(lambda answer: "/map?" in answer.url):
            page.check(f"input[name=view][value={view}]", force=True)
    for link in page.locator("#room a[href]").all():
        assert link.get_attribute("href").startswith(("http://", "https://", "/"))
    assert page.evaluate("() => window.pwned") is None


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_it_is_for_everybody(shown, page, axe, screenshot, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})
    shown("spiders?view=links")
    page.focus("#canvas")
    page.keyboard.press("n")
    settle(page)
    screenshot(page, f"map-{scheme}-{width}", full_page=width < 500)
    assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 1
    assert axe(page) == []
    page.click("#as-list")
    assert axe(page) == []


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
    assert chosen(page) == ""
