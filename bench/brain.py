"""What the brain costs with the apprentice: pages per second on one core, from pages that were sensed before.

    python bench/brain.py [PAGES] [STRATEGY]

A made web with 50 links a page is crawled in the strategy's own order; fetching, parsing and sensing happen before the
clock starts. Measured are `learn`, and the frontier that its tickets go to and come from.
"""

from __future__ import annotations

import random
import sys
import time

from lycosa.core.brief import Brief
from lycosa.core.nouns import Link, Page, Topic, Visit
from lycosa.core.strategy import make
from lycosa.frontier.frontier import Frontier

LINKS, WORDS, TOPICS = 50, 400, 20


def web(pages: int) -> list[Page]:
    """Pages of 400 words and 50 links: two thirds of both are those of the page's topic."""
    dice = random.Random(1)
    common = ["".join(dice.choices("aeioulnrstdmk", k=dice.randint(3, 9))) for _ in range(20_000)]
    special = [["".join(dice.choices("bcfghjpqvwxyz", k=6)) for _ in range(300)] for _ in range(TOPICS)]
    weights = [1 / rank for rank in range(1, len(common) + 1)]
    topic_of = [dice.randrange(TOPICS) for _ in range(pages)]
    members = [[page for page, topic in enumerate(topic_of) if topic == each] for each in range(TOPICS)]
    made = []
    for number, topic in enumerate(topic_of):
        words = dice.choices(common, weights, k=WORDS)
        words[::3] = dice.choices(special[topic], k=len(words[::3]))
        text = " ".join(words)
        links, at = [], 0
        for _ in range(LINKS):
            to = dice.choice(members[topic]) if dice.random() < 0.66 else dice.randrange(pages)
            start = text.index(" ", at + 20) + 1
            at = text.index(" ", start)
            links.append(Link(address(to), (start, at), ((max(0, start - 100), at + 100), (0, len(text)))))
        made.append(Page(address(number), text, links, f"{words[0]} {words[1]}"))
    return made


def address(number: int) -> str:
    """The URL of a page."""
    return f"http://site{number % 997}.test/{number}.html"


def main() -> None:
    """Crawl and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    name = sys.argv[2] if len(sys.argv) > 2 else "apprentice"
    pages = {page.url: page for page in web(2 * count)}
    first = next(iter(pages.values()))
    topic = Topic(" ".join(first.text.split()[:9:3]))
    scout, brain = make(name), make(name)
    start = time.process_time()
    sensed = {url: scout.sense(page, topic) for url, page in pages.items()}
    sensing = (time.process_time() - start) / len(pages)
    urls = {url: [link.url for link in page.links] for url, page in pages.items()}
    frontier = Frontier(merge=brain.merge)
    start = mark = time.process_time()
    frontier.put(brain.begin(Brief(topic, [first.url], random.Random(1))), trusted=True)
    told = done = 0
    while done < count:
        lease = frontier.lease(brain.choose, lambda host: 0.0, 0.0, 1)
        if isinstance(lease, float):
            break
        brain.explain(lease.ticket)
        tickets = list(brain.learn(Visit(lease.ticket, 0.5, urls[lease.ticket.url], sensed[lease.ticket.url])))
        frontier.put(tickets)
        told += len(tickets)
        done += 1
        if done % 1000 == 0:
            now = time.process_time()
            print(f"pages {done - 999:>6,} to {done:>6,}: {1000 / (now - mark):8,.0f} pages/s")
            mark = now
    spent = time.process_time() - start
    print(f"{name}: {done / spent:,.0f} pages/s in the brain, {told / done:.0f} tickets a page", end="; ")
    print(f"sense {sensing * 1e3:.2f} ms a page of {len(first.text) / 1000:.1f} kB of text and {LINKS} links")


if __name__ == "__main__":
    main()
