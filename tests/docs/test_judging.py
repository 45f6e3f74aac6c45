"""What the pages on judging and estimating show runs."""

import json
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def examples(page, kind):
    (code,) = re.findall(rf"<!-- run -->\n```{kind}\n(.*?)```", (DOCS / page).read_text(), re.S)
    return code


def test_the_judging_examples_run(shell, tmp_path, capsys):
    _, _, withdrawn, judged, doubts, status = shell(examples("how-to/judge-pages.md", "sh"))
    assert "1 taken back" in withdrawn
    assert "1 judged" in judged
    assert len(json.loads(doubts)["doubts"]) == 5
    assert json.loads(status)["judged"] == {"pages": 1, "relevant": 1, "by": {"person": 1}}
    exec(compile(examples("how-to/judge-pages.md", "python"), "judging.md", "exec"), {})
    assert capsys.readouterr().out
    assert len((tmp_path / "judged" / "judgements.jsonl").read_text().splitlines()) == 5


def test_the_estimate_examples_run(shell):
    first, _, one, strict, both = shell(examples("explanation/estimate.md", "sh"))
    assert json.loads(first)["reason"] == "found about 40% of what there is"
    assert "in all" in one
    assert "on topic with 80 % or more" in strict
    assert json.loads(both)["shared"] > 0
