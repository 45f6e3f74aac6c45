"""The scope as a crawl folds it: depths as links become known, links that were too deep, and how many were kept out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from lycosa.core.keys import key64
from lycosa.core.nouns import ListedDate, Plain, Ticket
from lycosa.core.urls import identity
from lycosa.engine.scope.link_depths import LinkDepths
from lycosa.engine.scope.scope import Rule, Scope
from lycosa.frontier.seen import Seen

_DEEPEST = 1 << 30
"""A depth that no rule allows."""


class ScopeFilter:
    """Called with a ticket, returns the rule that keeps it out; the tickets of links that are too deep wait here.

    As soon as a shorter path to such a link is known, its ticket is given back. So which pages a crawl may fetch does
    not depend on the order in which they are fetched.
    """

    def __init__(self, scope: Scope, room: int) -> None:
        self.rules = scope
        self.limited = scope.limited or scope.has_depth or scope.has_dates
        """Whether anything can be kept out."""
        self.kept_out: Counter[str] = Counter()
        """How many different links were kept out, by rule."""
        self._room = room
        self._counted = Seen()
        self._depths = LinkDepths() if scope.has_depth else None
        self._deep: dict[int, dict[str, Ticket]] = {}
        """The tickets that are too deep, by URL and lane."""
        self._listed: dict[int, ListedDate] = {}
        """What lists say about the dates of pages, by URL."""

    def __call__(self, ticket: Ticket) -> Rule | None:
        """The rule that keeps a ticket out; None if its URL may be asked for."""
        rule = self.rules.verdict(ticket.url)
        if not rule and self._listed and ticket.via is not None and self._dated_out(ticket.url):
            rule = Rule("date")
        if rule:
            key = key64(identity(ticket.url))
            if key not in self._counted:
                self._counted.add(key)
                self.kept_out[rule.counted] += 1
            return rule
        return self._by_depth(ticket) if self._depths else None

    def _dated_out(self, url: str) -> Rule | None:
        listed = self._listed.get(key64(identity(url)))
        return self.rules.dated_out(url, listed) if listed else None

    def listed(self, dates: Mapping[str, ListedDate]) -> list[str]:
        """A list states the dates of pages; returns the URLs that are kept out by them."""
        told: list[str] = []
        for url, date in dates.items():
            key = key64(identity(url))
            known = self._listed.get(key)
            if known is None and len(self._listed) >= self._room:
                break
            # A date of publication says more than one of a change, and a later change more than an earlier one.
            if known is None or (date.published, date.day) > (known.published, known.day):
                self._listed[key] = date
                told.append(url)
        return [url for url in told if self._dated_out(url)]

    def day(self, url: str) -> str:
        """The day that a list states for a page; empty if none does."""
        listed = self._listed.get(key64(identity(url))) if self._listed else None
        return listed.day if listed else ""

    def rule(self, url: str) -> Rule | None:
        """The rule that keeps a URL out, by what is known; None if it may be asked for."""
        if found := self.rules.verdict(url) or self._dated_out(url):
            return found
        depth = self.depth(url)
        return None if depth is None else self.rules.too_deep(url, depth)

    def _by_depth(self, ticket: Ticket) -> Rule | None:
        assert self._depths
        depth = self._depths.of(ticket.url)
        if depth is None:
            # The strategy knows it from elsewhere than a page's links.
            if ticket.via is None:
                self._depths.start(ticket.url)
            else:
                self._depths.linked(ticket.via, [ticket.url])
            depth = self._depths.of(ticket.url) or 0
        rule = self.rules.too_deep(ticket.url, depth)
        if rule:
            waiting = self._deep.get(key := key64(identity(ticket.url)))
            if waiting is None and len(self._deep) < self._room:
                waiting = self._deep[key] = {}
                self.kept_out[rule.counted] += 1
            known = waiting.get(ticket.lane) if waiting is not None else None
            if waiting is not None and (known is None or known.score < ticket.score):
                waiting[ticket.lane] = ticket
        return rule

    def outside(self, url: str) -> bool:
        """Whether a URL is kept out, by what is known."""
        return self.limited and self.rule(url) is not None

    def depth(self, url: str) -> int | None:
        """How many links a URL is away from a seed; None if that is not known, or not counted."""
        return self._depths.of(url) if self._depths else None

    def begin(self, urls: Iterable[str]) -> None:
        """The first URLs of the crawl."""
        if self._depths:
            for url in urls:
                self._depths.start(url)

    def linked(self, url: str, links: Iterable[str]) -> list[Ticket]:
        """A page links to these URLs; returns the tickets that are not too deep any more."""
        return self._given_back(self._depths.linked(url, links)) if self._depths else []

    def moved(self, url: str, to: str) -> list[Ticket]:
        """A URL was redirected; returns the tickets that are not too deep any more."""
        return self._given_back(self._depths.moved(url, to)) if self._depths else []

    def _given_back(self, nearer: Iterable[int]) -> list[Ticket]:
        assert self._depths
        found: list[Ticket] = []
        for key in dict.fromkeys(nearer):
            tickets = list(self._deep.get(key, {}).values())
            depth = self._depths.of(tickets[0].url) if tickets else None
            if depth is not None and not self.rules.too_deep(tickets[0].url, depth):
                del self._deep[key]
                found += tickets
                if rule := self.rules.too_deep(tickets[0].url, _DEEPEST):
                    self.kept_out[rule.counted] -= 1
        return found

    def save(self) -> Plain:
        """Everything as plain data; None if there is nothing."""
        if not self.limited:
            return None
        deep = [[ticket.url, ticket.score, ticket.lane, ticket.via, ticket.memo] for ticket in self._waiting()]
        depths = self._depths.save() if self._depths else None
        return {"kept_out": dict(self.kept_out), "counted": self._counted.save(), "depths": depths, "deep": deep} | (
            {"listed": [[key, *date] for key, date in self._listed.items()]} if self._listed else {}
        )

    def _waiting(self) -> Iterable[Ticket]:
        return (ticket for lanes in self._deep.values() for ticket in lanes.values())

    def load(self, state: Plain) -> None:
        """Restore what `save` returned."""
        if state is None:
            return
        self.kept_out = Counter(state["kept_out"])
        self._counted = Seen(state["counted"])
        if self._depths and state["depths"]:
            self._depths.load(state["depths"])
        self._listed = {key: ListedDate(day, published) for key, day, published in state.get("listed", ())}
        for flat in state["deep"]:
            ticket = Ticket(*flat)
            self._deep.setdefault(key64(identity(ticket.url)), {})[ticket.lane] = ticket
