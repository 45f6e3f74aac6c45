"""The state of a crawl, how every outcome changes it, and its form in a checkpoint."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterable

import msgspec
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from lycosa.core.brief import Brief
from lycosa.core.events import Event, Missed, Stopped
from lycosa.core.nouns import (
    COPY,
    LOST,
    OUT_OF_SCOPE,
    RESTING,
    Estimate,
    Judgement,
    Miss,
    Move,
    Redirect,
    Ticket,
    Visit,
)
from lycosa.core.priors import Priors
from lycosa.core.urls import host_of, identity
from lycosa.engine.census import Census
from lycosa.engine.link_filter import (
    ANOTHER_SPELLING,
    GIVEN_UP,
    HOST_FULL,
    MIRROR,
    NOTHING_NEW,
    TOO_MANY_LISTS,
    LinkFilter,
)
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_rules import Politeness
from lycosa.engine.random_source import unused_random
from lycosa.engine.relevance import Relevance
from lycosa.engine.scout import ScoutOrder
from lycosa.engine.tally import Tally
from lycosa.frontier.own_lanes import frontier_for
from lycosa.system.errors import Code, Refused
from lycosa.web.readers.media_types import refused_by_name

TOO_SLOW = "crawl-delay too long"
"""The reason of a miss at a host whose robots.txt asks for a pause longer than `longest_rest`."""
DATED = f"{OUT_OF_SCOPE}date"
"""The reason of a link that is not followed because of the date that a list states for it."""
LEARNING = 5
"""The version of what is learned from events, to be raised whenever the same events lead to other tickets.

A log of another version is refolded, but need not lead to the same tickets; a checkpoint of another version is not
used. Until version 1, which logs do not name, the page model was a part of the apprentice.
"""
_LOSSES = 2
"""How often a ticket whose scout was lost is tried again, even if the plan has fewer retries."""


class CrawlState:
    """Strategy, frontier, politeness and counts, folded over events: the same events always lead to the same state."""

    def __init__(self, plan: Plan, tell: Callable[[Event, float], object] | None = None) -> None:
        self.plan = plan
        self.tell = tell
        self.scope = plan.make_scope()
        self.politeness = Politeness(plan.rules, self.scope.sites)
        self.judgements: dict[str, bool] = {}
        """The judgements in force, by URL: relevant or not."""
        self.heard = 0
        """The position up to which the inbox of judgements was read."""
        self.under_way: dict[str, ScoutOrder] = {}
        self.stopped: Stopped | None = None
        """Why the crawl has stopped; None while it runs."""
        self._priors = Priors()
        self._clock: float | None = None
        self._clear()

    def _clear(self) -> None:
        """Reset everything that is known of pages and links."""
        plan = self.plan
        self.strategy = plan.make_strategy()
        # In a recording, a request costs nothing, and laboratory results must not depend on what is installed.
        self.refuses = LinkFilter(self.politeness, self.scope, plan.capacity, by_name=not plan.recorded)
        self.frontier = frontier_for(self.strategy, plan.capacity, self.refuses)
        self.tally = Tally()
        # The laboratory knows which pages are relevant, so it needs neither a model that nobody reads nor an estimate.
        counted = self.tell is not None or plan.budget.share is not None
        self.relevance = Relevance(plan.topic) if counted or self.strategy.reads_pages else None
        """How relevant each page is; None if nobody asks."""
        log_odds = self.strategy.log_odds
        self.census = Census(plan.relevant, lambda: self.frontier.scores(), log_odds) if counted else None
        self._tries: dict[str, int] = {}
        self._hops: dict[str, int] = {}
        self._rng = unused_random(plan.seed)
        self._begun = False
        self._first: list[Ticket] | None = None

    def prepare(self, priors: Priors) -> None:
        """Give the strategy its priors; called before `begin`, `refold` and `load`."""
        self._priors = priors
        self.strategy.prepare(self.plan.topic, priors)
        pages = self.relevance.pages if self.relevance else None
        self._first = list(self.strategy.begin(Brief(self.plan.topic, self.plan.seeds, self._rng, priors, pages)))

    def _prepared(self) -> list[Ticket]:
        if self._first is None:
            self.prepare(self._priors)
        assert self._first is not None
        return self._first

    def _begin(self, now: float) -> None:
        self._clock, self.stopped = now, None
        if self._begun and not (self.tally.pages or len(self.frontier) or self.under_way):
            # No seed could be fetched. The cause may be gone by now, so the crawl starts afresh.
            self._clear()
            self.politeness.forgive(now)
        if not self._begun:
            self._begun = True
            first = [ticket for ticket in self._prepared() if not self.scope.verdict(ticket.url)]
            self.refuses.scope.begin(ticket.url for ticket in first)
            self.frontier.put(first, trusted=True)
            # No host is given up before the first request, but one may be when a crawl starts afresh.
            self.frontier.purge(lambda ticket: self.politeness.hopeless(host_of(ticket.url)), GIVEN_UP)
        for order in self.under_way.values():
            # The request may or may not have reached its host, so the pause counts from now.
            self.politeness.end(host_of(order.ticket.url), now)
            if not self.scope.verdict(order.ticket.url):  # it may have been changed in the meantime
                self.frontier.put_back(order.ticket)
        self.under_way.clear()

    def _start(self, order: ScoutOrder, now: float) -> None:
        self.under_way[order.ticket.url] = order
        self.politeness.begin(host_of(order.ticket.url), now)

    def _asked(self, host: str, pause: float, now: float) -> None:
        self.politeness.asked(host, pause)
        if self.politeness.hopeless(host):
            self._purge(lambda ticket: host_of(ticket.url) == host, TOO_SLOW, now)

    def _judged(self, judgement: Judgement, heard: int) -> int:
        url, relevant, _ = judgement
        self.heard = heard
        if self.relevance:
            self.relevance.judged(url, relevant)
            self._count_again()
        if self.census:
            self.census.judged()
        if relevant is None:
            self.judgements.pop(url, None)
            return self._apply(self.strategy.withdrawn(url))
        self.judgements[url] = relevant
        return self._apply(self.strategy.judged(judgement))

    def _visited(self, visit: Visit, now: float) -> tuple[int, float | None, Estimate | None]:
        """Learn from a page; returns the checksum of what follows, the page's relevance, and an estimate if due."""
        host = host_of(visit.url)
        self.tally.count(visit)
        self._forget(visit.ticket)
        self.politeness.end(host, now, page=True)
        # No page may be a copy of one that is not kept.
        shown = visit.withheld in ("", COPY)
        repeated = self.refuses.is_repeated(host, visit.digest, shown=shown)
        if spelled := self.refuses.spellings.visited(visit.url, visit.sketch if shown else b""):
            self._purge(spelled, ANOTHER_SPELLING, now)
        mirrored = self.refuses.mirrors.visited(visit.url, visit.sketch, shown=shown)
        if mirrored.gone:
            self._purge(mirrored.gone, MIRROR, now)
        if enough := self.refuses.list_bounds.visited(visit):
            self._purge(enough, TOO_MANY_LISTS, now)
        # A copy of another site's page says nothing about the kinds of URLs of this site.
        sketch = b"" if mirrored.copied else visit.sketch
        fruitless = self.refuses.repetition.visited(visit.url, sketch, visit.links, self._unknown, shown=shown)
        relevance = self.relevance.visited(visit, repeated) if self.relevance else None
        nearer = self.refuses.scope.linked(visit.url, visit.links)
        self.refuses.addresses.visited(visit, relevance)
        if visit.dates:
            # The queue is walked only if it may have one of them.
            gone = {identity(url) for url in self.refuses.scope.listed(visit.dates) if self.frontier.knows(url)}
            if gone:
                refused = self.refuses.scope
                self._purge(lambda ticket: identity(ticket.url) in gone and bool(refused(ticket)), DATED, now)
        total = self._apply([] if repeated else self.strategy.learn(visit))
        if nearer:
            self.frontier.put(nearer)
        if fruitless:
            self._purge(fruitless, NOTHING_NEW, now)
        self._close_if_full(host, now)
        if not self.census:
            return total, relevance, None
        self.census.visited(visit, relevance or 0.0, () if repeated else self._inside(visit.links), self._score(visit))
        self._count_again()
        return total, relevance, self.census.look()

    def _score(self, outcome: Visit | Miss) -> float | None:
        """The score that a link was followed with, if it says how promising the link was."""
        score = outcome.ticket.score
        return score if score < self.strategy.put_first else None

    def _count_again(self) -> None:
        """After a lesson, let the census know how relevant the pages are now."""
        if self.census and self.relevance and self.census.lessons != self.relevance.pages.lessons:
            self.census.judged_again(self.relevance.all(), self.relevance.pages.lessons)

    def harvest(self, last: int | None = None) -> float | None:
        """The mean relevance of the pages so far, or of the last ones; None if nothing is known of them."""
        return self.relevance.harvest(last) if self.relevance else None

    def _unknown(self, url: str) -> bool:
        """Whether a link leads to an unknown URL that the crawl may fetch."""
        return not self.refuses.scope.outside(url) and not self.frontier.knows(url)

    def _inside(self, links: Collection[str]) -> Collection[str]:
        """The links that are in the scope of the crawl."""
        outside = self.refuses.scope.outside
        inside = [url for url in links if not outside(url)] if self.refuses.scope.limited else links
        return [url for url in inside if not refused_by_name(url)] if self.refuses.by_name else inside

    def _redirected(self, redirect: Redirect, now: float) -> None:
        ticket = redirect.ticket
        self.tally.redirects += 1
        host = host_of(ticket.url)
        self.politeness.end(host, now)
        hops = self._hops.get(ticket.url, 0) + 1
        self._forget(ticket)
        if self.relevance:
            self.relevance.moved(ticket.url, redirect.to)
        nearer = self.refuses.scope.moved(ticket.url, redirect.to)
        if self.census and self.refuses.scope.outside(redirect.to):
            self.census.missed(ticket.url)
        elif self.census:
            self.census.moved(ticket.url, redirect.to)
        if hops > self.plan.hops:
            self.tally.misses["too many redirects"] += 1
        elif redirect.to != ticket.url:
            onward = replace(ticket, url=redirect.to, via=ticket.url)
            # A redirect to another spelling must be followed, because it leads to the page.
            if (refused := self.refuses(onward)) and refused not in (ANOTHER_SPELLING, MIRROR):
                self.frontier.dropped[refused] += 1
            elif self.frontier.follow(onward):
                self._hops[redirect.to] = hops
        if nearer:
            self.frontier.put(nearer)
        self._close_if_full(host, now)

    def _missed(self, miss: Miss, now: float) -> tuple[bool, int]:
        """Whether the ticket is not tried again, and the checksum of what the strategy makes of that."""
        ticket, host = miss.ticket, host_of(miss.ticket.url)
        blamed = miss.blames_host
        silent = blamed and not miss.reason.startswith(("status ", "robots"))
        self.politeness.end(host, now, failed=blamed, rest=miss.rest, asked=miss.asked, silent=silent)
        # A failure of our own side says nothing about the URL: the ticket waits for as long as that takes.
        waits = miss.ours or miss.reason == RESTING
        tries = self._tries.get(ticket.url, 0) + (not waits)
        retries = max(self.plan.retries, _LOSSES if miss.reason == LOST else 0)
        if self.politeness.hopeless(host):
            self._purge(lambda ticket: self.politeness.hopeless(host_of(ticket.url)), GIVEN_UP, now)
        elif miss.ours or (miss.again and tries <= retries):
            self._tries[ticket.url] = tries
            self.frontier.put_first(ticket)
            return False, 0
        self._forget(ticket)
        self.tally.misses[miss.reason] += 1
        if self.census:
            self.census.missed(ticket.url, self._score(miss))
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
                problem = f"strategy {self.plan.strategy} gave {request.url} a score that is not a number"
                raise Refused(problem, "correct the strategy", code=Code.BAD_VALUE, field="strategy")
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
            self._purge(lambda ticket: self.politeness.full(host_of(ticket.url)), HOST_FULL, now)

    def _purge(self, gone: Callable[[Ticket], bool], reason: str, now: float) -> None:
        for ticket in self.frontier.purge(gone, reason):
            if self.census:
                self.census.dropped(ticket.url)
            if reason != ANOTHER_SPELLING:
                self.refuses.spellings.dropped(ticket.url)
            if reason != MIRROR:
                self.refuses.mirrors.dropped(ticket.url)
            if ticket.url in self._tries:
                # It had been tried before and waited for another try, so its final miss must be logged.
                self._forget(ticket)
                self.tally.misses[reason] += 1
                self._log(Missed(Miss(ticket, reason)), now)

    def _pass(self, now: float) -> None:
        if self._clock is not None:
            self.tally.elapsed += max(0.0, now - self._clock)
        self._clock = now

    def _log(self, event: Event, now: float) -> None:
        if self.tell:
            self.tell(event, now)

    def save(self) -> bytes:
        """The whole state as bytes, for a checkpoint."""
        return msgspec.msgpack.encode(
            {
                "learning": LEARNING,
                "relevance": self.relevance.save() if self.relevance else None,
                "strategy": self.strategy.save(),
                "rng": self._rng.getstate(),
                "frontier": self.frontier.save(),
                "manners": self.politeness.save(),
                **self.refuses.save(),
                "rules": self.scope.fingerprint,
                "tries": self._tries,
                "hops": self._hops,
                "under_way": [order.ticket for order in self.under_way.values()],
                "tally": self.tally.save(),
                "census": self.census.save() if self.census else None,
                "judgements": self.judgements,
                "heard": self.heard,
                "clock": self._clock,
            }
        )

    def load(self, data: bytes) -> bool:
        """Restore what `save` returned; False, and nothing is changed, if another version or scope saved it."""
        state = msgspec.msgpack.decode(data)
        if state.get("learning") != LEARNING or state.get("rules", "") != self.scope.fingerprint:
            return False
        self._prepared()
        if self.relevance:
            self.relevance.load(state["relevance"])
        self.strategy.load(state["strategy"])
        version, internal, gauss = state["rng"]
        self._rng.setstate((version, tuple(internal), gauss))
        self.frontier.load(state["frontier"])
        self.politeness.load(state["manners"])
        self.refuses.load(state)
        self._tries, self._hops = state["tries"], state["hops"]
        tickets = msgspec.convert(state["under_way"], list[Ticket])
        self.under_way = {ticket.url: ScoutOrder(ticket, self.plan.longest(ticket.url)) for ticket in tickets}
        self.tally.load(state["tally"])
        if self.census and state.get("census"):
            self.census.load(state["census"])
        self.judgements, self.heard = state.get("judgements", {}), state.get("heard", 0)
        self._clock, self._begun = state["clock"], True
        return True


def _checksum(tickets: list[Ticket], moves: list[Move]) -> int:
    """A checksum by which a refolded crawl notices that a visit led to other tickets or moves than before."""
    words = "\n".join([*[ticket.url for ticket in tickets], *map(repr, moves)]).encode()
    return xxh3_64_intdigest(words + struct.pack(f"{len(tickets)}d", *[ticket.score for ticket in tickets]))
