"""The proof: with the same pages to spend, Scrapy in a strategy's order finds what Lycosa itself finds with it."""

import pytest

from lycosa.core.nouns import Topic
from lycosa.core.urls import canonical
from lycosa.engine.hunt import Hunt
from lycosa.engine.plan import Budget, Plan
from lycosa.frontier.manners import Rules
from lycosa.web.http_options import HttpOptions
from lycosa.web.made import Made
from lycosa.web.serve import spawn

PAGES, TOPICS, SEED, BUDGET = 4000, 8, 7, 300
EAGER = {"DOWNLOAD_DELAY": 0, "CLOSESPIDER_ITEMCOUNT": BUDGET}


@pytest.mark.parametrize("strategy", ["apprentice"])
def test_scrapy_finds_what_lycosa_finds_and_far_more_than_in_its_own_order(scrapy, tmp_path, strategy):
    topic = Made(pages=PAGES, topics=TOPICS, seed=SEED, traps=False).topics[0]
    hunt = {"LYCOSA_KEYWORDS": topic.keywords, "LYCOSA_STRATEGY": strategy}
    command = ("crawl", "links", "-a", f"seeds={' '.join(topic.examples)}")

    def recall(urls):
        return len({*urls} & {*topic.targets}) / len(topic.targets)

    def crawled(**settings):
        ran = scrapy(served.proxy, *command, project=True, **EAGER, **settings)
        assert len(ran.items) >= BUDGET, ran.said
        return recall([canonical(item["url"]) for item in ran.items[:BUDGET]])

    with spawn(f"made:pages={PAGES},topics={TOPICS},seed={SEED},traps=no") as served:
        plan = Plan(
            topic=Topic(topic.keywords, examples=topic.examples),
            seeds=topic.examples,
            strategy=strategy,
            budget=Budget(BUDGET),
            rules=Rules(delay=0.0),
            http=HttpOptions(proxy=served.proxy),
            index=False,
        )
        with Hunt.begin(plan, tmp_path / "hunt") as own:
            ours = recall([visit.url for visit in own])
        theirs, plain = crawled(**hunt), crawled(ADDONS="{}")
    print(f"recall of {len(topic.targets)} targets after {BUDGET} pages by {strategy}:")
    print(f"Lycosa {ours:.3f}, Scrapy with Lycosa {theirs:.3f}, Scrapy alone {plain:.3f}")
    assert theirs >= 0.7 * ours
    assert theirs >= 3 * plain
