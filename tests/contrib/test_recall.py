"""The proof: in a strategy's order Scrapy finds what Lycosa itself finds with it, and far more than in its own."""

import pytest

from lycosa.core.nouns import Topic
from lycosa.core.urls import canonical
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.web.http_options import HttpOptions
from lycosa.web.serving import spawn
from lycosa.web.source_names import open_made

WEB = "made:pages=4000,topics=8,seed=7,traps=no,page_bytes=3000"


@pytest.fixture(scope="module")
def served():
    with spawn(WEB) as served:
        yield served


@pytest.fixture(scope="module")
def topic():
    return open_made(WEB).topics[0]


@pytest.fixture
def by_lycosa(served, topic, tmp_path):
    """The pages of a crawl by Lycosa itself."""

    def crawl(strategy, pages, **how):
        plan = Plan(
            topic=Topic(topic.keywords, examples=topic.examples),
            seeds=topic.examples,
            strategy=strategy,
            budget=Budget(pages),
            rules=PolitenessRules(delay=0.0),
            http=HttpOptions(proxy=served.proxy),
            index=False,
            processes=1,
            **how,
        )
        with Hunt.begin(plan, tmp_path / strategy) as hunt:
            return [visit.url for visit in hunt]

    return crawl


@pytest.fixture
def by_scrapy(served, topic, scrapy):
    """The pages of a crawl by the example project."""

    def crawl(pages, **settings):
        settings |= {"DOWNLOAD_DELAY": 0, "CLOSESPIDER_ITEMCOUNT": pages, "LYCOSA_KEYWORDS": topic.keywords}
        seeds = f"seeds={' '.join(topic.examples)}"
        ran = scrapy(served.proxy, "crawl", "links", "-a", seeds, project=True, **settings)
        assert ran.said == []
        assert len(ran.items) >= pages
        return [canonical(item["url"]) for item in ran.items[:pages]]

    return crawl


def test_with_the_same_pages_to_spend_scrapy_finds_what_lycosa_finds(by_lycosa, by_scrapy, topic):
    pages, strategy = 200, "apprentice"

    def recall(urls):
        return len({*urls} & {*topic.targets}) / len(topic.targets)

    ours = recall(by_lycosa(strategy, pages))
    theirs = recall(by_scrapy(pages, LYCOSA_STRATEGY=strategy))
    plain = recall(by_scrapy(pages, ADDONS="{}"))
    print(f"recall of {len(topic.targets)} targets after {pages} pages by {strategy}:")
    print(f"Lycosa {ours:.3f}, Scrapy with Lycosa {theirs:.3f}, Scrapy alone {plain:.3f}")
    assert theirs >= 0.7 * ours
    assert theirs >= 3 * plain


def test_one_by_one_both_fetch_the_same_pages_in_the_same_order(by_lycosa, by_scrapy):
    ours = by_lycosa("apprentice", 50, workers=1, reach=1)
    assert by_scrapy(50, LYCOSA_STRATEGY="apprentice", LYCOSA_REACH=1, CONCURRENT_REQUESTS=1) == ours
