"""Traits: what must be known about a strategy before it crawls, asked where its code can do no harm.

The process that measures knows targets and descriptions, and starts all others, so only Lycosa's own strategies ever
run in it. Third-party strategies are imported and made in a sandboxed process, which ends with its answer.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import Any

import msgspec
from msgspec import Struct

from lycosa.core.judge import Judge, must_not_read
from lycosa.core.judge import make as make_judge
from lycosa.core.registry import options
from lycosa.core.strategy import Strategy, make, strategies
from lycosa.lab.comparison import ORACLE, Configuration
from lycosa.lab.forked_call import CallTrouble, in_a_copy
from lycosa.lab.sandbox import Sandbox
from lycosa.lab.sources import code_of
from lycosa.system.errors import Code, Refused
from lycosa.system.local_modules import import_named
from lycosa.system.process_pool import pool


class Traits(Struct, frozen=True):
    """What the laboratory knows about a configuration, as plain data."""

    settings: dict[str, Any]
    """Every option with its value, given or default."""
    code: str = ""
    """A digest that changes with its code."""
    capacity: int | None = None
    """How many tickets its frontier holds, if the strategy sets that itself."""
    batch: int = 1
    """How many links it takes from the frontier at a time."""
    context: bool = False
    """Whether it uses the positions of links in the page."""
    reads_pages: bool = True
    """Whether the code of the page model decides its crawl; always assumed of code that is not ours."""
    taxonomy: bool = False
    """Whether it or its judge needs a taxonomy."""
    by_example: bool = False
    """Whether it or its judge needs examples."""
    judge_settings: dict[str, Any] = {}
    """Every option of its judge with its value."""


def traits_of(configurations: Sequence[Configuration]) -> list[Traits]:
    """The traits of each configuration; raises Refused if one cannot be made."""
    theirs: dict[str, list[Configuration]] = {}
    others = _others()
    for each in configurations:
        if not _is_ours(each.strategy, others):
            theirs.setdefault(each.strategy, []).append(each)
    asked = {strategy: iter(found) for strategy, found in _asked(theirs).items()} if theirs else {}
    return [next(asked[each.strategy]) if each.strategy in asked else _traits(each) for each in configurations]


def kind_of(strategy: str) -> type[Strategy]:
    """The class of a strategy by its name or `module:Class`, without making one."""
    module, colon, name = strategy.partition(":")
    kind: type[Strategy] = getattr(import_named(module), name) if colon else strategies()[strategy]
    return kind


def module_of(strategy: str) -> str:
    """The module of a strategy, without importing it."""
    module, colon, _ = strategy.partition(":")
    if colon:
        return module
    return next((entry.module for entry in _others() if entry.name == strategy), "lycosa.strategy")


def _others() -> Sequence[Any]:
    """The entry points of third-party strategies, in all installed packages."""
    return tuple(entry_points(group="lycosa.strategies"))


def _is_ours(strategy: str, others: Sequence[Any]) -> bool:
    if ":" in strategy:
        return module_of(strategy).startswith("lycosa.strategy")
    # Finding a strategy by its name imports the strategies of all entry points.
    return not others or strategy == ORACLE


def _traits(configuration: Configuration, before: Collection[str] | None = None) -> Traits:
    """The traits of a configuration; `before` are the modules that were loaded before its strategy."""
    if configuration.strategy == ORACLE:
        return Traits({})
    try:
        strategy = make(configuration.strategy, configuration.settings)
        judge = make_judge(configuration.judge, configuration.judge_settings)
        must_not_read(judge, "the laboratory")
        settings, judge_settings = _settings(strategy), _settings(judge)
        capacity, batch, context = strategy.capacity, strategy.batch, bool(strategy.context)
    except Refused:
        raise
    except Exception as error:
        raise Refused(
            f"strategy {configuration.label} cannot be made ({type(error).__name__}: {error})",
            "see its file",
            code=Code.BAD_VALUE,
            field="strategy",
        ) from None
    code = code_of(type(strategy), () if before is None else sys.modules.keys() - before)
    taxonomy = bool(strategy.taxonomy or judge.taxonomy)
    by_example = bool(strategy.by_example or judge.by_example)
    limit = capacity if type(capacity) is int else None
    together = batch if type(batch) is int else 1
    reads = bool(strategy.reads_pages) or not type(strategy).__module__.startswith("lycosa.")
    return Traits(settings, code, limit, together, context, reads, taxonomy, by_example, judge_settings)


def _settings(thing: Strategy | Judge) -> dict[str, Any]:
    return {option.name: _plain(getattr(thing, option.name)) for option in options(type(thing))}


def _plain(value: Any) -> Any:
    """A value without classes of a strategy's module, which the caller would have to import."""
    try:
        return msgspec.msgpack.decode(msgspec.msgpack.encode(value, enc_hook=repr))
    except (ValueError, OverflowError, TypeError):
        return repr(value)


def _asked(groups: dict[str, list[Configuration]]) -> dict[str, list[Traits]]:
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
    _sandbox = Sandbox()


def _ask(configurations: list[Configuration]) -> list[Traits] | CallTrouble:
    """The traits of configurations of one strategy, found in a copy of this worker."""
    module, before = module_of(configurations[0].strategy), frozenset(sys.modules)

    def answer() -> list[Traits]:
        return [_sandbox.within(each.label, module, partial(_traits, each, before)) for each in configurations]

    return in_a_copy(configurations[0].label, answer)
