"""One test for each row of the fault matrix (`matrix.py`): it measures one figure and holds it to the row's bound.

A row test is marked `@pytest.mark.row("A7")` and calls `figure("0 of 1,500 pages lost")` before it asserts. `size` has
two values: a small one for `make test`, the whole one for `make faults`. A row marked `alone=True` runs in a network
namespace that has nothing but loopback, with a name server of its own.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that rows can share `matrix`, `alone` and other modules beside them

import alone
from matrix import MATRIX

FULL = bool(os.environ.get("LYCOSA_FAULTS_FULL"))
"""Whether rows are measured at their whole size."""
RESULT = os.environ.get("LYCOSA_FAULTS_RESULT")
"""The file to which each row's figure and verdict are appended."""
FIGURE = pytest.StashKey[str]()


@pytest.fixture
def figure(request):
    """Call it with what was measured, before asserting anything about it."""

    def measured(text):
        request.node.stash[FIGURE] = text
        print(f"{row_of(request.node)}: {text}")

    return measured


@pytest.fixture
def size():
    """Chooses between the size of a quick check and that of a whole measurement."""
    return lambda quick, full: full if FULL else quick


def row_of(item):
    """The row of the matrix that a test measures, if it is one of those."""
    marker = item.get_closest_marker("row")
    return marker.args[0] if marker else None


def pytest_collection_modifyitems(items):
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    rows = [row for item in here if (row := row_of(item))]
    unknown = {row for row in rows if row not in MATRIX} | {row for row in rows if rows.count(row) > 1}
    if unknown:
        raise pytest.UsageError(f"rows without a place in matrix.py, or with two tests: {', '.join(sorted(unknown))}")
    for item in here:
        if (row := row_of(item)) and MATRIX[row].slow and not FULL:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that needs a network of its own in a process that has one."""
    marker = pyfuncitem.get_closest_marker("row")
    if not marker or not marker.kwargs.get("alone") or alone.INSIDE:
        return None
    if reason := alone.missing():
        pytest.skip(reason)
    command = [sys.executable, "-m", "pytest", "-m", "row", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as told:
        done = subprocess.run(
            [*alone.COMMAND, *command, f"{pyfuncitem.path}::{pyfuncitem.name}"],
            cwd=pyfuncitem.config.rootpath,
            env={**os.environ, "LYCOSA_FAULTS_RESULT": told.name, alone.MARK: "1"},
            capture_output=True,
            text=True,
        )
        said = [json.loads(line) for line in told if line.strip()]
    if said and said[-1]["figure"]:
        pyfuncitem.stash[FIGURE] = said[-1]["figure"]
    if said and said[-1]["verdict"] == "skipped":
        pytest.skip(said[-1]["reason"])
    if done.returncode:
        pytest.fail(done.stdout + done.stderr, pytrace=False)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    row = row_of(item)
    if row and RESULT and (report.when == "call" or report.outcome != "passed"):
        figure = item.stash.get(FIGURE, "")
        verdict = {"passed": "held", "failed": "failed", "skipped": "skipped"}[report.outcome]
        if verdict == "held" and not figure:
            verdict, report.outcome = "failed", "failed"
            report.longrepr = f"{row} gave no figure"
        reason = "" if verdict == "held" else _reason(report)
        told = {"row": row, "figure": figure, "verdict": verdict, "reason": reason, "at": time.time()}
        with Path(RESULT).open("a") as file:
            file.write(json.dumps(told | {"seconds": round(call.duration, 1)}) + "\n")
    return report


def _reason(report):
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
    return lines[0][:300] if lines else ""


@pytest.fixture(scope="session")
def door(tmp_path_factory):
    """The real server over a home full of attacks, shared by the rows about pages and interfaces."""
    from hostile_home import furnish, serving

    home = tmp_path_factory.mktemp("doors") / "home"
    home.mkdir()
    furnish(home, 10_000 if FULL else 200)
    with serving(home) as door:
        yield door
