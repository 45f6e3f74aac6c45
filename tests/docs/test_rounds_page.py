"""The examples of rounds.md run."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rounds.md"


def block(kind):
    (code,) = re.findall(rf"<!-- run -->\n```{kind}\n(.*?)```", PAGE.read_text(), re.S)
    return code


def test_the_commands_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line in block("sh").splitlines():
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(line)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
    assert [each["pages"] for each in json.loads(done.stdout)["rounds"]] == [40] * 4


def test_the_python_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python"), "rounds.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 2
