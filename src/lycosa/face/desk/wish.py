"""A wish: what somebody asks to be hunted, and the plan that the desk makes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from lycosa.core.errors import Refused
from lycosa.core.registry import named
from lycosa.core.urls import host_of
from lycosa.engine.plan import Plan
from lycosa.engine.preparing import prepare
from lycosa.face import service
from lycosa.face.describing import SAID
from lycosa.frontier.manners import Manners, Rules

KEYWORDS, SEEDS, HOSTS, SETTINGS = 2000, 1000, 1000, 100
"""Characters of keywords; seeds, hosts and settings: at most."""
FOUND = 20
"""Seeds that are looked for in collections."""
Setting = str | int | float | bool


@dataclass(frozen=True)
class Wish:
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
    wish: Wish, *, http: Mapping[str, Any], delay: float, pages: int, folder: Callable[[str], Path], **more: Any
) -> Plan:
    """The plan of a wish within the desk's limits; `folder` says where a named collection is."""
    _check(wish)
    if not 0 < wish.pages <= pages:
        raise Refused(f"{wish.pages:,} pages are not possible", f"ask for 1 to {pages:,}")
    for asked in (wish.delay, wish.seconds):
        if asked is not None and not 0 <= asked < math.inf:
            raise Refused(f"{asked} seconds are not possible", "give a number of 0 or more")
    plan = service.make_plan(
        wish.keywords,
        [*wish.seeds, *_found(wish, folder)],
        pages=wish.pages,
        bytes=wish.bytes,
        seconds=wish.seconds,
        strategy=wish.strategy,
        settings=wish.settings,
        judge=wish.judge,
        on_topic=wish.on_topic,
        delay=max(delay, wish.delay or 0.0),
        within=wish.within,
        without=wish.without,
        http=http,
        **more,
    )
    # What nobody can know is refused now, and not by a process that has begun.
    prepare(plan).close()
    return plan


def _check(wish: Wish) -> None:
    """Refuse what is too much, and what would reach for code or files that nobody put on a shelf."""
    most = {"keywords": KEYWORDS, "seeds": SEEDS, "settings": SETTINGS}
    most |= dict.fromkeys(("seeds_from", "within", "without"), HOSTS)
    for part, limit in most.items():
        if len(getattr(wish, part)) > limit:
            raise Refused(f"{len(getattr(wish, part)):,} are too many for {part}", f"give {limit:,} at most")
    if not wish.seeds and not wish.seeds_from:
        raise Refused("no seeds", "give at least one URL to start from, or name collections to look for some in")
    settings = wish.settings
    texts = (
        wish.keywords,
        *wish.seeds,
        *wish.within,
        *wish.without,
        wish.strategy,
        wish.judge,
        *settings,
        *map(str, settings.values()),
    )
    if not all(_is_whole(text) for text in texts):
        raise Refused("a text of this wish holds half characters or control characters", "leave them out")
    if not all(isinstance(value, str) or -(2**53) <= value <= 2**53 for value in settings.values()):
        raise Refused("a setting is too large", "give a smaller number")
    judge, judge_settings = named(wish.judge)
    if ":" in wish.strategy or ":" in judge:
        raise Refused(
            "here only strategies and judges are used that are listed", "use the command line for code of your own"
        )
    if "model" in judge_settings:
        raise Refused("a judge that reads a folder cannot be chosen here", "use the command line for it")


def _is_whole(text: str) -> bool:
    return not any((char < " " and char not in "\t\n\r") or "\ud800" <= char <= "\udfff" for char in text)


def _found(wish: Wish, folder: Callable[[str], Path]) -> Sequence[str]:
    """Seeds that collections know of already."""
    if not wish.seeds_from:
        return ()
    from lycosa.face.searching import seeds_from

    outside = Manners(Rules(within=tuple(wish.within), without=tuple(wish.without))).outside
    known = seeds_from({name: folder(name) for name in wish.seeds_from}, wish.keywords, FOUND)
    found = [seed.url for seed in known if not outside(host_of(seed.url))]
    if not found and not wish.seeds:
        raise Refused("no collection named there knows a page about these keywords", "give a seed of your own")
    return found
