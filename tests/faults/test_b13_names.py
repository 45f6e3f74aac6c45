"""B13: whatever a name server says, only an address that was checked is connected to, and nobody else waits for it."""

import time
from contextlib import ExitStack
from pathlib import Path

import alone
import pytest
from names import Names
from sites import Sites, ask, control, crawl, html, reply

from lycosa.core.nouns import Page
from lycosa.web import http_client
from lycosa.web.address_guard import AddressGuard

PUBLIC, PRIVATE = "93.184.215.14", "10.0.0.1"
CANARIES = (PRIVATE, "127.0.0.1", "169.254.169.254")
PER_SITE = 20
LIES = {
    "private.test": [PRIVATE],
    "loopback.test": ["127.0.0.1"],
    "metadata.test": ["169.254.169.254"],
    "mixed.test": [PUBLIC, PRIVATE],
    "mixed-last.test": [*(f"93.184.215.{n}" for n in range(20, 60)), "169.254.169.254"],
    "mixed-six.test": [PUBLIC, "::1"],
    "mapped.test": ["::ffff:a00:1"],
    "broken.test": "SERVFAIL",
    "alias.test": "CNAME inner.test",
    "inner.test": [PRIVATE],
    "alias-to-local.test": "CNAME alias-again.test",
    "alias-again.test": "CNAME loopback.test",
}
"""Names that lead to private addresses, or nowhere."""


class Turning:
    """A name that is public when it is first asked for, and private as soon as the site has been asked."""

    def __init__(self):
        self.asked = set()

    def __call__(self, name):
        return [PRIVATE] if name in self.asked else [PUBLIC]

    def site(self, request):
        self.asked.add(request.host)
        return reply(html("wolf spider"), Connection="close")


def lies(servers, monkeypatch, rebound):
    """Ask for names that lie, in this process; the answers, and every address for which a socket was made."""
    connected = []

    def recorded(guard, info):
        made = check(guard, info)
        connected.append(info[4][0])
        return made

    check = AddressGuard.socket
    monkeypatch.setattr(AddressGuard, "socket", recorded)
    monkeypatch.setattr(http_client, "DNS_TTL", 0)
    found = ask(servers, [f"http://{name}/" for name in (*LIES, "many.test")], resolve={}, obey_robots=False)
    urls = [f"http://turning{n}.test/{page}" for page in range(3) for n in range(rebound)]
    found |= ask(servers, urls, resolve={}, together=1, obey_robots=False)
    monkeypatch.undo()
    return found, connected


def slowly(seconds):
    def answer(name):
        time.sleep(seconds)
        return [PUBLIC]

    return answer


def answer_for(slow):
    turning, late = Turning(), slowly(slow)

    def answer(name):
        if name.startswith("turning"):
            return turning(name)
        if name.startswith("slow"):
            return late(name)
        return [PUBLIC] if name.endswith(".wild.com") or name == "control.test" else "NXDOMAIN"

    return turning, answer


@pytest.mark.row("B13", alone=True)
def test_no_answer_of_a_name_server_leads_to_an_unchecked_address(figure, size, tmp_path, monkeypatch):
    alone.own_every_address()
    slow, pages, ours, rebound = size(0.5, 30), size(10, 100), size(10, PER_SITE), size(3, 20)
    Path("/etc/resolv.conf").write_text(f"nameserver 127.0.0.1\noptions timeout:{int(slow) + 5} attempts:1\n")
    turning, answer = answer_for(slow)
    many = [f"93.185.{n >> 8}.{n & 255}" for n in range(size(400, 4000))]
    elsewhere = [f"http://slow{n}.test/" for n in range(size(5, 40))]
    elsewhere += [f"http://gone.test/{n}" for n in range(pages)]
    healthy = control(ours, *elsewhere, "http://a.wild.com/0")

    def public(request):
        if request.path == "/robots.txt":
            return None
        if request.host.startswith("turning"):
            return turning.site(request)
        if request.host.endswith(".wild.com"):
            n = int(request.path[1:])
            return html(f"wild {n}", *(f"http://x{4 * n + k}.wild.com/{4 * n + k}" for k in range(1, 5)))
        return html("slow") if request.host.startswith("slow") else healthy.get(request.place)

    with ExitStack() as stack:
        names = stack.enter_context(Names(LIES | {"many.test": many, "*": answer}))
        site = stack.enter_context(Sites(public, host=PUBLIC, port=80))
        canaries = [stack.enter_context(Sites({}, host=host, port=80)) for host in CANARIES]
        found, connected = lies(site, monkeypatch, rebound)
        held = crawl(tmp_path / "c", ["http://control.test/"], per_site=PER_SITE, retries=1)
        hits = sum(canary.connections for canary in canaries)
    good = sum(url.startswith("http://control.test/") for url in held.pages)
    waited = [url for url in elsewhere if "slow" in url and (url in held.pages or url in held.misses)]
    wild = sum(".wild.com/" in url for url in held.pages)
    tried = sum(address.startswith("93.185.") for address in connected)
    figure(
        f"{hits} canary hits, {names.asked['gone.test']} queries for {pages} URLs of no host, "
        f"{tried} connections for a name of {len(many):,} addresses, "
        f"{wild} pages of endless names, {good} of {ours} control pages"
    )
    assert hits == 0
    assert not set(connected) & set(CANARIES)
    assert 0 < tried <= 10
    firsts = [isinstance(found[f"http://turning{n}.test/0"], Page) for n in range(rebound)]
    later = [found[f"http://turning{n}.test/{page}"].reason for page in (1, 2) for n in range(rebound)]
    assert all(firsts) and set(later) == {f"refused address {PRIVATE}"}
    assert not any(isinstance(found[f"http://{name}/"], Page) for name in LIES)
    assert good == ours and wild == PER_SITE
    assert len(waited) == sum("slow" in url for url in elsewhere)
    assert names.asked["gone.test"] <= 8
    assert set(held.final.values()) == {1}
