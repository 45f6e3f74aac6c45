"""What msgspec knows of our structs, before several threads want to know it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec


def learn_structs() -> None:
    """Have msgspec look at every struct that is defined by now; a process with threads does so before it starts them.

    Left alone, it looks when the first one of a kind is decoded. If two threads do that at the same moment, the second
    takes what the first has filled by half, and the process dies of it (msgspec 0.22, structs within structs).
    """
    for kind in set(_beneath(msgspec.Struct)):
        # What cannot be decoded at all is nobody's danger.
        with suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)


def _beneath(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for below in kind.__subclasses__():
        yield below
        yield from _beneath(below)
