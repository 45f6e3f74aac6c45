"""Measures rows of the fault matrix, one after another, and shows a table: `make faults`, `make faults ROWS="A7 B*"`.

Rows that were measured since the last change of the code are not measured again unless `--again` is given, so a run
that was interrupted goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from matrix import AREAS, MATRIX
from rich.console import Console
from rich.table import Table
from xxhash import xxh3_64

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = ROOT / "artefacts" / "faults.jsonl"
LIMIT = 3600
"""Seconds for one row."""
COLOURS = {"held": "green", "failed": "red", "skipped": "yellow", "none": "red"}


def main() -> None:
    """Measure what is wanted, show all that is known; exit 1 if a row failed or has no test, 2 for bad arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", help="rows such as A7, C*; all of them if none is named")
    parser.add_argument("--again", action="store_true", help="measure also what was measured with this code already")
    parser.add_argument("--quick", action="store_true", help="at the small size of `make test`")
    parser.add_argument("--show", action="store_true", help="measure nothing, show what is known")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row instead of a table")
    options = parser.parse_args()
    wanted = chosen(options.rows)
    state = state_of_code() + (" quick" if options.quick else "")
    console = Console(stderr=True)
    for row in wanted:
        if options.show or (not options.again and known(state).get(row, {}).get("verdict") == "held"):
            continue
        with console.status(f"{row}  {MATRIX[row].fault}"):
            result = measure(row, quick=options.quick)
        keep(result | {"state": state})
        console.print(line(result), highlight=False)
    results = known(None if options.show else state)
    missing = [row for row in wanted if row not in results]
    if options.json:
        for row in wanted:
            print(json.dumps(results.get(row, {"row": row, "verdict": "none"})))
    else:
        Console(width=None if sys.stdout.isatty() else 160).print(table(wanted, results))
    sys.exit(bool(missing) or any(results[row]["verdict"] == "failed" for row in wanted if row in results))


def chosen(patterns: list[str]) -> list[str]:
    """The rows that match, in the order of the matrix."""
    for pattern in patterns:
        if not any(fnmatchcase(row, pattern.upper()) for row in MATRIX):
            print(f"faults: no row is called {pattern}: name rows such as A7 or C*, up to E19", file=sys.stderr)
            sys.exit(2)
    return [row for row in MATRIX if not patterns or any(fnmatchcase(row, name.upper()) for name in patterns)]


def file_of(row: str) -> Path | None:
    """The file with the test of a row: test_a07_*.py for A7."""
    area, number = re.fullmatch(r"([A-Z])(\d+)", row).groups()
    return next(iter(sorted(HERE.glob(f"test_{area.lower()}{int(number):02d}_*.py"))), None)


def measure(row: str, *, quick: bool) -> dict[str, object]:
    """Run the test of a row in a process of its own, and take in what it says."""
    file = file_of(row)
    if file is None:
        return {"row": row, "figure": "", "verdict": "failed", "reason": "it has no test yet", "seconds": 0}
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as told:
        environment = {**os.environ, "LYCOSA_FAULTS_RESULT": told.name}
        if not quick:
            environment["LYCOSA_FAULTS_FULL"] = "1"
        command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-m", "row", f"--timeout={LIMIT}", str(file)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        said = [json.loads(text) for text in told if text.strip()]
    (KEPT.parent / "faults").mkdir(parents=True, exist_ok=True)
    (KEPT.parent / "faults" / f"{row}.log").write_text(done.stdout + done.stderr)
    if not said:
        return {"row": row, "figure": "", "verdict": "failed", "reason": "the test did not run", "seconds": 0}
    result: dict[str, object] = said[-1]
    return result


def state_of_code() -> str:
    """What the code is like: a digest of every file that a result may depend on."""
    digest = xxh3_64()
    files = [ROOT / "requirements.txt", *(ROOT / "src").rglob("*.*"), *HERE.glob("*.py")]
    for file in sorted(file for file in files if file.is_file() and file.suffix != ".pyc"):
        digest.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    return digest.hexdigest()


def known(state: str | None) -> dict[str, dict[str, object]]:
    """The last result of each row, of one state of the code or of any."""
    lines: Iterable[str] = KEPT.read_text().splitlines() if KEPT.exists() else ()
    results = [json.loads(text) for text in lines]
    return {result["row"]: result for result in results if state is None or result["state"] == state}


def keep(result: dict[str, object]) -> None:
    """Remember a result."""
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("a") as file:
        file.write(json.dumps(result) + "\n")


def line(result: dict[str, object]) -> str:
    """A result in one line."""
    colour = COLOURS[str(result["verdict"])]
    said = result["figure"] or result["reason"]
    return f"{result['row']:>4}  [{colour}]{result['verdict']:8}[/]{said}"


def table(rows: list[str], results: dict[str, dict[str, object]]) -> Table:
    """Row, fault, figure, bound and verdict."""
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("row", "fault", "figure", "bound", "verdict", "s"):
        shown.add_column(name, justify="right" if name in ("row", "s") else "left", overflow="fold")
    area = ""
    for row in rows:
        if row[0] != area:
            area = row[0]
            shown.add_row("", f"[bold]{AREAS[area]}[/]")
        found = results.get(row)
        verdict = str(found["verdict"]) if found else "none"
        figure = str(found["figure"] or "") if found else ""
        if found and verdict != "held":
            figure = f"{figure} ({found['reason']})" if figure else str(found["reason"])
        seconds = f"{found['seconds']:.0f}" if found else ""
        colour = COLOURS[verdict]
        shown.add_row(row, MATRIX[row].fault, figure, MATRIX[row].bound, f"[{colour}]{verdict}[/]", seconds)
    return shown


if __name__ == "__main__":
    main()
