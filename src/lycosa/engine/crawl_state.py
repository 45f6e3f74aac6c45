"""The state of a crawl as bytes, for a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lycosa.core.nouns import Ticket
from lycosa.engine.scout import ScoutOrder
from lycosa.frontier.seen import Seen

if TYPE_CHECKING:
    from lycosa.engine.crawl import Crawl


def save(crawl: Crawl) -> bytes:
    """The whole state of a crawl."""
    return msgspec.msgpack.encode(
        {
            "strategy": crawl.strategy.save(),
            "rng": crawl._rng.getstate(),
            "frontier": crawl.frontier.save(),
            "manners": crawl.politeness.save(),
            "traps": crawl.traps.save(),
            "repetition": crawl.repetition.save(),
            "spellings": crawl.spellings.save(),
            "tries": crawl._tries,
            "hops": crawl._hops,
            "bodies": crawl._bodies.save(),
            "under_way": [order.ticket for order in crawl.under_way.values()],
            "tally": crawl.tally.save(),
            "census": crawl.census.save() if crawl.census else None,
            "judgements": crawl.judgements,
            "heard": crawl.heard,
            "clock": crawl._clock,
        }
    )


def load(crawl: Crawl, data: bytes) -> None:
    """Restore the state that `save` returned in a prepared crawl."""
    state = msgspec.msgpack.decode(data)
    crawl.strategy.load(state["strategy"])
    version, internal, gauss = state["rng"]
    crawl._rng.setstate((version, tuple(internal), gauss))
    crawl.frontier.load(state["frontier"])
    crawl.politeness.load(state["manners"])
    crawl.traps.load(state["traps"])
    if "repetition" in state:  # a checkpoint of an older version has none
        crawl.repetition.load(state["repetition"])
        crawl.spellings.load(state["spellings"])
    crawl._tries, crawl._hops = state["tries"], state["hops"]
    crawl._bodies = Seen(state["bodies"])
    tickets = msgspec.convert(state["under_way"], list[Ticket])
    crawl.under_way = {ticket.url: ScoutOrder(ticket, crawl.plan.body) for ticket in tickets}
    crawl.tally.load(state["tally"])
    if crawl.census and state.get("census"):
        crawl.census.load(state["census"])
    crawl.judgements, crawl.heard = state.get("judgements", {}), state.get("heard", 0)
    crawl._clock, crawl._begun = state["clock"], True
