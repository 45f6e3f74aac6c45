"""E16: nothing that is read from a disk can run, and what is written is nobody else's to change."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sites import Sites, control

import lycosa

ROOT = Path(__file__).resolve().parents[2]
RULES = "S102,S301,S302,S307,S501,S506,S602,S604,S605,S609,S612,S701,S702"
"""exec, pickle, marshal, eval, TLS without verification, yaml.load, shells, wildcards, templates without escaping."""
KNOWN = {
    "src/lycosa/contrib/scrapy/job.py": "Scrapy keeps its own requests in the same JOBDIR with pickle",
    "src/lycosa/lab/forked_call.py": "a pipe between a process and its own fork, no file",
}


@pytest.mark.row("E16")
def test_no_state_can_run_or_be_changed_by_others(figure, tmp_path):
    ruff = subprocess.run(
        [
            Path(sys.executable).parent / "ruff",
            "check",
            "--isolated",
            "--select",
            RULES,
            "--output-format",
            "concise",
            "src",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    findings = [
        line for line in ruff.stdout.splitlines() if re.match(r"src/", line) and line.partition(":")[0] not in KNOWN
    ]
    shared = []
    before = os.umask(0o022)
    try:
        with Sites(control(5)) as sites:
            how = {"pages": 5, "delay": 0.0, "proxy": sites.proxy}
            with lycosa.hunt("wolf spider", ["http://control.test/"], out=tmp_path / "c", **how) as hunt:
                assert sum(1 for _ in hunt) == 5
        lycosa.search(tmp_path / "c", "spider")
    finally:
        os.umask(before)
    files = list((tmp_path / "c").rglob("*"))
    shared += [str(file) for file in files if file.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)]
    figure(
        f"{len(findings)} findings besides {len(KNOWN)} known; {len(shared)} of {len(files)} files writable by others"
    )
    assert not findings, findings
    assert not shared
