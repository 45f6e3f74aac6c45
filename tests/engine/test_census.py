"""The census: what counts as relevant, what is still unseen, and when enough was found."""

import asyncio
import importlib.util
import random
from pathlib import Path

import msgspec
import numpy as np
import pytest

from lycosa.core.nouns import Judgement, Ticket, Topic, Visit
from lycosa.engine import census as census_module
from lycosa.engine.census import Census
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.offline import SourceWeb


def visit(url, relevance, links=(), via="http://via.test/"):
    return Visit(Ticket(url, via=via), relevance, links=list(links))


def fill(census, pages, **more):
    for url, relevance, links in pages:
        seen = visit(url, relevance, links, **more)
        census.visited(seen, relevance, seen.links)
        census.look()


def random_pages(count, seed=1, urls=2000, links=30):
    dice = random.Random(seed)
    names = [f"http://{number % 40}.test/{number}" for number in range(urls)]
    return [(name, dice.random() if dice.random() < 0.3 else 0.0, dice.sample(names, links)) for name in names[:count]]


def test_a_page_counts_as_much_as_it_is_likely_on_topic():
    census = Census()
    fill(census, [(f"http://a.test/{number}", 0.3, ()) for number in range(100)])
    assert census.estimate().found == 30


def test_with_a_threshold_a_page_counts_whole_or_not_at_all():
    census = Census(relevant=0.7)
    fill(census, [(f"http://a.test/{number}", number / 100, ()) for number in range(100)])
    assert census.estimate().threshold == 0.7
    assert census.estimate().found == 30


def test_it_is_too_early_to_tell_while_hardly_anything_was_found():
    census = Census()
    fill(census, [(f"http://a.test/{number}", 0.02, ()) for number in range(100)])
    assert census.estimate() is None


def test_pages_that_are_judged_again_are_counted_again():
    census = Census()
    fill(census, [(f"http://a.test/{number}", 0.5, ()) for number in range(100)])
    census.judged_again(np.array([np.nan, 0.9, 0.1]), 1)
    assert census.estimate().found == round(97 * 0.5 + 0.9 + 0.1)
    census.judged_again(np.full(100, 1.0), 2)
    assert census.estimate().found == 100


def test_what_waits_is_as_relevant_as_what_was_followed_lately_from_such_pages():
    census = Census(relevant=0.5)
    linked = [f"http://b.test/{number}" for number in range(100)]
    # One relevant seed links to a hundred pages; sixty are followed, half of them relevant, and link to nothing.
    fill(census, [("http://seed.test/", 1.0, linked)], via=None)
    fill(census, [(url, float(number % 2), ()) for number, url in enumerate(linked[:60])])
    found = census.estimate()
    assert found.found == 31
    # Of the last fifty 25 were relevant: (25 + 0.5) / (50 + 1) of all, (25 + 4 * 0.5) / (50 + 4) of those with one
    # relevant page behind them, so half of the forty that wait. Halves say nothing: the seed is in one of them.
    assert found.total == pytest.approx(31 + 40 / 2)
    assert found.low < found.total < found.high


def test_links_that_lead_nowhere_count_as_followed():
    def total(fate):
        census = Census(relevant=0.5)
        linked = [f"http://b.test/{number}" for number in range(200)]
        fill(census, [("http://seed.test/", 1.0, linked)], via=None)
        for number, url in enumerate(linked[:100]):
            if number % 2:
                fill(census, [(url, 1.0, ())])
            else:
                fate(census, url)
        return census.estimate().total

    dead = total(lambda census, url: census.missed(url))
    dropped = total(lambda census, url: census.dropped(url))
    assert dead == pytest.approx(51 + 50, rel=0.05)
    # What was only dropped says nothing of what still waits.
    assert dropped == pytest.approx(51 + 100, rel=0.05)


def test_what_only_one_half_links_to_tells_of_what_neither_does():
    census = Census(relevant=0.5)
    pages = [(f"http://hub.test/{number}", 0.0, [f"http://b.test/{number}"]) for number in range(60)]
    fill(census, pages, via=None)
    fill(census, [(f"http://b.test/{number}", 1.0, ()) for number in range(60)])
    # Every page has one link: neither half knows a page of the other, and there may be any number of others.
    assert census.estimate().total > 500


def test_it_is_too_early_to_say_before_fifty_pages():
    census = Census(relevant=0.5)
    fill(census, random_pages(49))
    assert census.estimate() is None
    assert census.share == 0.0
    fill(census, random_pages(50)[49:])
    assert census.latest is not None


def test_a_census_that_was_saved_goes_on_as_if_nothing_had_been():
    pages = random_pages(400)
    whole = Census()
    fill(whole, pages)
    first = Census()
    fill(first, pages[:217])
    second = Census()
    second.load(msgspec.msgpack.decode(msgspec.msgpack.encode(first.save())))
    fill(second, pages[217:])
    assert second.save() == whole.save()
    assert second.estimate() == whole.estimate()


def test_a_sample_of_the_urls_says_nearly_the_same(monkeypatch):
    pages = random_pages(1500, urls=6000)
    whole = Census(relevant=0.2)
    fill(whole, pages)
    monkeypatch.setattr(census_module, "_LIMIT", 2000)
    sample = Census(relevant=0.2)
    fill(sample, pages)
    assert len(sample.save()["states"]) <= 2000
    assert sample.estimate().found == whole.estimate().found
    assert sample.estimate().total == pytest.approx(whole.estimate().total, rel=0.2)


ESTIMATE = Path(__file__).parents[2] / "bench" / "estimate.py"


@pytest.fixture(scope="module")
def bench():
    """The crawls of known webs by which the estimate was measured."""
    spec = importlib.util.spec_from_file_location("estimate", ESTIMATE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_upper_bound_holds_and_the_interval_mostly_does_on_made_webs(bench):
    held, above = [], []
    for seed in (1, 2):
        world = bench.open_world(f"made:pages=1500,topics=6,seed={seed},page_bytes=2000")
        for topic in world.topics[:4]:
            told = asyncio.run(bench.crawl(world, topic, topic.examples, topic.examples, "best-first", 300))
            found = told[max(told)]
            there = bench.truth(world, topic, topic.examples)
            held.append(found.low <= there <= found.high)
            above.append(found.high >= there)
    assert sum(above) >= 7
    assert sum(held) >= 5


MADE = Made(pages=400, topics=3, seed=3, page_bytes=1200)
TOPIC = MADE.topics[0]


def crawled(pages=900, share=None, events=None, state=None, steps=None, now=0.0, strategy="best-first"):
    """A crawl of a made web, all that it told, and the URLs it asked for."""
    plan = Plan(
        topic=Topic(TOPIC.keywords, examples=TOPIC.examples),
        seeds=TOPIC.examples,
        strategy=strategy,
        budget=Budget(pages, share=share),
        rules=PolitenessRules(delay=0.0),
        workers=1,
    )
    told, urls = [], []
    crawl = Crawl(plan, lambda event, at: told.append((at, event)))
    if state:
        crawl.load(state)
    crawl.refold(events or [])
    scout = Scout(SourceWeb(MADE, raw=False), plan.topic, plan.make_strategy(), plan.make_judge())

    async def run():
        crawl.begin(now)
        outcomes = VirtualDriver(crawl, scout, now=now).run()
        async for outcome in outcomes:
            urls.append(outcome.ticket.url)
            if len(urls) == steps:
                await outcomes.aclose()
                break

    asyncio.run(run())
    return crawl, told, urls


@pytest.fixture(scope="module")
def enough():
    """A crawl that ended when it had found half of what there is."""
    return crawled(share=0.5)


def test_a_crawl_ends_when_it_has_found_enough(enough):
    crawl, _, urls = enough
    assert crawl.stopped.finished
    assert crawl.stopped.reason == "found about 50% of what there is"
    assert 100 <= crawl.tally.pages < 400
    assert crawl.census.share >= 0.5
    relevant = {*TOPIC.targets, *TOPIC.examples}
    assert len(relevant.intersection(urls)) / len(relevant) >= 0.5


def test_a_crawl_that_is_cut_and_resumed_ends_at_the_same_page(enough):
    whole, _, urls = enough
    for cut in (60, len(urls) - 1):
        part, before, first = crawled(share=0.5, steps=cut)
        state, now = part.save(), before[-1][0]
        by_log, _, second = crawled(share=0.5, events=before, now=now)
        by_state, _, third = crawled(share=0.5, state=state, now=now)
        assert first + second == first + third == urls
        for again in (by_log, by_state):
            assert again.stopped.reason == whole.stopped.reason
            assert again.census.estimate() == whole.census.estimate()


def test_a_judgement_changes_what_was_found_and_is_refolded():
    crawl, told, _ = crawled(pages=60, strategy="apprentice")  # who learns from a person's words
    page = crawl.relevance.pages.seen - 1
    url = crawl.relevance.pages.urls[page]
    crawl.judged(Judgement(url, True), 1e6, 77)
    assert crawl.relevance.of(page) == crawl.census._relevance[page] == 1.0
    crawl.judged(Judgement(url, False), 1e6, 78)
    assert crawl.relevance.of(page) == crawl.census._relevance[page] == 0.0
    again = Crawl(crawl.plan, lambda event, at: None)
    again.refold(told)
    assert again.census.estimate() == crawl.census.estimate()
    assert (again.judgements, again.heard) == ({url: False}, 78)


def test_a_word_that_was_taken_back_is_refolded():
    crawl, told, _ = crawled(pages=60, strategy="apprentice")  # who learns from a person's words
    page = crawl.relevance.pages.seen - 1
    url = crawl.relevance.pages.urls[page]
    crawl.judged(Judgement(url, True), 1e6, 77)
    crawl.judged(Judgement(url, None), 1e6, 78)
    again = Crawl(crawl.plan, lambda event, at: None)
    again.refold(told)
    assert again.save() == crawl.save()
    assert (again.judgements, again.heard) == ({}, 78)
    assert again.relevance.of(page) not in (None, 0.0, 1.0)


def test_without_a_log_and_a_share_nothing_is_counted():
    assert Crawl(crawled(pages=5)[0].plan).census is None


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, 7.0, float("nan")])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(Refused, match="more than 0 and less than 1"):
        Budget(share=share)
