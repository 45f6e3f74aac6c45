"""The options of a request: its fields, with all that a face needs to offer them and to refuse bad values."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from functools import cache
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, Concatenate, NamedTuple, ParamSpec, TypeVar, get_args, get_origin
from warnings import warn

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from lycosa.app.near_names import unknown_name
from lycosa.system.errors import LARGEST, Code, Refused, check_range

LONGEST_ITEM = 2048
"""Characters of one value of a list or table from another machine, at most."""
P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
Flatten = Callable[[Mapping[str, Any]], dict[str, Any]]


class Option(NamedTuple):
    """Everything about a field of a request except its name, type and default."""

    help: str
    """One sentence, for the help, the forms and the documentation."""
    group: str = ""
    """The panel, section or table in which it is shown."""
    low: float | None = None
    high: float | None = None
    above: float | None = None
    """The value must be greater than this."""
    below: float | None = None
    """The value must be less than this."""
    unit: str = ""
    """What a number counts, such as seconds."""
    choices: tuple[str, ...] = ()
    remote_low: float | None = None
    """The least value from another machine, if that is not `low`."""
    remote_high: float | None = None
    """The largest value from another machine, if that is not `high`."""
    max_length: int = 0
    """Most characters of a text, or most items of a list, that are accepted from another machine; 0 = no limit."""
    unset: str = ""
    """What is used if it is not given, if the default alone does not say so."""
    each: str = ""
    """What one value of a repeatable option is called, if not as the field: `seed` of `seeds`."""
    words: bool = False
    """Whether a text that is given by position may be several words without quotes."""
    off: str = ""
    """The name of the opposite of a switch, if not `no-` and its own name."""
    secret: bool = False
    """Whether it may contain a password, so that it is never shown whole."""
    variable: str = ""
    """An environment variable that gives the value."""
    local: bool = False
    """Whether only the owner of the machine may set it, because it reads files or decides how hosts are contacted."""
    required_remotely: bool = False
    """Whether other machines must give it, although it has a default here."""
    server_only: bool = False
    """Whether it only exists where collections have names: on a server."""
    formerly: tuple[str, ...] = ()
    """Earlier names, which still work for one version."""


class RequestField(NamedTuple):
    """A field of a request."""

    name: str
    type: Any
    """Its type without None and Annotated."""
    optional: bool
    """Whether it may be None."""
    declared: Any
    """Its type as it was declared, without Annotated."""
    default: Any
    """NODEFAULT if it must be given."""
    option: Option

    @property
    def single(self) -> str:
        """Its name where one value is given at a time: on the command line and in a URL."""
        return self.option.each or self.name

    @property
    def is_list(self) -> bool:
        """Whether it takes several texts."""
        return get_origin(self.type) is Sequence

    @property
    def is_table(self) -> bool:
        """Whether it takes several values with names."""
        return get_origin(self.type) is Mapping


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request whose values lie within the bounds of its options."""

    def __post_init__(self) -> None:
        for field in options_of(type(self)):
            _check(field, getattr(self, field.name))

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        for field in options_of(type(self)):
            value = values[field.name]
            if field.option.secret and field.is_table and value:
                values[field.name] = dict.fromkeys(value, "****")
            elif field.option.secret and value and "@" in value:
                # A login is shown nowhere, not even if the rest of it is wrong.
                values[field.name] = f"****@{value.rpartition('@')[2]}"
        return list(values.items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__rich_repr__())})"


def _check(field: RequestField, value: Any) -> None:
    option = field.option
    if (field.is_list or field.is_table) and isinstance(value, str):
        raise Refused(
            f"{field.name} takes several values, not one text",
            "give a list" if field.is_list else "give a table of names and values",
            code=Code.BAD_VALUE,
            field=field.name,
        )
    if field.type in (int, float) and value is not None:
        if not isinstance(value, (int, float)) or isinstance(value, bool) or (field.type is int and value % 1):
            kind = "a whole number" if field.type is int else "a number"
            raise Refused(f"{field.name} cannot be {value!r}", f"give {kind}", code=Code.BAD_VALUE, field=field.name)
        # A whole number must fit where it is stored.
        high = LARGEST if option.high is None and field.type is int else option.high
        check_range(field.name, value, option.low, high, above=option.above, below=option.below)
    if option.choices and value is not None and value not in option.choices:
        raise Refused(
            f"unknown value {value!r} for {field.name}",
            f"choose one of: {', '.join(option.choices)}",
            code=Code.UNKNOWN_NAME,
            field=field.name,
        )


def check_remote(request: Request) -> None:
    """Refuse what another machine must not set, and texts and lists that are too long."""
    for field in options_of(type(request)):
        value, most = getattr(request, field.name), field.option.max_length
        if field.option.local and value != field.default:
            raise Refused(
                f"{field.name} cannot be set from another machine",
                "leave it out, or use the command line",
                code=Code.NOT_ALLOWED,
                field=field.name,
            )
        if isinstance(value, (int, float)):
            check_range(field.name, value, field.option.remote_low, field.option.remote_high)
        items = (*value, *value.values()) if isinstance(value, Mapping) else value if field.is_list else ()
        if any(len(str(item)) > LONGEST_ITEM for item in items):
            raise Refused(
                f"a value of {field.name} is too long",
                f"give at most {LONGEST_ITEM:,} characters each",
                code=Code.OUT_OF_RANGE,
                field=field.name,
            )
        if most and isinstance(value, Sized) and len(value) > most:
            counted = "characters" if isinstance(value, str) else "values"
            raise Refused(
                f"{len(value):,} {counted} are too many for {field.name}",
                f"give at most {most:,}",
                code=Code.OUT_OF_RANGE,
                field=field.name,
            )


@cache
def options_of(kind: type[Request]) -> tuple[RequestField, ...]:
    """The fields of a request that are options, in the order of their declaration."""
    return tuple(_options(kind))


def remote_options(kind: type[Request]) -> tuple[RequestField, ...]:
    """The options that other machines may set."""
    return tuple(field for field in options_of(kind) if not field.option.local)


def local_options(kind: type[Request]) -> tuple[RequestField, ...]:
    """The options of the command line, of Python and of lycosa.toml."""
    return tuple(field for field in options_of(kind) if not field.option.server_only)


def _options(kind: type[Request]) -> Iterator[RequestField]:
    for field in fields(kind):
        declared, *extra = get_args(field.type) if get_origin(field.type) is Annotated else (field.type,)
        option = next((each for each in extra if isinstance(each, Option)), None)
        if option is None:
            continue
        parts = get_args(declared) if isinstance(declared, types.UnionType) else (declared,)
        bare = [part for part in parts if part is not type(None)]
        default = field.default
        if default is NODEFAULT and field.default_factory is not NODEFAULT:
            default = field.default_factory()
        yield RequestField(field.name, bare[0], len(bare) < len(parts), declared, default, option)


def takes(kind: Callable[P, Request], flatten: Flatten = dict) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Give a function that takes a request the signature of that request, so that editors and type checkers know it.

    `flatten` turns arguments that earlier versions took into those of today.
    """

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        def call(*given: P.args, **named: P.kwargs) -> R:
            return function(kind(*given, **renamed(kind, flatten(named))))

        return _like(function, call, _parameters(kind))

    return decorate


def takes_after_folder(
    kind: Callable[P, Request],
) -> Callable[[Callable[..., R]], Callable[Concatenate[str | Path, P], R]]:
    """As `takes`, for a function whose first argument is a folder."""

    def decorate(function: Callable[..., R]) -> Callable[Concatenate[str | Path, P], R]:
        def call(*given: Any, **named: Any) -> R:
            if "folder" in named:
                given = (named.pop("folder"), *given)
            return function(*given[:1], kind(*given[1:], **renamed(kind, named)))

        first = Parameter("folder", Parameter.POSITIONAL_OR_KEYWORD, annotation=str | Path)
        return _like(function, call, [first, *_parameters(kind)])

    return decorate


def _like(function: Callable[..., Any], call: Callable[Q, R], parameters: Sequence[Parameter]) -> Callable[Q, R]:
    """A function with the name and the docstring of another one, and these parameters."""
    for name in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(call, name, getattr(function, name))
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return call


def _parameters(kind: Any) -> list[Parameter]:
    """The parameters of a request, with plain types and defaults; options that only exist on a server are left out."""
    options = {field.name: field for field in local_options(kind)}
    shown = []
    for parameter in signature(kind).parameters.values():
        if field := options.get(parameter.name):
            default = parameter.empty if field.default is NODEFAULT else field.default
            shown.append(parameter.replace(annotation=field.declared, default=default))
    return shown


def renamed(kind: Any, named: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by their present names; earlier names are accepted with a warning, unknown ones are refused."""
    known = [field.name for field in local_options(kind)]
    former = {old: field.name for field in options_of(kind) for old in field.option.formerly}
    # Version 0.1 took None for an empty list or table.
    optional = {field.name for field in options_of(kind) if field.optional}
    found: dict[str, Any] = {}
    for given, value in named.items():
        name = given if given in known else former.get(given, "")
        if not name:
            problem, fix = unknown_name("option", given, known)
            raise Refused(problem, fix, code=Code.UNKNOWN_NAME, field=given)
        if name in found:
            raise Refused(
                f"{name} was given twice, also by its earlier name",
                f"give only {name}",
                code=Code.CONTRADICTION,
                field=name,
            )
        if name != given:
            warn(f"{given} is now called {name}", DeprecationWarning, stacklevel=3)
        if value is not None or name in optional:
            found[name] = value
    return found
