"""The one error a user sees: what is wrong and what to do about it."""


class Refused(Exception):
    """Input that cannot be worked with; shown as one line, exit code 2."""

    def __init__(self, problem: str, fix: str = "") -> None:
        super().__init__(f"{problem}: {fix}" if fix else problem)
        self.problem = problem
        self.fix = fix
