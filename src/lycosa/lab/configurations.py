"""Configurations as users write them: NAME[:option=value[,option=value]], a grid as option=a|b|c.

The option `judge` names the judge, `judge.option` sets one of its options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from msgspec.structs import replace

from lycosa.core.registry import named
from lycosa.lab.comparison import ORACLE, Configuration
from lycosa.lab.traits import traits_of
from lycosa.system.errors import Code, Refused

_FORM = "write NAME, NAME:option=value,option=value, or option=a|b|c for one of each"


def parse_configurations(texts: Iterable[str]) -> list[Configuration]:
    """The configurations that texts name, grids expanded; what cannot be made is refused before anything runs."""
    named = [configuration for text in texts for configuration in _parsed(text.strip())]
    if not named:
        raise Refused("no strategy to try", "name at least one", code=Code.MISSING, field="strategy")
    found: list[Configuration] = []
    meanings: dict[tuple[str, str, str], str] = {}
    for configuration, traits in zip(named, traits_of(named), strict=True):
        options = {**traits.settings, **{f"judge.{name}": value for name, value in traits.judge_settings.items()}}
        meaning = configuration.strategy, configuration.judge, repr(sorted(options.items()))
        if meaning in meanings:
            same = "named twice" if meanings[meaning] == configuration.label else f"the same as {meanings[meaning]}"
            raise Refused(
                f"strategy {configuration.label} is {same}",
                "name each way of hunting once",
                code=Code.BAD_VALUE,
                field="strategy",
            )
        meanings[meaning] = configuration.label
        found.append(
            replace(
                configuration,
                settings={option: traits.settings[option] for option in configuration.settings},
                judge_settings={option: traits.judge_settings[option] for option in configuration.judge_settings},
            )
        )
    return found


def _parsed(text: str) -> Iterator[Configuration]:
    """The configurations that a text names, their settings still as text."""
    name, settings = named(text)
    if not name:
        raise Refused(f"{text!r} names no strategy", _FORM, code=Code.BAD_VALUE, field="strategy")
    if name.startswith("__main__:"):
        raise Refused(
            f"strategy {name} lives in a script",
            "put it into a module of its own and write module:Class",
            code=Code.BAD_VALUE,
            field="strategy",
        )
    axes = {option: [value.strip() for value in choice.split("|")] for option, choice in settings.items()}
    if name == ORACLE and axes:
        raise Refused("the oracle has no options", f"write {ORACLE}", code=Code.UNKNOWN_NAME, field="strategy")
    for chosen in product(*axes.values()):
        values = dict(zip(axes, chosen, strict=True))
        label = ":".join(filter(None, (name, ",".join(f"{option}={value}" for option, value in values.items()))))
        judge, of_judge = values.pop("judge", "cosine"), {}
        for option in [option for option in values if option.startswith("judge.")]:
            of_judge[option.removeprefix("judge.")] = values.pop(option)
        yield Configuration(label, name, values, judge, of_judge)
