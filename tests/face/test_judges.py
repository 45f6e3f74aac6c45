"""`lycosa judges`."""

import json
import subprocess
import sys


def lycosa(*words):
    return subprocess.run(
        [sys.executable, "-m", "lycosa", *words], capture_output=True, text=True, timeout=60, check=False
    )


def test_judges_lists_every_judge_with_its_options():
    listed = lycosa("judges").stdout
    assert all(name in listed for name in ("cosine", "tfidf", "centroid", "naive-bayes", "linear", "taxonomy"))
    assert "words=0" in listed
    assert "Platt" in lycosa("judges", "linear").stdout
    told = json.loads(lycosa("judges", "--json").stdout)
    assert [option["name"] for option in told["linear"]["options"]] == ["C", "calibrate"]


def test_an_unknown_judge_is_refused_with_the_names_there_are():
    done = lycosa("judges", "solomon")
    assert done.returncode == 2
    assert done.stderr.startswith("lycosa: unknown judge 'solomon': choose one of: centroid, cosine")
