"""A hunt's process as its parent sees it: start it, ask it to stop, wait for its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from lycosa.app.jobs.runner import LAST, RunnerMessage, RunnerOrder

_PATIENCE = LAST + 5.0
"""Seconds from asking a process to stop until it is killed."""


class HuntProcess:
    """One process, in a process group of its own, so that Ctrl-C in a terminal reaches only the server."""

    def __init__(self, order: RunnerOrder, complaints: Path, ended: Callable[[HuntProcess], None]) -> None:
        """Start the process; `ended` is called from another thread after it has ended."""
        self.told = RunnerMessage()
        """How it ended."""
        self.asked = False
        """Whether it was asked to stop."""
        self._complaints = complaints
        self._ended = ended
        self._guard = threading.Lock()
        self._late: threading.Timer | None = None
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(complaints, flags, 0o600), "wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "lycosa.app.jobs"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        self._thread = threading.Thread(target=self._watch, args=(order,), daemon=True, name="hunt")
        self._thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def stop(self) -> None:
        """Ask it to stop; it saves its state first."""
        with self._guard:
            if self.asked:
                return
            self.asked = True
            self._late = threading.Timer(_PATIENCE, self.kill)
        self._late.daemon = True
        self._late.start()
        self._say(b"stop\n")

    def join(self, until: float) -> None:
        """Wait for its end until a time of the monotonic clock, then kill it."""
        self._thread.join(max(0.0, until - time.monotonic()))
        if self._thread.is_alive():
            self.kill()
            self._thread.join(5.0)

    def kill(self) -> None:
        """Kill it with all its child processes, if it still runs."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _say(self, line: bytes) -> None:
        assert self._process.stdin
        with self._guard, suppress(OSError, ValueError):
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def _watch(self, order: RunnerOrder) -> None:
        process = self._process
        assert process.stdin and process.stdout
        self._say(msgspec.json.encode(order) + b"\n")
        for line in process.stdout:
            with suppress(msgspec.DecodeError):
                self.told = msgspec.json.decode(line, type=RunnerMessage)
        code = process.wait()
        process.stdout.close()
        with self._guard, suppress(OSError):
            process.stdin.close()
        if self._late:
            self._late.cancel()
        if code and not self.told.problem:
            self.told = RunnerMessage(problem=self._end_of(code), fix="resume it, or see why")
        self._ended(self)

    def _end_of(self, code: int) -> str:
        how = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
        lines = [line for line in self._complaint().splitlines() if line.strip()]
        return f"the hunt's process {how}" + (f" ({lines[-1].strip()[:200]})" if lines else "")

    def _complaint(self) -> str:
        try:
            return self._complaints.read_bytes()[-4096:].decode("utf-8", "replace")
        except OSError:
            return ""
