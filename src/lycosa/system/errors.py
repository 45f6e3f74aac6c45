"""The one error a user sees: what is wrong and what to do about it."""

from __future__ import annotations


class Refused(Exception):
    """Input that cannot be worked with; shown as one line, exit code 2."""

    def __init__(self, problem: str, fix: str = "") -> None:
        super().__init__(f"{problem}: {fix}" if fix else problem)
        self.problem = problem
        self.fix = fix

    def __reduce__(self) -> tuple[type[Refused], tuple[str, str]]:
        """Survive the way between processes."""
        return type(self), (self.problem, self.fix)


class SeedsFailed(Refused):
    """None of the pages to start from could be fetched; shown as one line, exit code 1."""


class Interrupted(Refused):
    """A person stopped what had not begun yet; shown as one line, exit code 130."""

    def __init__(
        self,
        problem: str = "stopped before the crawl began",
        fix: str = "begin it again, in the same folder if you like",
    ) -> None:
        super().__init__(problem, fix)
