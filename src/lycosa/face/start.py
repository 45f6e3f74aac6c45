"""Where the `lycosa` command begins: before anything is imported that takes time."""

from __future__ import annotations

import signal

from lycosa.system.descriptors import raise_limit


def main() -> None:
    """Until the command line is there, Ctrl-C simply ends the program; after that it decides for itself."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise_limit()
    from lycosa.face.cli import main as run

    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
