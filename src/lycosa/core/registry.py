"""Registries in which strategies and judges are found by the names users type.

A registered class has its options as dataclass fields. It is registered because its file is in the room, or because
another package names it as an entry point.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, ClassVar, Generic, TypeVar

from lycosa.system.errors import Code, Refused
from lycosa.system.local_modules import import_named

T = TypeVar("T", bound="Named")
K = TypeVar("K", bound="type[Named]")


class Named:
    """A class that can be registered under a name."""

    name: ClassVar[str] = ""
    """The name as users type it."""
    options_field: ClassVar[str] = "settings"
    """The field of a request that holds its options."""

    def bad_option(self, *names: str, fix: str) -> Refused:
        """The error for options whose values cannot be used, alone or together."""
        values = " and ".join(f"{name}={getattr(self, name)}" for name in names)
        problem = f"{self.name} cannot work with {values}"
        return Refused(problem, fix, code=Code.OUT_OF_RANGE, field=f"{self.options_field}.{names[0]}")


class Registry(Generic[T]):
    """All classes of one kind (`noun`): strategies or judges."""

    def __init__(self, noun: str, room: str, group: str) -> None:
        self.noun = noun
        self.room = room
        self.group = group
        self._kinds: dict[str, Any] = {}
        self._broken: dict[str, Exception] = {}

    def register(self, name: str) -> Callable[[K], K]:
        """Register a class under the name users type."""

        def put(kind: K) -> K:
            kind.name = name
            self._kinds[name] = kind
            return kind

        return put

    def all(self) -> Mapping[str, type[T]]:
        """Every registered class: one per file of the room, and those of other packages' entry points."""
        room = import_module(self.room)
        for module in iter_modules(room.__path__):
            import_module(f"{self.room}.{module.name}")
        for entry in entry_points(group=self.group):
            try:
                self._kinds.setdefault(entry.name, entry.load())
            except (
                Exception
            ) as error:  # Other packages may fail in any way, which matters only if their class is named.
                self._broken[entry.name] = error
        return dict(sorted(self._kinds.items()))

    def kind(self, name: str, base: type[T]) -> type[T]:
        """A class by name, or by `module:Class`."""
        if ":" in name:
            return self._imported(name, base)
        # Searching all packages is slow, so first look among the classes known already and in the file of that name.
        found = self._kinds.get(name) or self._in_its_file(name) or self.all().get(name)
        if found is None and name in self._broken:
            raise Refused(
                f"{self.noun} {name} cannot be imported ({self._broken[name]})",
                "reinstall or correct its package",
                code=Code.NEEDS_PACKAGE,
                field=self.noun,
            )
        if found is None:
            raise Refused(
                f"unknown {self.noun} {name!r}",
                f"choose one of: {', '.join(self.all())}",
                code=Code.UNKNOWN_NAME,
                field=self.noun,
            )
        return found

    def make(self, name: str, settings: Mapping[str, Any], base: type[T]) -> T:
        """An instance by name or `module:Class`, with its options set; text values are converted to its type."""
        kind = self.kind(name, base)
        fields = {field.name: field for field in options(kind)}
        values = {}
        for key, value in settings.items():
            if key not in fields:
                known = ", ".join(fields) or "none"
                raise Refused(
                    f"{self.noun} {name} has no option {key!r}",
                    f"its options: {known}",
                    code=Code.UNKNOWN_NAME,
                    field=f"{kind.options_field}.{key}",
                )
            values[key] = _read(name, fields[key], value, f"{kind.options_field}.{key}")
        return kind(**values)

    def _in_its_file(self, name: str) -> type[T] | None:
        """The class in the file of the room with the same name, so that the other files need not be imported."""
        file = name.replace("-", "_")
        if any(module.name == file for module in iter_modules(import_module(self.room).__path__)):
            import_module(f"{self.room}.{file}")
        return self._kinds.get(name)

    def _imported(self, place: str, base: type[T]) -> type[T]:
        module, _, name = place.partition(":")
        try:
            kind = getattr(import_named(module), name)
        except Exception as error:  # The file is the user's own, and may fail in any way.
            lost = isinstance(error, ModuleNotFoundError) and error.name == module
            raise Refused(
                f"{self.noun} {place} cannot be imported ({error})",
                "write module:Class, and start in the folder of the file" if lost else "write module:Class",
                code=Code.BAD_VALUE,
                field=self.noun,
            ) from None
        if not (isinstance(kind, type) and issubclass(kind, base)):
            raise Refused(
                f"{place} is not a {self.noun}",
                f"name a subclass of lycosa.{base.__name__}",
                code=Code.BAD_VALUE,
                field=self.noun,
            )
        return kind


def named(text: str) -> tuple[str, dict[str, str]]:
    """A name and its settings, as users write them: NAME, module:Class, NAME:option=value,option=value."""
    # The name may be module:Class, so the options begin with the first part that contains «=».
    parts = text.split(":")
    length = next((at for at, part in enumerate(parts) if "=" in part), len(parts))
    settings: dict[str, str] = {}
    for part in ":".join(parts[length:]).split(",") if length < len(parts) else ():
        option, equals, value = (side.strip() for side in part.partition("="))
        if not equals or not option or option in settings:
            raise Refused(
                f"{part!r} in {text!r} sets no option",
                "write NAME or NAME:option=value,option=value",
                code=Code.BAD_VALUE,
            )
        settings[option] = value
    return ":".join(parts[:length]).strip(), settings


def options(kind: type) -> Sequence[dataclasses.Field[Any]]:
    """The options of a class: its dataclass fields."""
    return dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()


def _read(name: str, option: dataclasses.Field[Any], value: Any, field: str) -> Any:
    kind = option.type if isinstance(option.type, str) else option.type.__name__
    try:
        if kind == "bool" and isinstance(value, str):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return {"int": int, "float": float, "str": str}.get(kind, lambda v: v)(value)
    except (KeyError, ValueError, TypeError, OverflowError):
        raise Refused(
            f"option {option.name} of {name} takes {kind}, not {value!r}",
            f"for example {option.name}={option.default}",
            code=Code.BAD_VALUE,
            field=field,
        ) from None
