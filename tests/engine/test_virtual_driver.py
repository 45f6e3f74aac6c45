"""Virtual time: workers, pauses, and robots.txt at the first request to a host."""

from __future__ import annotations

import asyncio

import pytest

from lycosa.engine.crawl import Crawl
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver


@pytest.fixture
def timed(little_web, plan):
    """Crawl a little web and return when each outcome came, by name."""

    def run(pages, *seeds, robots=None, **options):
        made = plan(*seeds, **options)
        crawl = Crawl(made)
        scout = Scout(little_web(pages), made.topic, made.make_strategy(), made.make_judge())
        driver = VirtualDriver(crawl, scout, robots=robots)
        crawl.begin(0.0)

        async def times():
            return [(outcome.ticket.url.removeprefix("http://"), driver.now) async for outcome in driver.run()]

        return dict(asyncio.run(times()))

    return run


PAGES = {
    "a.test/": ("wolf spider", ["a.test/2", "b.test/"]),
    "a.test/2": ("wolf", []),
    "b.test/": ("spider", []),
}


def test_without_robots_the_first_request_is_like_any_other(timed):
    assert timed(PAGES, "a.test/", delay=1.0) == pytest.approx({"a.test/": 0.1, "b.test/": 0.2, "a.test/2": 1.2})


def test_robots_txt_and_the_pause_after_it_come_before_the_first_page_of_a_host(timed):
    async def robots(url):
        return 0.0

    found = timed(PAGES, "a.test/", delay=1.0, robots=robots, workers=4)
    # robots.txt, a pause of a second, the page; both hosts then at the same time.
    assert found == pytest.approx({"a.test/": 1.2, "b.test/": 2.4, "a.test/2": 2.3})


def test_the_pause_that_robots_txt_asks_for_is_kept(timed):
    async def robots(url):
        return 5.0 if "a.test" in url else 0.0

    found = timed(PAGES, "a.test/", delay=1.0, robots=robots, workers=4)
    assert found == pytest.approx({"a.test/": 5.2, "b.test/": 6.4, "a.test/2": 10.3})
