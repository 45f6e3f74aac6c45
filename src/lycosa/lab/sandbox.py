"""The sandbox of a strategy: while its code runs, it may only compute with what it was given.

No clock, no network, no files except modules to import, no processes or threads, no inspection of memory, no random
numbers but `brief.rng`, no rooms of Lycosa that know too much. A forbidden act is stopped if a strategy is on the call
stack: the sandbox is active during the whole crawl, and Lycosa's own acts for a crawl have no strategy on the stack.

The sandbox prevents honest mistakes and casual cheating; code that is determined to break out can. The stronger
protection is how little a process is told: see docs/decisions/0011.
"""

from __future__ import annotations

import _thread
import asyncio
import datetime
import importlib
import inspect
import os
import random
import resource
import secrets
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TypeVar

from lycosa.core.strategy import Strategy
from lycosa.core.urls import site_of
from lycosa.lab.sources import HOUSE, LIBRARIES, STRATEGIES, places_of

T = TypeVar("T")

_CLOCK = "look at the clock"
_CLOCKS: tuple[tuple[Any, Collection[str]], ...] = (
    (
        time,
        {name for name in dir(time) if inspect.isbuiltin(getattr(time, name))} - {"sleep", "mktime", "strptime"},
    ),
    (os, ("times", "getloadavg")),
    (uuid, ("uuid1",)),
    (signal, ("alarm", "setitimer", "getitimer")),
    (asyncio.BaseEventLoop, ("time",)),
    (resource, ("getrusage",)),
)
_RANDOM = "draw random numbers other than brief.rng"
_RANDOM_FILES = {str(module.__file__) for module in (random, secrets, uuid)}
_MEMORY = "look through memory"
_NETWORK, _FILES = "use the network", "use files"
_PROCESS, _THREAD = "start a process", "start a thread"
_EVENTS = {
    **dict.fromkeys(("open", "shutil", "glob", "pathlib", "tempfile", "mmap", "fcntl", "sqlite3"), _FILES),
    **dict.fromkeys(("socket", "urllib", "http", "ftplib", "imaplib", "nntplib", "poplib", "smtplib"), _NETWORK),
    **dict.fromkeys(("subprocess", "pty", "webbrowser"), _PROCESS),
    "os": "use the operating system",
    "_thread": _THREAD,
    "ctypes": _MEMORY,
    "gc": _MEMORY,
    "sys._getframe": _MEMORY,
    "sys._current_frames": _MEMORY,
    "sys.settrace": _MEMORY,
    "sys.setprofile": _MEMORY,
    "sys.addaudithook": _MEMORY,
}
"""Descriptions of Python's audit events, by their full name or by the part before the dot."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_MODULES = (".py", ".pyc", ".so", ".pyd")
_COMPILED = f"{os.sep}__pycache__{os.sep}"

_CLOSED_ROOMS = tuple(
    f"lycosa.{room}." for room in ("web", "frontier", "store", "engine", "community", "lab", "app", "face")
)
"""Modules of Lycosa that a strategy may not import, because they know too much."""

_DATES = {"datetime": datetime.datetime, "date": datetime.date}
_COMPILED_WITH_DATES = ("pandas",)
"""Libraries whose compiled code crashes unless it is imported with Python's own dates; scikit-learn imports pandas."""

_IMPORTING = ("<frozen importlib", str(Path(importlib.__file__).parent) + os.sep)

FAIR = "a strategy decides by keywords, start pages, visits and brief.rng alone"
"""The fix that is shown for a strategy that has cheated."""


class Cheated(BaseException):
    """A strategy tried something forbidden; not an Exception, so that no strategy catches it by accident."""

    def __init__(self, label: str, what: str) -> None:
        super().__init__(f"strategy {label} tried to {what}")


class Sandbox:
    """The sandbox of a process: made before any strategy is imported, and never taken down again."""

    def __init__(self) -> None:
        # What a strategy prints must not mix with output for programs.
        os.dup2(2, 1)
        self.inside = ""
        """The label of the strategy that is being imported or crawls; empty if none is to be watched."""
        self._caught: Cheated | None = None
        """The first forbidden act, even if the strategy swallowed the error."""
        self._suspects: tuple[str, ...] = ()
        self._rng = random.Random()
        """The random numbers that libraries get instead of the system's."""
        site_of("example.org")  # reads its list of suffixes the first time
        # Importing a module writes its bytecode, which would look like a strategy that writes files.
        sys.dont_write_bytecode = True
        for module, names in _CLOCKS:
            for name in names:
                self._replace(module, name, _CLOCK, direct=True)
        for name in ("currentframe", "stack"):
            self._replace(inspect, name, _MEMORY, direct=True)
        # Python 3.11 does not audit these.
        self._replace(threading.Thread, "start", _THREAD)
        self._replace(_thread, "start_new_thread", _THREAD)
        self._watch_dates()
        self._watch_random()
        sys.meta_path.insert(0, self)
        sys.addaudithook(self._heard)

    def within(self, label: str, strategy: str | type[Strategy], function: Callable[[], T]) -> T:
        """Call a function and return its result; the strategy, given by its class or module, is watched meanwhile."""
        self._suspects, self._caught = _suspects(strategy), None
        self._rng.seed(1)
        try:
            with _rooms_closed():
                self.inside = label
                return function()
        finally:
            self.inside = ""
            if self._caught:
                raise self._caught

    def _replace(
        self,
        module: Any,
        name: str,
        what: str,
        *,
        direct: bool = False,
        forbids: Callable[..., bool] = lambda *args, **options: True,
        instead: Callable[..., Any] | None = None,
    ) -> None:
        """Watch a function; `instead` is what a library gets that calls it on behalf of the strategy."""
        if not hasattr(module, name):
            return
        original = getattr(module, name)
        told = f"{what} ({module.__name__}.{name.strip('_')})"

        @wraps(original)
        def replaced(*args: Any, **options: Any) -> Any:
            if self.inside and forbids(*args, **options):
                self._check(told, direct)
                if instead:
                    return instead(*args, **options)
            return original(*args, **options)

        is_class_method = isinstance(module, type) and inspect.isbuiltin(original)
        setattr(module, name, staticmethod(replaced) if is_class_method else replaced)

    def _watch_dates(self) -> None:
        for kind, names in ((_DATES["datetime"], ("now", "utcnow", "today")), (_DATES["date"], ("today",))):
            watched = _Date(kind.__name__, (kind,), {"__module__": "datetime", "before": kind})
            for name in names:
                self._replace(watched, name, _CLOCK, direct=True)
            setattr(datetime, kind.__name__, watched)

    def _watch_random(self) -> None:
        """Watch random numbers; libraries may need some, for example for names, and get the same in every crawl."""
        rng, seed = self._rng, random.Random.seed
        for module, name in ((os, "urandom"), (random, "_urandom")):
            self._replace(module, name, _RANDOM, direct=True, instead=rng.randbytes)
        self._replace(
            random.Random,
            "seed",
            _RANDOM,
            direct=True,
            forbids=lambda self, a=None, version=2: a is None,
            instead=lambda self, a=None, version=2: seed(self, rng.getrandbits(64)),
        )
        for name in random.__all__:
            if not isinstance(getattr(random, name), type):
                self._replace(random, name, _RANDOM, direct=True)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Stop a strategy that imports a closed room; nearly everything else is left to the usual finders."""
        if self.inside and f"{name}.".startswith(_CLOSED_ROOMS):
            self._check(f"look into other rooms ({name})")
        return _with_dates(name) if name in _COMPILED_WITH_DATES else None

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.inside:
            return
        what = _EVENTS.get(event) or _EVENTS.get(event.partition(".")[0])
        if what is None:
            return
        if event != "open":
            self._check(f"{what} ({event})", direct=event == "sys._getframe", imports=True)
        elif not _reads_code(*args):
            self._check(f"{what} ({args[0]})", imports=_COMPILED in str(args[0]))

    def _check(self, what: str, direct: bool = False, imports: bool = False) -> None:
        """Stop the strategy if it is responsible; `direct`: only if it called itself, not a library on its behalf.

        `imports`: the import machinery may do this for any caller.
        """
        label, self.inside = self.inside, ""  # looking at frames is an audited event as well
        frame: FrameType | None = sys._getframe(2)
        self.inside = label
        if imports and frame and frame.f_code.co_filename.startswith(_IMPORTING):
            return
        while frame is not None and frame.f_code is not Sandbox.within.__code__:
            file = frame.f_code.co_filename
            if self._is_suspect(file):
                self._caught = self._caught or Cheated(label, what)
                raise self._caught
            if frame.f_code.co_name == "<module>":
                return  # a library that is being imported
            if direct and file not in _RANDOM_FILES:
                return
            frame = frame.f_back

    def _is_suspect(self, file: str) -> bool:
        if file.startswith((STRATEGIES, *self._suspects)):
            return True
        return not file.startswith(("<frozen ", HOUSE, *LIBRARIES))


def _suspects(strategy: str | type[Strategy]) -> tuple[str, ...]:
    """The path prefixes of a strategy's own files, in case it is installed among the libraries."""
    kinds = () if isinstance(strategy, str) else strategy.__mro__
    module = strategy if isinstance(strategy, str) else strategy.__module__
    others = sys.stdlib_module_names | {"lycosa"}
    bases = [sys.modules.get(kind.__module__) for kind in kinds if kind.__module__.partition(".")[0] not in others]
    home = () if module.partition(".")[0] in others else places_of(module)
    return (*home, *(str(base.__file__) for base in bases if base and base.__file__))


@contextmanager
def _rooms_closed() -> Iterator[None]:
    """Remove the closed rooms from `sys.modules` meanwhile."""
    hidden = {name: module for name, module in sys.modules.items() if f"{name}.".startswith(_CLOSED_ROOMS)}
    house = sys.modules["lycosa"]
    doors = {name: thing for name, thing in vars(house).items() if f"lycosa.{name}" in hidden}
    for name in hidden:
        del sys.modules[name]
    for name in doors:
        delattr(house, name)
    try:
        yield
    finally:
        sys.modules.update(hidden)
        vars(house).update(doors)


def _with_dates(name: str) -> ModuleSpec | None:
    """The spec of a library that is imported with Python's own dates."""
    spec = PathFinder.find_spec(name)
    if spec is None or spec.loader is None:
        return spec
    run = spec.loader.exec_module

    def run_with_dates(module: ModuleType) -> None:
        watched = {name: getattr(datetime, name) for name in _DATES}
        vars(datetime).update(_DATES)
        try:
            run(module)
        finally:
            vars(datetime).update(watched)

    setattr(spec.loader, "exec_module", run_with_dates)  # noqa: B010 -- a type checker knows no methods of instances
    return spec


class _Date(type):
    """Dates made before the sandbox started are instances as well."""

    def __instancecheck__(cls, thing: Any) -> bool:
        before = vars(cls).get("before")
        return isinstance(thing, before) if before else super().__instancecheck__(thing)


def _reads_code(path: Any, mode: str | None, flags: int) -> bool:
    """Whether a file is only read, and is code: imports and warnings read modules, libraries read their own files."""
    code = str(path).endswith(_MODULES) or str(path).startswith(LIBRARIES) or path in sys.path
    return code and not flags & _WRITING and not set(mode or "") & set("wax+")
