"""Fills msgspec's cache of our structs before several threads need it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec


def learn_structs() -> None:
    """Have msgspec inspect every struct defined so far; a process with threads calls this before it starts them.

    By default msgspec inspects a struct when it is first decoded. If two threads do that at the same time, the second
    uses a half-filled entry of the first, and the process crashes (msgspec 0.22, structs within structs).
    """
    for kind in set(_beneath(msgspec.Struct)):
        # A struct that cannot be decoded at all causes no such crash.
        with suppress(TypeError, NameError):
            msgspec.json.Decoder(kind)


def _beneath(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for below in kind.__subclasses__():
        yield below
        yield from _beneath(below)
