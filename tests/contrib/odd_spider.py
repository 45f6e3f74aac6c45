"""A spider that does what spiders do beyond following links; run by the tests with `scrapy runspider`."""

import json

from scrapy import Request, Spider
from scrapy.http import TextResponse

ROOT = "http://a.test/"


class OddSpider(Spider):
    name = "odd"
    start_urls = [ROOT]

    def parse(self, response):
        yield {"url": response.url, "relevance": response.meta["lycosa"]["relevance"]}
        if not isinstance(response, TextResponse):
            return
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href)
        if response.url == ROOT:
            yield Request(ROOT + "made-up?page=2", meta={"lycosa": response.meta["lycosa"]})
            yield Request(ROOT + "later.html", priority=-1)
            yield Request(ROOT + "head.html", method="HEAD", callback=self.ignore)
            yield Request(ROOT + "urgent.html", priority=5)
        if response.url == ROOT + "tomatoes.html":
            yield Request(ROOT + "wolves.html", dont_filter=True)

    def ignore(self, response):
        pass

    def closed(self, reason):
        print(json.dumps({**self.crawler.stats.get_stats(), "closed": reason}, default=str))
