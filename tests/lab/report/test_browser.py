"""The page in a real browser."""

import json
import re
import shutil
import subprocess

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here (make browser installs one)")


@pytest.fixture
def opened(tmp_path):
    """Open a file: what the page looks like then, what its console says and which URLs it asked for."""

    def open_(file):
        log = tmp_path / "net.json"
        flags = [
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"),
            *("--disable-component-update", "--no-first-run", "--enable-logging=stderr", "--virtual-time-budget=2000"),
            # No name has an address: what the browser itself wants to know at home stays here, too.
            *("--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={tmp_path / 'profile'}"),
            *(f"--log-net-log={log}", "--dump-dom", file.as_uri()),
        ]
        done = subprocess.run([CHROMIUM, *flags], capture_output=True, text=True, timeout=60)
        console = re.findall(r"CONSOLE.*?\] (.*)", done.stderr)
        events = [each.get("params") or {} for each in json.loads(log.read_text())["events"]]
        asked = {each["url"] for each in events if each.get("initiator", "not an origin") != "not an origin"}
        return done.stdout, console, asked

    return open_


def test_a_page_that_does_ask_and_complain_would_be_noticed(opened, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text('<img src="http://picture.test/"><script>console.error("oh")</script>')
    _, console, asked = opened(page)
    assert any("oh" in line for line in console) and asked == {"http://picture.test/"}


def test_the_page_draws_everything_complains_about_nothing_and_asks_nobody(opened, report):
    shown, console, asked = opened(report)
    assert (console, asked) == ([], set())
    assert shown.count('class="panel"') == 2 * (7 + 6 + 4 + 2 + 4 + 1)
    # The script ran under the page's own policy: it gave each plot a line to point with.
    assert shown.count('class="crosshair"') == 2 * (7 + 6 + 4 + 2 + 4)
    assert len(re.findall(r'<path [^>]*d="M[^"]{40,}" stroke="var\(--w0\)"', shown)) >= 2 * 15


def test_hostile_names_do_nothing_in_a_browser(opened, hostile_report):
    shown, console, asked = opened(hostile_report)
    assert (console, asked) == ([], set())
    assert shown.count("<script") == 1
