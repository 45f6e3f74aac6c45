"""A crawl by hand: pages as HTML, seen by a strategy as a scout and the brain would see them."""

from random import Random

import msgspec

from lycosa.core.brief import Brief
from lycosa.core.nouns import Move, Ticket, Topic, Visit
from lycosa.core.priors import Priors
from lycosa.core.strategy import make
from lycosa.frontier.frontier import Lease
from lycosa.frontier.own_lanes import frontier_for
from lycosa.web.parse import parse

TOPIC = Topic("wolf spider")


def begun(name, settings=None, seeds=("http://seed.test/",), seed=1, topic=TOPIC, priors=None):
    """A strategy that was given its brief, and its first tickets by URL."""
    strategy = make(name, settings or {})
    first = strategy.begin(Brief(topic, seeds, Random(seed), priors or Priors()))
    return strategy, {ticket.url: ticket for ticket in first}


def seen(strategy, ticket, html, relevance):
    """The visit of a page with this HTML."""
    page = parse(ticket.url, html.encode(), "text/html", context=strategy.context, paths=strategy.tag_paths)
    links = [link.url for link in page.links]
    return Visit(ticket, relevance, links, strategy.sense(page, TOPIC))


def learned(strategy, ticket, html, relevance):
    """The tickets that follow from a page, by URL."""
    return {each.url: each for each in strategy.learn(seen(strategy, ticket, html, relevance))}


class MadeByDice:
    """An endless web: a third of the links say «wolf» and lead to relevant pages, the others say «soup»."""

    def __init__(self, seed=5):
        self.seed = seed

    def page(self, url):
        """The HTML at a URL, and its relevance."""
        dice = Random(f"{self.seed} {url}")
        good = "wolf" in url or "seed" in url
        links = []
        for _ in range(8):
            word = "wolf" if dice.random() < (0.5 if good else 0.2) else "soup"
            links.append(
                f'<li><a href="http://h{dice.randrange(5)}.test/{word}{dice.randrange(10**6)}">{word} page</a>'
            )
        return f"<p>{'wolf spider den' if good else 'soup and salt'}<ul>{''.join(links)}</ul>", 0.5 if good else 0.0


def crawl(name, settings=None, pages=120, cut=None, web=None, seed=1):
    """The URLs of a crawl; at `cut`, it goes on with copies of strategy and frontier made from what was saved."""
    web = web or MadeByDice()
    strategy, first = begun(name, settings, seed=seed)
    rng = strategy.__dict__.get("_rng")
    frontier = frontier_for(strategy, 10_000)
    frontier.put(first.values())
    order = []
    for at in range(pages):
        if at == cut:
            state = msgspec.msgpack.decode(msgspec.msgpack.encode([strategy.save(), frontier.save()]))
            dice = rng.getstate() if rng else None
            strategy, _ = begun(name, settings, seed=seed)
            rng = strategy.__dict__.get("_rng")
            strategy.load(state[0])
            frontier = frontier_for(strategy, 10_000)
            frontier.load(state[1])
            if rng:
                rng.setstate(dice)
        lease = frontier.lease(strategy.choose, lambda host: 0.0, 0.0, 1)
        assert isinstance(lease, Lease)
        parts = strategy.explain(lease.ticket)
        assert bool(parts) == (lease.ticket.via is not None)
        order.append(lease.ticket.url)
        for each in strategy.learn(seen(strategy, lease.ticket, *web.page(lease.ticket.url))):
            if isinstance(each, Move):
                frontier.move(*each)
            else:
                frontier.put([Ticket(each.url, each.score, each.lane, each.via, each.memo)])
    return order


def harvest(order):
    """The share of pages that are relevant."""
    return sum("wolf" in url for url in order) / len(order)
