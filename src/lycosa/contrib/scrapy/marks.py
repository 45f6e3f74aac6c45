"""Marks: what a request carries in its `meta`, under "lycosa"."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from scrapy import Request

from lycosa.core.nouns import Ticket
from lycosa.core.urls import canonical
from lycosa.web.parse import LONGEST_HREF

KEY = "lycosa"


def address(url: str) -> str | None:
    """The canonical URL, as strategies know it; None for a URL that they cannot use."""
    return canonical(url, limit=LONGEST_HREF)


def mark(request: Request, ticket: Ticket, *, last: bool = False) -> None:
    """Give a request its ticket: from now on the strategy decides its turn, unless it is to be sent last of all."""
    request.meta[KEY] = {"ticket": ticket, "last": last}


def unmark(request: Request) -> None:
    """Remove a ticket that came along because a spider passed on the `meta` of a response."""
    request.meta.pop(KEY, None)


def send(request: Request, ticket: Ticket) -> None:
    """Record the ticket with which a request is sent."""
    url = address(request.url) or ticket.url
    request.meta[KEY] = {"ticket": ticket if ticket.url == url else replace(ticket, url=url), "sent": True}


def was_sent(request: Request) -> bool:
    """Whether a request, or the one that was redirected to it, has been sent before."""
    return bool(request.meta[KEY].get("sent"))


def note(request: Request, **notes: Any) -> None:
    """Record something about the page that answered a request."""
    request.meta[KEY] = {**request.meta.get(KEY, {}), **notes}


def was_read(request: Request) -> bool:
    """Whether the spider has made its requests from the page that answered a request."""
    return "read" in request.meta.get(KEY, ())


def comes_last(request: Request) -> bool:
    """Whether a request is to be sent only when nothing else is left."""
    return bool(request.meta[KEY].get("last"))


def ticket_of(request: Request) -> Ticket | None:
    """The ticket of a request; after a redirect it has the new URL and the one that led there."""
    ticket: Ticket | None = request.meta.get(KEY, {}).get("ticket")
    if ticket is None:
        return None
    url = address(request.url)
    return ticket if url is None or url == ticket.url else replace(ticket, url=url, via=ticket.url)
