"""Whatever a host does, the crawl ends, the good hosts' pages are there, and every URL has one final state."""

from collections import Counter

import pytest
from msgspec.structs import replace

from lycosa.app.requests.hunt import HuntRequest
from lycosa.app.requests.hunt_plan import make_plan
from lycosa.core.events import Leased, Missed, Redirected, Visited
from lycosa.core.nouns import Raw
from lycosa.engine.hunt import Hunt
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.web.faults import FAULTS
from lycosa.web.serving import spawn

HEADERS = (("Content-Type", "text/html; charset=utf-8"),)


SLOW = ("drip", "silent", "endless")
"""Faults of hosts for which one has to wait."""


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """A hub for each fault, which links to ten good pages and five on a host that has it: served, and the good ones."""
    folder = tmp_path_factory.mktemp("web")
    good = [f"http://good-{n}.test/page" for n in range(10)]
    writer = Writer(folder, "web")

    def page(url, text, links=()):
        anchors = "".join(f'<p><a href="{link}">wolf spider {link[-5:]}</a></p>' for link in links)
        body = f"<html><title>{text}</title><body>{text} {url} {anchors}</body></html>".encode()
        writer.write(url, Raw(200, HEADERS, body), 0.0)

    for url in good:
        page(url, "wolf spider page", good)
    for fault in FAULTS:
        hub, bad = f"http://hub-{fault}.test/", [f"http://bad-{fault}.test/{n}" for n in range(5)]
        page(hub, "wolf spider hub", [*bad, *good])
        for url in bad:
            page(url, "wolf spider page", [hub])
    writer.close()
    with spawn(folder / "pages", faults=tuple(f"bad-{fault}.test={fault}:seconds=0.3" for fault in FAULTS)) as served:
        yield served, set(good)


@pytest.mark.parametrize("faults", [SLOW, tuple(sorted(FAULTS.keys() - set(SLOW)))], ids=["slow", "quick"])
def test_bad_hosts_do_not_spoil_the_hunt(tmp_path, web, faults):
    served, good = web
    # The wait must be short where it is the fault; good pages take their time on a busy machine.
    short = {"timeout_total": 4.0, "timeout_read": 2.0} if faults is SLOW else {}
    request = HuntRequest(
        "wolf spider",
        [f"http://hub-{fault}.test/" for fault in faults],
        pages=200,
        delay=0.0,
        workers=8,
        retries=1,
        body=100_000,
        proxy=served.proxy,
        index=False,
    )
    plan = make_plan(request)
    plan = replace(plan, rules=replace(plan.rules, patience=2), http=replace(plan.http, **short))
    with Hunt.begin(plan, tmp_path / "c") as running:
        visits = {visit.url: visit for visit in running}
        assert running.crawl.stopped.reason == "nothing left to fetch"
    assert good <= visits.keys()
    assert all(visit.size <= 100_000 for visit in visits.values())
    states = final_states(tmp_path / "c")
    assert max(states.values()) == 1
    assert {fault for fault in faults if not any(f"//bad-{fault}.test/" in url for url in states)} == set()


def final_states(folder):
    """How many final states each leased URL has in the log."""
    collection = Collection.open(folder)
    try:
        states = Counter()
        for entry in collection.log.read():
            match entry.event:
                case Leased(ticket=ticket):
                    states[ticket.url] += 0
                case Visited(visit=visit):
                    states[visit.url] += 1
                case Redirected(redirect=redirect):
                    states[redirect.ticket.url] += 1
                case Missed(miss=miss, final=final):
                    states[miss.ticket.url] += final
        assert 0 not in states.values()
        return states
    finally:
        collection.close()
