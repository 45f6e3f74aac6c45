"""B14: a host that says when to come again is not asked before, and then has all of its pages fetched."""

import time
from collections import defaultdict
from email.utils import formatdate

import pytest
from sites import Sites, crawl, html, reply

NEVER = float("inf")
LATE = 0.05
"""Seconds by which the clocks of the two sides may differ."""


def seconds(text):
    return lambda rest: (text(rest), time.time() + rest)


def date(layout):
    def form(rest):
        # A date has whole seconds.
        when = int(time.time() + rest) + 1
        return time.strftime(layout, time.gmtime(when)), when

    return form


def nothing(text):
    return lambda rest: (text, time.time())


def hopeless(text):
    return lambda rest: (text() if callable(text) else text, NEVER)


FORMS = {
    "seconds": seconds(str),
    "spaces": seconds(lambda rest: f"  {rest} \t"),
    "zeros": seconds(lambda rest: f"000{rest}"),
    "fraction": seconds(lambda rest: f"{rest}.0"),
    "date": date("%a, %d %b %Y %H:%M:%S GMT"),
    "rfc850": date("%A, %d-%b-%y %H:%M:%S GMT"),
    "asctime": date("%a %b %d %H:%M:%S %Y"),
    "zone": date("%a, %d %b %Y %H:%M:%S +0000"),
    "none": nothing(None),
    "empty": nothing(""),
    "zero": nothing("0"),
    "negative": nothing("-60"),
    "garbage": nothing("soon, I promise"),
    "no-date": nothing("Mon, 99 Foo 2024 99:99:99 GMT"),
    "digits": nothing("\u00b2"),
    "past": nothing("Sun, 06 Nov 1994 08:49:37 GMT"),
    "ten-years": hopeless("315360000"),
    "ten-years-on": hopeless(lambda: formatdate(time.time() + 315360000, usegmt=True)),
    "thousand-digits": hopeless("9" * 1000),
    "year-9999": hopeless("Fri, 31 Dec 9999 23:59:59 GMT"),
}
"""For each form the header, and the time before which nobody may come."""
STATUSES = {"429": "429 Too Many Requests", "503": "503 Service Unavailable"}


class Busy:
    """Hosts that are busy for their first requests, and one that has room for one request in a while."""

    def __init__(self, rest, pages):
        self.rest, self.pages = rest, pages
        self.early = []
        self.asked = defaultdict(list)
        self.not_before = defaultdict(float)

    def __call__(self, request):
        if request.path == "/robots.txt":
            return None
        host, now = request.host, time.time()
        times = self.asked[host]
        if now < self.not_before[host] - LATE:
            self.early.append((host, self.not_before[host] - now))
        times.append(now)
        form, _, code = host.removesuffix(".test").rpartition("-")
        busy = (len(times) % 2 == 1) if form == "rationed" else (len(times) <= int(code) % 2 + 1)
        if form not in FORMS and form != "rationed":
            return None
        header, self.not_before[host] = FORMS.get(form, FORMS["seconds"])(self.rest) if busy else (None, 0.0)
        if busy or self.not_before[host] == NEVER:
            return reply("busy", STATUSES[code], Retry_After=header)
        links = [f"/{n}" for n in range(1, self.pages)] if request.path == "/" else []
        return html(f"wolf spider {host} {request.path}", *links)


@pytest.mark.row("B14")
def test_nobody_comes_before_the_time_asked_for_and_all_pages_are_fetched(figure, size, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    pages = size(2, 10)
    busy = Busy(size(2, 20), pages)
    hosts = [f"{form}-{code}.test" for form in (*FORMS, "rationed") for code in STATUSES]
    try:
        with Sites(busy) as sites:
            found = crawl(tmp_path / "c", [f"http://{host}/" for host in hosts], sites, workers=64)
    finally:
        monkeypatch.undo()
        time.tzset()
    passing = [host for host in hosts if FORMS.get(host[:-9], nothing(""))(1)[1] != NEVER]
    wanted = {f"http://{host}/{n or ''}" for host in passing for n in range(pages)}
    given_up = set(hosts) - set(passing)
    again = [host for host in given_up if len(busy.asked[host]) > 1]
    figure(
        f"{len(busy.early)} early of {sum(map(len, busy.asked.values()))} requests, "
        f"{len(wanted & found.pages)} of {len(wanted)} pages recovered, "
        f"{len(again)} of {len(given_up)} hosts that asked for years were asked again"
    )
    assert not busy.early
    assert wanted <= found.pages, wanted - found.pages
    assert not again
    assert {found.misses[f"http://{host}/"] for host in given_up} <= {"status 429", "status 503"}
    assert set(found.final.values()) == {1}
