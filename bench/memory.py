"""Memory of a crawl with millions of URLs seen and a million queued.

The crawl is real (its frontier is filled by absorbing visits with fifty links each); only the five million URLs that
were handed out before are put into its seen set directly, because fetching them would take an hour.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from random import Random

from lycosa.core.nouns import Topic, Visit
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import ScoutOrder

LINKS = 50


def main() -> None:
    """Fill a crawl and print what it holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", type=int, default=5_000_000)
    parser.add_argument("--queued", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    options = parser.parse_args()
    rng = Random(1)
    plan = Plan(
        topic=Topic("wolf spider"),
        seeds=("http://seed.test/",),
        budget=Budget(None),
        rules=PolitenessRules(delay=0.0),
        capacity=max(1_000_000, options.queued),
    )
    crawl = Crawl(plan, lambda event, at: None)
    crawl.begin(0.0)
    crawl.frontier.taken.update(rng.getrandbits(64) for _ in range(options.seen))
    started, visits = time.process_time(), 0
    while len(crawl.frontier) < options.queued:
        order = crawl.want(float(visits))
        assert isinstance(order, ScoutOrder)
        links = [
            f"http://www.host-{rng.randrange(options.hosts)}.example/section/{rng.getrandbits(40)}/page.html"
            for _ in range(LINKS)
        ]
        crawl.absorb(Visit(order.ticket, rng.random(), links, digest=str(visits)), float(visits))
        visits += 1
    spent = time.process_time() - started
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    saved = len(crawl.save())
    print(
        json.dumps(
            {
                "seen": len(crawl.frontier.taken),
                "queued": len(crawl.frontier),
                "megabytes": round(before / 1024),
                "megabytes with checkpoint": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
                "checkpoint megabytes": round(saved / 2**20),
                "brain microseconds per page of 50 new links": round(1e6 * spent / visits),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
