"""The date of a page: which of its dates counts, and that what is no date is none."""

from datetime import UTC, datetime

import pytest

from lycosa.core.nouns import Page, Raw
from lycosa.web.page_dates import date_of, moment

HEADER = "Wed, 21 Oct 2015 07:28:00 GMT"


def dated(html, modified=""):
    found = date_of(Page("http://a.test/", raw=Raw(200, (), html.encode()), modified=modified))
    return found and f"{found:%Y-%m-%d}"


META = '<meta {}="{}" content="{}">'


@pytest.mark.parametrize(
    ("html", "day"),
    [
        (META.format("property", "article:published_time", "2024-05-01T23:30:00-02:00"), "2024-05-02"),
        (META.format("name", "DC.date.issued", "2024/5/1"), "2024-05-01"),
        (META.format("itemprop", "datePublished", "2024-05"), "2024-05-01"),
        ('<script type="application/ld+json">{"a": [{"datePublished" : "2024-05-01"}]}</script>', "2024-05-01"),
        ('<time itemprop="datePublished" datetime="2024-05-01">May</time>', "2024-05-01"),
        ('<time pubdate datetime="2024-05-01">May</time>', "2024-05-01"),
        ('<time datetime="2024-05-01">May</time>', "2024-05-01"),
        (META.format("property", "article:modified_time", "2024-05-01"), "2024-05-01"),
        ("<p>Posted on 2024-05-01", "2015-10-21"),
        (META.format("property", "article:published_time", "soon"), "2015-10-21"),
        (META.format("property", "article:published_time", "2024-99-99"), "2015-10-21"),
        ('<script type="application/ld+json">{"datePublished": ' + "[" * 5000 + "</script>", "2015-10-21"),
        ('<time datetime="10:00">ten</time>', "2015-10-21"),
        ("", "2015-10-21"),
    ],
)
def test_what_a_page_states_counts_before_the_header(html, day):
    assert dated(html, HEADER) == day


def test_publication_comes_before_change_and_change_before_other_times():
    times = '<time datetime="2001-01-01">then</time>'
    changed = META.format("property", "article:modified_time", "2002-02-02")
    published = META.format("property", "article:published_time", "2003-03-03")
    assert dated(times + changed + published) == "2003-03-03"
    assert dated(times + changed) == "2002-02-02"
    assert dated("<p>no date") is None


@pytest.mark.parametrize(
    "text", ["", "x", "0000-00-00", "9999999999", "2024-13", "Wed, 99 Foo 2015", "\0", "0001-01-01T00:00+23:59"]
)
def test_what_is_no_date_is_none(text):
    assert moment(text) is None


def test_dates_are_in_utc():
    assert moment("2024-05-01T01:00:00+02:00") == datetime(2024, 4, 30, 23, tzinfo=UTC)
    assert moment(HEADER) == datetime(2015, 10, 21, 7, 28, tzinfo=UTC)
