"""Files that other programs read: systemd unit, Containerfile, workflow and hooks name only what exists."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


def test_the_systemd_unit_is_valid(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not here")
    unit = (ROOT / "packaging" / "lycosa-serve.service").read_text()
    assert "ExecStart=/opt/lycosa/bin/lycosa serve " in unit
    # It asks whether the program exists.
    (tmp_path / "lycosa-serve.service").write_text(unit.replace("/opt/lycosa/bin/lycosa", sys.executable))
    command = ["systemd-analyze", "verify", tmp_path / "lycosa-serve.service"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_image_copies_what_exists_and_is_not_ignored():
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Containerfile").read_text(), re.M)
    names = {name for line in copied for name in line.split()}
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert names == {line[1:] for line in ignored if line.startswith("!")}
    assert all((ROOT / name).exists() for name in names)


def test_the_workflow_runs_targets_of_the_makefile():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
    commands = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    assert commands and all(command.removeprefix("make ") in targets for command in commands)


def test_the_hooks_run_tools_that_setup_installs():
    hooks = [
        hook
        for repo in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
        for hook in repo["hooks"]
    ]
    for program in (hook["entry"].split()[0] for hook in hooks):
        assert Path(program).is_relative_to(".venv/bin") or (ROOT / program).stat().st_mode & 0o111
