"""The tree of a hunt's inside, in a real browser: spiders and paths, by pointer and by keys, growing, and large."""

import re

import pytest
from playwright.sync_api import expect

import lycosa

ROWS = '[role="treeitem"]'
BEGIN = """
async ([kind, data]) => {
  const { tree } = await import("/static/tree.js");
  const main = document.querySelector("main");
  main.replaceChildren();
  window.data = data;
  const detail = async (number) => ({ spider: {}, left_out: 0, path: window.path ?? [] });
  const began = performance.now();
  window.grown = tree(main, { name: "x", kind, load: async () => window.data, detail });
  window.grown.refresh();
  while (!main.querySelector('[role="treeitem"]')) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory, serving, made):
    folder = tmp_path_factory.mktemp("tree") / "agents"
    topic, web = made.topics[0], "made:pages=1200,topics=4,seed=5"
    options = {"strategy": "infospiders", "settings": {"theta": 1, "cost": 0.15}, "pages": 160, "index": False}
    with lycosa.hunt(topic.keywords, topic.examples, out=folder, replay=web, **options) as hunt:
        list(hunt)
    with serving(tmp_path_factory.mktemp("home"), [folder]) as running:
        yield running


@pytest.fixture
def drawn(served, page):
    """Draws a tree of made data on an otherwise empty page, whose own script has done what it does."""
    page.goto(f"{served.url}/lab")
    page.locator("#none").wait_for()

    def draw(kind, data):
        return page.evaluate(BEGIN, [kind, data])

    yield draw
    assert page.complaints == []


def grow(page, data):
    """More of it has come; wait until it is drawn."""
    page.evaluate("(data) => { window.data = data; window.grown.refresh(); }", data)
    page.wait_for_function("(text) => document.querySelector('.tree-summary').textContent === text", arg=data["said"])


def node(seq, parent=None, relevance=0.5, title=None, **more):
    title = f"Page {seq}" if title is None else title
    url, host = f"http://host{seq % 7}.test/{seq}", f"host{seq % 7}.test"
    return {
        "seq": seq, "parent": parent, "url": url, "title": title, "host": host, "relevance": relevance,
        "at": 1.0, "hidden": 0, **more,
    }  # fmt: skip


def paths(nodes, seq=1):
    said = f"{len(nodes):,} pages, each below the page whose link led to it. "
    said += "Relevant are those on topic with 30 % or more."
    return {"seq": seq, "pages": len(nodes), "threshold": 0.3, "left_out": 0, "nodes": nodes, "said": said}


def spider(number, parent=None, alive=True, born=1, died=None, words=("wolf",), **more):
    moment = {"page": born, "url": f"http://host.test/{born}", "at": 1.0}
    end = None if died is None else {"page": died, "url": "http://host.test/", "at": 2.0}
    return {
        "number": number, "parent": parent, "alive": alive, "energy": 0.5, "pages": 9, "relevance": 0.2,
        "keywords": [{"word": word, "weight": 0.1} for word in words],
        "born": moment, "died": end, "why": "" if alive else "no energy", **more,
    }  # fmt: skip


def family(spiders, pages=100, seq=1):
    alive = sum(one["alive"] for one in spiders)
    word = "spider lives" if alive == 1 else "spiders live"
    said = f"{alive:,} {word} of {len(spiders):,} born so far, over {pages:,} pages."
    return {
        "ready": True, "seq": seq, "pages": pages, "born": len(spiders), "theta": 1.0, "spiders": spiders, "said": said,
    }  # fmt: skip


def names(page):
    labels = page.locator(ROWS).evaluate_all("rows => rows.map((row) => row.getAttribute('aria-label'))")
    return [label.split(",")[0] for label in labels]


def test_the_family_of_a_hunt_is_drawn_and_each_spider_can_be_looked_at(served, page, screenshot):
    page.goto(f"{served.url}/hunts/agents")
    page.get_by_role("tab", name=re.compile("Spiders")).click()
    tree = page.get_by_role("tree", name=re.compile("Spiders"))
    tree.locator(ROWS).first.wait_for()
    # It is drawn with the next frame.
    page.locator(".lives .life").nth(9).wait_for(state="attached")
    page.locator(".lives .descent").nth(2).wait_for(state="attached")
    child = tree.locator(ROWS).filter(has=page.locator(".spider-added")).first
    number = child.locator(".spider-number").inner_text()
    child.click()
    side = page.get_by_role("region", name="The chosen spider")
    side.get_by_role("heading", name=f"Spider {number}", exact=True).wait_for()
    first = side.locator(".tree-path a").first
    first.wait_for()
    assert first.get_attribute("href").startswith("http://")
    assert first.get_attribute("target") == "_blank"
    expect(side.locator(".word.added")).to_have_count(1)
    # Its parent is one step away.
    parent = side.locator(".kin button").first.inner_text()
    side.locator(".kin button").first.click()
    side.get_by_role("heading", name=f"Spider {parent}", exact=True).wait_for()
    screenshot(page, "spiders-light", full_page=True)
    page.emulate_media(color_scheme="dark")
    screenshot(page, "spiders-dark", full_page=True)
    assert page.complaints == []


def test_a_hunt_of_spiders_shows_all_their_paths_too(served, page, screenshot):
    page.goto(f"{served.url}/hunts/agents")
    page.get_by_role("tab", name=re.compile("Spiders")).click()
    page.get_by_role("button", name="All paths").click()
    tree = page.get_by_role("tree", name=re.compile("Pages"))
    tree.locator(ROWS).first.wait_for()
    tree.locator(ROWS).nth(2).locator(".twisty").click()
    page.get_by_role("region", name="The chosen page").get_by_role("heading", name="The way to it").wait_for()
    screenshot(page, "paths", full_page=True)
    assert page.complaints == []


def test_everything_can_be_done_with_keys(drawn, page):
    drawn("paths", paths([node(1), node(2, 1), node(3, 2), node(4, 1), node(5, relevance=0.4, title="Zebra")]))
    tree = page.get_by_role("tree")
    tree.focus()

    def after(key):
        page.keyboard.press(key)
        active = page.locator(".rows").get_attribute("aria-activedescendant")
        return page.locator(f"#{active}").get_attribute("aria-label").split(",")[0]

    assert names(page) == ["Page 1", "Page 2", "Page 3", "Page 4", "Zebra"]
    assert after("Home") == "Page 1"
    assert after("ArrowRight") == "Page 2"
    assert after("ArrowLeft") == "Page 2"
    assert names(page) == ["Page 1", "Page 2", "Page 4", "Zebra"]
    assert after("ArrowDown") == "Page 4"
    assert after("ArrowLeft") == "Page 1"
    assert after("End") == "Zebra"
    assert after("p") == "Page 1"
    assert after("z") == "Zebra"
    assert after("ArrowDown") == "Zebra"
    second = page.locator(ROWS).nth(1)
    assert (second.get_attribute("aria-level"), second.get_attribute("aria-expanded")) == ("2", "false")
    assert (second.get_attribute("aria-posinset"), second.get_attribute("aria-setsize")) == ("1", "2")
    # A link leads out of the tree only by Enter.
    with page.expect_popup() as popup:
        page.keyboard.press("Enter")
    popup.value.close()
    page.complaints.clear()


def test_what_was_chosen_opened_and_scrolled_to_stays_while_it_grows(drawn, page):
    def some(count, late=()):
        chains = [node(n, n - 1 if n % 10 != 1 else None) for n in range(1, count + 1)]
        return sorted([*chains, *late], key=lambda one: one["seq"])

    drawn("paths", paths(some(300)))
    rows = page.locator(".rows")
    rows.evaluate("(box) => { box.scrollTop = 2005; }")
    page.get_by_role("treeitem", name=re.compile("^Page 65,")).click()
    page.get_by_role("treeitem", name=re.compile("^Page 67,")).locator(".twisty").click()
    place = page.get_by_role("treeitem", name=re.compile("^Page 66,")).bounding_box()
    # A branch of twelve pages comes above what is in sight, and many below.
    late = [node(1000 + n, 5 if n == 0 else 999 + n) for n in range(12)]
    grow(page, paths(some(400, late), seq=2))
    assert page.get_by_role("treeitem", name=re.compile("^Page 66,")).bounding_box() == place
    assert page.get_by_role("treeitem", name=re.compile("^Page 67,")).get_attribute("aria-expanded") == "false"
    assert page.locator('[aria-selected="true"]').get_attribute("aria-label").startswith("Page 67,")
    expect(page.get_by_role("region", name="The chosen page").get_by_role("heading", level=3)).to_have_text("Page 67")


def test_branches_without_a_relevant_page_are_folded(drawn, page):
    off = [node(10 + n, 1, relevance=0.01) for n in range(6)]
    drawn("paths", paths([node(1), node(2, 1, relevance=0.1), node(3, 2), *off, node(20, 10, relevance=0.02)]))
    assert names(page) == ["Page 1", "Page 2", "Page 3", "7 other pages"]
    page.get_by_role("treeitem", name="7 other pages").click()
    expect(page.locator(ROWS)).to_have_count(10)
    assert names(page)[4:6] == ["Page 10", "Page 11"]


def test_a_family_grows_without_losing_the_chosen_spider(drawn, page):
    young = [spider(1), spider(2, 1, born=40, words=("wolf", "night"))]
    drawn("spiders", family(young))
    assert names(page) == ["Spider 1", "Spider 2"]
    page.get_by_role("treeitem", name=re.compile("^Spider 2,")).click()
    page.get_by_role("tree").focus()
    dead = [spider(n, alive=False, born=n, died=n + 9) for n in range(4, 9)]
    grow(page, family([young[0], spider(2, 1, alive=False, born=40, died=120), spider(3, 1, born=110), *dead], 150, 2))
    # The youngest child is next to its parent; those that died alone are one row.
    assert names(page) == ["Spider 1", "Spider 3", "Spider 2", "5 died without offspring"]
    assert page.locator('[aria-selected="true"]').get_attribute("aria-label").startswith("Spider 2, dead: no energy")
    assert page.evaluate("document.activeElement.className") == "rows"
    assert page.get_by_role("region").get_by_role("heading", level=3).inner_text() == "Spider 2"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Spider 2"


def test_thousands_cost_what_thirty_do(drawn, page):
    large = [node(n, n // 3 if n > 3 else None, relevance=(n % 10) / 10) for n in range(1, 3001)]
    took = [drawn("paths", paths(large))]
    assert page.locator(ROWS).count() < 80
    many = [spider(n, n // 2 if n > 8 else None, n > 1900, n, None if n > 1900 else n + 50) for n in range(1, 2001)]
    took.append(drawn("spiders", family(many, 2100)))
    assert page.locator(ROWS).count() < 80
    page.locator(".rows").evaluate("(box) => { box.scrollTop = 1e6; }")
    slowest, most = page.evaluate(
        """async () => {
          const box = document.querySelector(".rows");
          let [slowest, most] = [0, 0];
          for (let n = 0; n < 20; n++) {
            const began = performance.now();
            box.scrollTop -= 400;
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            slowest = Math.max(slowest, performance.now() - began);
            most = Math.max(most, box.querySelectorAll('[role="treeitem"]').length);
          }
          return [slowest, most];
        }"""
    )
    print(f"drawn in {took[0]:.0f} and {took[1]:.0f} ms, scrolled in {slowest:.0f} ms at most")
    assert most < 80
    assert max(*took, slowest) < 10_000, "that long only where something is wrong, whatever else the machine does"


def test_strangers_words_stay_words(drawn, page):
    attack = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'`${alert(3)}"
    bad = {"title": attack, "url": "javascript:alert(4)", "host": attack}
    drawn("paths", paths([{**node(1), **bad}, {**node(2, 1), **bad}]))
    page.locator(ROWS).nth(1).click()
    expect(page.locator(".tree-side h3")).to_have_text(attack)
    assert page.locator("main a[href^=javascript]").count() == 0
    page.evaluate("(path) => { window.path = path; }", [{**node(1), **bad, "page": 1}])
    evil = spider(1, words=(attack,), why=attack)
    evil["born"]["url"] = "javascript:alert(5)"
    drawn("spiders", family([evil, spider(2, 1, words=("wolf", attack + "x"), born=30)]))
    page.locator(ROWS).nth(0).click()
    page.locator(".tree-path li").wait_for()
    assert page.locator("main img, main script, main a[href^=javascript]").count() == 0
