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
    from lycosa.app.completion import complete as complete
    from lycosa.app.hunts import export as export
    from lycosa.app.hunts import hunt as hunt
    from lycosa.app.hunts import pages as pages
    from lycosa.app.hunts import resume as resume
    from lycosa.app.hunts import status as status
    from lycosa.app.hunts import why as why
    from lycosa.app.python_api.fetched_page import FetchedPage as FetchedPage
    from lycosa.app.python_api.hunt_session import HuntSession as HuntSession
    from lycosa.app.python_api.item_pipelines import DropItem as DropItem
    from lycosa.app.python_api.item_pipelines import JsonLines as JsonLines
    from lycosa.app.python_api.page_table import PageTable as PageTable
    from lycosa.app.scope_check import check_scope as check_scope
    from lycosa.app.search import hubs as hubs
    from lycosa.app.search import open_index as open_index
    from lycosa.app.search import search as search
    from lycosa.app.search import similar as similar
    from lycosa.app.search import votes as votes
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
    from lycosa.system.errors import Refused as Refused
    from lycosa.system.errors import SeedsFailed as SeedsFailed

# Found when asked for: a scout process imports this package too, and has no use for the faces.
_PLACES = {
    "DropItem": "lycosa.app.python_api.item_pipelines",
    "FetchedPage": "lycosa.app.python_api.fetched_page",
    "Hunt": "lycosa.engine.hunt",
    "HuntSession": "lycosa.app.python_api.hunt_session",
    "JsonLines": "lycosa.app.python_api.item_pipelines",
    "Judge": "lycosa.core.judge",
    "Move": "lycosa.core.nouns",
    "Page": "lycosa.core.nouns",
    "PageTable": "lycosa.app.python_api.page_table",
    "Refused": "lycosa.system.errors",
    "SeedsFailed": "lycosa.system.errors",
    "Strategy": "lycosa.core.strategy",
    "Ticket": "lycosa.core.nouns",
    "Topic": "lycosa.core.nouns",
    "Visit": "lycosa.core.nouns",
    "check_scope": "lycosa.app.scope_check",
    "complete": "lycosa.app.completion",
    "export": "lycosa.app.hunts",
    "hubs": "lycosa.app.search",
    "hunt": "lycosa.app.hunts",
    "open_index": "lycosa.app.search",
    "pages": "lycosa.app.hunts",
    "query": "lycosa.core.query",
    "register": "lycosa.core.strategy",
    "resume": "lycosa.app.hunts",
    "search": "lycosa.app.search",
    "similar": "lycosa.app.search",
    "status": "lycosa.app.hunts",
    "votes": "lycosa.app.search",
    "why": "lycosa.app.hunts",
}

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"lycosa has no {name!r}")
    return getattr(import_module(_PLACES[name]), name)
