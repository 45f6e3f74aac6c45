"""B18: a site that has only IPv6 is fetched, and broken IPv6 beside IPv4 (or the other way round) costs no page."""

import socket
import time
from contextlib import ExitStack

import pytest
from names import Names
from sites import Sites, ask, html

from lycosa.core.nouns import Page

SIX, FOUR, NOWHERE = "::1", "127.0.0.1", "2606:4700:4700::dead"
BOTH = [SIX, FOUR]
LISTENING = {80: BOTH, 8001: [SIX], 8002: [FOUR], 8003: [FOUR]}
"""Which addresses answer at each port; at 8003 IPv6 swallows what is sent to it."""
CASES = {
    "http://six.test/": [SIX],
    "http://[::1]/": [],
    "http://[0:0::0:1]:8001/": [],
    "http://both.test/": BOTH,
    "http://refused-six.test:8002/": BOTH,
    "http://refused-four.test:8001/": BOTH,
    "http://swallowed-six.test:8003/": BOTH,
    "http://unreachable-six.test:8002/": [NOWHERE, FOUR],
    "http://many-unreachable.test:8002/": [*(f"2606:4700:4700::{n:x}" for n in range(1, 30)), FOUR],
}


def black_hole(port, stack):
    """A port of IPv6 at which nobody accepts: its queue is full, so that the system drops what comes."""
    hole = stack.enter_context(socket.socket(socket.AF_INET6))
    hole.bind((SIX, port))
    hole.listen(0)
    for _ in range(4):
        waiting = stack.enter_context(socket.socket(socket.AF_INET6))
        waiting.setblocking(False)
        waiting.connect_ex((SIX, port))


@pytest.mark.row("B18", alone=True)
def test_a_page_is_fetched_by_whichever_version_of_ip_works(figure):
    names = {url.split("/")[2].partition(":")[0]: addresses for url, addresses in CASES.items() if addresses}
    page = html("wolf spider")
    found, longest = {}, 0.0
    with ExitStack() as stack:
        stack.enter_context(Names(names))
        servers = [
            stack.enter_context(Sites(lambda request: page if request.path == "/" else None, host=host, port=port))
            for port, hosts in LISTENING.items()
            for host in hosts
        ]
        black_hole(8003, stack)
        for url in CASES:
            began = time.monotonic()
            found |= ask(servers[0], [url], resolve={}, allow=(SIX, FOUR))
            longest = max(longest, time.monotonic() - began)
        before = sum(server.connections for server in servers)
        refused = ask(servers[0], CASES, resolve={})
        after = sum(server.connections for server in servers)
    fetched = sum(isinstance(answer, Page) for answer in found.values())
    figure(f"{fetched} of {len(CASES)} fetched, the slowest in {1000 * longest:.0f} ms; {after - before} unasked for")
    assert fetched == len(CASES), {url: answer for url, answer in found.items() if not isinstance(answer, Page)}
    assert after == before
    assert all(answer.reason.startswith("refused address") for answer in refused.values()), refused
