"""The apprentice: it teaches itself a topic, learns from people, tunnels, and loses patience with hosts."""

import random

import msgspec
import numpy as np
import pytest

from lycosa.core.brief import Brief
from lycosa.core.nouns import Judgement, Miss, Ticket, Topic, Visit
from lycosa.core.page_kinds import KINDS
from lycosa.core.page_terms import page_terms
from lycosa.core.strategy import make
from lycosa.engine.relevance import Relevance
from lycosa.frontier.frontier import Frontier
from lycosa.strategy.apprentice.greed import Greed
from lycosa.strategy.apprentice.hedge import Hedge
from lycosa.system.errors import Refused
from lycosa.web.made import Made
from lycosa.web.parse import parse

TOPIC = Topic("wolf spider")
NO_KINDS = np.zeros(KINDS, np.uint16)
SPIDERS = "wolf spider hunts at night on eight legs and carries its eggs in a silken sac under the abdomen"
SOUP = "boil the potatoes with leek and onions and stir the soup until the cream is hot and thick enough"


class Taught:
    """An apprentice with its page model, which is told everything first, as in a crawl."""

    def __init__(self, topic, options):
        self.strategy, self.relevance = make("apprentice", options), Relevance(topic)

    def __getattr__(self, name):
        return getattr(self.strategy, name)

    def begin(self, topic, seeds):
        return list(self.strategy.begin(Brief(topic, seeds, random.Random(1), pages=self.relevance.pages)))

    def learn(self, visit):
        self.relevance.visited(visit)
        return self.strategy.learn(visit)

    def judged(self, judgement):
        self.relevance.judged(judgement.url, judgement.relevant)
        return self.strategy.judged(judgement)

    def withdrawn(self, url):
        self.relevance.judged(url, None)
        return self.strategy.withdrawn(url)

    def save(self):
        return {"relevance": self.relevance.save(), "strategy": self.strategy.save()}

    def load(self, state):
        self.relevance.load(state["relevance"])
        self.strategy.load(state["strategy"])


def begun(topic=TOPIC, seeds=("http://seed.test/",), **options):
    taught = Taught(topic, options)
    return taught, taught.begin(topic, seeds)


def visit(strategy, url, text, links=(), title="", via=None):
    anchors = " ".join(f'<li><a href="{to}">{anchor}</a></li>' for to, anchor in links)
    html = f"<title>{title}</title><body><p>{text}</p><ul>{anchors}</ul></body>"
    page = parse(url, html.encode(), "text/html; charset=utf-8", context=True)
    sense = strategy.sense(page, TOPIC)
    return Visit(Ticket(url, via=via), 0.0, [link.url for link in page.links], sense, terms=page_terms(page))


def told(tickets):
    """The scores of links by what was learned, without those that are put first for their keywords."""
    return {ticket.url: ticket.score for ticket in tickets if ticket.score != 60}


def numbered(count, host="a.test"):
    return [f"http://{host}/{number}" for number in range(count)]


class Hunt:
    """A crawl in memory, page by page, with the real frontier."""

    def __init__(self, web, strategy, tickets):
        self.web, self.strategy = web, strategy
        self.frontier = Frontier(merge=strategy.merge)
        self.frontier.put(tickets, trusted=True)
        self.track, self.tickets = [], []

    def step(self):
        ticket = self.frontier.lease(self.strategy.choose, lambda host: 0.0, 0.0, 1).ticket
        raw = self.web.response(ticket.url)
        if raw is None or raw.status != 200:
            self.frontier.put(self.strategy.miss(Miss(ticket, "status 404")))
            return self.step()
        page = parse(ticket.url, raw.body, dict(raw.headers).get("Content-Type", ""), context=True)
        sense = self.strategy.sense(page, TOPIC)
        links = [link.url for link in page.links]
        tickets = list(self.strategy.learn(Visit(ticket, 0.0, links, sense, terms=page_terms(page))))
        self.frontier.put(tickets)
        self.track.append(ticket.url)
        self.tickets.append(tickets)
        return ticket

    def run(self, pages):
        for _ in range(pages):
            self.step()
        return self


def hunt(task="neighbors", pages=0, **options):
    web = Made(1500, 8, seed=3, traps=False, page_bytes=3000)
    topic = web.topics[0]
    strategy, tickets = begun(Topic(topic.keywords), getattr(topic, task), **options)
    return Hunt(web, strategy, tickets).run(pages), topic


def test_keywords_alone_lead_from_seeds_off_topic_to_the_topic():
    crawl, topic = hunt(pages=150)
    relevant = {*topic.targets, *topic.examples}
    # A random tenth of this web would hold seven of them.
    assert len(relevant) == 69
    assert len(relevant.intersection(crawl.track)) > 35


def test_a_crawl_that_was_saved_goes_on_exactly_as_if_nothing_had_happened():
    crawl, topic = hunt(pages=40)
    frontier = Frontier(merge="last")
    frontier.load(msgspec.msgpack.decode(msgspec.msgpack.encode(crawl.frontier.save())))
    strategy, _ = begun(Topic(topic.keywords), topic.neighbors)
    strategy.load(msgspec.msgpack.decode(msgspec.msgpack.encode(crawl.strategy.save())))
    other = Hunt(crawl.web, strategy, [])
    other.frontier = frontier
    crawl.run(60), other.run(60)
    assert other.track == crawl.track[40:]
    assert [[(t.url, t.score) for t in each] for each in other.tickets] == [
        [(t.url, t.score) for t in each] for each in crawl.tickets[40:]
    ]


def test_the_parts_of_a_score_add_up_to_it():
    crawl, _ = hunt(pages=60)
    for ticket in crawl.frontier.best(200):
        assert sum(crawl.strategy.explain(ticket).values()) == pytest.approx(ticket.score, abs=1e-4)


def test_seeds_come_first_and_are_never_scored():
    strategy, tickets = begun(seeds=numbered(3))
    links = [(url, "wolf spider") for url in numbered(5)]
    answered = told(strategy.learn(visit(strategy, "http://a.test/0", SPIDERS, links)))
    assert set(answered) == set(numbered(5)[3:])
    assert min(ticket.score for ticket in tickets) > max(answered.values())
    assert strategy.explain(tickets[0]) == {}


def taught(strategy):
    """Spiders are linked as «night», soups as «dinner»; each page has both."""
    for number in range(12):
        good = number % 2 == 0
        links = [(f"http://a.test/night{number}", "night hunter"), (f"http://a.test/dinner{number}", "dinner recipe")]
        strategy.learn(visit(strategy, f"http://hub{number}.test/", SPIDERS if good else SOUP, links))
    for number in range(12):
        strategy.learn(visit(strategy, f"http://a.test/night{number}", SPIDERS))
        strategy.learn(visit(strategy, f"http://a.test/dinner{number}", SOUP))
    return strategy


def test_it_learns_which_anchors_lead_to_relevant_pages():
    strategy = taught(begun()[0])
    links = [("http://b.test/1", "night hunter"), ("http://b.test/2", "dinner recipe")]
    scores = told(strategy.learn(visit(strategy, "http://b.test/", "a page about neither of them", links)))
    assert scores["http://b.test/1"] > scores["http://b.test/2"] + 1


def test_a_persons_word_is_sure_and_scores_follow_it():
    strategy = taught(begun()[0])
    links = [("http://b.test/1", "night hunter"), ("http://b.test/2", "dinner recipe")]
    before = told(strategy.learn(visit(strategy, "http://b.test/", "a page about neither of them", links)))
    after = dict(before)
    for number in range(12):
        after |= told(strategy.judged(Judgement(f"http://a.test/night{number}", False)))
        after |= told(strategy.judged(Judgement(f"http://a.test/dinner{number}", True)))
    assert before["http://b.test/1"] > before["http://b.test/2"]
    assert after["http://b.test/2"] > after["http://b.test/1"]


def test_a_word_on_a_page_that_was_never_fetched_changes_nothing():
    strategy = taught(begun()[0])
    assert list(strategy.judged(Judgement("http://nowhere.test/", True))) == []


def test_a_word_that_was_taken_back_counts_no_more():
    said, silent = (taught(begun()[0]) for _ in range(2))
    links = [("http://b.test/1", "night hunter"), ("http://b.test/2", "dinner recipe")]
    before, _ = (told(each.learn(visit(each, "http://b.test/", "about neither", links))) for each in (said, silent))
    after = dict(before)
    for number in range(12):
        after |= told(said.judged(Judgement(f"http://a.test/night{number}", False)))
    assert after["http://b.test/1"] < before["http://b.test/1"] - 1
    for number in range(12):
        after |= told(said.withdrawn(f"http://a.test/night{number}"))
    # A lesson without any word on a page: what is left is what would have been learned anyway.
    before |= told(silent.withdrawn("http://a.test/night0"))
    unsaid, never = said.save(), silent.save()
    for each in (unsaid, never):
        del each["relevance"]["pages"]["lessons"]  # each word is followed by a lesson
    assert unsaid["relevance"] == never["relevance"]
    assert unsaid["strategy"]["promise"] == never["strategy"]["promise"]
    assert after["http://b.test/1"] == pytest.approx(before["http://b.test/1"], abs=0.05)
    assert "http://a.test/night0" in said.doubts(1000)
    assert list(said.withdrawn("http://nowhere.test/")) == []


def test_an_example_is_relevant_again_when_a_word_on_it_is_taken_back():
    url = "http://seed.test/"
    strategy, _ = begun(Topic("wolf spider", examples=(url,)), (url,))
    strategy.learn(visit(strategy, url, SOUP))
    strategy.judged(Judgement(url, False))
    strategy.withdrawn(url)
    assert url not in strategy.doubts(10)
    assert strategy.relevance.pages.sure[0] == 1


def test_doubts_are_pages_that_nobody_has_judged_yet():
    strategy = taught(begun()[0])
    doubts = strategy.doubts(3)
    assert len(doubts) == 3
    strategy.judged(Judgement(doubts[0], True))
    assert doubts[0] not in strategy.doubts(1000)
    assert len(strategy.doubts(1000)) == 35


def test_a_redirected_url_is_not_asked_about_only_the_page_it_led_to():
    strategy = taught(begun()[0])
    strategy.learn(visit(strategy, "http://hub.test/", SPIDERS, [("http://old.test/", "wolf spider")]))
    strategy.learn(visit(strategy, "http://new.test/", SPIDERS, via="http://old.test/"))
    assert "http://new.test/" in strategy.doubts(1000)
    assert "http://old.test/" not in strategy.doubts(1000)


def test_examples_are_relevant_whatever_their_words():
    url = "http://seed.test/"
    with_example, _ = begun(Topic("wolf spider", examples=(url,)), (url,))
    without, _ = begun()
    for strategy in (with_example, without):
        for number, text in enumerate([SOUP] * 3 + [SPIDERS] * 3):
            strategy.learn(visit(strategy, f"http://a.test/{number}", text))
        strategy.learn(visit(strategy, url, SOUP))
    assert url not in with_example.doubts(100)
    assert url in without.doubts(100)


def test_links_behind_many_irrelevant_pages_lose_with_every_further_page():
    def chain(tunnel):
        strategy, _ = begun(tunnel=tunnel)
        for number in range(20):
            strategy.learn(visit(strategy, f"http://good.test/{number}", SPIDERS))
        scores = []
        for number in range(9):
            links = [(f"http://deep{number + 1}.test/", "on")]
            scores += told(strategy.learn(visit(strategy, f"http://deep{number}.test/", SOUP, links))).values()
        return scores

    assert chain(tunnel=8)[-1] > chain(tunnel=2)[-1] + 3
    assert len(chain(tunnel=2)) == 9  # they are told nevertheless: one of them may be all there is


def test_a_host_that_does_not_keep_what_its_links_promise_is_worth_less():
    strategy = taught(begun()[0])
    bad = numbered(60, "bad.test")
    strategy.learn(visit(strategy, "http://list.test/", SPIDERS, [(url, "night hunter") for url in bad]))
    for url in bad[:40]:
        strategy.learn(visit(strategy, url, SOUP))
    links = [("http://bad.test/new", "night hunter"), ("http://other.test/new", "night hunter")]
    scores = told(strategy.learn(visit(strategy, "http://fair.test/", SPIDERS, links)))
    assert scores["http://other.test/new"] > scores["http://bad.test/new"]


def test_a_host_that_owes_more_than_the_others_loses_ever_more():
    greed = Greed(explore=0.0)
    for _ in range(30):
        greed.outcome(0, NO_KINDS, 0.6, 0.5)
        greed.outcome(1, NO_KINDS, 0.6, 0.1)
    grudge = greed.grudge(np.array([0, 1, 2]))
    assert grudge[0] == grudge[2] == 0
    assert grudge[1] > 0.5
    for _ in range(30):
        greed.outcome(0, NO_KINDS, 0.6, 0.5)
        greed.outcome(1, NO_KINDS, 0.6, 0.1)
    assert greed.grudge(np.array([1])) > grudge[1]


def test_where_all_hosts_owe_alike_none_is_blamed():
    greed = Greed(explore=0.0)
    for turn in range(300):
        greed.outcome(turn % 3, NO_KINDS, 0.8, 0.4)
    assert not greed.grudge(np.arange(3)).any()


def test_a_folder_from_which_no_page_ever_came_is_left_alone_on_every_host():
    strategy, _ = begun()
    taught(strategy)

    def listed(name):
        links = [(f"http://h{number}.test/{folder}/{name}", "eight legs") for number in range(9) for folder in "ip"]
        return [(url.replace("/i/", "/images/").replace("/p/", "/pages/"), anchor) for url, anchor in links]

    def scores(links, found):
        return [told(found)[url] for url, _ in links if "/images/" in url], [
            told(found)[url] for url, _ in links if "/pages/" in url
        ]

    before = listed("one")
    images, pages = scores(before, strategy.learn(visit(strategy, "http://list.test/1", SPIDERS, before)))
    assert abs(np.mean(images) - np.mean(pages)) < 0.2
    for url, _ in before:
        if "/images/" in url:
            strategy.miss(Miss(Ticket(url), "status 404"))
        else:
            strategy.learn(visit(strategy, url, SPIDERS))
    after = listed("two")
    images, pages = scores(after, strategy.learn(visit(strategy, "http://list.test/2", SPIDERS, after)))
    assert max(images) < min(pages) - 1


def test_dead_links_are_held_against_a_host_only_if_hardly_a_page_came_from_it():
    greed = Greed(explore=0.0)
    for host, pages, dead in ((0, 0, 20), (1, 3, 20), (2, 1, 200), (3, 0, 2)):
        for _ in range(pages):
            greed.outcome(host, NO_KINDS, 0.5, 0.5)
        for _ in range(dead):
            greed.dead(host, NO_KINDS)
    blamed = greed.deadness(np.array([0, 1, 2, 3, 4]))
    assert blamed[0] > 1 and blamed[2] > 1
    assert not blamed[[1, 3, 4]].any()


def by_keywords(strategy, pages=60):
    """The links followed for their keywords while nothing is found, with the text of each page's links."""
    links = [(f"http://new{n}.test/", text) for n, text in enumerate(["wolf", "soup", "wolf and spider", "spider"] * 3)]
    strategy.learn(visit(strategy, "http://seed.test/", SOUP, links))
    tickets = []
    for url in numbered(pages):
        tickets += strategy.learn(visit(strategy, url, SOUP, [(f"{url}/wolf/spider", "more")]))
    return [ticket for ticket in tickets if "keywords" in strategy.explain(ticket)]


def test_while_nothing_is_found_some_links_are_followed_for_their_keywords():
    strategy, _ = begun()
    found = by_keywords(strategy)
    assert 4 <= len(found) <= 12  # of 60 pages
    # All keywords, on hosts of which nothing was fetched yet, though the tried host has such links as well.
    assert {ticket.url for ticket in found[:3]} == {f"http://new{number}.test/" for number in (2, 6, 10)}
    assert sum(strategy.explain(found[0]).values()) == pytest.approx(found[0].score, abs=1e-4)
    assert len({ticket.url for ticket in found}) == len(found)


def test_the_more_is_found_the_fewer_links_are_followed_for_their_keywords():
    def share(relevant):
        hedge = Hedge()
        return sum(hedge.page(np.array([0.9] * relevant + [0.1] * 20)) for _ in range(1000)) / 1000

    assert share(0) == pytest.approx(0.15, abs=0.01)
    assert share(10) == pytest.approx(0.075, abs=0.01)
    assert share(300) < 0.01


def test_it_explores_only_where_promises_are_not_kept():
    def explored(explore):
        strategy, _ = begun(explore=explore)
        taught(strategy)
        urls = numbered(60, "bad.test")
        strategy.learn(visit(strategy, "http://list.test/", SPIDERS, [(url, "night hunter") for url in urls]))
        tickets = [ticket for url in urls for ticket in strategy.learn(visit(strategy, url, SOUP))]
        return [ticket for ticket in tickets if "explored" in strategy.explain(ticket)]

    assert explored(0.0) == []
    assert explored(1.0)


def test_a_redirect_pays_for_the_link_that_led_to_it():
    strategy, _ = begun()
    strategy.learn(visit(strategy, "http://a.test/", SPIDERS, [("http://a.test/old", "spider")]))
    strategy.learn(visit(strategy, "http://a.test/new", SPIDERS, via="http://a.test/old"))
    links = [("http://a.test/old", "spider"), ("http://a.test/other", "spider")]
    assert set(told(strategy.learn(visit(strategy, "http://b.test/", SPIDERS, links)))) == {"http://a.test/other"}


def test_lessons_tell_few_links_however_many_wait():
    strategy, _ = begun()
    for number in range(100):
        links = [(f"http://far{number}.test/{n}", f"spider {n}") for n in range(60)]
        answered = list(strategy.learn(visit(strategy, f"http://a.test/{number}", SPIDERS, links)))
    assert len(strategy._links.queued()) == 6000
    assert len(answered) <= 1100


def test_what_is_remembered_is_bounded():
    strategy, _ = begun(memory=1000)
    for number in range(60):
        links = [(f"http://far{number}.test/{n}", f"spider {n}") for n in range(50)]
        answered = told(strategy.learn(visit(strategy, f"http://a.test/{number}", SPIDERS, links)))
        assert len(answered) >= 50
    assert strategy._links.count < 2000
    assert len(strategy._links.urls) < 2100


@pytest.mark.parametrize("options", [{"explore": 2}, {"explore": -1}, {"tunnel": -1}, {"memory": 10}])
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(Refused, match="apprentice cannot work"):
        make("apprentice", options)


def test_keywords_without_a_topic_are_refused():
    with pytest.raises(Refused, match="no topic"):
        begun(Topic("the of"))


def test_a_page_without_text_or_links_is_no_trouble():
    strategy, _ = begun()
    assert list(strategy.learn(visit(strategy, "http://a.test/", ""))) == []
    assert list(strategy.learn(Visit(Ticket("http://b.test/"), 0.0, [], None))) == []


def test_a_crawl_that_was_saved_before_its_first_page_begins_all_the_same():
    (strategy, _), (again, _) = begun(), begun()
    again.load(msgspec.msgpack.decode(msgspec.msgpack.encode(strategy.save())))
    page = visit(strategy, "http://seed.test/", SPIDERS, [("http://a.test/1", "wolf spiders")])
    assert told(again.learn(page)) == told(strategy.learn(page)) != {}


def test_with_breadth_a_site_that_was_seen_is_worth_less_than_a_new_one():
    scores = {}
    for breadth in (0.0, 2.0):
        strategy, _ = begun(breadth=breadth)
        for url in numbered(12):
            strategy.learn(visit(strategy, url, SPIDERS))
        links = [("http://a.test/more", "wolf spiders"), ("http://b.test/", "wolf spiders")]
        scores[breadth] = told(strategy.learn(visit(strategy, "http://c.test/", SPIDERS, links)))
    assert scores[2.0]["http://a.test/more"] < scores[0.0]["http://a.test/more"]
    assert scores[2.0]["http://b.test/"] > scores[2.0]["http://a.test/more"] + 1


def test_examples_keep_the_judge_from_drifting():
    """Many pages about soup hold a keyword, the example holds none of their words."""
    verdicts = []
    for examples in ((), ("http://seed.test/",)):
        strategy, _ = begun(Topic("wolf spider", examples=examples))
        strategy.learn(visit(strategy, "http://seed.test/", SPIDERS))
        for url in numbered(30):
            strategy.learn(visit(strategy, url, f"{SOUP} spider"))
        for url in numbered(30, "d.test"):
            strategy.learn(visit(strategy, url, "the match ended with a goal in the last minute of the season"))
        page = visit(strategy, "http://e.test/", "eight legs, eggs in a silken sac, it hunts at night")
        strategy.learn(page)
        links = [("http://e.test/1", "eggs in a silken sac"), ("http://e.test/2", "soup with leek and onions")]
        scores = told(strategy.learn(visit(strategy, "http://f.test/", "a page", links)))
        verdicts.append(scores["http://e.test/1"] - scores["http://e.test/2"])
    assert verdicts[1] > verdicts[0]
