"""Which strategies and judges there are, what options they have, and which of them a hunt request can use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar

from msgspec import NODEFAULT, to_builtins

from lycosa.app.option_docs import SAID, describe
from lycosa.app.requests import REQUESTS
from lycosa.app.requests.hunt import Setting
from lycosa.app.requests.option import Option, RequestField, remote_options
from lycosa.core import judge as judging
from lycosa.core import strategy as hunting
from lycosa.core.nouns import Topic
from lycosa.core.priors import LinksTo, Priors, Student, Usual
from lycosa.system.errors import Refused

_TOPIC = Topic("something", examples=("http://example.org/",))
_EXAMPLES, _TAXONOMY, _LINKS = "seeds that are examples", "a taxonomy", "a source of in-links"
_WORDS, _ELSEWHERE = "background word frequencies", "settings that only the command line can give"


@dataclass(frozen=True)
class ComponentOption:
    """An option of a strategy or a judge."""

    __pydantic_config__: ClassVar = SAID
    name: str
    type: str
    """int, float, bool or str."""
    default: Setting | None
    help: str


@dataclass(frozen=True)
class Component:
    """A strategy or a judge."""

    __pydantic_config__: ClassVar = SAID
    name: str
    summary: str
    about: str
    """Where it comes from, and how it works."""
    options: list[ComponentOption]
    needs: list[str]
    """What it needs before a hunt can begin."""
    usable: bool
    """Whether a hunt request can provide what it needs; if not, the command line can."""


@dataclass(frozen=True)
class RequestOption:
    """An option of a request."""

    __pydantic_config__: ClassVar = SAID
    name: str
    type: str
    """int, float, bool, str, list or table."""
    default: Any
    """null if it has no default, or must be given."""
    help: str
    group: str
    unit: str
    unset: str
    """What is used if it is not given, where the default does not say so."""
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    above: float | None
    """It must be greater than this."""
    below: float | None
    """It must be less than this."""


_REMOTE = ("hunt", "search", "pages", "export")
"""Requests that other programs may make."""


@cache
def request_options() -> dict[str, list[RequestOption]]:
    """The options of each request that other programs may set."""
    return {
        name: [_option(field) for field in remote_options(kind)] for name, kind in REQUESTS.items() if name in _REMOTE
    }


def _option(field: RequestField) -> RequestOption:
    shared = set(RequestOption.__dataclass_fields__) & set(Option._fields)
    return RequestOption(
        name=field.name,
        type="list" if field.is_list else "table" if field.is_table else field.type.__name__,
        default=None if field.default is NODEFAULT else to_builtins(field.default),
        **{name: getattr(field.option, name) for name in shared},
    )


@cache
def strategies() -> list[Component]:
    """All strategies."""
    return _kinds(hunting.strategies(), lambda name: hunting.make(name, {}))


@cache
def judges() -> list[Component]:
    """All judges."""
    return _kinds(judging.judges(), lambda name: judging.make(name, {}))


def _kinds(registered: Mapping[str, type[Student]], make: Callable[[str], Student]) -> list[Component]:
    found = []
    for name, kind in registered.items():
        about, needs = describe(kind), list(_needs(kind, partial(make, name)))
        options = [ComponentOption(**{**each, "default": _plain(each["default"])}) for each in about["options"]]
        found.append(Component(name, about["summary"], about["about"], options, needs, set(needs) <= {_EXAMPLES}))
    return found


def _needs(kind: type[Student], make: Callable[[], Student]) -> Iterable[str]:
    if kind.taxonomy:
        yield _TAXONOMY
        return
    if kind.by_example:
        yield _EXAMPLES
    try:
        wants = list(make().study(_TOPIC, Priors()))
    except Refused:
        yield _ELSEWHERE
        return
    if any(isinstance(want, LinksTo) for want in wants):
        yield _LINKS
    if any(isinstance(want, Usual) for want in wants):
        yield _WORDS


def _plain(default: object) -> Setting | None:
    return default if isinstance(default, Setting) else None
