"""The entry point of the `lycosa` command; it runs before any slow import."""

from __future__ import annotations

import signal

from lycosa.system.descriptors import raise_limit


def main() -> None:
    """Run the command line; until it is imported, Ctrl-C simply ends the program."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise_limit()
    from lycosa.face.cli import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
