"""The console for text that strangers wrote."""

from __future__ import annotations

from rich.console import Console


class Terminal(Console):
    """Nothing printed here is markup, and a reader who has enough is no error."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, stderr=stderr)

    def on_broken_pipe(self) -> None:
        """Let the command line end in silence; Rich would end the whole program on the spot, with exit code 1."""
        raise BrokenPipeError
