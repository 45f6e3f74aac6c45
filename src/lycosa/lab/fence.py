"""The fence round a strategy: while its own code runs, it may only think about what it was given.

No clock, no network, no files but modules to import, no processes or threads, no looking through memory, no dice but
`brief.rng`. The fence keeps honest mistakes and casual cheating out; code that is bent on breaking it can. The stronger
wall is that targets and descriptions are never in the process of a crawl: it is told keywords and start pages, and
that process ends with the crawl.
"""

from __future__ import annotations

import _thread
import builtins
import datetime
import importlib
import inspect
import os
import random
import secrets
import site
import sys
import sysconfig
import threading
import time
import uuid
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import FrameType, new_class
from typing import Any

from lycosa import core
from lycosa.core.strategy import Strategy
from lycosa.core.urls import site_of

_METHODS = ("__init__", "begin", "sense", "learn", "miss", "choose", "explain")
_MAKES_TICKETS = ("begin", "learn", "miss")

_CLOCK = "look at the clock"
_CLOCKS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (
        time,
        (
            *(f"{clock}{unit}" for unit in ("", "_ns") for clock in ("time", "monotonic", "perf_counter")),
            *(f"{clock}{unit}" for unit in ("", "_ns") for clock in ("process_time", "thread_time", "clock_gettime")),
            *("localtime", "gmtime", "ctime", "asctime", "strftime"),
        ),
    ),
    (os, ("times",)),
    (uuid, ("uuid1",)),
)
_DICE = "throw dice other than brief.rng"
_DICE_FILES = {str(module.__file__) for module in (random, secrets, uuid)}
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
"""What Python's audit events mean, by their full name or by the part before the dot."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_MODULES = (".py", ".pyc", ".so", ".pyd")

_CLOSED_ROOMS = tuple(f"lycosa.{room}." for room in ("web", "frontier", "store", "engine", "lab", "face"))
"""What a strategy may not import of Lycosa: it knows too much."""

_HOUSE = str(Path(core.__file__).parents[1]) + os.sep
_STRATEGIES = _HOUSE + "strategy" + os.sep
_LIBRARIES = tuple(
    {
        *(f"{sysconfig.get_path(place)}{os.sep}" for place in ("stdlib", "platstdlib", "purelib", "platlib")),
        *(f"{folder}{os.sep}" for folder in (*site.getsitepackages(), site.getusersitepackages())),
    }
)
_IMPORTING = ("<frozen importlib", str(Path(importlib.__file__).parent) + os.sep)


class Cheated(BaseException):
    """A strategy tried what no strategy may; not an Exception, so that no strategy catches it by accident."""

    def __init__(self, label: str, what: str) -> None:
        super().__init__(f"strategy {label} tried to {what}")


class Fence:
    """One fence a process, put up for good before any strategy is imported."""

    def __init__(self) -> None:
        self.inside = ""
        """The label of the strategy whose code is running; empty while it is Lycosa's own."""
        self.caught: Cheated | None = None
        """The first attempt, even if the strategy swallowed the error."""
        self._suspects: set[str] = set()
        self._dice = random.Random()

    def up(self) -> None:
        """Put the fence up: it cannot be taken down again."""
        site_of("example.org")  # reads its list of suffixes the first time
        for module, names in _CLOCKS:
            for name in names:
                self._replace(module, name, _CLOCK, direct=True)
        for name in ("currentframe", "stack"):
            self._replace(inspect, name, _MEMORY, direct=True)
        self._replace(threading.Thread, "start", _THREAD)
        self._replace(_thread, "start_new_thread", _THREAD)
        self._fence_dates()
        self._fence_dice()
        for module, name in ((builtins, "__import__"), (importlib, "import_module")):
            self._replace(module, name, "look into other rooms", direct=True, forbids=_imports_room)
        sys.addaudithook(self._heard)

    def imported(self, label: str, find: Callable[[], type[Strategy]]) -> type[Strategy]:
        """What `find` finds; a strategy's module is watched while it is imported, the libraries it needs are not."""
        self.inside = label
        try:
            return find()
        finally:
            self.inside = ""

    def around(self, kind: type[Strategy], label: str) -> type[Strategy]:
        """The strategy with every method of its own inside the fence, for one crawl."""
        self._dice.seed(1)
        self._suspects |= {str(file) for each in kind.__mro__ if (file := _file(each))}
        own = [name for name in _METHODS if getattr(kind, name) is not getattr(Strategy, name)]
        fenced = {name: self._fenced(kind, name, label) for name in own}
        made: type[Strategy] = new_class(kind.__name__, (kind,), exec_body=lambda body: body.update(fenced))
        return made

    def _fenced(self, kind: type[Strategy], name: str, label: str) -> Any:
        method, tickets = getattr(kind, name), name in _MAKES_TICKETS

        def fenced(*args: Any, **options: Any) -> Any:
            before, self.inside = self.inside, label
            try:
                found = method(*args, **options)
                # A generator does its work while it is read, so it is read in here.
                return list(found) if tickets and type(found) is not list else found
            finally:
                self.inside = before

        return staticmethod(fenced) if name == "sense" else fenced

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
        """Watch a function; `instead` is what a library gets that calls it on the strategy's behalf."""
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

    def _fence_dates(self) -> None:
        for kind, names in ((datetime.datetime, ("now", "utcnow", "today")), (datetime.date, ("today",))):
            fenced = _Date(kind.__name__, (kind,), {"__module__": "datetime", "before": kind})
            for name in names:
                self._replace(fenced, name, _CLOCK, direct=True)
            setattr(datetime, kind.__name__, fenced)

    def _fence_dice(self) -> None:
        """Libraries may need a number to call something by; theirs are the same in every crawl."""
        dice, seed = self._dice, random.Random.seed
        for module, name in ((os, "urandom"), (random, "_urandom")):
            self._replace(module, name, _DICE, direct=True, instead=dice.randbytes)
        self._replace(
            random.Random,
            "seed",
            _DICE,
            direct=True,
            forbids=lambda rng, a=None, version=2: a is None,
            instead=lambda rng, a=None, version=2: seed(rng, dice.getrandbits(64)),
        )
        for name in random.__all__:
            if not isinstance(getattr(random, name), type):
                self._replace(random, name, _DICE, direct=True)

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.inside:
            return
        what = _EVENTS.get(event) or _EVENTS.get(event.partition(".")[0])
        if what is None or (event == "open" and _reads_module(*args)):
            return
        self._check(f"{what} ({args[0] if event == 'open' else event})", direct=event == "sys._getframe")

    def _check(self, what: str, direct: bool) -> None:
        """Stop the strategy if it is to blame; `direct`: only if it asked itself, not a library on its behalf."""
        label, self.inside = self.inside, ""  # looking at frames is an audited event as well
        frame: FrameType | None = sys._getframe(2)
        self.inside = label
        while frame is not None:
            file = frame.f_code.co_filename
            if file == __file__ or file.startswith(_IMPORTING):
                return  # nobody's, or a library's that is being imported
            if self._is_suspect(file):
                self.caught = self.caught or Cheated(label, what)
                raise self.caught
            if direct and file not in _DICE_FILES:
                return
            frame = frame.f_back

    def _is_suspect(self, file: str) -> bool:
        if file in self._suspects or file.startswith(_STRATEGIES):
            return True
        return not file.startswith(("<frozen ", _HOUSE, *_LIBRARIES))


class _Date(type):
    """Dates made before the fence was up are dates as well."""

    def __instancecheck__(cls, thing: Any) -> bool:
        before = vars(cls).get("before")
        return isinstance(thing, before) if before else super().__instancecheck__(thing)


def _file(kind: type) -> str | None:
    own = kind.__module__.startswith("lycosa.core") or kind is object
    return None if own else getattr(sys.modules.get(kind.__module__), "__file__", None)


def _reads_module(path: Any, mode: str | None, flags: int) -> bool:
    """Importing reads modules, and so does whoever shows a line of code in a warning."""
    return str(path).endswith(_MODULES) and not flags & _WRITING and not set(mode or "") & set("wax+")


def _imports_room(name: str, globals: Any = None, locals: Any = None, names: Any = (), level: int = 0) -> bool:
    wanted = (name, *(f"{name}.{each}" for each in names or ()))
    return any(f"{each}.".startswith(_CLOSED_ROOMS) for each in wanted)
