"""Why pages are dropped, and why some never are."""

from __future__ import annotations

import pytest

from lycosa.community.dropped_pages import says_something, uncertain, why_dropped
from lycosa.community.refresh_fetches import RefreshFetches
from lycosa.core.nouns import LOST, Miss, Raw, Redirect, Ticket, Visit
from lycosa.store.repository import Writer


@pytest.fixture
def fetches(tmp_path):
    fetches = RefreshFetches(tmp_path / "tonight", {})
    yield fetches
    fetches.close()


def miss(url, reason, again=False):
    return Miss(Ticket(url), reason, again)


@pytest.mark.parametrize(
    ("reason", "again", "says"),
    [
        ("status 404", False, True),
        ("status 410", False, True),
        ("status 403", False, True),
        ("robots", False, True),
        ("type image/png", False, True),
        ("status 503", True, False),
        ("timeout", True, False),
        ("connection reset", True, False),
        ("robots unreachable", True, False),
        ("no such host", False, False),
        ("certificate not valid", False, False),
        ("certificate expired", False, False),
        ("no tls on this port", False, False),
        ("tls stalled", True, False),
        ("host given up", False, False),
        ("parser hung", False, False),
    ],
)
def test_only_what_a_server_says_of_a_page_counts_against_it(reason, again, says):
    assert says_something(miss("http://a/", reason, again)) is says


def test_pages_that_were_tried_in_vain_are_uncertain_unless_somebody_got_them(fetches, tmp_path):
    crawl = tmp_path / "0000-1"
    (crawl / "pages").mkdir(parents=True)
    for url in ("http://a/", "http://b/", "http://other/"):
        fetches.note(miss(url, "timeout", again=True), 1.0, crawl)
    fetches.note(miss("http://gone/", "status 404"), 1.0, crawl)
    fetches.note(miss("http://lost/", LOST, again=True), 1.0, crawl)
    writer = Writer(crawl, "scout")
    where = writer.write("http://b/", Raw(200, (), b"here"), 2.0)
    writer.close()
    fetches.note(Visit(Ticket("http://b/"), 0.5, where=where), 2.0, crawl)
    old = {"http://a/", "http://b/", "http://gone/", "http://lost/"}
    assert uncertain(fetches, old) == ["http://a/"]


def test_seeds_of_a_host_that_was_given_up_are_uncertain_too(fetches, tmp_path):
    crawl = tmp_path / "0000-1"
    fetches.note(miss("http://down/1", "timeout", again=True), 1.0, crawl)
    fetches.note(miss("http://down/2", "status 404"), 1.0, crawl)
    fetches.note(Redirect(Ticket("http://down/3"), "http://there/"), 1.0, crawl)
    old = {f"http://{host}/{number}" for host in ("down", "up") for number in range(6)}
    seeds = {"http://down/2", "http://down/3", "http://down/4", "http://up/4", "http://down/new"}
    assert uncertain(fetches, old, seeds) == ["http://down/1", "http://down/4"]


def test_all_pages_of_a_host_that_never_answered_are_uncertain(fetches, tmp_path):
    fetches.note(miss("http://down/1", "timeout", again=True), 1.0, tmp_path / "0000-1")
    old = {f"http://{host}/{number}" for host in ("down", "up") for number in range(3)}
    assert uncertain(fetches, old) == ["http://down/0", "http://down/1", "http://down/2"]


def test_every_page_that_is_dropped_has_its_reason(fetches, tmp_path):
    crawl = tmp_path / "0000-1"
    (crawl / "pages").mkdir(parents=True)
    writer = Writer(crawl, "scout")
    for url in ("http://early/", "http://late/"):
        fetches.note(Visit(Ticket(url), 0.5, where=writer.write(url, Raw(200, (), b"x"), 1.0)), 1.0, crawl)
    writer.close()
    fetches.note(miss("http://gone/", "status 410"), 1.0, crawl)
    fetches.note(miss("http://closed/", "robots"), 1.0, crawl)
    fetches.note(Redirect(Ticket("http://moved/"), "http://there/"), 1.0, crawl)
    urls = ("stays", "early", "late", "gone", "closed", "moved", "far")
    old = {f"http://{name}/" for name in urls}
    assert why_dropped(old, {"http://stays/"}, fetches, {"http://late/"}) == {
        "http://early/": "only in an earlier iteration",
        "http://late/": "no room",
        "http://gone/": "gone",
        "http://closed/": "robots",
        "http://moved/": "moved",
        "http://far/": "not reached by any query",
    }


def test_an_answer_says_more_than_a_fault_and_faults_are_asked_again(fetches, tmp_path):
    crawl = tmp_path / "0000-1"
    fetches.note(miss("http://a/", "timeout", again=True), 1.0, crawl)
    assert fetches.known(Ticket("http://a/")) is False
    fetches.note(miss("http://a/", "status 404"), 2.0, crawl)
    fetches.note(miss("http://a/", "timeout", again=True), 3.0, crawl)
    assert fetches.known(Ticket("http://a/", 0.7)) == Miss(Ticket("http://a/", 0.7), "status 404")
    fetches.note(miss("http://b/", "host full"), 3.0, crawl)
    assert fetches.known(Ticket("http://b/")) is False
