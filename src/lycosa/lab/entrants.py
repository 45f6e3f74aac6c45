"""Entrants: what must be known of a strategy before it crawls, asked where its code can do no harm.

The process that measures knows targets and descriptions, and starts all others: no code of a strategy but Lycosa's own
ever runs in it. Strategies of others are imported and made in a process behind the fence, which ends with its answer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import msgspec
from msgspec import Struct

from lycosa.core.judge import Judge
from lycosa.core.judge import make as make_judge
from lycosa.core.registry import options
from lycosa.core.strategy import Strategy, make, strategies
from lycosa.lab.comparison import ORACLE, Way
from lycosa.lab.forked_call import CallTrouble, Lost, in_a_copy
from lycosa.lab.sandbox import FAIR, Cheated, Sandbox
from lycosa.lab.sources import code_of
from lycosa.system.errors import Code, Refused
from lycosa.system.process_pool import pool


class Entrant(Struct, frozen=True):
    """A way of hunting as the laboratory knows it: plain data."""

    settings: dict[str, Any]
    """Every option with its value, set or not."""
    code: str = ""
    """A digest that changes with its code."""
    capacity: int | None = None
    """How many tickets its frontier holds, where it says so itself."""
    context: bool = False
    """Whether it looks at where links stand."""
    taxonomy: bool = False
    """Whether it or its judge cannot work without one."""
    by_example: bool = False
    """Whether it cannot work without examples."""
    judge_settings: dict[str, Any] = {}
    """Every option of its judge with its value."""


def entrants(ways: Sequence[Way]) -> list[Entrant]:
    """What is to be known of each way; whatever cannot be made is refused."""
    theirs: dict[str, list[Way]] = {}
    others = _others()
    for way in ways:
        if not _is_ours(way.strategy, others):
            theirs.setdefault(way.strategy, []).append(way)
    asked = {strategy: iter(found) for strategy, found in _asked(theirs).items()} if theirs else {}
    return [next(asked[way.strategy]) if way.strategy in asked else _met(way) for way in ways]


def kind_of(strategy: str) -> type[Strategy]:
    """The class of a strategy by its name or `module:Class`, without making one."""
    module, colon, name = strategy.partition(":")
    kind: type[Strategy] = getattr(import_module(module), name) if colon else strategies()[strategy]
    return kind


def module_of(strategy: str) -> str:
    """The module of a strategy, without importing it."""
    module, colon, _ = strategy.partition(":")
    if colon:
        return module
    return next((entry.module for entry in _others() if entry.name == strategy), "lycosa.strategy")


def _others() -> Sequence[Any]:
    """The entry points of others; every package that is installed is looked at for them."""
    return tuple(entry_points(group="lycosa.strategies"))


def _is_ours(strategy: str, others: Sequence[Any]) -> bool:
    if ":" in strategy:
        return module_of(strategy).startswith("lycosa.strategy")
    # Finding a strategy by its name imports those of all entry points.
    return not others or strategy == ORACLE


def _met(way: Way, before: Collection[str] | None = None) -> Entrant:
    """What is to be known of a way; `before` are the modules that were there before those of its strategy."""
    if way.strategy == ORACLE:
        return Entrant({})
    try:
        strategy = make(way.strategy, way.settings)
        judge = make_judge(way.judge, way.judge_settings)
        settings, judge_settings = _settings(strategy), _settings(judge)
        capacity, context = strategy.capacity, bool(strategy.context)
    except Refused:
        raise
    except Exception as error:
        raise Refused(
            f"strategy {way.label} cannot be made ({type(error).__name__}: {error})",
            "see its file",
            code=Code.BAD_VALUE,
            field="strategy",
        ) from None
    code = code_of(type(strategy), () if before is None else sys.modules.keys() - before)
    taxonomy = bool(strategy.taxonomy or judge.taxonomy)
    by_example = bool(strategy.by_example or judge.by_example)
    limit = capacity if type(capacity) is int else None
    return Entrant(settings, code, limit, context, taxonomy, by_example, judge_settings)


def _settings(thing: Strategy | Judge) -> dict[str, Any]:
    return {option.name: _plain(getattr(thing, option.name)) for option in options(type(thing))}


def _plain(value: Any) -> Any:
    """A value that says nothing of the classes of a strategy's module: the caller would have to import it."""
    try:
        return msgspec.msgpack.decode(msgspec.msgpack.encode(value, enc_hook=repr))
    except (ValueError, OverflowError, TypeError):
        return repr(value)


def _asked(groups: dict[str, list[Way]]) -> dict[str, list[Entrant]]:
    found = {}
    with pool(1, _open) as workers:
        for strategy, group in groups.items():
            answer = workers.submit(_ask, group).result()
            if isinstance(answer, CallTrouble):
                raise Refused(answer.problem, answer.fix, code=Code.BAD_VALUE, field="strategy")
            found[strategy] = answer
    return found


_sandbox: Sandbox


def _open() -> None:
    global _sandbox
    os.dup2(2, 1)  # whatever a strategy prints
    _sandbox = Sandbox()
    _sandbox.up()


def _ask(ways: list[Way]) -> list[Entrant] | CallTrouble:
    """What runs in a process of its own."""
    try:
        return in_a_copy(lambda: _answer(ways))
    except Lost as lost:
        return CallTrouble(f"the process that imported {ways[0].label} {lost}", "see its file")


def _answer(ways: list[Way]) -> list[Entrant] | CallTrouble:
    module, before, met = module_of(ways[0].strategy), frozenset(sys.modules), []
    try:
        for way in ways:
            met.append(_sandbox.within(way.label, module, partial(_met, way, before)))
            if _sandbox.caught:
                raise _sandbox.caught
    except Refused as refused:
        return CallTrouble(refused.problem, refused.fix)
    except Cheated as cheated:
        return CallTrouble(str(cheated), FAIR)
    return met
