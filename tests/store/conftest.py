"""Events and responses as a crawl would make them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lycosa.core.events import Leased, Missed, Redirected, Visited
from lycosa.core.nouns import Miss, Raw, Redirect, Ticket, Visit, Where


class Make:
    """Short ways to make what a crawl tells the store."""

    @staticmethod
    def visited(url: str, relevance: float = 0.5, where: Where | None = None, **more: object) -> Visited:
        ticket = Ticket(url, score=relevance, via=more.pop("via", None))
        return Visited(Visit(ticket, relevance, where=where, **{"size": 1000, **more}), sum=7)

    @staticmethod
    def leased(url: str, score: float = 0.5, via: str | None = None) -> Leased:
        return Leased(Ticket(url, score, via=via), rank=3, queued=10, parts={"page": 0.25})

    @staticmethod
    def missed(url: str, reason: str = "timeout", final: bool = True) -> Missed:
        return Missed(Miss(Ticket(url), reason, again=not final), final=final)

    @staticmethod
    def redirected(url: str, to: str, where: Where | None = None) -> Redirected:
        return Redirected(Redirect(Ticket(url), to, 301, where))

    @staticmethod
    def raw(body: bytes = b"<html><title>Hello</title><p>Hello, world.", **more: object) -> Raw:
        headers = (("Server", "test"), ("Content-Type", "text/html; charset=utf-8"))
        return Raw(**{"status": 200, "headers": headers, "body": body, "reason": "OK", **more})


@pytest.fixture
def make() -> Make:
    return Make()


@pytest.fixture
def links() -> Callable[[int], list[str]]:
    """That many links, as long as real ones."""
    return lambda count: [f"https://host{n % 7}.test/section/{n}/a-page-with-a-name-{n * n}.html" for n in range(count)]
