"""A hunt request: what is to be hunted, and the plan that is made from it."""

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
from lycosa.system.errors import Code, Refused

KEYWORDS, SEEDS, HOSTS, SETTINGS = 2000, 1000, 1000, 100
"""Characters of keywords, and numbers of seeds, hosts and settings, at most."""
FOUND = 20
"""Seeds taken from collections, at most."""
Setting = str | int | float | bool


@dataclass(frozen=True)
class HuntRequest:
    """What to hunt, from where, how, and for how long."""

    __pydantic_config__: ClassVar = {**SAID, "extra": "forbid"}
    keywords: str
    seeds: list[str] = field(default_factory=list)
    """URLs to start from."""
    seeds_from: list[str] = field(default_factory=list)
    """Names of collections to search for further seeds."""
    strategy: str = "apprentice"
    settings: dict[str, Setting] = field(default_factory=dict)
    """Options of the strategy."""
    judge: str = "cosine"
    """The judge of how relevant a page is, as NAME or NAME:option=value."""
    pages: int = 200
    bytes: int | None = None
    seconds: float | None = None
    delay: float | None = None
    """Seconds between two requests to a host; never less than the server's own delay."""
    on_topic: bool = True
    """Whether the seeds are examples of the topic, or only places to start."""
    within: list[str] = field(default_factory=list)
    """If any are named, only these hosts are asked; `.name` is a host and all its subdomains."""
    without: list[str] = field(default_factory=list)
    """These hosts are never asked, written in the same way."""
    name: str = ""
    """The name of the hunt; made from the keywords if empty."""


def make_plan(
    hunt_request: HuntRequest,
    *,
    http: Mapping[str, Any],
    delay: float,
    pages: int,
    folder: Callable[[str], Path],
    **more: Any,
) -> Plan:
    """The plan of a request within the server's limits; `folder` finds the folder of a collection by name."""
    _check(hunt_request)
    if not 0 < hunt_request.pages <= pages:
        raise Refused(
            f"{hunt_request.pages:,} pages are not possible",
            f"ask for 1 to {pages:,}",
            code=Code.OUT_OF_RANGE,
            field="pages",
        )
    for asked in (hunt_request.delay, hunt_request.seconds):
        if asked is not None and not 0 <= asked < math.inf:
            raise Refused(
                f"{asked} seconds are not possible",
                "give a number of 0 or more",
                code=Code.OUT_OF_RANGE,
                field="delay" if asked is hunt_request.delay else "seconds",
            )
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
    # Refuse missing knowledge now, not in a process that has begun.
    prepare(plan).close()
    return plan


def _check(hunt_request: HuntRequest) -> None:
    """Refuse values that are too large, and names that would load code or files outside the registry."""
    most = {"keywords": KEYWORDS, "seeds": SEEDS, "settings": SETTINGS}
    most |= dict.fromkeys(("seeds_from", "within", "without"), HOSTS)
    for part, limit in most.items():
        if len(getattr(hunt_request, part)) > limit:
            raise Refused(
                f"{len(getattr(hunt_request, part)):,} are too many for {part}",
                f"give {limit:,} at most",
                code=Code.OUT_OF_RANGE,
                field=part,
            )
    if not hunt_request.seeds and not hunt_request.seeds_from:
        raise Refused(
            "no seeds",
            "give at least one URL to start from, or name collections to look for some in",
            code=Code.MISSING,
            field="seeds",
        )
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
        raise Refused(
            "a text of this wish holds half characters or control characters", "leave them out", code=Code.BAD_VALUE
        )
    if not all(isinstance(value, str) or -(2**53) <= value <= 2**53 for value in settings.values()):
        raise Refused("a setting is too large", "give a smaller number", code=Code.OUT_OF_RANGE, field="settings")
    judge, judge_settings = named(hunt_request.judge)
    if ":" in hunt_request.strategy or ":" in judge:
        raise Refused(
            "here only strategies and judges are used that are listed",
            "use the command line for code of your own",
            code=Code.NOT_ALLOWED,
            field="strategy" if ":" in hunt_request.strategy else "judge",
        )
    if "model" in judge_settings:
        raise Refused(
            "a judge that reads a folder cannot be chosen here",
            "use the command line for it",
            code=Code.NOT_ALLOWED,
            field="judge",
        )


def _is_whole(text: str) -> bool:
    return not any((char < " " and char not in "\t\n\r") or "\ud800" <= char <= "\udfff" for char in text)


def _found(hunt_request: HuntRequest, folder: Callable[[str], Path]) -> Sequence[str]:
    """Seeds from the named collections that are in the scope of the hunt."""
    if not hunt_request.seeds_from:
        return ()
    from lycosa.app.search import seeds_from

    outside = Politeness(
        PolitenessRules(within=tuple(hunt_request.within), without=tuple(hunt_request.without))
    ).outside
    known = seeds_from({name: folder(name) for name in hunt_request.seeds_from}, hunt_request.keywords, FOUND)
    found = [seed.url for seed in known if not outside(host_of(seed.url))]
    if not found and not hunt_request.seeds:
        raise Refused(
            "no collection named there knows a page about these keywords",
            "give a seed of your own",
            code=Code.EMPTY,
            field="seeds_from",
        )
    return found
