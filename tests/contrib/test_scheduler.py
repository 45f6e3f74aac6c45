"""A whole crawl by Scrapy, over real HTTP on loopback, in the strategy's order."""

from pathlib import Path

import pytest

from lycosa.web.serving import spawn

ADDON = {"lycosa.contrib.scrapy.Addon": 500}
SPIDER = str(Path(__file__).with_name("odd_spider.py"))
ONE_BY_ONE = {"CONCURRENT_REQUESTS": 1, "ROBOTSTXT_OBEY": False, "RETRY_TIMES": 2}
HUNT = {"ADDONS": ADDON, "LYCOSA_KEYWORDS": "wolf spider", "LYCOSA_STRATEGY": "best-first"}
PAGES = {
    "": ("wolf spider news", ["wolves.html", "tomatoes.html", "moved.html", "flaky.html", "gone.html"]),
    "wolves.html": ("wolf spider", ["wolf-1.html", "wolf-2.html"]),
    "wolf-1.html": ("wolf spider", []),
    "wolf-2.html": ("wolf spider", ["wolf-1.html"]),
    "tomatoes.html": ("tomato", ["tomato-1.html"]),
    "tomato-1.html": ("tomato", []),
    "moved.html": "new.html",
    "new.html": ("spider", []),
    "flaky.html": ("spider", []),
    "made-up?page=2": ("spider", []),
    "later.html": ("wolf spider", []),
    "urgent.html": ("tomato", []),
    "head.html": ("tomato", []),
}


IN_ORDER = [
    *("", "urgent.html", "head.html"),  # a priority above 0 and what is not GET: by Scrapy's own queue, at once
    *("wolves.html", "wolf-1.html", "wolf-2.html", "tomatoes.html"),
    *("moved.html", "new.html", "flaky.html", "flaky.html", "gone.html"),  # redirected and tried again in their places
    "made-up?page=2",  # no link: as good as the links beside it, and found after them
    *("wolves.html", "tomato-1.html"),  # once more, because the spider insists
    "later.html",  # a priority below 0: however relevant, last
]


@pytest.fixture
def served(recorded, tmp_path):
    log = tmp_path / "asked.log"
    with spawn(recorded(PAGES), log=str(log), faults=("a.test/flaky.html=503:times=1",)) as served:
        yield served


def asked(served):
    return [asked.path.removeprefix("/") for asked in served.asked()]


def test_links_are_sent_in_the_strategys_order_and_all_else_as_scrapy_means_it(scrapy, served):
    ran = scrapy(served.proxy, "runspider", SPIDER, **ONE_BY_ONE, **HUNT)
    assert asked(served) == IN_ORDER
    assert ran.said == []
    relevance = {item["url"]: item["relevance"] for item in ran.items}
    assert relevance["http://a.test/wolves.html"] > relevance["http://a.test/"] > 0.5
    assert relevance["http://a.test/tomatoes.html"] == relevance["http://a.test/urgent.html"] == 0
    assert ran.stats["lycosa/pages"] == len(ran.items) + 1  # the answer to HEAD
    assert ran.stats["lycosa/misses"] == 1
    assert 0 < ran.stats["lycosa/harvest"] < ran.stats["lycosa/best"] <= 1
    assert ran.stats["scheduler/dequeued"] == ran.stats["scheduler/enqueued"]
    assert ran.stats["scheduler/dequeued/lycosa"] == ran.stats["scheduler/enqueued"] - 2
    assert ran.stats["closed"] == "finished"


def test_a_job_goes_on_where_it_was_stopped_and_only_with_its_strategy(scrapy, served, tmp_path):
    job = {"JOBDIR": tmp_path / "job"}
    first = scrapy(served.proxy, "runspider", SPIDER, **ONE_BY_ONE, **HUNT, **job, CLOSESPIDER_ITEMCOUNT=4)
    assert first.stats["lycosa/queued"] > 0
    before = len(served.asked())
    other = scrapy(served.proxy, "runspider", SPIDER, **ONE_BY_ONE, **(HUNT | {"LYCOSA_STRATEGY": "dom"}), **job)
    (line,) = other.said
    assert line.endswith(
        "Lycosa: the job was begun with LYCOSA_STRATEGY = 'best-first': set it so again, or choose another JOBDIR"
    )
    assert other.stats["closed"] == "lycosa_refused"
    assert len(served.asked()) == before
    second = scrapy(served.proxy, "runspider", SPIDER, **ONE_BY_ONE, **HUNT, **job)
    assert second.said == []
    assert second.stats["lycosa/queued"] == 0
    # Scrapy asks for the start page once more, because its requests are not filtered.
    assert asked(served)[before] == ""
    assert asked(served)[:before] + asked(served)[before + 1 :] == IN_ORDER


def test_a_pause_between_requests_costs_no_more_time_than_it_takes(scrapy, served):
    by_hand = {
        "SCHEDULER": "lycosa.contrib.scrapy.Scheduler",
        "SPIDER_MIDDLEWARES": {"lycosa.contrib.scrapy.LycosaMiddleware": 100},
        "LYCOSA_KEYWORDS": "wolf spider",
    }
    slow = {"ROBOTSTXT_OBEY": False, "DOWNLOAD_DELAY": 0.1, "DOWNLOAD_DELAY_JITTER": 0}
    ran = scrapy(served.proxy, "runspider", SPIDER, **slow, **by_hand)
    assert ran.said == []
    assert sorted(asked(served)) == sorted(IN_ORDER)
    times = [each.time for each in served.asked()]
    # By itself Scrapy's engine would ask again only every five seconds.
    assert 0.1 * (len(times) - 2) < times[-1] - times[0] < 2.5 * len(times)


def test_without_its_middleware_the_scheduler_says_what_is_missing(scrapy, served):
    ran = scrapy(served.proxy, "runspider", SPIDER, SCHEDULER="lycosa.contrib.scrapy.Scheduler", LYCOSA_KEYWORDS="wolf")
    (line,) = ran.said
    assert 'SPIDER_MIDDLEWARES = {"lycosa.contrib.scrapy.LycosaMiddleware": 100}' in line
    assert asked(served) == []
