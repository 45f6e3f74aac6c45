"""Whatever a host does, the crawl ends, the good hosts' pages are there, and every URL has one final state."""

from collections import Counter

import pytest

from lycosa.core.events import Leased, Missed, Redirected, Visited
from lycosa.core.nouns import Raw
from lycosa.face.service import hunt
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.web.faults import FAULTS
from lycosa.web.serve import spawn

HEADERS = (("Content-Type", "text/html; charset=utf-8"),)


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """A hub that links to ten good pages and five on a host that will misbehave."""
    folder = tmp_path_factory.mktemp("web")
    good = [f"http://good-{n}.test/page" for n in range(10)]
    bad = [f"http://bad.test/{n}" for n in range(5)]
    writer = Writer(folder, "web")

    def page(url, text, links=()):
        anchors = "".join(f'<p><a href="{link}">wolf spider {link[-5:]}</a></p>' for link in links)
        body = f"<html><title>{text}</title><body>{text} {url} {anchors}</body></html>".encode()
        writer.write(url, Raw(200, HEADERS, body), 0.0)

    page("http://hub.test/", "wolf spider hub", [*bad, *good])
    for url in [*good, *bad]:
        page(url, "wolf spider page", ["http://hub.test/"])
    writer.close()
    return folder / "pages", set(good)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_one_bad_host_does_not_spoil_the_hunt(tmp_path, web, fault):
    pages, good = web
    with spawn(pages, faults=(f"bad.test={fault}:seconds=0.3",)) as served:
        # The wait must be short where it is the fault; good pages take their time on a busy machine.
        short = {"timeout_total": 4.0, "timeout_read": 2.0} if fault in ("drip", "silent", "endless") else {}
        http = {"proxy": served.proxy, **short}
        with hunt(
            "wolf spider",
            ["http://hub.test/"],
            out=tmp_path / "c",
            pages=100,
            delay=0.0,
            workers=8,
            retries=1,
            rules={"patience": 2},
            body=100_000,
            http=http,
        ) as running:
            visits = {visit.url: visit for visit in running}
            assert running.crawl.stopped.reason == "nothing left to fetch"
    assert good <= visits.keys()
    assert all(visit.size <= 100_000 for visit in visits.values())
    assert max(final_states(tmp_path / "c").values()) == 1


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
