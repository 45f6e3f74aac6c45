"""A plain spider, as anybody would write it: an item for each page, a request for each link."""

from collections.abc import Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor


class LinksSpider(Spider):
    """Follows every link: `scrapy crawl links -a seeds="http://... http://..."`."""

    name = "links"
    links = LinkExtractor()

    def __init__(self, seeds: str = "", **options: Any) -> None:
        super().__init__(**options)
        self.start_urls = seeds.split()

    def parse(self, response: Response) -> Iterator[Any]:
        if not isinstance(response, TextResponse):
            return
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            # Only there if Lycosa is; a spider need not look at it.
            "relevance": response.meta.get("lycosa", {}).get("relevance"),
        }
        for link in self.links.extract_links(response):
            yield Request(link.url)
