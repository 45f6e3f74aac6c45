"""Marks: what a request carries with it in its meta, under «lycosa»."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from scrapy import Request

from lycosa.core.nouns import Ticket
from lycosa.core.urls import canonical
from lycosa.web.parse import LONGEST_HREF

KEY = "lycosa"


def address(url: str) -> str | None:
    """The URL as strategies know it; None for what they know nothing about."""
    return canonical(url, limit=LONGEST_HREF)


def mark(request: Request, ticket: Ticket, *, last: bool = False) -> None:
    """Give a request its ticket: from now on its turn is up to the strategy, unless it is to be sent last of all."""
    request.meta[KEY] = {"ticket": ticket, "last": last}


def unmark(request: Request) -> None:
    """Take away a ticket, which may have come along when a spider handed on the meta of a response."""
    request.meta.pop(KEY, None)


def send(request: Request, ticket: Ticket) -> None:
    """Note with which ticket a request is sent."""
    url = address(request.url) or ticket.url
    request.meta[KEY] = {"ticket": ticket if ticket.url == url else replace(ticket, url=url), "sent": True}


def was_sent(request: Request) -> bool:
    """Whether a request, or the one that was redirected to it, has been sent before."""
    return bool(request.meta[KEY].get("sent"))


def note(request: Request, **notes: Any) -> None:
    """Write something about the page that a request brought."""
    request.meta[KEY] = {**request.meta.get(KEY, {}), **notes}


def was_read(request: Request) -> bool:
    """Whether the spider has made its requests of the page that a request brought."""
    return "read" in request.meta.get(KEY, ())


def comes_last(request: Request) -> bool:
    """Whether a request is to be sent when there is nothing else."""
    return bool(request.meta[KEY].get("last"))


def ticket_of(request: Request) -> Ticket | None:
    """The ticket of a request; the address to which it was redirected is in it, and where it came from."""
    ticket: Ticket | None = request.meta.get(KEY, {}).get("ticket")
    if ticket is None:
        return None
    url = address(request.url)
    return ticket if url is None or url == ticket.url else replace(ticket, url=url, via=ticket.url)
