"""A wish: what somebody asks to be hunted, and the plan that the desk makes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from lycosa.app import hunts
from lycosa.app.option_docs import SAID
from lycosa.core.registry import named
from lycosa.core.urls import host_of
from lycosa.engine.plan import Plan
from lycosa.engine.politeness.host_rules import Politeness, PolitenessRules
from lycosa.engine.preparation import prepare
from lycosa.system.errors import Refused

KEYWORDS, SEEDS, HOSTS, SETTINGS = 2000, 1000, 1000, 100
"""Characters of keywords; seeds, hosts and settings: at most."""
FOUND = 20
"""Seeds that are looked for in collections."""
Setting = str | int | float | bool


@dataclass(frozen=True)
class HuntRequest:
    """What to hunt, from where, how, and for how long."""

    __pydantic_config__: ClassVar = {**SAID, "extra": "forbid"}
    keywords: str
    seeds: list[str] = field(default_factory=list)
    """URLs to start from."""
    seeds_from: list[str] = field(default_factory=list)
    """Names of collections in which further seeds are looked for."""
    strategy: str = "apprentice"
    settings: dict[str, Setting] = field(default_factory=dict)
    """Options of the strategy."""
    judge: str = "cosine"
    """Who says how relevant a page is, as NAME or NAME:option=value."""
    pages: int = 200
    bytes: int | None = None
    seconds: float | None = None
    delay: float | None = None
    """Seconds of rest between two requests to a host; never less than the server's own."""
    on_topic: bool = True
    """Whether the seeds are examples of what is hunted, or only places to begin."""
    within: list[str] = field(default_factory=list)
    """Only these hosts are asked, where any are named; `.name` is a host and all beneath it."""
    without: list[str] = field(default_factory=list)
    """These hosts are never asked, written in the same way."""
    name: str = ""
    """What the hunt is to be called; made from the keywords where it is empty."""


def make_plan(
    hunt_request: HuntRequest,
    *,
    http: Mapping[str, Any],
    delay: float,
    pages: int,
    folder: Callable[[str], Path],
    **more: Any,
) -> Plan:
    """The plan of a wish within the desk's limits; `folder` says where a named collection is."""
    _check(hunt_request)
    if not 0 < hunt_request.pages <= pages:
        raise Refused(f"{hunt_request.pages:,} pages are not possible", f"ask for 1 to {pages:,}")
    for asked in (hunt_request.delay, hunt_request.seconds):
        if asked is not None and not 0 <= asked < math.inf:
            raise Refused(f"{asked} seconds are not possible", "give a number of 0 or more")
    plan = hunts.make_plan(
        hunt_request.keywords,
        [*hunt_request.seeds, *_found(hunt_request, folder)],
        pages=hunt_request.pages,
        bytes=hunt_request.bytes,
        seconds=hunt_request.seconds,
        strategy=hunt_request.strategy,
        settings=hunt_request.settings,
        judge=hunt_request.judge,
        on_topic=hunt_request.on_topic,
        delay=max(delay, hunt_request.delay or 0.0),
        within=hunt_request.within,
        without=hunt_request.without,
        http=http,
        **more,
    )
    # What nobody can know is refused now, and not by a process that has begun.
    prepare(plan).close()
    return plan


def _check(hunt_request: HuntRequest) -> None:
    """Refuse what is too much, and what would reach for code or files that nobody put on a shelf."""
    most = {"keywords": KEYWORDS, "seeds": SEEDS, "settings": SETTINGS}
    most |= dict.fromkeys(("seeds_from", "within", "without"), HOSTS)
    for part, limit in most.items():
        if len(getattr(hunt_request, part)) > limit:
            raise Refused(f"{len(getattr(hunt_request, part)):,} are too many for {part}", f"give {limit:,} at most")
    if not hunt_request.seeds and not hunt_request.seeds_from:
        raise Refused("no seeds", "give at least one URL to start from, or name collections to look for some in")
    settings = hunt_request.settings
    texts = (
        hunt_request.keywords,
        *hunt_request.seeds,
        *hunt_request.within,
        *hunt_request.without,
        hunt_request.strategy,
        hunt_request.judge,
        *settings,
        *map(str, settings.values()),
    )
    if not all(_is_whole(text) for text in texts):
        raise Refused("a text of this wish holds half characters or control characters", "leave them out")
    if not all(isinstance(value, str) or -(2**53) <= value <= 2**53 for value in settings.values()):
        raise Refused("a setting is too large", "give a smaller number")
    judge, judge_settings = named(hunt_request.judge)
    if ":" in hunt_request.strategy or ":" in judge:
        raise Refused(
            "here only strategies and judges are used that are listed", "use the command line for code of your own"
        )
    if "model" in judge_settings:
        raise Refused("a judge that reads a folder cannot be chosen here", "use the command line for it")


def _is_whole(text: str) -> bool:
    return not any((char < " " and char not in "\t\n\r") or "\ud800" <= char <= "\udfff" for char in text)


def _found(hunt_request: HuntRequest, folder: Callable[[str], Path]) -> Sequence[str]:
    """Seeds that collections know of already."""
    if not hunt_request.seeds_from:
        return ()
    from lycosa.app.search import seeds_from

    outside = Politeness(
        PolitenessRules(within=tuple(hunt_request.within), without=tuple(hunt_request.without))
    ).outside
    known = seeds_from({name: folder(name) for name in hunt_request.seeds_from}, hunt_request.keywords, FOUND)
    found = [seed.url for seed in known if not outside(host_of(seed.url))]
    if not found and not hunt_request.seeds:
        raise Refused("no collection named there knows a page about these keywords", "give a seed of your own")
    return found
