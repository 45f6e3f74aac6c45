"""E1: whatever strangers write into titles, texts, links and questions, no page of ours runs it."""

import shutil
from urllib.parse import quote

import pytest
from hostile_home import attacks
from playwright.sync_api import sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


@pytest.mark.row("E1")
def test_no_script_of_a_stranger_runs_on_any_page(figure, size, door):
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    asked, pages = size(20, 300), size(2, 40)
    ran, seen = [], 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET), timeout=120_000)
        page = browser.new_context().new_page()
        page.set_default_timeout(60_000)
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))  # type: ignore[call-overload]
        page.on(
            "request", lambda sent: ran.append(sent.url) if "127.0.0.1" not in sent.url and ":" in sent.url else None
        )

        def look(path, filled):
            page.goto(door.url + path)
            page.locator(filled).first.wait_for()
            if page.evaluate("() => window.pwned") is not None:
                ran.append(path)
            return page.evaluate("() => document.body.innerText.split('pwned').length - 1")

        for number in range(1, pages + 1):
            seen += look(f"/search?q=spider&in=hostile&page={number}", ".hit")
            seen += look(f"/cached/hostile?url={quote(f'http://evil.test/{number}', safe='')}", "#copy iframe")
        for path, filled in (
            ("/", "#entries li"),
            ("/hunts/hostile", ".found"),
            ("/map/hostile", "#stage[data-pages]"),
        ):
            seen += look(path, filled)
        for attack in attacks(asked):
            look(f"/search?q={quote(attack)}", "main")
        browser.close()
    # Pages made on the server show nothing of an address but what is escaped.
    for attack in attacks(size(100, 2000)):
        _, headers, body = door.ask(f"/hunts/{quote(attack, safe='')}", headers={"Accept": "text/html"})
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        if "<" in attack and attack.encode() in body:
            ran.append(attack)
    figure(
        f"{len(ran)} run; {seen} shown in {2 * pages + 3} pages, {asked} as questions, {size(100, 2000)} as addresses"
    )
    assert not ran
    assert seen > 10 * pages
