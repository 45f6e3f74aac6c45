"""A collection full of attacks, and axe-core."""

from html import escape
from pathlib import Path
from uuid import uuid4

import pytest

import lycosa

AXE = Path(__file__).resolve().parents[3] / ".venv/npm/node_modules/axe-core/axe.min.js"
ATTACKS = (
    "<img src=x onerror=window.pwned=1>",
    "</script><script>window.pwned=1</script>",
    '"><svg onload=window.pwned=1>',
    "' onmouseover=window.pwned=1 x='",
    "{{constructor.constructor('window.pwned=1')()}}",
    "<iframe srcdoc='<script>top.pwned=1</script>'></iframe>",
    "<a href=javascript:window.pwned=1>click</a>",
    "<style>*{background:url(http://leak.test/x)}</style>",
)
HOSTS = ("evil.test", "a'onload=pwned(1).test", "xn--e1awd7f.test", "javascript.test")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """A collection whose titles, texts, anchors, URLs and host names are attacks, hunted for an attack, by spiders."""
    folder = tmp_path_factory.mktemp("hostile")
    urls = [f"http://{host}/{number}?q=%22%3E<b>'{number}" for number in range(12) for host in HOSTS]
    with (folder / "web.warc").open("wb") as file:
        for number, url in enumerate(urls):
            attack = escape(ATTACKS[number % len(ATTACKS)])
            links = "".join(
                f'<p>spider {attack} <a href="{escape(other)}">{attack} spider</a></p>'
                for other in urls[number + 1 : number + 9]
            )
            body = f"<html lang=en><title>{attack} spider</title>"
            body += "<meta http-equiv=refresh content='0;url=http://leak.test/'>"
            body += f"<script>window.pwned=1</script><h1>{attack}</h1>{links}"
            body += "<img src=http://leak.test/x onerror=window.pwned=1>"
            body += "<p>spider venom silk prey web hunts at night" * 5 + f" {attack}</p>"
            file.write(_record(url, body.encode()))
    home = folder / "home"
    options = {"replay": str(folder / "web.warc"), "pages": 60, "strategy": "infospiders"}
    with lycosa.hunt(f"spider {ATTACKS[0]}", urls[:2], out=home / "hostile", **options) as hunt:
        list(hunt)
    return home


def _record(url, body):
    """A WARC record of a page."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\nWARC-Target-URI: {url}\r\n"
    head += "WARC-Date: 2026-01-31T12:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
    return f"{head}Content-Length: {len(answer)}\r\n\r\n".encode() + answer + b"\r\n\r\n"


@pytest.fixture(scope="session")
def axe():
    """Finds what keeps people out of a page: axe(page) gives the serious violations in words."""
    if not AXE.exists():
        pytest.skip("axe-core is not here: npm install --prefix .venv/npm axe-core (make browser does)")
    source = AXE.read_text()

    def check(page):
        page.evaluate(source)
        found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]

    return check
