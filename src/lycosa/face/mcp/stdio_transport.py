"""MCP over standard input and output, for the program that started us."""

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
    """Serve until standard input is closed; only the protocol is written to standard output.

    Hunts that an earlier server left running are not continued by themselves: nobody has granted them a budget.
    """
    log_plainly()

    def leave(*_: object) -> NoReturn:
        # A thread waits for input and cannot be cancelled; a clean exit after Ctrl-C would have to wait for it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        tool_context.jobs.close()
        os._exit(130)

    signal.signal(signal.SIGINT, leave)
    try:
        anyio.run(ToolServer(tool_context).run_stdio_async)
    finally:
        tool_context.jobs.close()


def log_plainly() -> None:
    """Log internal errors to standard error as plain lines, before the SDK sets up its own, richer logging."""
    logging.basicConfig(level=logging.WARNING, format="lycosa: %(message)s", stream=sys.stderr)
