"""The crawl: what is fetched next, decided without I/O, clock or network; every decision and outcome is logged."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from lycosa.core.events import (
    Asked,
    Began,
    Estimated,
    Event,
    Judged,
    KeptOut,
    Leased,
    Missed,
    Redirected,
    Rejudged,
    Stopped,
    Visited,
)
from lycosa.core.nouns import COPY, RESTING, Judgement, Miss, Outcome, Redirect, Visit
from lycosa.core.urls import host_of
from lycosa.engine.crawl_state import LEARNING, TOO_SLOW, CrawlState
from lycosa.engine.link_filter import GIVEN_UP
from lycosa.engine.random_source import was_used
from lycosa.engine.scout import ScoutOrder
from lycosa.frontier.frontier import Lease
from lycosa.system.errors import Code, Refused

NOTHING_LEFT = "nothing left to fetch"
"""The reason of a crawl's end that has followed every link it may follow."""
_TOLD = 25
"""Pages after which the number of links out of the scope is told again."""


class Wait(NamedTuple):
    """Nothing may be fetched before this time; infinity: not before an order under way has ended."""

    until: float


class End(NamedTuple):
    """The crawl is over, for this reason."""

    reason: str


class Crawl(CrawlState):
    """One brain: asked for orders, given their outcomes.

    Invariants: pages + tickets under way never exceed the page budget, likewise bytes; every ticket that `want` hands
    out is under way until `absorb` is given its outcome; replaying the logged events gives the same state again.
    """

    def used_random_numbers(self) -> bool:
        """Whether the strategy may have used its random numbers: if not, any seed would have led to the same crawl."""
        return was_used(self._rng, self.plan.seed)

    def begin(self, now: float) -> None:
        """Queue the first tickets; in a crawl that was refolded, queue again those that were under way."""
        self._log(Began(self.plan.dump(), LEARNING), now)
        self._begin(now)

    def want(self, now: float) -> ScoutOrder | Wait | End:
        """The next order, or how long to wait, or the end."""
        self._pass(now)
        spent, left = self._spent()
        if spent:
            return Wait(math.inf) if self.under_way and spent != "time" else End(f"budget spent: {spent}")
        share = self.plan.budget.share
        if share is not None and self.census and self.census.share >= share:
            return Wait(math.inf) if self.under_way else End(f"found about {share:.0%} of what there is")
        lease = self._lease(now)
        if isinstance(lease, float):
            if self.under_way or lease < math.inf:
                return Wait(lease)
            return End(NOTHING_LEFT)
        url = lease.ticket.url
        order = ScoutOrder(lease.ticket, min(self.plan.longest(url), left), self.refuses.scope.day(url))
        self._log(Leased(*lease, self.strategy.explain(lease.ticket)), now)
        self._start(order, now)
        return order

    def time_left(self, now: float) -> float:
        """Seconds left of the time budget; infinity if there is none."""
        self._pass(now)
        limit = self.plan.budget.seconds
        return math.inf if limit is None else limit - self.tally.elapsed

    def _spent(self) -> tuple[str, int]:
        """Which budget is spent (empty if none), and how many bytes the next page may have by the budget."""
        budget, tally, left = self.plan.budget, self.tally, sys.maxsize
        if budget.seconds is not None and tally.elapsed >= budget.seconds:
            return "time", 0
        if budget.pages is not None and tally.pages + len(self.under_way) >= budget.pages:
            return "pages", 0
        if budget.bytes is not None:
            promised = sum(order.limit for order in self.under_way.values())
            left = budget.bytes - tally.bytes - promised
        return ("bytes" if left <= 0 else ""), max(0, left)

    def _lease(self, now: float) -> Lease | float:
        idle, politeness = not self.under_way, self.politeness
        choose, reach, worth = self.strategy.choose, self.plan.reach, politeness.worth_waiting
        if self.plan.rules.spread > 1:
            spread = politeness.free(politeness.spread, now)
            lease = self.frontier.lease(choose, spread, now, reach, worth, idle=idle)
            # The rule of D hosts is suspended if it is the only obstacle to the next page.
            if isinstance(lease, Lease) or lease < math.inf or not idle:
                return lease
        return self.frontier.lease(choose, politeness.free(politeness.ready, now), now, reach, worth, idle=idle)

    def absorb(self, outcome: Outcome, now: float) -> None:
        """Take in the outcome that a scout brought."""
        self._pass(now)
        del self.under_way[outcome.ticket.url]
        match outcome:
            case Visit():
                if not outcome.withheld and self.refuses.addresses.is_copy(outcome):
                    outcome = replace(outcome, withheld=COPY)
                total, relevance, estimate = self._visited(outcome, now)
                self._log(Visited(outcome, total, relevance), now)
                self._tell_relevance(now)
                if self.refuses.scope.limited and self.tally.pages % _TOLD == 0:
                    self._tell_kept_out(now)
                if estimate:
                    self._log(Estimated(estimate), now)
            case Redirect():
                self._redirected(outcome, now)
                self._log(Redirected(outcome), now)
            case Miss():
                waits = outcome.ours or outcome.reason == RESTING
                if waits and self.politeness.hopeless(host_of(outcome.ticket.url)):
                    # The host is given up, so the ticket would wait for ever.
                    reason = GIVEN_UP if outcome.ours else TOO_SLOW
                    outcome = replace(outcome, reason=reason, again=False, ours=False)
                final, total = self._missed(outcome, now)
                self._log(Missed(outcome, final, total), now)

    def asked(self, host: str, pause: float, now: float) -> None:
        """A host's robots.txt was read and asks for a pause."""
        self._log(Asked(host, pause), now)
        self._asked(host, pause, now)

    def judged(self, judgement: Judgement, now: float, heard: int = 0) -> None:
        """A page was judged, or its judgement withdrawn; `heard` is the place in the inbox."""
        self._pass(now)
        heard = heard or self.heard
        url, relevant, origin = judgement
        self._log(Judged(url, relevant, self._judged(judgement, heard), heard, origin), now)

    def rejudge(self, now: float) -> None:
        """Tell how relevant all pages are by now, after some judgements.

        Even if there is nothing to tell beside them: the readers of the log look at all pages again.
        """
        if not self._tell_relevance(now, at_once=True):
            self._log(Rejudged(b""), now)

    def _tell_relevance(self, now: float, at_once: bool = False) -> bool:
        packed = self.relevance.news(at_once) if self.tell and self.relevance else None
        if packed:
            self._log(Rejudged(packed), now)
        return bool(packed)

    def _tell_kept_out(self, now: float) -> None:
        if counts := {rule: count for rule, count in self.refuses.scope.kept_out.items() if count}:
            self._log(KeptOut(counts), now)

    def stop(self, reason: str, finished: bool, now: float) -> None:
        """End the crawl: the driver will ask for no more orders."""
        self._pass(now)
        self._tell_relevance(now, at_once=True)
        if self.census and (estimate := self.census.estimate()):
            self._log(Estimated(estimate), now)
        self._tell_kept_out(now)
        failed = finished and not self.tally.pages
        self.stopped = Stopped(reason, finished, len(self.frontier), failed, dict(self.frontier.dropped))
        self._log(self.stopped, now)
        self._clock = None

    def refold(self, events: Iterable[tuple[float, Event]]) -> None:
        """Restore the state that these events led to; `begin` then continues from there."""
        tell, self.tell = self.tell, (lambda event, at: None)
        self._comparable = True
        for at, event in events:
            self._refold(event, at)
        self.tell = tell

    def _refold(self, event: Event, at: float) -> None:
        match event:
            case Began(learning=learning):
                self._comparable = learning == LEARNING
                self._begin(at)
            case Leased(ticket=ticket):
                self._pass(at)
                self.frontier.take(ticket, self.strategy.choose)
                self._start(ScoutOrder(ticket, self.plan.longest(ticket.url)), at)
            case Visited(visit=visit, sum=total):
                del self.under_way[visit.url]
                self._pass(at)
                self._must_agree(self._visited(visit, at)[0], total, visit.url)
            case Judged(url=url, relevant=relevant, sum=total, heard=heard, origin=origin):
                self._pass(at)
                self._must_agree(self._judged(Judgement(url, relevant, origin), heard), total, url)
            case Rejudged(packed=packed) if packed and self.relevance:
                self.relevance.told()
            case Redirected(redirect=redirect):
                del self.under_way[redirect.ticket.url]
                self._pass(at)
                self._redirected(redirect, at)
            case Missed(miss=miss) if miss.ticket.url in self.under_way:
                del self.under_way[miss.ticket.url]
                self._pass(at)
                self._missed(miss, at)
            case Asked(host=host, pause=pause):
                self._asked(host, pause, at)
            case Stopped():
                self._pass(at)
                self._clock, self.stopped = None, event

    def _must_agree(self, total: int, before: int, url: str) -> None:
        if total != before and self._comparable:
            raise Refused(
                f"strategy {self.plan.strategy} no longer does what it did when this crawl was made "
                f"(its links from {url} differ)",
                "resume with the version of Lycosa and of the strategy that began it",
                code=Code.OTHER_VERSION,
            )
