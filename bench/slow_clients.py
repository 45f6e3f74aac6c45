"""What slow clients and crowds of streams do to a search: python bench/slow_clients.py [--out figures.json].

`lycosa serve` as anybody starts it, at 1,024 descriptors, with 200 pages to search. Beside it 500 slow connections,
then 3,000 streams of events opened at once (`tests/faults/crowd.py`). Ten searches a second go on all the time, each
over a connection of its own. Shown are their times, the server's memory and descriptors, and what it wrote down.
Everything stays on loopback.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "faults"))

from crowds import Measuring

BOUND = 1.0
"""Seconds that 95 of 100 searches may take."""


def main() -> None:
    """Measure alone, beside slow clients, beside streams too, and afterwards."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--slow", type=int, default=500)
    options.add_argument("--streams", type=int, default=3000)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--hard", action="store_true", help="Let the server not raise its limit of descriptors.")
    options.add_argument("--out", type=Path)
    given = options.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, Measuring(Path(folder), hard=given.hard) as server:
        for what, slow, streams in (
            ("alone", 0, 0),
            (f"beside {given.slow} slow clients", given.slow, 0),
            (f"and {given.streams} streams", given.slow, given.streams),
            ("afterwards", 0, 0),
        ):
            figures[what] = server.beside(given.seconds, slow, streams)._asdict()
            shown = ", ".join(f"{key} {value:,.3g}" for key, value in figures[what].items())
            print(f"{what}: {shown}", flush=True)
            time.sleep(2.0)  # the server learns of connections that are gone
        print(server.log[:2000], end="")
    worst = max(each["p95"] for each in figures.values())
    lost = sum(each["failed"] for each in figures.values())
    figures["verdict"] = {"p95": worst, "bound": BOUND, "failed": lost, "held": worst < BOUND and not lost}
    print(json.dumps(figures["verdict"]))
    if given.out:
        given.out.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
