"""Shelves on which strategies and judges are found by the names users type.

What stands on a shelf is a class whose dataclass fields are its options. It is there because its file is in the room,
or because another package names it as an entry point.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, ClassVar, Generic, TypeVar

from lycosa.system.errors import Refused

T = TypeVar("T")
K = TypeVar("K", bound="type[Named]")


class Named:
    """What can stand on a shelf."""

    name: ClassVar[str] = ""
    """As users type it."""


class Registry(Generic[T]):
    """All there is of one noun."""

    def __init__(self, noun: str, room: str, group: str) -> None:
        self.noun = noun
        self.room = room
        self.group = group
        self._kinds: dict[str, Any] = {}
        self._broken: dict[str, Exception] = {}

    def register(self, name: str) -> Callable[[K], K]:
        """Put a class on the shelf under the name users type."""

        def put(kind: K) -> K:
            kind.name = name
            self._kinds[name] = kind
            return kind

        return put

    def all(self) -> Mapping[str, type[T]]:
        """Everything there is: one per file of the room, and those of other packages' entry points."""
        room = import_module(self.room)
        for module in iter_modules(room.__path__):
            import_module(f"{self.room}.{module.name}")
        for entry in entry_points(group=self.group):
            try:
                self._kinds.setdefault(entry.name, entry.load())
            except Exception as error:  # What another package brings may fail in any way, and is missed only if named.
                self._broken[entry.name] = error
        return dict(sorted(self._kinds.items()))

    def kind(self, name: str, base: type[T]) -> type[T]:
        """A class by name, or by `module:Class`."""
        if ":" in name:
            return self._imported(name, base)
        # Looking through all packages takes long, and what was found once stays.
        found = self._kinds.get(name) or self._in_its_file(name) or self.all().get(name)
        if found is None and name in self._broken:
            raise Refused(f"{self.noun} {name} cannot be imported ({self._broken[name]})", "mend its package")
        if found is None:
            raise Refused(f"unknown {self.noun} {name!r}", f"choose one of: {', '.join(self.all())}")
        return found

    def make(self, name: str, settings: Mapping[str, Any], base: type[T]) -> T:
        """One by name, or by `module:Class`, with its options set; text values are read as the option's type."""
        kind = self.kind(name, base)
        fields = {field.name: field for field in options(kind)}
        values = {}
        for key, value in settings.items():
            if key not in fields:
                known = ", ".join(fields) or "none"
                raise Refused(f"{self.noun} {name} has no option {key!r}", f"its options: {known}")
            values[key] = _read(name, fields[key], value)
        return kind(**values)

    def _in_its_file(self, name: str) -> type[T] | None:
        """The class in the file of the room that is called like it, so that the others need not be imported."""
        file = name.replace("-", "_")
        if any(module.name == file for module in iter_modules(import_module(self.room).__path__)):
            import_module(f"{self.room}.{file}")
        return self._kinds.get(name)

    def _imported(self, place: str, base: type[T]) -> type[T]:
        module, _, name = place.partition(":")
        try:
            kind = getattr(import_module(module), name)
        except Exception as error:  # The file is the user's own, and may fail in any way.
            raise Refused(f"{self.noun} {place} cannot be imported ({error})", "write module:Class") from None
        if not (isinstance(kind, type) and issubclass(kind, base)):
            raise Refused(f"{place} is no {self.noun}", f"name a subclass of lycosa.{base.__name__}")
        return kind


def named(text: str) -> tuple[str, dict[str, str]]:
    """A name and its settings, as users write them: NAME, module:Class, NAME:option=value,option=value."""
    # The name may be module:Class, so the options begin with the first part that sets something.
    parts = text.split(":")
    length = next((at for at, part in enumerate(parts) if "=" in part), len(parts))
    settings: dict[str, str] = {}
    for part in ":".join(parts[length:]).split(",") if length < len(parts) else ():
        option, equals, value = (side.strip() for side in part.partition("="))
        if not equals or not option or option in settings:
            raise Refused(f"{part!r} in {text!r} sets no option", "write NAME or NAME:option=value,option=value")
        settings[option] = value
    return ":".join(parts[:length]).strip(), settings


def options(kind: type) -> Sequence[dataclasses.Field[Any]]:
    """The options of a class: its dataclass fields."""
    return dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()


def _read(name: str, field: dataclasses.Field[Any], value: Any) -> Any:
    kind = field.type if isinstance(field.type, str) else field.type.__name__
    try:
        if kind == "bool" and isinstance(value, str):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[value.lower()]
        return {"int": int, "float": float, "str": str}.get(kind, lambda v: v)(value)
    except (KeyError, ValueError):
        raise Refused(
            f"option {field.name} of {name} takes {kind}, not {value!r}", f"for example {field.name}={field.default}"
        ) from None
