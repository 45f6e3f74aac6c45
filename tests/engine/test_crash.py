"""Kill -9 of brain and scouts together, a few times; `make crash` does it fifty times."""

import importlib.util
from pathlib import Path

CRASH = Path(__file__).parents[2] / "bench" / "crash.py"


def test_kill_minus_nine_loses_nothing_and_doubles_nothing(tmp_path):
    spec = importlib.util.spec_from_file_location("crash", CRASH)
    crash = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(crash)
    report = crash.trial(tmp_path, kills=3, pages=900, seed=2)
    assert report["kills"] >= 2
    assert report["pages"] > 1200
    assert report["lost"] == report["twice"] == report["invalid"] == []
    assert report["refetched beyond what was under way"] == 0
