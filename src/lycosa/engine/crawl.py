"""The crawl: a state machine without I/O, clock or network, folded from the same events that it writes to the log."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from lycosa.core.brief import Brief
from lycosa.core.events import Asked, Began, Estimated, Event, Judged, Leased, Missed, Redirected, Stopped, Visited
from lycosa.core.keys import key64
from lycosa.core.nouns import LOST, RESTING, Estimate, Judgement, Miss, Move, Outcome, Redirect, Ticket, Visit
from lycosa.core.priors import Priors
from lycosa.core.urls import host_of
from lycosa.engine import crawl_state
from lycosa.engine.census import Census
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_locks import HostLocks
from lycosa.engine.politeness.host_rules import Politeness
from lycosa.engine.random_source import unthrown, were_thrown
from lycosa.engine.scout import ScoutOrder
from lycosa.engine.tally import Tally
from lycosa.frontier.frontier import Frontier, Lease, Ready
from lycosa.frontier.repetition import REASON as NOTHING_NEW
from lycosa.frontier.repetition import Repetition
from lycosa.frontier.seen import Seen
from lycosa.frontier.trap_detection import TrapDetector
from lycosa.frontier.url_variants import REASON as ANOTHER_SPELLING
from lycosa.frontier.url_variants import Spellings
from lycosa.system.errors import Code, Refused

NOTHING_LEFT = "nothing left to fetch"
"""The reason of a crawl's end that has followed every link it may follow."""
GIVEN_UP = "host given up"
"""The reason of a miss whose host failed too often, or wants to be left alone for too long."""
_LOSSES = 2
"""How often a ticket whose scout was lost is tried again, even if the plan has fewer retries."""


TOO_SLOW = "crawl-delay too long"
"""The reason of a miss at a host whose robots.txt asks for a pause longer than `longest_rest`."""


class Wait(NamedTuple):
    """Nothing may be fetched before this time; infinity: not before an order under way has ended."""

    until: float


class End(NamedTuple):
    """The crawl is over, for this reason."""

    reason: str


class Crawl:
    """One brain: strategy, frontier, politeness and budget, folded over outcomes.

    Invariants: pages + tickets under way never exceed the page budget, likewise bytes; every ticket that `want` hands
    out is under way until `absorb` is given its outcome; replaying the logged events gives the same state again.
    """

    def __init__(self, plan: Plan, tell: Callable[[Event, float], object] | None = None) -> None:
        self.plan = plan
        self.tell = tell
        self.politeness = Politeness(plan.rules)
        self.judgements: dict[str, bool] = {}
        """What people said about pages, by URL: relevant or not."""
        self.heard = 0
        """The position up to which the inbox of judgements was read."""
        self.under_way: dict[str, ScoutOrder] = {}
        self.host_locks: HostLocks | None = None
        """Locks on hosts, shared with other hunts of this user; not part of the crawl's state."""
        self.stopped: Stopped | None = None
        """Why the crawl has stopped; None while it runs."""
        self._priors = Priors()
        self._clock: float | None = None
        self._clear()

    def _clear(self) -> None:
        """Reset everything that is known of pages and links."""
        plan = self.plan
        self.strategy = plan.make_strategy()
        self.traps = TrapDetector()
        self.repetition = Repetition()
        self.spellings = Spellings()
        self.frontier = Frontier(
            self.strategy.capacity or plan.capacity,
            merge=self.strategy.merge,
            full=self.strategy.full,
            batch=self.strategy.batch,
            refuses=self._refuses,
        )
        self.tally = Tally()
        # The laboratory knows how many relevant pages there are, so it needs no estimate.
        counted = self.tell is not None or plan.budget.share is not None
        self.census = Census(plan.topic.examples, plan.relevant) if counted else None
        self._tries: dict[str, int] = {}
        self._hops: dict[str, int] = {}
        self._bodies = Seen()
        self._rng = unthrown(plan.seed)
        self._begun = False
        self._first: list[Ticket] | None = None

    def prepare(self, priors: Priors) -> None:
        """Give the strategy its priors; called before `begin`, `refold` and `load`."""
        self._priors = priors
        self.strategy.prepare(self.plan.topic, priors)
        self._first = list(self.strategy.begin(Brief(self.plan.topic, self.plan.seeds, self._rng, priors)))

    def _prepared(self) -> list[Ticket]:
        if self._first is None:
            self.prepare(self._priors)
        assert self._first is not None
        return self._first

    def threw_dice(self) -> bool:
        """Whether the strategy may have used its random numbers: if not, any seed would have led to the same crawl."""
        return were_thrown(self._rng, self.plan.seed)

    def begin(self, now: float) -> None:
        """Queue the first tickets; in a crawl that was refolded, queue again those that were under way."""
        self._told(Began(self.plan.dump()), now)
        self._begin(now)

    def _begin(self, now: float) -> None:
        self._clock, self.stopped = now, None
        if self._begun and not (self.tally.pages or len(self.frontier) or self.under_way):
            # No seed could be fetched. The cause may be gone by now, so the crawl starts afresh.
            self._clear()
            self.politeness.forgive(now)
        if not self._begun:
            self._begun = True
            first = (ticket for ticket in self._prepared() if not self.politeness.outside(host_of(ticket.url)))
            self.frontier.put(first, trusted=True)
            # No host is given up before the first request, but one may be when a crawl starts afresh.
            self.frontier.purge(lambda ticket: self.politeness.hopeless(host_of(ticket.url)), GIVEN_UP)
        for order in self.under_way.values():
            # The request may or may not have reached its host, so the pause counts from now.
            self.politeness.end(host_of(order.ticket.url), now)
            self.frontier.put_first(order.ticket)
        self.under_way.clear()

    def want(self, now: float) -> ScoutOrder | Wait | End:
        """The next order, or how long to wait, or the end."""
        self._pass(now)
        spent, limit = self._spent()
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
        order = ScoutOrder(lease.ticket, limit)
        self._told(Leased(*lease, self.strategy.explain(lease.ticket)), now)
        self._start(order, now)
        if self.host_locks:
            host = host_of(lease.ticket.url)
            self.host_locks.begin(host, self.politeness.rest(host, now))
        return order

    def time_left(self, now: float) -> float:
        """Seconds left of the time budget; infinity if there is none."""
        self._pass(now)
        limit = self.plan.budget.seconds
        return math.inf if limit is None else limit - self.tally.elapsed

    def _spent(self) -> tuple[str, int]:
        """Which budget is spent (empty if none), and how many bytes the next page may have."""
        budget, tally, limit = self.plan.budget, self.tally, self.plan.body
        if budget.seconds is not None and tally.elapsed >= budget.seconds:
            return "time", 0
        if budget.pages is not None and tally.pages + len(self.under_way) >= budget.pages:
            return "pages", 0
        if budget.bytes is not None:
            promised = sum(order.limit for order in self.under_way.values())
            limit = min(limit, budget.bytes - tally.bytes - promised)
        return ("bytes" if limit <= 0 else ""), max(0, limit)

    def _lease(self, now: float) -> Lease | float:
        idle = not self.under_way
        choose, reach, worth = self.strategy.choose, self.plan.reach, self.politeness.worth_waiting
        if self.plan.rules.spread > 1:
            spread = self._free(self.politeness.spread, now)
            lease = self.frontier.lease(choose, spread, now, reach, worth, idle=idle)
            # The rule of D hosts is suspended if it is the only obstacle to the next page.
            if isinstance(lease, Lease) or lease < math.inf or not idle:
                return lease
        return self.frontier.lease(choose, self._free(self.politeness.ready, now), now, reach, worth, idle=idle)

    def _free(self, ready: Ready, now: float) -> Ready:
        """As `ready`, but also wait for hosts that another hunt asks or has just asked."""
        host_locks, pause = self.host_locks, self.politeness.pause
        if host_locks is None:
            return ready

        def free(host: str) -> float:
            when = ready(host)
            return now + host_locks.claim(host, pause(host)) if when <= now else when

        return free

    def _start(self, order: ScoutOrder, now: float) -> None:
        self.under_way[order.ticket.url] = order
        self.politeness.begin(host_of(order.ticket.url), now)

    def absorb(self, outcome: Outcome, now: float) -> None:
        """Take in the outcome that a scout brought."""
        self._pass(now)
        del self.under_way[outcome.ticket.url]
        match outcome:
            case Visit():
                total, estimate = self._visited(outcome, now)
                self._told(Visited(outcome, total), now)
                if estimate:
                    self._told(Estimated(estimate), now)
            case Redirect():
                self._redirected(outcome, now)
                self._told(Redirected(outcome), now)
            case Miss():
                if (outcome.ours or outcome.reason == RESTING) and self.politeness.hopeless(
                    host_of(outcome.ticket.url)
                ):
                    # The host is given up, so the ticket would wait for ever.
                    reason = GIVEN_UP if outcome.ours else TOO_SLOW
                    outcome = replace(outcome, reason=reason, again=False, ours=False)
                final, total = self._missed(outcome, now)
                self._told(Missed(outcome, final, total), now)
        if self.host_locks:
            host = host_of(outcome.ticket.url)
            self.host_locks.end(host, self.politeness.rest(host, now))

    def asked(self, host: str, pause: float, now: float) -> None:
        """A host's robots.txt was read and asks for a pause."""
        self._told(Asked(host, pause), now)
        self._asked(host, pause, now)

    def _asked(self, host: str, pause: float, now: float) -> None:
        self.politeness.asked(host, pause)
        if self.politeness.hopeless(host):
            self._purge(lambda ticket: host_of(ticket.url) == host, TOO_SLOW, now)

    def judged(self, judgement: Judgement, now: float, relevance: float | None = None, heard: int = 0) -> None:
        """A person has judged a page or withdrawn it; `relevance` is the judge's, `heard` the place in the inbox."""
        self._pass(now)
        heard = heard or self.heard
        self._told(Judged(*judgement, self._judged(judgement, relevance, heard), relevance, heard), now)

    def _judged(self, judgement: Judgement, relevance: float | None, heard: int) -> int:
        url, word = judgement
        self.heard = heard
        if self.census and relevance is not None:
            self.census.judged(url, relevance, word)
        if word is None:
            self.judgements.pop(url, None)
            return self._apply(self.strategy.withdrawn(url))
        self.judgements[url] = word
        return self._apply(self.strategy.judged(judgement))

    def stop(self, reason: str, finished: bool, now: float) -> None:
        """End the crawl: the driver will ask for no more orders."""
        self._pass(now)
        if self.census and (estimate := self.census.estimate()):
            self._told(Estimated(estimate), now)
        failed = finished and not self.tally.pages
        self.stopped = Stopped(reason, finished, len(self.frontier), failed, dict(self.frontier.dropped))
        self._told(self.stopped, now)
        self._clock = None

    def _visited(self, visit: Visit, now: float) -> tuple[int, Estimate | None]:
        host = host_of(visit.url)
        self.tally.count(visit)
        self._forget(visit.ticket)
        self.politeness.end(host, now, page=True)
        repeated = self._repeated(host, visit.digest)
        if spelled := self.spellings.visited(visit.url, visit.sketch):
            self._purge(spelled, ANOTHER_SPELLING, now)
        fruitless = self.repetition.visited(visit.url, visit.sketch, visit.links, self._unknown)
        total = self._apply([] if repeated else self.strategy.learn(visit))
        if fruitless:
            self._purge(fruitless, NOTHING_NEW, now)
        self._close_if_full(host, now)
        return total, self.census.visited(visit, () if repeated else self._inside(visit.links)) if self.census else None

    def _unknown(self, url: str) -> bool:
        """Whether a link leads to an unknown URL that the crawl may fetch."""
        return not self.politeness.outside(host_of(url)) and not self.frontier.knows(url)

    def _inside(self, links: Collection[str]) -> Collection[str]:
        """The links that are in the scope of the crawl."""
        outside = self.politeness.outside
        return [url for url in links if not outside(host_of(url))] if self.politeness.scoped else links

    def _repeated(self, host: str, digest: str) -> bool:
        """Whether the host has sent the same body before: many URLs for one page are a trap."""
        if not digest:
            return False
        key = key64(f"{host} {digest}")
        known = key in self._bodies
        self._bodies.add(key)
        return known

    def _redirected(self, redirect: Redirect, now: float) -> None:
        ticket = redirect.ticket
        self.tally.redirects += 1
        host = host_of(ticket.url)
        self.politeness.end(host, now)
        hops = self._hops.get(ticket.url, 0) + 1
        self._forget(ticket)
        if self.census and self.politeness.outside(host_of(redirect.to)):
            self.census.missed(ticket.url)
        elif self.census:
            self.census.moved(ticket.url, redirect.to)
        if hops > self.plan.hops:
            self.tally.misses["too many redirects"] += 1
        elif redirect.to != ticket.url:
            onward = replace(ticket, url=redirect.to, via=ticket.url)
            # A redirect to another spelling must be followed, because it leads to the page.
            if (refused := self._refuses(onward)) and refused != ANOTHER_SPELLING:
                self.frontier.dropped[refused] += 1
            elif self.frontier.follow(onward):
                self._hops[redirect.to] = hops
        self._close_if_full(host, now)

    def _missed(self, miss: Miss, now: float) -> tuple[bool, int]:
        ticket, host = miss.ticket, host_of(miss.ticket.url)
        lost = miss.reason == LOST
        blamed = miss.blames_host
        silent = blamed and not miss.reason.startswith(("status ", "robots"))
        self.politeness.end(host, now, failed=blamed, rest=miss.rest, asked=miss.asked, silent=silent)
        # A failure of our own side says nothing about the URL: the ticket waits for as long as that takes.
        waits = miss.ours or miss.reason == RESTING
        tries = self._tries.get(ticket.url, 0) + (not waits)
        if self.politeness.hopeless(host):
            self._purge(lambda ticket: self.politeness.hopeless(host_of(ticket.url)), GIVEN_UP, now)
        elif miss.ours or (miss.again and tries <= max(self.plan.retries, _LOSSES if lost else 0)):
            self._tries[ticket.url] = tries
            self.frontier.put_first(ticket)
            return False, 0
        self._forget(ticket)
        self.tally.misses[miss.reason] += 1
        if self.census:
            self.census.missed(ticket.url)
        total = self._apply(self.strategy.miss(miss))
        self._close_if_full(host, now)
        return True, total

    def _apply(self, requests: Iterable[Ticket | Move]) -> int:
        """Carry out the strategy's tickets, then its moves; returns their checksum."""
        tickets: list[Ticket] = []
        moves: list[Move] = []
        for request in requests:
            if isinstance(request, Move):
                moves.append(request)
            elif request.score != request.score:
                raise Refused(
                    f"strategy {self.plan.strategy} gave {request.url} no number for a score",
                    "mend it",
                    code=Code.BAD_VALUE,
                    field="strategy",
                )
            else:
                tickets.append(request)
        self.frontier.put(tickets)
        for move in moves:
            self.frontier.move(*move)
        return _checksum(tickets, moves) if self.tell else 0

    def _forget(self, ticket: Ticket) -> None:
        self._tries.pop(ticket.url, None)
        self._hops.pop(ticket.url, None)

    def _close_if_full(self, host: str, now: float) -> None:
        if self.politeness.full(host):
            self._purge(lambda ticket: self.politeness.full(host_of(ticket.url)), "host full", now)

    def _purge(self, gone: Callable[[Ticket], bool], reason: str, now: float) -> None:
        for ticket in self.frontier.purge(gone, reason):
            if self.census:
                self.census.dropped(ticket.url)
            if reason != ANOTHER_SPELLING:
                self.spellings.dropped(ticket.url)
            if ticket.url in self._tries:
                # It had been tried before and waited for another try, so its final miss must be logged.
                self._forget(ticket)
                self.tally.misses[reason] += 1
                self._told(Missed(Miss(ticket, reason)), now)

    def _refuses(self, ticket: Ticket) -> str | None:
        host = host_of(ticket.url)
        if self.politeness.outside(host):
            return "outside"
        if self.politeness.hopeless(host):
            return GIVEN_UP
        if self.politeness.full(host):
            return "host full"
        return self.traps(ticket.url) or self.repetition(ticket) or self.spellings(ticket)

    def _pass(self, now: float) -> None:
        if self._clock is not None:
            self.tally.elapsed += max(0.0, now - self._clock)
        self._clock = now

    def _told(self, event: Event, now: float) -> None:
        if self.tell:
            self.tell(event, now)

    def refold(self, events: Iterable[tuple[float, Event]]) -> None:
        """Restore the state that these events led to; `begin` then continues from there."""
        tell, self.tell = self.tell, (lambda event, at: None)
        for at, event in events:
            self._refold(event, at)
        self.tell = tell

    def _refold(self, event: Event, at: float) -> None:
        match event:
            case Began():
                self._begin(at)
            case Leased(ticket=ticket):
                self._pass(at)
                self.frontier.take(ticket, self.strategy.choose)
                self._start(ScoutOrder(ticket, self.plan.body), at)
            case Visited(visit=visit, sum=total):
                del self.under_way[visit.url]
                self._pass(at)
                self._same(self._visited(visit, at)[0], total, visit.url)
            case Judged(url=url, relevant=relevant, sum=total, relevance=relevance, heard=heard):
                self._pass(at)
                self._same(self._judged(Judgement(url, relevant), relevance, heard), total, url)
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

    def _same(self, total: int, before: int, url: str) -> None:
        if total != before:
            raise Refused(
                f"strategy {self.plan.strategy} no longer does what it did when this crawl was made "
                f"(its links from {url} differ)",
                "resume with the version of Lycosa and of the strategy that began it",
                code=Code.OTHER_VERSION,
            )

    def save(self) -> bytes:
        """The whole state as bytes, for a checkpoint."""
        return crawl_state.save(self)

    def load(self, data: bytes) -> None:
        """Restore what `save` returned."""
        self._prepared()
        crawl_state.load(self, data)


def _checksum(tickets: list[Ticket], moves: list[Move]) -> int:
    """A checksum by which a refolded crawl notices that a visit led to other tickets or moves than before."""
    words = "\n".join([*[ticket.url for ticket in tickets], *map(repr, moves)]).encode()
    return xxh3_64_intdigest(words + struct.pack(f"{len(tickets)}d", *[ticket.score for ticket in tickets]))
