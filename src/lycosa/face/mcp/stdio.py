"""The way in over standard input and output, for the program that started us."""

from __future__ import annotations

import logging
import sys

import anyio

from lycosa.face.mcp.office import Office
from lycosa.face.mcp.server import Server


def serve_stdio(office: Office) -> None:
    """Answer until our input is closed; only the protocol reaches standard output.

    Hunts that an earlier server left running are not gone on with by themselves: nobody would have granted that.
    """
    log_plainly()
    try:
        anyio.run(Server(office).run_stdio_async)
    finally:
        office.desk.close()


def log_plainly() -> None:
    """What goes wrong inside is told to standard error in plain lines, before the SDK thinks of something prettier."""
    logging.basicConfig(level=logging.WARNING, format="lycosa: %(message)s", stream=sys.stderr)
