"""First crawls and refreshes of communities that a server starts, each in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Lock

from lycosa.app.jobs.job_errors import Conflict
from lycosa.community.home import Home
from lycosa.system.errors import Code
from lycosa.web.proxies import VARIABLE
from lycosa.web.tls_reasons import VARIABLE as CA_VARIABLE

_PATIENCE = 10.0
_SHOWN = 300
"""Characters of a problem that are shown."""


class RefreshJobs:
    """The running refreshes, by folder. An interrupted one is continued the next time."""

    def __init__(self, proxy: str | None = None, ca: str | None = None) -> None:
        """`proxy` and `ca` are the server's own, if it has them."""
        # In the environment, because every user of the machine can see the command line.
        given = {name: value for name, value in ((VARIABLE, proxy), (CA_VARIABLE, ca)) if value}
        self._env = {**os.environ, **given} if given else None
        self._running: dict[Path, subprocess.Popen[str]] = {}
        self._problems: dict[Path, str] = {}
        self._guard = Lock()

    def begin(self, folder: Path, keywords: str = "") -> None:
        """Begin a refresh, or the first crawl if there was none, or continue one that was interrupted."""
        begun = Home.open(folder, searching=True).begun
        command = ["refresh", str(folder)] if begun else ["init", str(folder), "--keywords", keywords]
        with self._guard:
            self._look(folder)
            if folder in self._running or Home.open(folder, searching=True).running():
                raise Conflict("this community is being changed already", "wait until that is done", code=Code.IN_USE)
            self._problems.pop(folder, None)
            self._running[folder] = subprocess.Popen(
                [sys.executable, "-m", "lycosa", "community", *command, "--json"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                # On Ctrl-C in the server's terminal we send it one SIGINT ourselves.
                start_new_session=True,
                env=self._env,
            )

    def running(self, folder: Path) -> bool:
        """Whether a refresh of a folder is running, from the moment it was begun."""
        with self._guard:
            self._look(folder)
            return folder in self._running

    def problem(self, folder: Path) -> str:
        """Why the last refresh of a folder failed; empty if it did not."""
        with self._guard:
            self._look(folder)
            return self._problems.get(folder, "")

    def close(self) -> None:
        """Interrupt all refreshes; they are continued the next time."""
        with self._guard:
            for child in self._running.values():
                child.send_signal(signal.SIGINT)
            for child in self._running.values():
                try:
                    child.communicate(timeout=_PATIENCE)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.communicate()
            self._running.clear()

    def _look(self, folder: Path) -> None:
        child = self._running.get(folder)
        if child is None or child.poll() is None:
            return
        _, output = child.communicate()
        del self._running[folder]
        if child.returncode not in (0, 130):
            lines = output.strip().splitlines() or ["it ended without a message"]
            self._problems[folder] = lines[-1].removeprefix("lycosa: ")[:_SHOWN]
