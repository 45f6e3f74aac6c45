"""What is known of each page over time, and what looking at it again is worth."""

import math
import sqlite3

import pytest

from lycosa.community.freshness import GONE, PRESENT, UNKNOWN, Freshness, History
from lycosa.community.revisit_value import DAY, PRIOR_DAYS, change_rate, worth
from lycosa.core.events import Leased, Missed, Redirected, Visited
from lycosa.core.nouns import Miss, Redirect, Ticket, Visit
from lycosa.store.collection import Collection
from lycosa.store.rows import PageRow
from lycosa.system.errors import Refused

URL = "http://h.test/"


def brought(digest="one", status=200, url=URL):
    return Visited(Visit(Ticket(url), 0.5, digest=digest, status=status))


def missed(reason, final=True, again=False):
    return Missed(Miss(Ticket(URL), reason, again), final)


def moved(status, to="http://h.test/new"):
    return Redirected(Redirect(Ticket(URL), to, status))


def after(tmp_path, *events, **how):
    """What is known of the page after one event a day."""
    with Freshness(tmp_path / "freshness.sqlite", **how) as freshness:
        freshness.learn([(day * DAY, event) for day, event in enumerate(events, 1)])
        return freshness.of([URL]).get(URL)


def test_a_page_seen_once_is_present_and_not_yet_checked(tmp_path):
    assert after(tmp_path, brought()) == History(URL, DAY, DAY, DAY, DAY, "one")


def test_checks_and_changes_are_counted_with_their_times(tmp_path):
    history = after(tmp_path, brought(), brought(status=304), brought("two"), brought("two"))
    assert (history.checks, history.changes, history.quiet, history.stirred) == (3, 1, 2 * DAY, DAY)
    assert (history.first, history.seen, history.changed, history.digest) == (DAY, 4 * DAY, 3 * DAY, "two")


def test_events_that_are_known_change_nothing(tmp_path):
    events = [(DAY, brought()), (2 * DAY, brought("two")), (3 * DAY, missed("timeout"))]
    with Freshness(tmp_path / "f") as freshness:
        assert freshness.learn(events) == 1
        known = freshness.of([URL])
        assert freshness.learn(events) == 0
        assert freshness.learn([(2.5 * DAY, brought("late"))]) == 0
        assert freshness.of([URL]) == known


FAULTS = [
    "timeout",
    "connection reset",
    "connection refused",
    "host unreachable",
    "no such host",
    "name server failure",
    "certificate not valid",
    "certificate expired",
    "no tls on this port",
    "tls stalled",
    "incomplete body",
    "robots",
    "robots unreachable",
    "host given up",
    "scout lost",
    "status 304",
    "status 401",
    "status 403",
    "status 429",
    "status 500",
    "status 503",
    "not text: application/pdf",
]


@pytest.mark.parametrize("reason", FAULTS)
def test_a_fault_makes_a_page_unknown_and_never_gone(tmp_path, reason):
    history = after(tmp_path, brought(), *[missed(reason)] * 20)
    assert (history.state, history.why, history.faults) == (UNKNOWN, reason, 20)
    assert (history.seen, history.asked, history.digest) == (DAY, 21 * DAY, "one")


@pytest.mark.parametrize("event", [missed("status 404"), missed("status 410"), moved(301), moved(308)])
def test_a_page_is_gone_when_its_server_has_said_so_twice(tmp_path, event):
    first = after(tmp_path, brought(), event)
    assert (first.state, first.absences) == (UNKNOWN, 1)
    with Freshness(tmp_path / "freshness.sqlite") as freshness:
        freshness.learn([(9 * DAY, event)])
        assert freshness.gone([URL, "http://other.test/"]) == {URL}


def test_a_page_that_moved_says_where(tmp_path):
    assert after(tmp_path, brought(), moved(301)).why == "moved to http://h.test/new"


def test_a_page_that_is_elsewhere_for_the_moment_is_unknown(tmp_path):
    history = after(tmp_path, brought(), *[moved(302, "http://h.test/login")] * 5)
    assert (history.state, history.why) == (UNKNOWN, "status 302")


def test_how_often_is_configurable(tmp_path):
    events = [brought(), *[missed("status 404")] * 3]
    for confirmations, state in ((1, GONE), (3, GONE), (4, UNKNOWN)):
        folder = tmp_path / str(confirmations)
        folder.mkdir()
        assert after(folder, *events, confirmations=confirmations).state == state
    with pytest.raises(Refused, match="1 or more"):
        Freshness(tmp_path / "f", confirmations=0)


def test_a_site_out_of_order_for_a_while_loses_nothing(tmp_path):
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(DAY, brought())])
        freshness.learn([(2 * DAY + 60 * minute, missed("status 404")) for minute in range(50)])
        assert freshness.of([URL])[URL].state == UNKNOWN
        freshness.learn([(3 * DAY, missed("status 404"))])
        assert freshness.of([URL])[URL].state == GONE


def test_a_page_that_comes_back_is_present_and_starts_anew(tmp_path):
    gone = [brought(), missed("status 404"), missed("status 404")]
    assert after(tmp_path, *gone, brought()).state == PRESENT
    with Freshness(tmp_path / "freshness.sqlite") as freshness:
        freshness.learn([(9 * DAY, missed("status 404"))])
        assert freshness.of([URL])[URL].state == UNKNOWN


def test_what_is_gone_stays_gone_through_a_fault(tmp_path):
    assert after(tmp_path, brought(), missed("status 404"), missed("status 404"), missed("timeout")).state == GONE


def test_a_try_that_is_repeated_does_not_count(tmp_path):
    assert after(tmp_path, brought(), missed("status 503", final=False, again=True)).state == PRESENT


def test_of_pages_nobody_has_seen_nothing_is_kept(tmp_path):
    assert after(tmp_path, missed("status 404"), missed("timeout"), moved(301), Leased(Ticket(URL))) is None


def test_a_crawl_is_followed_from_its_log(tmp_path):
    with Collection.create(tmp_path / "c") as collection:
        for number in range(1200):
            collection.log.append(brought(url=f"{URL}{number}"), 10.0 + number)
        collection.log.commit()
    with Freshness(tmp_path / "f") as freshness:
        assert freshness.follow(tmp_path / "c") == 1200
        assert freshness.follow(tmp_path / "c") == 0
        assert len(freshness.of([f"{URL}{number}" for number in range(2000)])) == 1200


def test_what_was_not_looked_at_is_noted_as_a_fault(tmp_path):
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(DAY, brought())])
        freshness.missed([URL, "http://strange.test/"], 2 * DAY, "host given up")
        history = freshness.of([URL])[URL]
        assert (history.state, history.why, history.faults) == (UNKNOWN, "host given up", 1)


def test_a_damaged_or_foreign_file_is_refused_in_one_line(tmp_path):
    (tmp_path / "bad").write_bytes(b"no database at all, but long enough to look at" * 100)
    with pytest.raises(Refused, match="damaged"):
        Freshness(tmp_path / "bad")
    db = sqlite3.connect(tmp_path / "new")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(Refused, match="version 99"):
        Freshness(tmp_path / "new")


# The rate


def test_with_regular_looks_the_rate_is_near_the_known_estimators():
    for changes in (5, 10, 19):
        looks, days = 20, 100.0
        known = -math.log((looks - changes + 0.5) / (looks + 0.5)) / days
        assert change_rate(changes, changes * days, (looks - changes) * days) == pytest.approx(known, rel=0.15)


def test_the_rate_of_the_unseen_is_the_prior_and_evidence_moves_it():
    unseen = change_rate()
    assert unseen == pytest.approx(math.log(2) / PRIOR_DAYS)
    assert change_rate(0, 0.0, 1.0) < unseen
    assert change_rate(0, 0.0, 300.0) < change_rate(0, 0.0, 30.0)
    assert change_rate(1, 1.0, 0.0) > unseen
    assert change_rate(30, 30.0, 0.0) > change_rate(3, 3.0, 0.0) > change_rate(1, 1.0, 0.0)
    assert change_rate(1, 300.0, 0.0) < change_rate(1, 3.0, 0.0)


# The value


def row(url=URL, relevance=0.5, at=0.0, digest="one"):
    return PageRow(
        1, url, "h.test", relevance, "", 200, "text/html", "", digest, 1, at, None, None, None, "", "", relevance
    )


def test_the_value_is_the_product_of_its_parts():
    due = worth(row(), None, 0.5, 30 * DAY)
    assert due.parts == pytest.approx({"relevance": 0.5, "changed": 0.5, "hub": 1.5, "faults": 1.0})
    assert due.value == pytest.approx(0.375)
    assert (due.age, due.rate) == pytest.approx((30.0, change_rate()))


def test_hubs_come_first_among_equals():
    assert worth(row(), None, 1.0, DAY).value > worth(row(), None, 0.2, DAY).value > worth(row(), None, 0.0, DAY).value


def test_what_changes_often_and_was_not_seen_for_long_comes_first():
    lively = History(URL, 0, 0, 0, 0, "one", checks=10, changes=9, quiet=DAY, stirred=9 * DAY)
    still = History(URL, 0, 0, 0, 0, "one", checks=10, quiet=10 * DAY)
    assert worth(row(), lively, 0, 5 * DAY).value > worth(row(), still, 0, 5 * DAY).value
    assert worth(row(), still, 0, 50 * DAY).value > worth(row(), still, 0, 5 * DAY).value
    assert worth(row(), still, 0, -5.0).value == 0.0


def test_attempts_in_vain_halve_the_value():
    quiet = History(URL, 0, 0, 0, 0, "one")
    failing = History(URL, 0, 0, 0, 0, "one", faults=2)
    assert worth(row(), failing, 0, DAY).value == pytest.approx(worth(row(), quiet, 0, DAY).value / 4)


def test_a_page_of_no_relevance_is_worth_a_little():
    assert 0 < worth(row(relevance=0.0), None, 0, DAY).value < worth(row(relevance=0.02), None, 0, DAY).value


def test_a_copy_that_is_known_to_be_old_has_changed_for_certain():
    elsewhere = History(URL, 0, DAY, DAY, DAY, "two")
    assert worth(row(), elsewhere, 0, DAY).parts["changed"] == 1.0
    assert worth(row(digest="two", at=DAY), elsewhere, 0, DAY).parts["changed"] == 0.0
