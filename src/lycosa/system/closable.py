"""Objects that are closed at the end of a `with` statement."""

from __future__ import annotations

from typing import Self


class Closable:
    """Has a method `close`, which a `with` statement calls."""

    def close(self) -> None:
        """Close files and connections."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
