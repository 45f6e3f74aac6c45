"""B11: whatever redirects do, a chain costs a bounded number of requests, and each hop is a URL like any other."""

from collections import Counter

import pytest
from certificates import certificate
from sites import Sites, crawl, html, records, reply

HOPS = 10
STATUSES = ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent")
TOO_LONG = "/" + "x" * 100_000


def to(location, status="302 Found"):
    return reply("moved", status, Location=location)


def loops():
    """Hosts that never let go, with the requests that each may cost."""
    sites, most = {}, {}
    for status in STATUSES:
        code = status[:3]
        sites[f"self{code}.test/"] = to("/", status)
        sites[f"pair{code}.test/"] = to("/b", status)
        sites[f"pair{code}.test/b"] = to("/", status)
        most |= {f"self{code}.test": 1, f"pair{code}.test": 2}
    sites |= {
        "fragment.test/": to("#again"),
        "empty.test/": to(""),
        "dot.test/": to("."),
        "spelling.test/": to("HTTP://SPELLING.TEST:80/./a/../#x"),
        "user.test/": to("http://me:secret@user.test/"),
        "long.test/": to(TOO_LONG),
        "nonsense.test/": to("http://[::1"),
        "space.test/": to("http://a b/"),
        "script.test/": to("javascript:location=1"),
        "file.test/": to("file:///etc/passwd"),
        "ftp.test/": to("ftp://ftp.test/"),
        "nowhere.test/": reply("moved", "302 Found"),
        "control.test/": to("/\x01\x02"),
        "port.test/": to("http://port.test:99999/"),
        "refresh-header.test/": reply(html("refresh"), Refresh="0; url=/next"),
        "private.test/": to("http://127.0.0.1:1/"),
        "metadata.test/": to("http://169.254.169.254/latest/meta-data/"),
        "closed.test/": to("/no"),
        "closed.test/robots.txt": reply("User-agent: *\nDisallow: /no\n", Content_Type="text/plain"),
        "outside.test/": to("http://elsewhere.example/"),
        "meta.test/": '<meta http-equiv=refresh content="0; url=/b"><p>one',
        "meta.test/b": '<meta http-equiv=refresh content="0; url=/"><p>two',
        "meta-self.test/": '<meta http-equiv=refresh content="0"><meta http-equiv=refresh content="0; url=/">self',
        "plain.test/": to("https://secure.test/"),
        "secure.test/": to("http://plain.test/", "301 Moved"),
        "mixed.test/": to("/page"),
        "mixed.test/page": '<meta http-equiv=refresh content="0; url=/">back',
    }
    most |= dict.fromkeys({place.partition("/")[0] for place in sites} - most.keys(), 1)
    most |= {"meta.test": 2, "mixed.test": 2, "control.test": 2, "outside.test": 1}
    return sites, most


def chains(request):
    """Hosts on which every page redirects to the next one, for ever."""
    host, path = request.host, request.path
    number = int("".join(filter(str.isdigit, path)) or 0) + 1
    match host.split("."):
        case ["chain", _]:
            return to(f"/{number}", STATUSES[number % 5])
        case ["query", _]:
            return to(f"?n={number}")
        case ["hosts" | "hosts1" | "hosts2", _]:
            # Back and forth between hosts, so that no host sees the whole chain.
            return to(f"http://hosts{1 + number % 2}.test/{number}")
        case ["good", _]:
            return to(f"/{number}") if number < HOPS + 1 else html("the end of the chain")
        case ["many", _]:
            return html("many", *(f"/old{n}" for n in range(50))) if path == "/" else to("/new")
    return None


@pytest.mark.row("B11")
def test_every_redirect_loop_and_chain_ends_and_every_hop_is_checked(figure, tmp_path, monkeypatch):
    sites, most = loops()
    chained = ["chain.test", "query.test", "hosts.test", "good.test", "many.test"]

    def answer(request):
        if request.path == "/robots.txt":
            return sites.get(request.place)
        if request.place == "many.test/new":
            return html("where all of them lead")
        return sites.get(request.place) or chains(request)

    seeds = [f"http://{host}/" for host in (*most, *chained) if host != "secure.test"]
    trusted, tls = certificate(tmp_path, "secure.test")
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    with Sites(answer) as served, Sites(answer, tls=tls) as secure:
        mapped = {"secure.test": f"127.0.0.1:{secure.port}", "*": f"127.0.0.1:{served.port}"}
        found = crawl(tmp_path / "c", seeds, resolve=mapped, without=(".example",))
    served.asked.extend(secure.asked)
    used = Counter(request.host for request in served.asked if request.path != "/robots.txt")
    longest = max(
        used["chain.test"], used["query.test"], used["hosts.test"] + used["hosts1.test"] + used["hosts2.test"]
    )
    over = {host: used[host] for host, bound in most.items() if used[host] > bound}
    refused = {"127.0.0.1:1", "169.254.169.254", "elsewhere.example"} & {request.host for request in served.asked}
    figure(
        f"{longest} requests for an endless chain, {len(over)} of {len(most)} loops over their bound, "
        f"{len(refused)} hops unchecked"
    )
    assert longest == HOPS + 1
    assert not over and not refused
    assert ("closed.test", "/no") not in {(request.host, request.path) for request in served.asked}
    assert f"http://good.test/{HOPS}" in found.pages
    assert used["many.test"] == 52
    assert used["plain.test"] == used["secure.test"] == 1
    assert set(found.final.values()) == {1}
    assert records(tmp_path / "c").total() >= len(found.pages)
