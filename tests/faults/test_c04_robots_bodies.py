"""C4: whatever stands in a robots.txt is read in bounded time, and rules in its first 500 KiB are obeyed."""

import asyncio
import gzip
import time

import pytest
from sites import Sites, html, reply

from lycosa.core.nouns import Page
from lycosa.web.http import Http, HttpOptions
from lycosa.web.robots_txt import LIMIT

RULE = b"User-agent: *\nDisallow: /closed\n"


def padded(length):
    return RULE + b"#" * (length - len(RULE))


def cases():
    return {
        # the body, its headers, and whether its rule can be read
        "limit.test": (padded(LIMIT + 1), {}, True),
        "large.test": (padded(10_000_000), {}, True),
        "bomb.test": (gzip.compress(padded(50_000_000)), {"Content_Encoding": "gzip"}, True),
        "html.test": (b"<!doctype html><html><body>Not found</body></html>", {"Content_Type": "text/html"}, False),
        "rule-in-html.test": (b"<html>\n" + RULE, {"Content_Type": "text/html"}, True),
        "binary.test": (bytes(range(256)) * 1000, {}, False),
        "utf-16.test": (RULE.decode().encode("utf-16"), {}, False),
        "bom.test": (b"\xef\xbb\xbf" + RULE, {}, True),
        "nuls.test": (b"\0" * 1000 + b"\n" + RULE + b"\0" * 1000, {}, True),
        "many.test": (RULE + b"".join(b"Disallow: /x%d\n" % n for n in range(1_000_000)), {}, True),
        "wild.test": (RULE + b"Disallow: /" + b"*a" * 5000 + b"$\n" + b"Disallow: /*a*a*a*a*a*a*b\n" * 5000, {}, True),
        "line.test": (RULE + b"Disallow: /" + b"a" * 400_000, {}, True),
    }


@pytest.mark.row("C4")
def test_strange_robots_txt_take_bounded_time_and_their_rules_hold(figure):
    given = cases()

    def answer(request):
        body, headers, _ = given[request.host]
        return reply(body, **headers) if request.path == "/robots.txt" else html("wolf spider")

    async def ask(port):
        web = Http(HttpOptions(resolve={"*": f"127.0.0.1:{port}"}))
        done, slowest = {}, 0.0
        try:
            for host in given:
                started = time.thread_time()
                closed = await web.get(f"http://{host}/closed/{'a' * 180}", 1 << 20)
                opened = await web.get(f"http://{host}/open/{'a' * 180}", 1 << 20)
                slowest = max(slowest, time.thread_time() - started)
                done[host] = isinstance(opened, Page), not isinstance(closed, Page)
        finally:
            await web.close()
        return done, slowest

    with Sites(answer) as sites:
        done, slowest = asyncio.run(ask(sites.port))
    right = sum(obeyed == given[host][2] for host, (_, obeyed) in done.items())
    figure(f"{right} of {len(given)} as the rules that can be read say, at most {slowest:.2f} CPU seconds")
    assert done == {host: (True, case[2]) for host, case in given.items()}
    assert slowest < 5
