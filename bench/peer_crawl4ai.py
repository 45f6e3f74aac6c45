"""Crawl4AI as a peer: its HTTP strategy (no browser) with its best-first deep crawl, through the proxy.

It prints, as JSON, how many pages that were. In stock form it also turns every page into Markdown, which is what it is
made for; with `prefetch` it only takes a page's links, which is the least it can do.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from loopback import keep_to_loopback

keep_to_loopback()  # before the import: some of its dependencies want to fetch something when they are imported

from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig, HTTPCrawlerConfig, ProxyConfig  # noqa: E402
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy  # noqa: E402
from crawl4ai.deep_crawling import BestFirstCrawlingStrategy, bff_strategy  # noqa: E402
from crawl4ai.deep_crawling.scorers import KeywordRelevanceScorer  # noqa: E402
from crawl4ai.egress_policy import set_egress_proxy  # noqa: E402

CONCURRENCY = 16


async def crawl(seeds: list[str], pages: int, keywords: str, prefetch: bool) -> dict[str, int]:
    """Best links first until the budget is spent; robots.txt obeyed, no pause, nothing cached."""
    proxy = os.environ["http_proxy"]
    set_egress_proxy(proxy)  # for robots.txt, which the proxy below is not used for
    bff_strategy.BATCH_SIZE = CONCURRENCY
    strategy = BestFirstCrawlingStrategy(
        max_depth=1000,
        max_pages=pages,
        include_external=True,
        url_scorer=KeywordRelevanceScorer(keywords.split()),
        # The only way to begin with more than one seed.
        resume_state={
            "queue_items": [{"score": 0, "depth": 0, "url": url, "parent_url": None} for url in seeds],
            "depths": dict.fromkeys(seeds, 0),
        },
    )
    config = CrawlerRunConfig(
        deep_crawl_strategy=strategy,
        cache_mode=CacheMode.BYPASS,
        check_robots_txt=True,
        prefetch=prefetch,
        proxy_config=ProxyConfig(server=proxy),
        mean_delay=0,
        max_range=0,
        semaphore_count=CONCURRENCY,
        stream=True,
        verbose=False,
    )
    found = {"pages": 0, "bytes": 0}
    web = AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig(), max_connections=CONCURRENCY)
    async with AsyncWebCrawler(web) as crawler:
        async for result in await crawler.arun(seeds[0], config=config):
            found["pages"] += result.success
            found["bytes"] += len(result.html)
    return found


def main() -> None:
    """Arguments: stock or prefetch, a file with seeds, the page budget, the keywords. The proxy comes in http_proxy."""
    kind, seeds, pages, keywords = sys.argv[1:]
    found = asyncio.run(crawl(Path(seeds).read_text().split(), int(pages), keywords, kind == "prefetch"))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
