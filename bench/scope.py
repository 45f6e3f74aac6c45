"""What a scope costs a crawl: CPU per page and per link of a made web in virtual time, without and with rules.

    python bench/scope.py [PAGES]

The crawl is the brain alone: pages are made, parsed and judged before, so only what is done with links is measured.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, field

from lycosa.core.nouns import Failure, Moved, Page, Topic
from lycosa.engine.crawl import Crawl
from lycosa.engine.plan import Budget, Plan
from lycosa.engine.politeness.host_rules import PolitenessRules
from lycosa.engine.scout import Scout
from lycosa.engine.virtual_driver import VirtualDriver
from lycosa.web.made import Made
from lycosa.web.offline import SourceWeb

ROUNDS = 3


@dataclass
class Kept:
    """A web that remembers its answers."""

    web: SourceWeb
    known: dict[str, Page | Moved | Failure] = field(default_factory=dict)

    async def get(self, url: str, limit: int) -> Page | Moved | Failure:
        """The answer at a URL."""
        if url not in self.known:
            self.known[url] = await self.web.get(url, limit)
        return self.known[url]

    async def close(self) -> None:
        """Nothing is open."""


def crawl(web: Kept, plan: Plan) -> tuple[float, int, int]:
    """CPU seconds of the brain, pages and links."""
    scout = Scout(web, plan.topic, plan.make_strategy(), plan.make_judge(), terms=False)
    brain = Crawl(plan)
    driver = VirtualDriver(brain, scout)
    links, spent = 0, 0.0

    async def run() -> None:
        nonlocal links, spent
        brain.begin(0.0)
        while True:
            started = time.process_time()
            step = brain.want(driver.now)
            spent += time.process_time() - started
            if not hasattr(step, "ticket"):
                return
            outcome = await scout(step)
            started = time.process_time()
            brain.absorb(outcome, driver.now)
            spent += time.process_time() - started
            links += len(getattr(outcome, "links", ()))

    asyncio.run(run())
    return spent, brain.tally.pages, links


def main() -> None:
    """Print the cost of each kind of scope."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    made = Made(pages=2 * number, topics=4, seed=5)
    topic, web = made.topics[0], Kept(SourceWeb(made, raw=False))
    common = {"topic": Topic(topic.keywords), "seeds": tuple(topic.examples), "strategy": "best-first"}
    kinds = {"no scope": {}, "hosts (--without)": {"rules": PolitenessRules(0.0, without=(".none.test",))}}
    try:
        from lycosa.engine.scope.scope_rules import ScopeRules, SiteRules
    except ImportError:  # an earlier version
        pass
    else:
        for count in (1, 10, 1000):
            patterns = tuple(f"*/never{n}/*" for n in range(count))
            kinds[f"patterns (--exclude × {count})"] = {"scope": ScopeRules(exclude=patterns)}
        kinds["sites (1000)"] = {"sites": {f"s{n}.test": SiteRules(delay=2.0) for n in range(1000)}}
        kinds["depth (--depth 99)"] = {"scope": ScopeRules(depth=99)}
    for name, more in kinds.items():
        plan = Plan(**{"rules": PolitenessRules(0.0), "budget": Budget(number), "workers": 1, **common, **more})
        crawl(web, plan)
        spent, pages, links = min(crawl(web, plan) for _ in range(ROUNDS))
        cost = f"{spent / pages * 1e6:9.0f} us/page{spent / links * 1e6:9.2f} us/link"
        print(f"{name:28}{cost}   ({pages} pages, {links} links)")


if __name__ == "__main__":
    main()
