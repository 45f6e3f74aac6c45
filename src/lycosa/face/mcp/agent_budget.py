"""The agent budget: how many pages and bytes the agents of one server may fetch, in all their hunts together.

What a hunt may still fetch is reserved when it is started or continued; the unused part comes back when the hunt ends
or is paused. A hunt that people start or continue elsewhere costs the agents nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from lycosa.app.answers.hunt import HuntStatus
from lycosa.app.jobs import HuntJobs, Unknown
from lycosa.app.jobs.hunt_state import AT_WORK
from lycosa.app.wording import counted
from lycosa.system.errors import Code, Refused

PAGE = 1 << 20
"""Bytes that one page may cost: no more of a page is kept."""


class Left(NamedTuple):
    """Pages and bytes that may still be spent."""

    pages: int
    bytes: int


class _Account(NamedTuple):
    """What one hunt was granted, and its counts of pages and bytes at that time."""

    pages: int
    bytes: int
    before: Left


class AgentBudget:
    """Keeps track of the budget; safe to use from several threads."""

    def __init__(self, jobs: HuntJobs, pages: int = 1000, bytes: int = 1 << 30) -> None:
        self.most = Left(pages, bytes)
        self._jobs = jobs
        self._lock = Lock()
        self._gone = Left(0, 0)
        self._accounts: dict[str, _Account] = {}

    def left(self) -> Left:
        """What is neither spent nor granted to a hunt."""
        with self._lock:
            return self._left()

    def start(self, pages: int, bytes: int | None, begin: Callable[[int], str]) -> str:
        """Grant a new hunt its budget; `begin` gets the bytes granted, starts the hunt and returns its name."""
        with self._lock:
            granted = self._afford(pages, bytes if bytes is not None else pages * PAGE, bytes is None)
            name = begin(granted.bytes)
            self._accounts[name] = _Account(*granted, Left(0, 0))
            return name

    def grant(self, name: str, pages: int, bytes: int | None, go_on: Callable[[int], None]) -> None:
        """Grant a hunt more, in addition to what it has not used; `go_on` gets the number of additional bytes."""
        with self._lock:
            self._settle()
            status = self._jobs.status(name)
            budget = status.budget
            if budget.pages is None:
                raise Refused(
                    f"{name} has no page limit, so it is not for agents to continue",
                    "start a hunt of your own",
                    code=Code.NOT_ALLOWED,
                    field="name",
                )
            before = Left(status.pages, status.bytes)
            unused_pages = max(0, budget.pages - before.pages)
            unused_bytes = unused_pages * PAGE
            if budget.bytes is not None:
                unused_bytes = min(unused_bytes, max(0, budget.bytes - before.bytes))
            known = self._accounts.pop(name, None)
            if known:
                known = self._settled(known, status)
            try:
                wanted = (bytes if bytes is not None else pages * PAGE) + unused_bytes
                granted = self._afford(pages + unused_pages, wanted, bytes is None)
                go_on(max(0, granted.bytes - unused_bytes))
            except BaseException:
                if known:
                    self._accounts[name] = known
                raise
            self._accounts[name] = _Account(*granted, before)

    def _afford(self, pages: int, bytes: int, fewer_bytes_do: bool) -> Left:
        left = self._left()
        if pages > left.pages or left.bytes <= 0:
            raise self._spent(left, counted(pages, "page"))
        if bytes > left.bytes and not fewer_bytes_do:
            raise self._spent(left, f"{bytes:,} bytes")
        return Left(pages, min(bytes, left.bytes))

    def _spent(self, left: Left, wanted: str) -> Refused:
        fix = "ask for fewer, or pause a hunt that still runs" if min(left) > 0 else "work with what has been found"
        return Refused(
            f"budget spent: {wanted} cannot be had, {left.pages:,} of {self.most.pages:,} pages and "
            f"{left.bytes:,} of {self.most.bytes:,} bytes are left in this session",
            f"{fix}; only a person can raise it, with `lycosa mcp --max-pages N --max-bytes N`",
            code=Code.OUT_OF_RANGE,
        )

    def _left(self) -> Left:
        self._settle()
        granted = self._accounts.values()
        return Left(
            max(0, self.most.pages - self._gone.pages - sum(account.pages for account in granted)),
            max(0, self.most.bytes - self._gone.bytes - sum(account.bytes for account in granted)),
        )

    def _settle(self) -> None:
        """Take back the unused part of the grants of hunts that no longer run."""
        for name, account in list(self._accounts.items()):
            try:
                status = self._jobs.status(name)
            except Unknown:
                # The hunt was deleted, and with it the record of how much was fetched: the whole grant counts as spent.
                self._gone = Left(self._gone.pages + account.pages, self._gone.bytes + account.bytes)
                del self._accounts[name]
                continue
            if status.state not in AT_WORK:
                self._settled(account, status)
                del self._accounts[name]

    def _settled(self, account: _Account, status: HuntStatus) -> _Account:
        """Count what was fetched as spent; returns the account of the rest."""
        now = Left(status.pages, status.bytes)
        spent = Left(*(max(0, after - before) for after, before in zip(now, account.before, strict=True)))
        self._gone = Left(self._gone.pages + spent.pages, self._gone.bytes + spent.bytes)
        return _Account(max(0, account.pages - spent.pages), max(0, account.bytes - spent.bytes), now)
