"""Endless URLs are told by their looks, honest ones pass."""

import pytest

from lycosa.frontier.trap_detection import TrapDetector


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.test/a/a/a/x", "repeating path"),
        ("http://a.test/x/a/b/a/b/a/b", "repeating path"),
        ("http://a.test/" + "/".join(map(str, range(20))), "deep path"),
    ],
)
def test_paths_that_go_round_in_circles_are_refused(url, reason):
    assert TrapDetector()(url) == reason


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/",
        "http://a.test/news/2024/05/17/a-real-story.html",
        "http://a.test/a/b/a/b/c",
        "http://a.test/product/12345",
        "http://a.test/w/index.php?title=History&oldid=2007",
    ],
)
def test_honest_urls_pass_for_ever(url):
    traps = TrapDetector(dates_per_host=1)
    assert [traps(url) for _ in range(5)] == [None] * 5


@pytest.mark.parametrize(
    "pattern",
    [
        "http://a.test/cal/2024/{:02d}",
        "http://a.test/cal?date=2024-{:02d}",
        "http://a.test/cal?year=2024&month={}",
        "http://a.test/cal?month={}&year=2024&view=list",
        "http://a.test/day/2024-{:02d}-01",
    ],
)
def test_an_endless_calendar_ends(pattern):
    traps = TrapDetector(dates_per_host=6)
    answers = [traps(pattern.format(month)) for month in range(1, 13)]
    assert answers == [None] * 6 + ["calendar"] * 6


def test_calendars_are_counted_by_host_and_survive_saving():
    traps = TrapDetector(dates_per_host=1)
    assert traps("http://a.test/2024/01/") is None
    assert traps("http://b.test/2024/01/") is None
    again = TrapDetector(dates_per_host=1)
    again.load(traps.save())
    assert again("http://a.test/2024/02/") == "calendar"
