"""Refusals of HuntJobs other than bad input."""

from __future__ import annotations

from lycosa.system.errors import Code, Refused


class Unknown(Refused):
    """There is nothing of that name."""

    code = Code.NOT_FOUND


class Conflict(Refused):
    """It is not in a state for that: it runs already, or another process runs it."""

    code = Code.WRONG_STATE
