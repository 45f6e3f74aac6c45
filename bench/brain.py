"""What the brain costs with the apprentice: pages per second on one core, from pages that were sensed before.

    python bench/brain.py [PAGES] [STRATEGY]

A web with 50 links a page is crawled in the strategy's own order. Pages are made and sensed when they are asked for,
while the clock stands still: measured are the page model, `learn`, `explain`, and the frontier that tickets go to and
come from.
"""

from __future__ import annotations

import random
import sys
import time

from lycosa.core.brief import Brief
from lycosa.core.nouns import Link, Move, Page, Ticket, Topic, Visit
from lycosa.core.page_terms import page_terms
from lycosa.core.strategy import make
from lycosa.engine.relevance import Relevance
from lycosa.frontier.own_lanes import frontier_for

LINKS, WORDS, TOPICS = 50, 400, 20
ROOM = 100
"""How many times more pages there are than are fetched: a page has six or seven known parents on average."""


class Web:
    """Pages of 400 words and 50 links: a third of the words, two thirds of the links are those of the page's topic."""

    def __init__(self, pages: int) -> None:
        dice = random.Random(1)
        self.pages = pages - pages % TOPICS
        self.common = ["".join(dice.choices("aeioulnrstdmk", k=dice.randint(3, 9))) for _ in range(20_000)]
        self.special = [["".join(dice.choices("bcfghjpqvwxyz", k=6)) for _ in range(300)] for _ in range(TOPICS)]

    def page(self, url: str) -> Page:
        """The page at a URL."""
        number = int(url.rpartition("/")[2])
        dice, topic = random.Random(number), number % TOPICS
        words = [self.common[int(20_000 ** dice.random()) - 1] for _ in range(WORDS)]
        words[::3] = dice.choices(self.special[topic], k=len(words[::3]))
        text = " ".join(words)
        links, at = [], 0
        for _ in range(LINKS):
            to = dice.randrange(self.pages)
            to += topic - to % TOPICS if dice.random() < 0.66 else 0
            start = text.index(" ", at + 20) + 1
            at = text.index(" ", start)
            links.append(Link(address(to), (start, at), ((max(0, start - 100), at + 100), (0, len(text)))))
        return Page(url, text, links, f"{words[0]} {words[1]}")


def address(number: int) -> str:
    """The URL of a page."""
    return f"http://site{number % 9973}.test/{number}"


def main() -> None:
    """Crawl and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    name = sys.argv[2] if len(sys.argv) > 2 else "apprentice"
    web, scout, brain = Web(ROOM * count), make(name), make(name)
    topic = Topic(" ".join(web.special[0][:3]))
    frontier, relevance = frontier_for(brain, 1_000_000), Relevance(topic)
    first = brain.begin(Brief(topic, [address(0)], random.Random(1), pages=relevance.pages))
    frontier.put(first, trusted=True)
    sensing = thinking = lately = 0.0
    told = 0

    def visit(ticket: Ticket) -> Visit:
        nonlocal sensing
        page = web.page(ticket.url)
        start = time.process_time()
        terms, sense = page_terms(page), scout.sense(page, topic)
        sensing += time.process_time() - start
        relevance = 0.0 if int(ticket.url.rpartition("/")[2]) % TOPICS else 0.5
        return Visit(ticket, relevance, [link.url for link in page.links], sense, terms=terms)

    for done in range(1, count + 1):
        start = time.process_time()
        lease = frontier.lease(brain.choose, lambda host: 0.0, 0.0, 1)
        assert not isinstance(lease, float)
        brain.explain(lease.ticket)
        thinking += time.process_time() - start
        fetched = visit(lease.ticket)
        start = time.process_time()
        relevance.visited(fetched)
        learned = list(brain.learn(fetched))
        tickets = [each for each in learned if isinstance(each, Ticket)]
        frontier.put(tickets)
        for move in learned:
            if isinstance(move, Move):
                frontier.move(*move)
        thinking += time.process_time() - start
        told += len(tickets)
        if done % 1000 == 0:
            print(f"pages {done - 999:>6,} to {done:>6,}: {1000 / (thinking - lately):8,.0f} pages/s")
            lately = thinking
    print(f"{name}: {count / thinking:,.0f} pages/s in the brain, {told / count:.0f} tickets a page", end="; ")
    print(f"sense {sensing / count * 1e3:.2f} ms a page of {WORDS} words and {LINKS} links")


if __name__ == "__main__":
    main()
