"""The example of freshness.md runs, and its figures are those of the code."""

import re
from pathlib import Path

from lycosa.community.change_rates import Evidence, beliefs, prospects
from lycosa.community.page_history import INTERVALS

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
    rows = re.findall(r"^\| (?:none|one|ten|never).* \| ([\d.]+) days \|$", PAGE.read_text(), re.M)
    # The changes of known time, the changes, the days between checks, and the days without a change.
    seen = [(0, 0, 1, 0), (0, 0, 1, 60), (0, 1, 1, 0), (0, 10, 1, 0), (0, 5, 11.3, 50), (1, 0, 1, 300)]
    for said, (dated, changes, every, quiet) in zip(rows, seen, strict=True):
        assert f"{1 / rate(dated, changes, every, quiet):.{len(said.partition('.')[2])}f}" == said


def rate(dated, changes, every, quiet):
    """The estimated rate of a page that is alone in its collection."""
    import numpy as np

    blurred = np.array([[changes if abs(each / every - 1) < 0.1 else 0 for each in INTERVALS]], float)
    one = np.zeros(1, np.intp)
    belief = beliefs(Evidence(np.array([float(dated)]), blurred, np.array([float(quiet)])), one, one)
    return float(prospects(belief, np.zeros(1), np.zeros(1)).rate[0])
