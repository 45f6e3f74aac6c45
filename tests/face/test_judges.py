"""`lycosa judges`."""

import json


def test_judges_lists_every_judge_with_its_options(run):
    listed = run("judges").stdout
    assert all(name in listed for name in ("cosine", "tfidf", "centroid", "naive-bayes", "linear", "taxonomy"))
    assert "words=0" in listed
    assert "Platt" in run("judges", "linear").stdout
    told = json.loads(run("judges", "--json").stdout)
    assert [option["name"] for option in told["linear"]["options"]] == ["C", "calibrate"]


def test_an_unknown_judge_is_refused_with_the_names_there_are(run):
    done = run("judges", "solomon")
    assert done.returncode == 2
    assert done.stderr.startswith("lycosa: unknown judge 'solomon': choose one of: centroid, cosine")
