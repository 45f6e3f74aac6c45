"""The examples of rounds.md run."""

import json
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to/rounds.md"


def block(kind):
    (code,) = re.findall(rf"<!-- run -->\n```{kind}\n(.*?)```", PAGE.read_text(), re.S)
    return code


def test_the_commands_run(shell):
    told = shell(block("sh"))[-1]
    assert [each["pages"] for each in json.loads(told)["rounds"]] == [40] * 4


def test_the_python_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python"), "rounds.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 2
