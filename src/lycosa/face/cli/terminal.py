"""A console for text that strangers wrote."""

from __future__ import annotations

from rich.console import Console


class Terminal(Console):
    """A console that treats nothing as markup, and a closed pipe not as an error."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, stderr=stderr)

    def on_broken_pipe(self) -> None:
        """Let the command line end silently; Rich would end the whole program at once, with exit code 1."""
        raise BrokenPipeError
