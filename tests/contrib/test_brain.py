"""The brain's promises: what a page teaches, and what its requests are worth."""

import math
import pickle

import pytest

from lycosa.contrib.scrapy.brain import Brain
from lycosa.contrib.scrapy.project_settings import ProjectSettings
from lycosa.core.nouns import Ticket
from lycosa.core.strategy import strategies

HTML = "text/html; charset=utf-8"
SEED = "http://a.test/"
FREE = [name for name in strategies() if name not in ("context-graph", "focused")]


def page(text, *links):
    anchors = "".join(f'<p><a href="{link}">{link}</a> {text}</p>' for link in links)
    return f"<html><title>{text}</title><body>{text} {anchors}</body></html>".encode()


def brain(strategy="best-first", **options):
    made = Brain(ProjectSettings("wolf spider", strategy, **options))
    made.queue.add("seed", made.seed(SEED))
    return made


def popped(brain):
    return brain.queue.pop(lambda host: 0.0, 1.0, 16, idle=True)


@pytest.mark.parametrize("strategy", FREE)
def test_every_strategy_that_needs_no_lore_orders_what_the_spider_asks_for(strategy):
    hunter = brain(strategy)
    for number in range(40):
        found = popped(hunter)
        assert not isinstance(found, float), number
        _, ticket = found
        links = [f"http://{name}{number}.test/" for name in "bcd"]
        outlook = hunter.visited(ticket, ticket.url, page("wolf spider news", *links, "http://offsite.test/"), HTML)
        asked = [*links[:2], f"http://made-up{number}.test/?page=2"]
        for url in asked:
            hunter.queue.add(url, outlook.ticket(url))
        hunter.left(outlook, asked)
        if number % 7 == 6:
            hunter.missed(popped(hunter)[1], "status 404")
    assert len(hunter.queue) > 0


def test_links_count_by_the_strategy_and_what_is_no_link_as_much_as_they_do_on_average():
    hunter = brain()
    outlook = hunter.visited(popped(hunter)[1], SEED, page("wolf spider news", "http://b.test/"), HTML)
    assert outlook.relevance == pytest.approx(0.8, abs=0.05)
    assert outlook.ticket("http://api.test/?page=2").score == pytest.approx(outlook.relevance)
    assert outlook.ticket("http://b.test/").score == -math.inf  # unless the strategy has named it, as it has
    assert hunter.queue.add("b", outlook.ticket("http://b.test/"))
    assert popped(hunter)[1].score == pytest.approx(outlook.relevance)


def test_a_page_that_is_no_html_hands_on_its_own_score():
    hunter = brain()
    outlook = hunter.visited(popped(hunter)[1], SEED, b'{"next": 2}', "application/json")
    assert outlook.ticket("http://a.test/?page=2").score == 1.0


def test_a_page_is_learned_from_once_however_often_it_is_fetched():
    hunter = brain("apprentice")
    for _ in range(3):
        hunter.visited(Ticket(SEED, 1.0), SEED, page("wolf spider", "http://b.test/"), HTML)
    assert hunter._relevance.pages.seen == 1


def test_links_that_ask_not_to_be_followed_come_last_unless_the_project_says_otherwise():
    body = b'<html><body>wolf spider <a href="/b" rel="nofollow">b</a> <a href="/c">c</a></body></html>'
    for obey, named in ((True, False), (False, True)):
        hunter = brain(obey_nofollow=obey)
        outlook = hunter.visited(popped(hunter)[1], SEED, body, HTML)
        assert outlook.ticket("http://a.test/b").score == -math.inf
        assert hunter.queue.add("c", outlook.ticket("http://a.test/c"))
        assert hunter.queue.add("b", outlook.ticket("http://a.test/b")) is named


def test_many_urls_of_one_body_are_a_trap():
    hunter = brain()
    body = page("wolf spider", "http://b.test/", "http://c.test/")
    hunter.visited(popped(hunter)[1], SEED, body, HTML)
    outlook = hunter.visited(Ticket("http://a.test/?x=1", 1.0), "http://a.test/?x=1", body, HTML)
    assert outlook.ticket("http://d.test/").score == -math.inf


def test_a_start_page_that_comes_late_is_worth_as_much_as_the_first():
    hunter = brain("infospiders")
    ticket = popped(hunter)[1]
    hunter.visited(ticket, SEED, page("wolf spider", "http://b.test/"), HTML)
    late = hunter.seed("http://late.test/")
    assert late.lane == hunter._first[SEED].lane
    assert (late.url, late.score) == ("http://late.test/", 1.0)


def test_a_redirected_page_is_known_by_both_of_its_addresses():
    hunter = brain("apprentice")
    outlook = hunter.visited(popped(hunter)[1], "http://www.a.test/", page("wolf spider", "http://b.test/"), HTML)
    assert outlook.url == "http://www.a.test/"
    hunter.queue.add("b", outlook.ticket("http://b.test/"))
    assert popped(hunter)[1].via == "http://www.a.test/"


def test_what_was_learned_survives_a_stop():
    hunter = brain("apprentice")
    popped(hunter)
    for number in range(30):
        url = f"http://n{number}.test/"
        hunter.visited(Ticket(url, 1.0), url, page("wolf spider", f"http://m{number}.test/"), HTML)
    again = Brain(hunter.project)
    again.load(pickle.loads(pickle.dumps(hunter.save())))
    new = "http://new.test/", page("wolf spider", "http://b.test/"), HTML
    scores = []
    for each in (hunter, again):
        each.visited(Ticket(new[0], 1.0), *new)
        each.queue.add("b", Ticket("http://b.test/", -math.inf))
        scores.append(each.queue.frontier.best(1)[0].score)
    assert scores[0] == scores[1] > -math.inf
