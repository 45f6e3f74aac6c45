"""E19: none of the pinned dependencies has a known vulnerability, as far as those who keep track can be asked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.row("E19")
def test_no_pinned_dependency_is_known_to_be_vulnerable(figure, tmp_path):
    tool = ROOT / ".venv" / "audit" / "bin" / "pip-audit"
    if not tool.exists():
        pytest.skip("pip-audit is not here: make audit installs and runs it")
    done = subprocess.run(
        [tool, "--requirement", ROOT / "requirements.txt", "--no-deps", "--disable-pip", "--format", "json"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    if not done.stdout.strip():
        pytest.skip(f"the advisories cannot be asked for here ({done.stderr.strip().splitlines()[-1][:100]})")
    every = json.loads(done.stdout)["dependencies"]
    known = [one for one in every if "vulns" in one]
    if not known:
        pytest.skip(f"the advisory service that can be reached from here knows none of the {len(every)} packages")
    vulnerable = [f"{one['name']} {found['id']}" for one in known for found in one["vulns"]]
    figure(
        f"{len(vulnerable)} known in {len(known)} of {len(every)} pinned packages on Python {sys.version_info.major}"
    )
    assert not vulnerable
