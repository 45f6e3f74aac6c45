"""Scrapy as a peer: crawl from the seeds through the proxy and print, as JSON, how many pages that were.

Everything the crawl does not need is switched off, so that the comparison is with Scrapy at its leanest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import IGNORED_EXTENSIONS, LinkExtractor

from loopback import keep_to_loopback

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 16,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "HTTPCACHE_ENABLED": False,
    "METAREFRESH_ENABLED": False,
    "REFERER_ENABLED": False,
    "RETRY_ENABLED": False,
    "LOG_LEVEL": "ERROR",
    "LOGSTATS_INTERVAL": 0,
    "MEMUSAGE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "STATS_DUMP": False,
    "TELNETCONSOLE_ENABLED": False,
}
# The stock link extractor passes these over, too.
PICTURES_AND_THE_LIKE = tuple(f".{extension}" for extension in IGNORED_EXTENSIONS)


class Stock(Spider):
    """Links by Scrapy's own link extractor, duplicates by its own filter."""

    name = "stock"
    seeds: list[str]
    budget: int
    pages = 0
    bytes = 0
    links = LinkExtractor()

    async def start(self) -> AsyncIterator[Request]:
        for url in self.seeds:
            yield Request(url)

    def parse(self, response: Response) -> Iterator[Request]:
        self.pages += 1
        self.bytes += len(response.body)
        if self.pages >= self.budget:
            raise CloseSpider("budget spent")
        if isinstance(response, TextResponse):
            yield from self.follow(response)

    def follow(self, response: TextResponse) -> Iterator[Request]:
        """A request for every link."""
        return (Request(link.url) for link in self.links.extract_links(response))


class OwnLinks(Stock):
    """What an expert would write for speed: bare href attributes, and duplicates dropped before they are requests."""

    name = "own-links"

    def follow(self, response: TextResponse) -> Iterator[Request]:
        """A request for every link that is new."""
        for href in set(response.css("a::attr(href)").getall()):
            url = response.urljoin(href.partition("#")[0])
            if url not in self.seen and url.startswith("http") and not url.lower().endswith(PICTURES_AND_THE_LIKE):
                self.seen.add(url)
                yield Request(url, dont_filter=True)

    def __init__(self, seeds: list[str], **options: object) -> None:
        super().__init__(seeds=seeds, **options)
        self.seen = set(seeds)


def main() -> None:
    """Arguments: stock or own-links, a file with seeds, the page budget. The proxy comes in http_proxy."""
    keep_to_loopback()
    kind, seeds, budget = sys.argv[1:]
    spider = {spider.name: spider for spider in (Stock, OwnLinks)}[kind]
    process = CrawlerProcess(SETTINGS)
    crawler = process.create_crawler(spider)
    process.crawl(crawler, seeds=Path(seeds).read_text().split(), budget=int(budget))
    process.start()
    print(json.dumps({"pages": crawler.spider.pages, "bytes": crawler.spider.bytes}))


if __name__ == "__main__":
    main()
