"""The extension: what its manifest asks for, and what it does in a real Chromium over a made web, all on loopback."""

import json
import re
import shutil
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from playwright.sync_api import expect

from lycosa.face.cli.companion import EXTENSION
from lycosa.web.serving import spawn

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
MANIFEST = json.loads((EXTENSION / "manifest.json").read_text())


def test_it_asks_for_little():
    assert MANIFEST["permissions"] == ["storage", "sidePanel"]
    assert MANIFEST["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    assert MANIFEST["incognito"] == "not_allowed"
    assert not {"optional_permissions", "externally_connectable", "web_accessible_resources"} & MANIFEST.keys()
    connect = re.search(r"connect-src ([^;]*);", MANIFEST["content_security_policy"]["extension_pages"])[1]
    assert connect.split() == ["http://127.0.0.1:*", "http://localhost:*"]


def test_one_manifest_serves_both_browsers():
    assert MANIFEST["manifest_version"] == 3
    assert MANIFEST["background"] == {"service_worker": "background.js", "scripts": ["background.js"], "type": "module"}
    assert MANIFEST["side_panel"]["default_path"] == MANIFEST["sidebar_action"]["default_panel"]
    assert MANIFEST["browser_specific_settings"]["gecko"]["id"]


def test_everything_it_names_is_there_and_nothing_else():
    said = "".join(path.read_text() for path in EXTENSION.iterdir() if path.suffix in (".json", ".html", ".js"))
    for path in EXTENSION.rglob("*"):
        if path.is_file() and path.name != "manifest.json":
            assert path.relative_to(EXTENSION).as_posix() in said, f"{path.name} is used by nobody"
    for name in re.findall(r'(?:src|href)="([^"#:]+)"|from "\./([^"]+)"', said):
        assert (EXTENSION / (name[0] or name[1])).is_file()


def test_it_builds_elements_and_never_markup():
    for path in EXTENSION.glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function", path.read_text()
        )


@pytest.fixture
def logged(made, tmp_path):
    """The made web for the browser, which writes down what it is asked."""
    web = "made:" + ",".join(f"{name}={made.settings[name]}" for name in ("pages", "topics", "seed"))
    with spawn(web, log=str(tmp_path / "asked")) as served:
        yield served


@pytest.fixture
def chromium(logged, tmp_path):
    """A Chromium with the extension, for which everything but loopback is the made web."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    arguments = [
        "--headless=new",
        f"--load-extension={EXTENSION}",
        f"--disable-extensions-except={EXTENSION}",
        f"--proxy-server={logged.proxy}",
        f"--log-net-log={tmp_path / 'net.json'}",
        # Not even a name is asked for: everything but this machine's own address is nowhere.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage", "--no-pings"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps"),
        "--disable-domain-reliability",
    ]

    @contextmanager
    def open_():
        with sync_playwright() as playwright:
            context = playwright.chromium.launch_persistent_context(
                tmp_path / "profile",
                executable_path=CHROMIUM,
                headless=False,
                args=arguments,
                ignore_default_args=["--disable-extensions", "--headless"],
                viewport={"width": 380, "height": 820},
                timeout=60_000,
            )
            context.set_default_timeout(30_000)
            expect.set_options(timeout=30_000)
            try:
                worker = next(iter(context.service_workers), None) or context.wait_for_event("serviceworker")
                yield context, f"chrome-extension://{worker.url.split('/')[2]}"
            finally:
                context.close()

    return open_


def connect(context, own, url, key, dwell=1):
    """Give the extension its address and key, as a person would."""
    options = context.new_page()
    options.goto(f"{own}/options.html")
    options.fill("#address", url)
    options.fill("#key", key)
    options.fill("#dwell", str(dwell))
    options.click("button.primary")
    return options


def test_it_suggests_pages_on_topic_and_nothing_leaves_loopback(
    chromium, serving, made, community, until, tmp_path, screenshot, logged
):
    page = made.topics[1].targets[2]
    with serving(tmp_path / "home") as running, chromium() as (context, own), ExitStack() as opened:
        api = opened.enter_context(httpx.Client(base_url=f"{running.url}/api/companion", trust_env=False))
        key = api.get("/key").json()["key"]
        panel = context.new_page()
        complaints = []
        panel.on("pageerror", lambda error: complaints.append(str(error)))
        panel.goto(f"{own}/panel.html")
        panel.get_by_text("Not connected yet").wait_for()
        expect(panel.locator("#switch")).to_be_disabled()

        options = connect(context, own, "https://evil.example", key)
        options.get_by_text("only talks to this machine").wait_for()
        connect(context, own, running.url, "wrong").get_by_text("missing or wrong").wait_for()
        connect(context, own, running.url, key).get_by_text("Connected. The companion is switched off").wait_for()

        # While it is off a page may be read for as long as one likes.
        tab = context.new_page()
        tab.goto(page)
        tab.wait_for_timeout(2000)
        assert api.get("/profile").json()["pages"] == []
        assert (tmp_path / "home" / ".companion").is_dir()
        assert not (tmp_path / "home" / ".companion" / "profile").exists()

        panel.bring_to_front()
        panel.get_by_role("switch", name="Learn from what I read").click()
        panel.get_by_text("Read on").wait_for()
        assert api.get("/state").json()["on"]
        tab.bring_to_front()
        until(lambda: api.get("/profile").json()["pages"], "learning")
        learned = api.get("/profile").json()["pages"][0]
        assert (learned["url"], learned["title"]) == (page, tab.title())
        assert len(context.pages) == 6, "it opens nothing by itself"

        panel.bring_to_front()
        until(lambda: not api.get("/suggestions").json()["scouting"], "the scout's return")
        shown = [one["url"] for one in api.get("/suggestions").json()["suggestions"]]
        panel.wait_for_function(
            "all => JSON.stringify([...document.querySelectorAll('#list a')].map((one) => one.href)) === all",
            arg=json.dumps(shown, separators=(",", ":")),
        )
        expect(panel.get_by_text("still looking")).to_have_count(0)
        assert len(shown) >= 2
        assert sum(community(url) == 1 for url in shown) >= 0.75 * len(shown)
        reasons = panel.locator("#list .reason").all_inner_texts()
        assert all("the page you read" in reason or "links away" in reason for reason in reasons)
        assert all("shares" in reason for reason in reasons)
        screenshot(panel, "companion-panel")
        panel.emulate_media(color_scheme="dark")
        screenshot(panel, "companion-panel-dark")

        panel.get_by_role("switch").click()
        panel.get_by_text("Switched off").wait_for()
        assert not api.get("/state").json()["on"]
        assert not complaints
        running.stop()
        panel.reload()
        panel.get_by_text("lycosa serve").wait_for()
    assert_loopback(json.loads((tmp_path / "net.json").read_text()), {running.port, logged.port})
    browsed = {f"http://{one.host}{one.path}" for one in logged.asked() if one.host.endswith(".test")}
    assert page in browsed
    assert browsed <= {page, f"http://{page.split('/')[2]}/favicon.ico"}, (
        "only what was browsed was asked by the browser"
    )


def assert_loopback(log, ports):
    """What Chromium wrote of its own network: every connection is to one of our two servers, no name was asked for."""
    kinds = {number: name for name, number in log["constants"]["logEventTypes"].items()}
    seen = {}
    for event in log["events"]:
        seen.setdefault(kinds[event["type"]], []).append(event.get("params", {}))
    tried = {one["address"] for one in seen["TCP_CONNECT_ATTEMPT"] if "address" in one}
    assert tried == {f"127.0.0.1:{port}" for port in ports}
    assert not seen.get("DNS_TRANSACTION")
    assert not seen.get("HOST_RESOLVER_SYSTEM_TASK")
    # It asks its own system whether there were a way to IPv6, on a socket through which not a byte goes.
    assert not seen.get("UDP_BYTES_SENT")


ATTACK = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"


def test_what_strangers_write_is_only_ever_text(chromium, serving, made, until, tmp_path):
    topic = made.topics[0]
    links = "".join(f'<li><a href="{url}">&lt;b onclick=alert(1)&gt; {url[-20:]}</a></li>' for url in topic.targets[:9])
    said = "".join(f"<p>{made.html.text(number)[0]}</p>" for number in list(made.relevant(0))[:12])
    escaped = ATTACK.replace("&", "&amp;").replace("<", "&lt;")
    main = f"<nav>navigation words</nav><main><h1>Hubs</h1>{said}<ul>{links}</ul></main>"
    html = f"<!doctype html><title>{escaped}</title>{main}"
    with serving(tmp_path / "home") as running, chromium() as (context, own), ExitStack() as opened:
        api = opened.enter_context(httpx.Client(base_url=f"{running.url}/api/companion", trust_env=False))
        key = api.get("/key").json()["key"]
        connect(context, own, running.url, key).get_by_text("Connected").wait_for()
        panel = context.new_page()
        panel.goto(f"{own}/panel.html")
        panel.get_by_role("switch").click()
        panel.get_by_text("Read on").wait_for()
        context.route("http://attack.test/**", lambda route: route.fulfill(body=html, content_type="text/html"))
        tab = context.new_page()
        tab.goto("http://attack.test/hub")
        until(lambda: api.get("/suggestions").json()["suggestions"], "suggestions")
        panel.bring_to_front()
        panel.locator("#list li").first.wait_for()
        expect(panel.locator("#about")).to_contain_text(ATTACK[:20])
        expect(panel.locator("#list")).to_contain_text("<b onclick")
        assert panel.title() == "Lycosa companion"
        assert panel.locator("main img, main script, main b").count() == 0
        words = {word for one in api.get("/profile").json()["pages"] for word in one["words"]}
        assert "navigation" not in words, "what stands around the text is left out"
