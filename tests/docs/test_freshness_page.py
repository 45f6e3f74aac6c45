"""The example of freshness.md runs, and its figures are those of the code."""

import re
from pathlib import Path

from lycosa.community.revisit_value import change_rate

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation/freshness.md"


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"<!-- run -->\n```python\n(.*?)```", PAGE.read_text(), re.S)
    exec(compile(code, "freshness.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "40 pages"
    assert len(lines) == 5
    assert lines[-1] == "20 unchanged, 20 of them not sent again"


def test_the_table_of_rates_is_true():
    rows = re.findall(r"^\| (?:none|one|ten).* \| ([\d.]+) days \|$", PAGE.read_text(), re.M)
    looks = [(0, 0, 0), (0, 0, 60), (1, 1, 0), (10, 10, 0), (5, 50, 50)]
    for said, look in zip(rows, looks, strict=True):
        assert f"{1 / change_rate(*look):.{len(said.partition('.')[2])}f}" == said
