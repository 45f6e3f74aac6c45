"""B12: no link, redirect, name or setting of a stranger makes a socket to what is not the public Internet."""

import asyncio
import json
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

import pytest
from sites import Sites, crawl, html, reply

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.urls import canonical, host_of
from lycosa.system.errors import Refused
from lycosa.web import http_client
from lycosa.web.address_guard import AddressError, AddressGuard, is_address
from lycosa.web.http import Http, HttpOptions

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "conformance" / "attack-ssrf-hosts" / "ssrf.json"
FEW: dict[str, Any] = {
    "must_block_hosts": [
        *("127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "LOCALHOST.", "foo.localhost", "0"),
        *("[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "169.254.169.254", "10.0.0.1"),
        *(
            "172.16.0.1",
            "192.168.0.1",
            "100.64.0.1",
            "[fc00::1]",
            "[fe80::1]",
            "metadata.google.internal",
            "127。0。0。1",
        ),
    ],
    "must_allow_hosts": ["example.com", "1.1.1.1", "[2606:4700:4700::1111]", "172.32.0.1", "100.128.0.1", "11.0.0.1"],
    "url_wrappers": ["http://{h}/", "https://{h}/", "http://user:pw@{h}/", "//{h}/", "http:\\\\{h}\\", "http:/{h}/"],
    "must_block_urls": ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:6379/_INFO", "javascript:x"],
    "parser_confusion": [{"url": "http://example.com:80@127.0.0.1/", "whatwg_host": "127.0.0.1"}],
}
"""What is tried where the conformance data is not there."""
PUBLIC = "93.184.215.14"
BASE = "http://public.test/links/"
REDIRECTS = (301, 302, 303, 307, 308)


def page(text):
    """A page that leads to a URL in every way that HTML has, and some that only look like it."""
    url = escape(text, quote=True)
    return (
        f'<title>wolf spider</title><link rel=canonical href="{url}"><link rel=next href="{url}">'
        f'<meta http-equiv=refresh content="0; url={url}"><a href="{url}">a</a><map><area href="{url}"></map>'
        f'<iframe src="{url}"></iframe><img src="{url}"><form action="{url}"></form><p>wolf spider {url}'
    )


def delivered(texts):
    """A site that sends its visitors to these URLs, over and over, and where to begin."""
    links = [f"/links/{n}" for n in range(len(texts))] + [f"/base/{n}" for n in range(len(texts))]
    links += [f"/{code}/{n}" for code in REDIRECTS for n in range(len(texts))]
    links += [f"http://robots{n}.test/" for n in range(len(texts))]

    def answer(request):
        kind, _, number = request.path[1:].partition("/")
        if request.host.startswith("robots") and request.path == "/robots.txt":
            return reply("", "302 Found", Location=clean(texts[int(request.host[6:-5])]))
        if request.host != "public.test":
            return html("public") if request.path != "/robots.txt" else None
        if request.path == "/":
            return html("public", *links)
        if request.path == "/robots.txt":
            return reply("\n".join(f"Sitemap: {clean(text)}" for text in texts), Content_Type="text/plain")
        if not number.isdigit():
            return None
        text = texts[int(number)]
        if kind == "links":
            head = clean(text)
            return reply(page(text), Link=f"<{head}>; rel=next", Refresh=f"0; url={head}", Content_Location=head)
        if kind == "base":
            return f'<base href="{escape(text, quote=True)}"><a href="inner">base</a>'
        return reply("moved", f"{kind} Moved", Location=clean(text))

    return answer


def clean(text):
    return text.strip().replace("\n", "")


async def resolved(addresses):
    """Ask for names that lead to these addresses in every way."""
    answers = {}
    for n, address in enumerate(addresses):
        answers |= {f"a{n}.test": [[address]], f"mixed{n}.test": [[PUBLIC, address]]}
        answers |= {f"first{n}.test": [[address, PUBLIC]], f"turning{n}.test": [[PUBLIC], [address]]}

    async def lookup(name):
        return answers[name].pop(0) if len(answers[name]) > 1 else answers[name][0]

    http = Http(HttpOptions(obey_robots=False), lookup=lookup)
    try:
        return [(await http.get(f"http://{name}/", 1000)).reason for name in list(answers) for _ in range(2)]
    finally:
        await http.close()


@pytest.mark.row("B12")
def test_nothing_that_strangers_write_leads_to_a_private_address(figure, size, tmp_path, monkeypatch):
    data = json.loads(SHARED.read_text()) if SHARED.exists() else FEW
    hosts, guard = data["must_block_hosts"], AddressGuard()
    texts = [wrapper.replace("{h}", host) for host in hosts for wrapper in data["url_wrappers"]] + data[
        "must_block_urls"
    ]
    urls = [canonical(text, BASE) for text in texts]
    # Beside another URL of http, «http:/127.0.0.1/» is a path.
    abroad = [url for url in urls if url and host_of(url) != "public.test"]
    passed = [url for url in abroad if not guard.refuses_host(host_of(url))]
    for text in texts[:: size(8, 1)]:
        with suppress(Refused):
            make_plan(HuntRequest("wolf spider", [text]))
            passed.append(f"seed {text}")
    blocked = [host for host in data["must_allow_hosts"] if guard.refuses_host(host)]
    confused = [
        case["url"]
        for case in data["parser_confusion"]
        if (url := canonical(case["url"])) and host_of(url).partition(":")[0] != case["whatwg_host"]
    ]

    sample = texts[:: size(19, 1)]
    with Sites(delivered(sample)) as sites:
        held = crawl(tmp_path / "c", ["http://public.test/"], sites, retries=0)
    ours = {"public.test", *(f"robots{n}.test" for n in range(len(sample)))}
    reached = [request for request in sites.asked if request.host not in ours]

    connected = []

    def recorded(self, info):
        if reason := self.refuses_address(info[4][0]):
            raise AddressError(reason)
        connected.append(info[4][0])
        raise OSError("recorded, not connected")

    monkeypatch.setattr(AddressGuard, "socket", recorded)
    monkeypatch.setattr(http_client, "DNS_TTL", 0)
    private = sorted({host_of(url).strip("[].") for url in abroad if is_address(host_of(url))})
    asyncio.run(resolved(private))
    leaked = [address for address in connected if address != PUBLIC]
    ways = len(texts) + len(texts[:: size(8, 1)]) + len(sample) * (len(REDIRECTS) + 10) + 4 * len(private)
    figure(
        f"{len(passed) + len(reached) + len(leaked)} of {ways:,} ways got through, "
        f"{len(blocked)} of {len(data['must_allow_hosts'])} public hosts refused"
    )
    assert not passed and not leaked
    assert not reached, reached[:3]
    assert not blocked and not confused
    assert PUBLIC in connected  # or nothing was tried
    assert f"http://public.test/links/{len(sample) - 1}" in held.pages
    assert set(held.final.values()) == {1}
