"""The code of a strategy: its own modules, wherever they are, and packages by their versions."""

from __future__ import annotations

import ast
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions, version
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path

from lycosa import core
from lycosa.core.strategy import Strategy

HOUSE = str(Path(core.__file__).parents[1]) + os.sep
STRATEGIES = HOUSE + "strategy" + os.sep
LIBRARIES = tuple(
    {
        *(f"{sysconfig.get_path(place)}{os.sep}" for place in ("stdlib", "platstdlib", "purelib", "platlib")),
        *(f"{folder}{os.sep}" for folder in (*site.getsitepackages(), site.getusersitepackages())),
    }
)


def code_of(kind: type[Strategy], loaded: Iterable[str] = ()) -> str:
    """A digest that changes with the code of a strategy; `loaded` are modules that its import loaded.

    Its own modules count by their text: all that belong neither to Python nor to Lycosa nor to another installed
    package. They are found through import statements, at the top or in a function; installed packages count by version.
    """
    home = _root(kind.__module__) if not kind.__module__.startswith("lycosa.") else ""
    waiting = [*(each.__module__ for each in kind.__mro__), *loaded]
    own: dict[str, Path] = {}
    seen: set[str] = set()
    packages: set[str] = set()
    while waiting:
        name = waiting.pop()
        root = _root(name)
        if name in seen or root in packages - {home} or root in sys.stdlib_module_names:
            continue
        seen.add(name)
        file = _file(name)
        if file is None:
            continue
        installed = root != "lycosa" and file.startswith(LIBRARIES)
        if installed:
            packages.add(root)
        if file.startswith(STRATEGIES) or root == home or not (installed or root == "lycosa"):
            own[name] = Path(file)
            waiting += _imports(name, own[name])
    digest = blake2b(digest_size=16)
    for name in sorted(own):
        digest.update(name.encode() + own[name].read_bytes())
    digest.update(repr([_versions(package) for package in sorted(packages)]).encode())
    return digest.hexdigest()


def places_of(module: str) -> tuple[str, ...]:
    """The path prefixes of the files of a module's top-level package."""
    spec = _spec(_root(module))
    if spec is None:
        return ()
    if spec.submodule_search_locations is None:
        return (str(spec.origin),)
    return tuple(f"{folder}{os.sep}" for folder in spec.submodule_search_locations)


def _root(name: str) -> str:
    return name.partition(".")[0]


def _file(name: str) -> str | None:
    spec = _spec(name)
    return spec.origin if spec and spec.has_location else None


def _spec(name: str) -> ModuleSpec | None:
    """The spec of a module; unlike `importlib.util.find_spec`, this imports nothing."""
    if (spec := getattr(sys.modules.get(name), "__spec__", None)) is not None:
        found: ModuleSpec = spec
        return found
    parent, path = name.rpartition(".")[0], None
    if parent:
        above = _spec(parent)
        if above is None or above.submodule_search_locations is None:
            return None
        path = above.submodule_search_locations
    finders = (getattr(finder, "find_spec", None) for finder in sys.meta_path)
    return next((spec for find in finders if find and (spec := find(name, path))), None)


def _imports(name: str, file: Path) -> Iterator[str]:
    """The modules that a module may import, and the packages that contain them."""
    if file.suffix != ".py":
        return
    package = name if file.stem == "__init__" else name.rpartition(".")[0]
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (SyntaxError, ValueError):
        return  # importing it will raise the error
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level <= len(package.split(".")) * bool(package):
            whence = resolve_name("." * node.level + (node.module or ""), package) if node.level else str(node.module)
            names = [whence, *(f"{whence}.{each.name}" for each in node.names)]
        for each in names:
            yield from accumulate(each.split("."), "{}.{}".format)


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(packages_distributions())


def _versions(package: str) -> list[tuple[str, str]]:
    return [(each, version(each)) for each in sorted(set(_distributions().get(package, ())))]
