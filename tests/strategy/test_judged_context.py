"""Judged context: links are scored by the judge of the crawl, whatever it knows that the keywords do not."""

import asyncio

import pytest

from lycosa.core.judge import Judge
from lycosa.core.nouns import Ticket, Topic, Verdict
from lycosa.core.strategy import make
from lycosa.engine.scout import Scout, ScoutOrder
from lycosa.web.parse import parse

HTML = """<title>Animals</title>
<ul><li><a href="http://b.test/">hound</a></li><li><a href="http://c.test/">soup</a></li></ul>"""


class Meanings(Judge):
    """Finds dogs relevant, by whatever name."""

    def __call__(self, page):
        words = page.text.split()
        return Verdict(sum(word in {"wolf", "hound"} for word in words) / max(1, len(words)))


class OnePage:
    async def get(self, url, limit):
        return parse(url, HTML.encode(), "text/html; charset=utf-8", context=True)


def scores(options):
    strategy = make("judged-context", options)
    scout = Scout(OnePage(), Topic("wolf"), strategy, Meanings())
    visit = asyncio.run(scout(ScoutOrder(Ticket("http://a.test/"), 10_000)))
    return visit.relevance, {ticket.url: ticket.score for ticket in strategy.learn(visit)}


def test_the_judge_scores_the_context_of_a_link():
    relevance, found = scores({"words": 0})
    assert relevance == pytest.approx(1 / 3)  # of «Animals hound soup»
    assert found == pytest.approx({"http://b.test/": 0.25 / 3 + 0.75, "http://c.test/": 0.25 / 3})


def test_a_context_of_few_words_is_widened_by_default():
    relevance, found = scores({})
    assert found == pytest.approx({"http://b.test/": relevance, "http://c.test/": relevance})
