"""A page small enough to be worked out by hand, and what a strategy makes of it."""

import pytest

from lycosa.core.nouns import Ticket, Topic, Visit
from lycosa.core.query import query
from lycosa.web.parse import parse

KEYWORDS = "wolf spider"


@pytest.fixture
def look():
    """Let a strategy look at an HTML page as a scout and the brain would; what it says is by URL."""

    def look(strategy, html, url="http://a.test/", memo=None):
        page = parse(url, html.encode(), "text/html; charset=utf-8", context=strategy.context)
        visit = Visit(
            Ticket(url, memo=memo),
            query(KEYWORDS).of_text(page.text),
            [link.url for link in page.links],
            strategy.sense(page, Topic(KEYWORDS)),
        )
        tickets = list(strategy.learn(visit))
        assert all(ticket.via == url for ticket in tickets)
        assert all(sum(strategy.explain(ticket).values()) == pytest.approx(ticket.score) for ticket in tickets)
        found = {ticket.url.removeprefix("http://"): ticket for ticket in tickets}
        assert len(found) == len(tickets)
        return found

    return look
