"""What is known of each page over time."""

import sqlite3
from email.utils import formatdate

import pytest

from lycosa.community.freshness import Freshness
from lycosa.community.page_history import DAY, GONE, INTERVALS, PRESENT, UNKNOWN, History
from lycosa.core.events import Leased, Missed, Redirected, Visited
from lycosa.core.nouns import FEED, SITEMAP, Miss, Raw, Redirect, Ticket, Visit
from lycosa.core.shingles import shingles
from lycosa.store.collection import Collection
from lycosa.store.repository import Writer
from lycosa.system.errors import Refused

URL = "http://h.test/"


START = 1.7e9


def brought(digest="one", status=200, url=URL, text="", modified=None):
    date = "" if modified is None else formatdate(modified, usegmt=True)
    return Visited(Visit(Ticket(url), 0.5, digest=digest, status=status, sketch=shingles(text), modified=date))


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


# What a change is

PARAGRAPHS = [
    " ".join(f"{word}{number}{word}" for word in ("spider", "burrow", "hunting", "night")) + f" paragraph {number}."
    for number in "abcdefghijklmnopqrstuvwxyz"
]
TEXT = " ".join(PARAGRAPHS)


def of_texts(tmp_path, *texts):
    return after(tmp_path, *(brought(str(number), text=text) for number, text in enumerate(texts)))


@pytest.mark.parametrize(
    "other",
    [
        f"{TEXT} Served on 20 November 2026, visitor number 12345",
        f"Advertisement: buy shoes now. {TEXT}",
        TEXT.replace("night", "dusk", 1),
        " ".join(PARAGRAPHS[:-1]),
    ],
    ids=["date and counter", "advertisement", "a word", "a sentence less"],
)
def test_a_small_part_of_the_text_is_no_change(tmp_path, other):
    history = of_texts(tmp_path, TEXT, other)
    assert (history.checks, history.changes, history.quiet) == (1, 0, DAY)
    assert history.digest == "0" and history.changed == DAY


def test_a_clock_is_no_change_even_in_a_short_text(tmp_path):
    short = " ".join(PARAGRAPHS[:6])
    assert of_texts(tmp_path, f"{short} It is 10:20:30 now.", f"{short} It is 23:59:51 now.").changes == 0


def test_a_table_of_other_prices_is_a_change(tmp_path):
    def prices(of):
        return " ".join(
            f"A {paragraph.split()[0]} costs {of + 7 * i} crowns." for i, paragraph in enumerate(PARAGRAPHS)
        )

    assert of_texts(tmp_path, prices(100), prices(300)).changes == 1


def test_another_text_is_a_change(tmp_path):
    news = " ".join(PARAGRAPHS[8:]) + " and a third of it is about tarantulas in the desert of Sonora" * 4
    assert of_texts(tmp_path, TEXT, news).changes == 1


def test_many_small_changes_add_up_to_one(tmp_path):
    texts = [" ".join(["Tarantulas live in the desert of Sonora."] * cut + PARAGRAPHS[cut:]) for cut in range(13)]
    history = of_texts(tmp_path, *texts)
    assert 1 <= history.changes < 12


def test_without_sketches_any_byte_is_a_change(tmp_path):
    assert of_texts(tmp_path, "short", "brief").changes == 1


def test_where_the_text_before_is_not_known_nothing_is_learned(tmp_path):
    history = of_texts(tmp_path, "short", TEXT, f"{TEXT} Visitor 2")
    assert (history.checks, history.changes, history.quiet, history.digest) == (2, 0, DAY, "1")


# When it was


def days(tmp_path, *events):
    with Freshness(tmp_path / "dated.sqlite") as freshness:
        freshness.learn([(START + day * DAY, event) for day, event in enumerate(events)])
        return freshness.of([URL])[URL]


def test_the_time_of_a_change_is_that_of_last_modified(tmp_path):
    history = days(tmp_path, brought(), brought("two", modified=START + DAY / 4), brought("two"))
    assert (history.dated, sum(history.blurred), history.stirred) == (1, 0, 0.0)
    assert history.quiet == pytest.approx(0.75 * DAY + DAY)


def test_a_change_of_unknown_time_is_sorted_by_the_interval(tmp_path):
    history = days(tmp_path, brought(), brought("two"), brought("three", modified=START + 90 * DAY))
    assert (history.dated, sum(history.blurred)) == (0, 2)
    assert dict(zip(INTERVALS, history.blurred, strict=True))[1.0] == 2


def test_a_date_that_contradicts_what_is_seen_is_ignored(tmp_path):
    for number, modified in enumerate((START - 90 * DAY, 0.0, START + 50 * DAY)):
        (tmp_path / str(number)).mkdir()
        history = days(tmp_path / str(number), brought(), brought("two", modified=modified))
        assert (history.dated, sum(history.blurred)) == (0, 1), modified


def test_the_age_of_a_new_page_counts_unless_it_was_made_on_demand(tmp_path):
    assert days(tmp_path, brought(modified=START - 40 * DAY)).quiet == pytest.approx(40 * DAY)
    (tmp_path / "b").mkdir()
    assert days(tmp_path / "b", brought(modified=START - 60)).dated == 0


# What sitemaps and feeds say


def crawl(folder, listing, kind, at):
    """A crawl that fetched a list; returns its folder."""
    writer = Writer(folder, "test")
    with Collection.create(folder) as collection:
        address = "http://h.test/list.xml"
        where = writer.write(address, Raw(200, (("Content-Type", "application/xml"),), listing.encode()), at)
        collection.log.append(Visited(Visit(Ticket(address), 0.0, where=where, withheld=kind)), at)
        collection.log.commit()
    writer.close()
    return folder


def sitemap(*dates):
    return f"<urlset>{''.join(f'<url><loc>{url}</loc><lastmod>{date}</lastmod></url>' for url, date in dates)}</urlset>"


ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/"/><published>2023-11-01T00:00:00Z</published>
<updated>2023-11-16T12:00:00Z</updated></entry></feed>"""


@pytest.mark.parametrize(
    ("kind", "listing"),
    [(SITEMAP, sitemap((URL, "2023-11-16T12:00:00Z"), ("http://strange.test/", "2023-11-16"))), (FEED, ATOM)],
)
def test_a_list_tells_of_a_change_and_is_believed_when_a_check_confirms_it(tmp_path, kind, listing):
    folder = crawl(tmp_path / "c", listing, kind, START + 4 * DAY)
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(START, brought())])
        freshness.follow(folder)
        told = freshness.of([URL])[URL].told or 0.0
        assert told == pytest.approx(START + 1.573 * DAY, abs=0.01 * DAY)
        assert freshness.follow(folder) == 0
        freshness.learn([(START + 5 * DAY, brought("two"))])
        history = freshness.of([URL])[URL]
    assert (history.told, history.heeded, history.confirmed, history.dated) == (None, 1, 1, 1)
    assert history.quiet == pytest.approx(START + 5 * DAY - told)


def test_a_list_that_was_wrong_is_remembered_as_wrong(tmp_path):
    folder = crawl(tmp_path / "c", sitemap((URL, "2023-11-16")), SITEMAP, START + 4 * DAY)
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(START, brought())])
        freshness.follow(folder)
        freshness.learn([(START + 5 * DAY, brought())])
        history = freshness.of([URL])[URL]
    assert (history.heeded, history.confirmed, history.changes, history.quiet) == (1, 0, 0, 5 * DAY)


def test_old_news_future_dates_and_nonsense_tell_nothing(tmp_path):
    dates = [(URL, "2023-11-01"), (URL, "2031-01-01"), (URL, "yesterday"), (URL, "")]
    folder = crawl(tmp_path / "c", sitemap(*dates), SITEMAP, START + 4 * DAY)
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(START, brought())])
        freshness.follow(folder)
        assert freshness.of([URL])[URL].told is None


def test_a_list_has_no_say_about_other_sites(tmp_path):
    folder = crawl(tmp_path / "c", sitemap(("http://other.test/", "2023-11-16")), SITEMAP, START + 4 * DAY)
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(START, brought(url="http://other.test/"))])
        freshness.follow(folder)
        assert freshness.of(["http://other.test/"])["http://other.test/"].told is None


# Files of the first version

FIRST = """
CREATE TABLE pages (
    url TEXT PRIMARY KEY, first REAL, asked REAL, seen REAL, changed REAL, digest TEXT, state TEXT, why TEXT,
    checks INTEGER, changes INTEGER, quiet REAL, stirred REAL, absences INTEGER, absent REAL, faults INTEGER
) WITHOUT ROWID;
INSERT INTO pages VALUES ('http://quiet.test/', 1, 9, 9, 1, 'one', 'present', '', 4, 0, 8.0, 0.0, 0, NULL, 0);
INSERT INTO pages VALUES ('http://noisy.test/', 1, 9, 9, 9, 'two', 'gone', 'status 404', 4, 4, 0.0, 8.0, 2, 9.0, 1);
PRAGMA user_version = 1;
"""


def test_a_file_of_the_first_version_opens_and_its_byte_changes_do_not_count(tmp_path):
    db = sqlite3.connect(tmp_path / "f")
    db.executescript(FIRST)
    db.close()
    for _ in range(2):
        with Freshness(tmp_path / "f") as freshness:
            found = freshness.of(["http://quiet.test/", "http://noisy.test/"])
    quiet, noisy = found["http://quiet.test/"], found["http://noisy.test/"]
    assert (quiet.checks, quiet.quiet, quiet.blurred, quiet.told) == (4, 8.0, b"", None)
    assert (noisy.checks, noisy.changes, noisy.stirred) == (0, 0, 0.0)
    assert (noisy.state, noisy.why, noisy.absences, noisy.faults) == (GONE, "status 404", 2, 1)
    with Freshness(tmp_path / "f") as freshness:
        freshness.learn([(20.0, brought("three", url="http://noisy.test/"))])
        assert freshness.of(["http://noisy.test/"])["http://noisy.test/"].changes == 1
