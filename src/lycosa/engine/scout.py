"""A scout: fetches a page, archives it, judges it and senses it. All that may run elsewhere."""

from __future__ import annotations

import time
from typing import NamedTuple, Protocol

from lycosa.core.interfaces import Web
from lycosa.core.judge import Judge
from lycosa.core.lore import Lore
from lycosa.core.nouns import Failure, Miss, Moved, Outcome, Raw, Redirect, Ticket, Topic, Visit, Where
from lycosa.core.strategy import Strategy


class Order(NamedTuple):
    """A ticket for a scout, and how many body bytes it may bring home."""

    ticket: Ticket
    limit: int


class Archive(Protocol):
    """Where responses are kept."""

    def write(self, url: str, raw: Raw, at: float) -> Where: ...


class Scout:
    """Web, judge, sense and archive in one callable.

    Its strategy is its own, as in a process of its own: it senses without what the brain's has learned.
    """

    def __init__(
        self,
        web: Web,
        topic: Topic,
        strategy: Strategy,
        judge: Judge,
        lore: Lore | None = None,
        archive: Archive | None = None,
    ) -> None:
        self.web = web
        self.topic = topic
        self.judge = judge
        self.archive = archive
        known = lore.for_scouts() if lore else Lore()
        strategy.prepare(topic, known)
        judge.prepare(topic, known)
        self.sense = strategy.sense

    async def __call__(self, order: Order) -> Outcome:
        """The outcome of an order."""
        ticket, limit = order
        answer = await self.web.get(ticket.url, limit)
        if isinstance(answer, Failure):
            return Miss(ticket, answer.reason, answer.again, answer.rest, answer.asked)
        if isinstance(answer, Moved):
            return Redirect(ticket, answer.to, answer.status, self._keep(ticket.url, answer.raw))
        verdict = self.judge(answer)
        sensed = self.sense(answer, self.topic)
        # Last of all, so that whatever is in the archive is also reported.
        where = self._keep(ticket.url, answer.raw)
        return Visit(
            ticket,
            verdict.relevance,
            [link.url for link in answer.links],
            sensed,
            verdict.labels,
            answer.title,
            answer.language,
            answer.status,
            answer.mime,
            answer.digest,
            answer.size,
            answer.etag,
            answer.modified,
            where,
        )

    def _keep(self, url: str, raw: Raw | None) -> Where | None:
        return self.archive.write(url, raw, time.time()) if self.archive and raw else None
