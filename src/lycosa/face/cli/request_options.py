"""Commands made from requests: every option of a request becomes an option of the command."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated, Any

from msgspec import NODEFAULT
from typer import Argument, Option

from lycosa.app.requests.option import Request, RequestField, local_options
from lycosa.system.errors import Code, Refused

_FORMER = "__former__"
"""Marks the parameters that take options by their earlier names."""


def from_request(
    kind: type[Request],
    *,
    groups: Sequence[str] = (),
    arguments: Sequence[str] = (),
    before: Sequence[str] = (),
    leave_out: Sequence[str] = (),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a function whose first parameter is the request; its other parameters are options too.

    `groups` is the order of the panels in the help, `arguments` are fields that are given by position, after those
    parameters of the function that are named in `before`.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        _, *rest = inspect.signature(function, eval_str=True).parameters.values()
        own = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in rest]
        options = [field for field in local_options(kind) if field.name not in leave_out]
        options.sort(key=lambda field: (field.name not in arguments, _place(field, groups)))

        def command(**given: Any) -> None:
            function(kind(**dict(_values(options, given))), **{each.name: given[each.name] for each in own})

        taken = {field.single for field in options}
        made = [each for field in options for each in _parameters(field, field.name in arguments, taken)]
        command.__name__, command.__doc__, command.__module__ = function.__name__, function.__doc__, function.__module__
        shown = sorted([*made, *own], key=lambda each: each.name not in before)
        command.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        command.__annotations__ = {each.name: each.annotation for each in shown}
        return command

    return decorate


def flag(field: RequestField) -> str:
    """The option of the command line for a field: --seed for `seeds`."""
    return f"--{field.single.replace('_', '-')}"


def _place(field: RequestField, groups: Sequence[str]) -> int:
    return groups.index(field.option.group) if field.option.group in groups else len(groups)


def _parameters(field: RequestField, positional: bool, taken: Collection[str]) -> Iterator[inspect.Parameter]:
    """The parameter of a field, and hidden ones for its earlier names unless another option has taken them."""
    kind, default, option = _type(field, positional), _default(field), field.option
    if positional:
        yield _parameter(field.name, kind, Argument(help=option.help), None if option.words else default)
        return
    shown = f"{option.help.removesuffix('.')}; repeatable." if field.is_list or field.is_table else option.help
    if option.unset:
        shown += f"  [default: {option.unset}]"
    decl = flag(field)
    if field.type is bool:
        decl = f"{decl}/--{option.off or 'no-' + field.name.replace('_', '-')}"
    more: dict[str, Any] = {"envvar": option.variable} if option.variable else {}
    yield _parameter(field.name, kind, Option(decl, help=shown, rich_help_panel=option.group or None, **more), default)
    for former in (name for name in option.formerly if name not in taken):
        yield _parameter(
            f"{field.name}{_FORMER}{former}",
            kind if field.is_list or field.is_table else kind | None,
            Option(f"--{former.replace('_', '-')}", hidden=True),
            None,
        )


def _parameter(name: str, kind: Any, info: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def _type(field: RequestField, positional: bool) -> Any:
    if field.is_list or field.is_table or (positional and field.option.words):
        return list[str] | None
    return field.type | None if field.optional else field.type


def _default(field: RequestField) -> Any:
    if field.default is NODEFAULT:
        return inspect.Parameter.empty
    return field.default if field.default not in ((), {}) else None


def _values(options: Sequence[RequestField], given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields that were given a value, as the request takes them."""
    for field in options:
        value = given[field.name]
        for former in field.option.formerly:
            old = given.get(f"{field.name}{_FORMER}{former}")
            if old not in (None, []):
                if value not in (field.default, None, []):
                    fix = f"give only {flag(field)}"
                    problem = f"--{former.replace('_', '-')} is the earlier name of {flag(field)}"
                    raise Refused(problem, fix, code=Code.CONTRADICTION, field=field.name)
                print(f"lycosa: --{former.replace('_', '-')} is now called {flag(field)}", file=sys.stderr)
                value = old
        if field.is_table:
            value = dict(read_pair(field.name, text) for text in value or ())
        elif field.is_list:
            value = value or ()
        elif isinstance(value, list) or (value is None and not field.optional):
            value = " ".join(value or ())
        yield field.name, value


_PAIRS = {
    "refile": "URL=CATEGORY",
    "access": "HOST:KEY=VALUE",
    "sites": "HOST=KEY=VALUE,KEY=VALUE",
    "finders": "NAME=SOURCE",
    "resolve": "HOST=ADDRESS:PORT",
}


def read_pair(field: str, text: str) -> tuple[str, str]:
    """A name and a value, written NAME=VALUE."""
    # A URL may contain an equals sign, the category that follows it cannot.
    name, equals, value = text.rpartition("=") if field == "refile" else text.partition("=")
    if not equals or not name.strip() or not value.strip():
        form = _PAIRS.get(field, "NAME=VALUE")
        # Somebody may have written a secret there.
        shown = "an access" if field == "access" else repr(text)
        raise Refused(f"{shown} is not {form}", f"write {form}", code=Code.BAD_VALUE, field=field)
    return name.strip(), value.strip()
