"""The companion in a real Firefox. It talks to its maker by itself, so it runs where there is nothing but loopback."""

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from lycosa.face.cli.companion import EXTENSION
from lycosa.web.serving import Served, spawn

pytestmark = pytest.mark.slow

NAME = json.loads((EXTENSION / "manifest.json").read_text())["browser_specific_settings"]["gecko"]["id"]
FIREFOX = os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
ALONE = "LYCOSA_ALONE" in os.environ
"""Whether this process has a network of its own, with loopback and no way out."""
NETWORK = ("unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
PREFERENCES = {
    "marionette.port": 0,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "app.normandy.enabled": False,
    "app.update.auto": False,
    "app.update.enabled": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.background.idle.timeout": 3000,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.trr.mode": 5,
    "security.notification_enable_delay": 0,
    "services.settings.server": "data:,#nowhere/v1",
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.server": "",
    "toolkit.telemetry.unified": False,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.ssl": "127.0.0.1",
}


def offline(test):
    """The test itself where there is no way out; elsewhere one that makes such a place and runs it there."""
    if ALONE:
        return test

    def elsewhere(request):
        if FIREFOX is None:
            pytest.skip("there is no Firefox here: apt-get install firefox-esr")
        if not shutil.which("ip") or subprocess.run([*NETWORK, "true"], capture_output=True, check=False).returncode:
            pytest.skip("no network of its own can be made here: that takes unshare, ip (iproute2) and user namespaces")
        place = f"{request.path}::{request.node.name}"
        inside = [sys.executable, "-m", "pytest", "-m", "slow", "-p", "no:cacheprovider", "-p", "no:xdist", place]
        command = [*NETWORK, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *inside]
        environment = {**os.environ, "LYCOSA_ALONE": "1"}
        done = subprocess.run(
            command, cwd=request.config.rootpath, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr

    elsewhere.__name__ = test.__name__
    return elsewhere


class Firefox:
    """A Firefox without a screen, told what to do over Marionette: one line of JSON each way."""

    served: Served
    own: str

    def __init__(self, folder, proxy, until):
        assert_no_way_out()
        self.until = lambda ask, what: until(ask, what, 60)
        profile = folder / "profile"
        profile.mkdir(parents=True)
        preferences = PREFERENCES | {"network.proxy.http_port": proxy, "network.proxy.ssl_port": proxy}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
        (profile / "user.js").write_text("".join(lines))
        # Without the first of these its settings are asked for at its maker's, whatever the preferences say.
        quiet = {"MOZ_REMOTE_SETTINGS_DEVTOOLS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}
        size = {"MOZ_HEADLESS_WIDTH": "1100", "MOZ_HEADLESS_HEIGHT": "800"}
        command = [FIREFOX, "-headless", "-marionette", "-remote-allow-system-access", "-no-remote"]
        with (folder / "firefox.log").open("w") as log:
            self.process = subprocess.Popen(
                [*command, "-profile", str(profile)],
                env={**os.environ, **quiet, **size, "HOME": str(folder)},
                stdout=log,
                stderr=log,
            )
        self.socket, self.asked = None, 0
        try:
            port = profile / "MarionetteActivePort"
            self.until(lambda: port.exists() and port.read_text().strip(), "the start of Firefox")
            self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())), 60)
            self.answers = self.socket.makefile("rb")
            self._answer()
            self("WebDriver:NewSession")
        except BaseException:
            self.close()
            raise

    def __call__(self, command, **parameters):
        """What Firefox answers to a command."""
        self.asked += 1
        said = json.dumps([0, self.asked, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(said), said))
        _, number, error, answer = self._answer()
        assert number == self.asked
        assert error is None, f"{command}: {error}"
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer

    def _answer(self):
        length = b""
        while (digit := self.answers.read(1)) != b":":
            assert digit, "Firefox has hung up"
            length += digit
        return json.loads(self.answers.read(int(length)))

    def tab(self, script, *given):
        """What a script says in the tab in front."""
        return self("WebDriver:ExecuteScript", script=script, args=list(given))

    @contextmanager
    def itself(self):
        """In here, elements and scripts are those of the browser's own window."""
        self("Marionette:SetContext", value="chrome")
        try:
            yield
        finally:
            self("Marionette:SetContext", value="content")

    def window(self, script, *given):
        """What a script says in the browser's own window; it may wait."""
        waiting = "const given = [...arguments], done = given.pop();"
        telling = ".then((said) => done({ said }), (error) => done({ error: `${error}` }));"
        wrapped = f"{waiting} (async () => {{ {script} }})(){telling}"
        with self.itself():
            answer = self("WebDriver:ExecuteAsyncScript", script=wrapped, args=list(given))
        assert "error" not in answer, answer["error"]
        return answer.get("said")

    def click(self, selector):
        """A click of a person on something of the browser's own, which may come to be only later."""
        self.until(lambda: self.window("return !!document.querySelector(given[0])", selector), selector)
        with self.itself():
            element = self("WebDriver:FindElement", using="css selector", value=selector)
            self("WebDriver:ElementClick", id=next(iter(element.values())))

    def panel(self, script):
        """What a script says in the companion's panel in the sidebar; None while there is none yet."""
        name = f"told-{self.asked}"
        telling = f"sendAsyncMessage('{name}', (({{ document }}) => {{ {script} }})(content));"
        return self.window(
            """
            const panel = SidebarController.browser.contentDocument?.getElementById("webext-panels-browser");
            if (!panel?.currentURI.spec.endsWith("panel.html")) return null;
            const [name, telling] = given, manager = panel.messageManager;
            return await new Promise((done) => {
              setTimeout(done, 5000, null);
              manager.addMessageListener(name, ({ data }) => done(data));
              manager.loadFrameScript(`data:,${encodeURIComponent(telling)}`, false);
            });
            """,
            name,
            telling,
        )

    def press(self, selector):
        """Press something in the panel, with the mouse as a person does: some things Firefox does only then."""
        middle = f"""
            const box = document.querySelector({json.dumps(selector)})?.getBoundingClientRect();
            return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
        """
        inside = self.until(lambda: self.panel(middle), selector)
        around = self.window(
            """
            const frame = SidebarController.browser, outer = frame.getBoundingClientRect();
            const inner = frame.contentDocument.getElementById("webext-panels-browser").getBoundingClientRect();
            return [outer.x + inner.x, outer.y + inner.y];
            """
        )
        x, y = (round(one + other) for one, other in zip(inside, around, strict=True))
        moves = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        moves.append({"type": "pointerUp", "button": 0})
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        with self.itself():
            self("WebDriver:PerformActions", actions=[mouse])

    def panel_says(self, text):
        """Wait until the panel says something."""
        self.until(lambda: text in (self.panel("return document.body.innerText") or ""), f"«{text}»")

    def screenshot(self, path):
        """The window as a person sees it, with the sidebar."""
        with self.itself():
            Path(path).write_bytes(base64.b64decode(self("WebDriver:TakeScreenshot", full=False)))

    def asked_by_extension(self):
        """What the extension itself has asked for: how and where."""
        return [(how, what) for how, what, who in self.window("return window.asked") if who == NAME]

    def close(self):
        """End it."""
        try:
            if self.socket:
                self("Marionette:Quit", flags=["eForceQuit"])
                self.answers.close()
                self.socket.close()
                self.process.wait(30)
        finally:
            self.process.kill()
            self.process.wait(30)


def assert_no_way_out():
    """Nothing leads out of here but loopback: no packet, and no question for a name, can leave."""
    assert Path("/proc/net/route").read_text().count("\n") <= 1
    assert {line.split()[-1] for line in Path("/proc/net/ipv6_route").read_text().splitlines()} <= {"lo"}


@pytest.fixture
def firefox(made, tmp_path, until):
    """A Firefox with the extension, for which everything but loopback is the made web."""
    web = "made:" + ",".join(f"{name}={made.settings[name]}" for name in ("pages", "topics", "seed"))
    with spawn(web, log=str(tmp_path / "asked")) as served:
        opened = Firefox(tmp_path / "firefox", served.port, until)
        try:
            opened.window(
                """
                window.asked = [];
                window.seeing = { observe: (channel) => {
                  channel.QueryInterface(Ci.nsIHttpChannel);
                  const { triggeringPrincipal } = channel.loadInfo;
                  window.asked.push([channel.requestMethod, channel.URI.spec, triggeringPrincipal?.addonId ?? ""]);
                } };
                Services.obs.addObserver(window.seeing, "http-on-modify-request");
                """
            )
            opened.served = served
            opened("Addon:Install", path=str(EXTENSION), temporary=True)
            opened.own = opened.window("return WebExtensionPolicy.getByID(given[0]).getURL('')", NAME)
            yield opened
        finally:
            opened.close()


@pytest.fixture
def server(serving, tmp_path):
    """A running server, what it says on the companion, and the key."""
    with serving(tmp_path / "home") as running, ExitStack() as opened:
        api = opened.enter_context(httpx.Client(base_url=f"{running.url}/api/companion", trust_env=False))
        yield running, api, api.get("/key").json()["key"]


BUTTON = f"#{NAME.translate({ord(mark): '_' for mark in '@.'})}-BAP"


def connect(firefox, address, key):
    """Give the extension its address and key, as a person would; what it says to that."""
    firefox("WebDriver:Navigate", url=f"{firefox.own}options.html")
    firefox.until(lambda: firefox.tab("return !document.getElementById('fields').disabled"), "the options")
    firefox.tab(
        """
        for (const [name, value] of Object.entries(arguments[0])) document.getElementById(name).value = value;
        document.querySelector("button.primary").click();
        """,
        {"address": address, "key": key, "dwell": "1"},
    )
    return firefox.until(lambda: firefox.tab("return document.getElementById('says').textContent"), "an answer")


@offline
def test_it_suggests_pages_on_topic_in_the_sidebar(firefox, server, made, community, tmp_path, screenshot):
    running, api, key = server
    page = made.topics[1].targets[2]
    firefox.click(BUTTON)
    firefox.panel_says("Not connected yet")
    assert firefox.panel("return document.getElementById('switch').disabled")
    assert "only talks to this machine" in connect(firefox, "https://evil.example", key)
    assert "missing or wrong" in connect(firefox, running.url, "wrong")
    assert "Connected. The companion is switched off" in connect(firefox, running.url, key)
    firefox.panel_says("Switched off")

    # While it is off a page may be read for as long as one likes.
    firefox("WebDriver:Navigate", url=page)
    time.sleep(3)
    assert api.get("/profile").json()["pages"] == []
    assert not (tmp_path / "home" / ".companion" / "profile").exists()
    assert {what for _, what in firefox.asked_by_extension()} == {f"{running.url}/api/companion/state"}

    firefox.press("#switch:enabled")
    firefox.until(lambda: api.get("/state").json()["on"], "the switch")
    firefox.until(lambda: api.get("/profile").json()["pages"], "learning")
    learned = api.get("/profile").json()["pages"][0]
    assert (learned["url"], learned["title"]) == (page, firefox.tab("return document.title"))
    assert len(firefox("WebDriver:GetWindowHandles")) == 1, "it opens nothing by itself"

    firefox.until(lambda: not api.get("/suggestions").json()["scouting"], "the scout's return")
    offered = [one["url"] for one in api.get("/suggestions").json()["suggestions"]]
    links = "return [...document.querySelectorAll('#list a')].map((link) => link.href)"
    firefox.until(lambda: firefox.panel(links) == offered, "the suggestions")
    looking = "return document.body.innerText.includes('still looking')"
    firefox.until(lambda: firefox.panel(looking) is False, "the end of looking")
    assert len(offered) >= 2
    assert sum(community(url) == 1 for url in offered) >= 0.75 * len(offered)
    reasons = firefox.panel("return [...document.querySelectorAll('.reason')].map((reason) => reason.textContent)")
    assert all("the page you read" in reason or "links away" in reason for reason in reasons)
    screenshot(firefox, "companion-firefox")
    firefox.window("Services.prefs.setIntPref('ui.systemUsesDarkTheme', 1)")
    dark = "return document.defaultView.matchMedia('(prefers-color-scheme: dark)').matches"
    firefox.until(lambda: firefox.panel(dark), "the dark")
    screenshot(firefox, "companion-firefox-dark")

    # A suggestion opens where a person expects it.
    firefox.press("#list a")
    firefox.until(lambda: len(firefox("WebDriver:GetWindowHandles")) == 2, "the tab of the suggestion")
    firefox.until(lambda: offered[0] in (f"http://{one.host}{one.path}" for one in firefox.served.asked()), "its page")

    firefox.press("#switch:enabled")
    firefox.panel_says("Switched off")
    said = firefox.asked_by_extension()
    assert {(how, what.removeprefix(f"{running.url}/api/companion/").partition("?")[0]) for how, what in said} <= {
        ("GET", "state"),
        ("PUT", "state"),
        ("POST", "read"),
        ("POST", "lingered"),
        ("GET", "suggestions"),
        ("GET", offered[0]),
    }
    browsed = {f"http://{one.host}{one.path}" for one in firefox.served.asked()}
    assert {one for one in browsed if not one.endswith("/favicon.ico")} == {page, offered[0]}

    firefox.click(BUTTON)
    firefox.until(lambda: not firefox.window("return SidebarController.isOpen"), "the end of the sidebar")
    running.stop()
    firefox.click(BUTTON)
    firefox.panel_says("lycosa serve")


YES = """
    const { panel } = PopupNotifications, question = panel.firstElementChild;
    if (panel.state !== "open" || question?.id !== "addon-webext-permissions-notification") return false;
    question.button.click();
    return true;
"""
TAKE_BACK = """
    const { ExtensionPermissions } = ChromeUtils.importESModule("resource://gre/modules/ExtensionPermissions.sys.mjs");
    const { extension } = WebExtensionPolicy.getByID(given[0]);
    const { origins } = extension.manifestOptionalPermissions;
    await ExtensionPermissions.remove(extension.id, { permissions: [], origins }, extension);
"""


@offline
def test_it_reads_only_where_firefox_lets_it(firefox, server, made, screenshot):
    running, api, key = server
    first, second, third = made.topics[0].targets[:3]
    firefox.click(BUTTON)
    assert "Connected" in connect(firefox, running.url, key)
    firefox.window(TAKE_BACK, NAME)
    firefox.press("#switch:enabled")
    firefox.panel_says("does not let the companion read all pages")
    screenshot(firefox, "companion-firefox-locked")
    firefox("WebDriver:Navigate", url=first)
    time.sleep(3)
    assert api.get("/profile").json()["pages"] == []

    firefox.press("#says button")
    firefox.until(lambda: firefox.window(YES), "Firefox's question")
    firefox.panel_says("Read on")
    asleep = "return WebExtensionPolicy.getByID(given[0]).extension.backgroundState === 'stopped'"
    firefox.until(
        lambda: firefox.window(asleep, NAME), "the sleep of the background script, from which a page wakes it"
    )
    firefox("WebDriver:Navigate", url=second)
    firefox.until(lambda: [one["url"] for one in api.get("/profile").json()["pages"]] == [second], "learning")

    private = firefox("WebDriver:NewWindow", type="window", focus=True, private=True)["handle"]
    firefox("WebDriver:SwitchToWindow", handle=private)
    assert firefox.window("return PrivateBrowsingUtils.isWindowPrivate(window)")
    firefox("WebDriver:Navigate", url=third)
    time.sleep(3)
    assert [one["url"] for one in api.get("/profile").json()["pages"]] == [second]
