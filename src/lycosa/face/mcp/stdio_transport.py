"""The way in over standard input and output, for the program that started us."""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import NoReturn

import anyio

from lycosa.face.mcp.tool_context import ToolContext
from lycosa.face.mcp.tool_server import ToolServer


def serve_stdio(tool_context: ToolContext) -> None:
    """Answer until our input is closed; only the protocol reaches standard output.

    Hunts that an earlier server left running are not gone on with by themselves: nobody would have granted that.
    """
    log_plainly()

    def leave(*_: object) -> NoReturn:
        # A thread waits for input that nobody can call back, so whoever presses Ctrl-C would have to wait for it too.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        tool_context.jobs.close()
        os._exit(130)

    signal.signal(signal.SIGINT, leave)
    try:
        anyio.run(ToolServer(tool_context).run_stdio_async)
    finally:
        tool_context.jobs.close()


def log_plainly() -> None:
    """What goes wrong inside is told to standard error in plain lines, before the SDK thinks of something prettier."""
    logging.basicConfig(level=logging.WARNING, format="lycosa: %(message)s", stream=sys.stderr)
