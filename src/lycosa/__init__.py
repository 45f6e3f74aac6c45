"""Lycosa: a topical web crawler that hunts for the pages that matter, and says why it fetched each one.

import lycosa

with lycosa.hunt("wolf spiders", ["https://example.org/"], pages=100, out="spiders") as hunt:
    for visit in hunt:
        print(visit.relevance, visit.url)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lycosa.core.errors import Refused as Refused
    from lycosa.core.errors import SeedsFailed as SeedsFailed
    from lycosa.core.judge import Judge as Judge
    from lycosa.core.nouns import Move as Move
    from lycosa.core.nouns import Page as Page
    from lycosa.core.nouns import Ticket as Ticket
    from lycosa.core.nouns import Topic as Topic
    from lycosa.core.nouns import Visit as Visit
    from lycosa.core.query import query as query
    from lycosa.core.strategy import Strategy as Strategy
    from lycosa.core.strategy import register as register
    from lycosa.engine.hunt import Hunt as Hunt
    from lycosa.face.searching import hubs as hubs
    from lycosa.face.searching import open_index as open_index
    from lycosa.face.searching import search as search
    from lycosa.face.searching import similar as similar
    from lycosa.face.searching import votes as votes
    from lycosa.face.service import export as export
    from lycosa.face.service import hunt as hunt
    from lycosa.face.service import resume as resume
    from lycosa.face.service import status as status
    from lycosa.face.service import why as why

# Found when asked for: a scout process imports this package too, and has no use for the faces.
_PLACES = {
    "Hunt": "lycosa.engine.hunt",
    "Judge": "lycosa.core.judge",
    "Move": "lycosa.core.nouns",
    "Page": "lycosa.core.nouns",
    "Refused": "lycosa.core.errors",
    "SeedsFailed": "lycosa.core.errors",
    "Strategy": "lycosa.core.strategy",
    "Ticket": "lycosa.core.nouns",
    "Topic": "lycosa.core.nouns",
    "Visit": "lycosa.core.nouns",
    "export": "lycosa.face.service",
    "hubs": "lycosa.face.searching",
    "hunt": "lycosa.face.service",
    "open_index": "lycosa.face.searching",
    "query": "lycosa.core.query",
    "register": "lycosa.core.strategy",
    "resume": "lycosa.face.service",
    "search": "lycosa.face.searching",
    "similar": "lycosa.face.searching",
    "status": "lycosa.face.service",
    "votes": "lycosa.face.searching",
    "why": "lycosa.face.service",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"lycosa has no {name!r}")
    return getattr(import_module(_PLACES[name]), name)
